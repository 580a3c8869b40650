// Keeps a reader's token in the browser, so that a reload, or another tab, finds what they left running.
const KEY = "attention-explorer-reader",
    AGAIN_MS = 3000;
let again = 0;

/** @param {import("./live/dom.js").Component} component */
export default function ({ data, setTriggerValue }) {
    clearTimeout(again);
    let known = null;
    try {
        known = localStorage.getItem(KEY);
        if (!/^[0-9a-f]{32}$/.test(known ?? "")) localStorage.setItem(KEY, (known = data.mine));
    } catch {
        return; // a browser that keeps nothing: the token lives as long as the tab
    }
    const tell = () => {
        setTriggerValue("known", known);
        again = window.setTimeout(tell, AGAIN_MS); // what is told while the server is busy has been missed
    };
    if (known !== data.mine) tell();
    return () => clearTimeout(again);
}
