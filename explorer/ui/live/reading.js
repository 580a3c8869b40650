// The one sentence below a picture: it follows the pointer, and takes the place of the page's reading where there is one.
import { element } from "./dom.js";
import { glossOf } from "./gloss.js";

// On the page, or in the file that was taken away.
const block = (/** @type {Element} */ root) =>
    /** @type {ShadowRoot} */ (root.getRootNode()).host?.closest("[data-testid=stVerticalBlock], body");

/** What the page says below a picture; Python writes it once the picture rests. @param {Element} root */
export const reading = (root) => block(root)?.querySelector(".reading > span:last-child");

/** What a picture says now, and what Python wrote there; who says nothing leaves Python's.
 * @type {WeakMap<Element, {nodes: Node[], own?: Node[], last: string}>} */
const saying = new WeakMap();
const textOf = (/** @type {Node[]} */ nodes) => nodes.map((each) => each.textContent).join("");

/** Say something in the place of the page's reading, whenever that comes, or nothing: then it reads as Python wrote it.
 * Returns whether it is there. @param {Element} root @param {Node[]} nodes */
export function say(root, nodes) {
    const around = block(root),
        watched = saying.get(root),
        state = watched ?? { nodes, own: undefined, last: "" };
    const put = () => {
        const position = reading(root);
        if (!position) return false;
        if (!state.own || position.textContent !== state.last)
            state.own = [...position.childNodes].map((each) => each.cloneNode(true)); // Python wrote it anew
        const shown = state.nodes.length ? state.nodes : state.own;
        state.last = textOf(shown);
        if (position.textContent !== state.last) position.replaceChildren(...shown.map((each) => each.cloneNode(true)));
        return true;
    };
    state.nodes = nodes;
    saying.set(root, state);
    if (around && !watched)
        new MutationObserver((_, observer) => (root.isConnected ? put() : observer.disconnect())).observe(around, {
            childList: true,
            subtree: true,
            characterData: true,
        });
    return put();
}

/** Say a sentence on the page, or in the picture's own line. @param {Element} root @param {HTMLElement} line
 * @param {string} pattern with {query}, {key} and the like @param {Record<string, string>} words that fill it */
export function speak(root, line, pattern, words) {
    const parts = pattern.split(/(\{\w+\})/).flatMap((piece) => {
        const role = piece.slice(1, -1);
        if (!piece.startsWith("{") || !(role in words)) return [document.createTextNode(piece)];
        const said = glossOf(root, words[role]);
        return [element("b", role, words[role]), ...(said ? [document.createTextNode(` (${said})`)] : [])];
    });
    line.replaceChildren(...parts);
    line.hidden = say(root, parts);
}
