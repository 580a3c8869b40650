// A tag beside the pointer, or beside what has the focus: it says what a cell's `data-says` says.
import { element, placeOn } from "./dom.js";

const TAG_AWAY = 14; // pixels

/** @type {WeakSet<Element>} */ const saying = new WeakSet();

/** Have every element of a picture that has `data-says` say it; a picture may ask for it again. @param {HTMLElement} root */
export function liveRegion(root) {
    if (saying.has(root)) return;
    saying.add(root);
    const tag = element("p", "says");
    tag.ariaHidden = "true"; // it repeats what the cell is called, or what stands in the table
    /** @param {string | null | undefined} text @param {number} x @param {number} y */
    const say = (text, x, y) => {
        tag.hidden = !text;
        if (!text) return;
        if (tag.parentElement !== root) root.append(tag);
        tag.textContent = text;
        const left = x + TAG_AWAY + tag.offsetWidth > root.clientWidth ? x - TAG_AWAY - tag.offsetWidth : x + TAG_AWAY;
        tag.style.transform = `translate(${Math.max(left, 0)}px, ${y + TAG_AWAY}px)`;
    };
    const point = (/** @type {PointerEvent} */ event) => {
        // a frame may lie over the cell
        const under = /** @type {Document | ShadowRoot} */ (root.getRootNode()).elementsFromPoint(
            event.clientX,
            event.clientY,
        );
        say(
            under
                .find((each) => each.closest("[data-says]"))
                ?.closest("[data-says]")
                ?.getAttribute("data-says"),
            ...placeOn(event, root),
        );
    };
    root.addEventListener("pointermove", point);
    root.addEventListener("pointerdown", point);
    root.addEventListener("pointerleave", () => say("", 0, 0));
    root.addEventListener("focusin", ({ target }) => {
        if (!(target instanceof Element) || !target.matches(":focus-visible")) return;
        const { left, top, width, height } = target.getBoundingClientRect();
        say(
            target.getAttribute("data-says"),
            ...placeOn({ clientX: left + width / 2, clientY: top + height / 2 }, root),
        );
    });
    root.addEventListener("focusout", () => say("", 0, 0));
}
