// Keeps a reader's token in the browser, so that a reload, or another tab, finds what they left running; and how much that
// was, at which process of the server: another one is told what went with it.
const KEY = "attention-explorer-reader",
    HELD = "attention-explorer-held",
    AGAIN_MS = 3000;
let again = 0;

const holdsSomething = () => JSON.parse(localStorage.getItem(HELD) ?? "{}").held > 0;

/** @param {import("./live/dom.js").Component} component */
export default function ({ data, setTriggerValue }) {
    clearTimeout(again);
    let known = null,
        lost = 0;
    try {
        known = localStorage.getItem(KEY);
        if (!/^[0-9a-f]{32}$/.test(known ?? "")) localStorage.setItem(KEY, (known = data.mine));
        if (known === data.mine) {
            const before = JSON.parse(localStorage.getItem(HELD) ?? "{}");
            if (before.held > data.held && before.process !== data.process && !data.told) lost = before.held;
            else localStorage.setItem(HELD, JSON.stringify({ process: data.process, held: data.held }));
        }
    } catch {
        return; // a browser that keeps nothing: the token lives as long as the tab
    }
    const tell = () => {
        if (lost) setTriggerValue("lost", lost);
        else setTriggerValue("known", known);
        again = window.setTimeout(tell, AGAIN_MS); // what is told while the server is busy has been missed
    };
    if (lost || (known !== data.mine && (data.keeps || holdsSomething()))) tell();
    return () => clearTimeout(again);
}
