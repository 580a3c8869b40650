// Draws a component in a page of its own: there is no server to tell of anything, and its style sheets are its own.
/**
 * @param {string} id of the element in which it is drawn @param {(component: import("./dom.js").Component) => void} draw
 * @param {string} markup with its style sheets @param {string} data base64 of what Python packed
 */
export function alone(id, draw, markup, data) {
    const host = /** @type {HTMLElement} */ (document.getElementById(id));
    const root = host.attachShadow({ mode: "open" });
    root.innerHTML = markup;
    draw({
        data: Uint8Array.from(atob(data), (each) => each.charCodeAt(0)),
        parentElement: /** @type {any} */ (root),
        setTriggerValue() {},
    });
}
