// What is dragged: a grip follows the pointer or the arrow keys, and tells when it is let go.
import { debounceKeys, placeOn } from "./dom.js";

const TOLD_MS = 300; // after the last key
/** @type {Readonly<Record<string, readonly [number, number] | undefined>>} */
const ARROWS = {
    ArrowRight: [1, 0],
    ArrowLeft: [-1, 0],
    ArrowUp: [0, 1],
    ArrowDown: [0, -1],
    PageUp: [0, 10],
    PageDown: [0, -10],
};

/**
 * Let a node be dragged over a surface. A finger that sets out along the page scrolls it and moves nothing, unless the node's
 * `touch-action` is `none`.
 * @param {SVGElement} node @param {SVGSVGElement} surface
 * @param {(x: number, y: number) => void} moved place on the surface, once a frame at most
 * @param {(right: number, up: number) => void} stepped by the keyboard
 * @param {() => void} told when it is let go
 */
export function makeDraggable(node, surface, moved, stepped, told) {
    const keys = debounceKeys(node, told, TOLD_MS);
    let held = -1,
        frame = 0,
        unsure = false,
        still = true; // whether it may be a scroll; whether nothing moved yet
    /** @type {[number, number]} */ let at = [0, 0],
        from = at;
    const follow = (/** @type {PointerEvent} */ event) => {
        still = false;
        at = placeOn(event, surface);
        frame ||= requestAnimationFrame(() => {
            frame = 0;
            moved(...at);
        });
    };
    node.addEventListener("pointerdown", (event) => {
        if (event.button) return;
        event.stopPropagation();
        held = event.pointerId;
        node.setPointerCapture(held);
        node.focus({ preventScroll: true });
        unsure = event.pointerType === "touch" && getComputedStyle(node).touchAction !== "none";
        [from, still, at] = [[event.clientX, event.clientY], unsure, placeOn(event, surface)];
        if (!unsure) moved(...at); // at once: how far from its middle a word is held must not wait for a frame
    });
    node.addEventListener("pointermove", (event) => {
        if (event.pointerId !== held) return;
        unsure &&= Math.abs(event.clientX - from[0]) <= Math.abs(event.clientY - from[1]);
        if (!unsure) follow(event);
    });
    for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) {
        node.addEventListener(end, (event) => {
            if (event.pointerId !== held) return;
            held = -1;
            if (end === "pointerup" && still) follow(event);
            if (frame) {
                cancelAnimationFrame(frame);
                frame = 0;
                moved(...at);
            }
            if (!still) told();
        });
    }
    node.addEventListener("keydown", (event) => {
        const step = ARROWS[event.key];
        if (!step) return;
        event.preventDefault();
        stepped(step[0], step[1]);
        keys.key();
    });
}

/**
 * Say what lies under a mouse that holds nothing, or where a finger taps; the latter stays until the next tap.
 * @param {GlobalEventHandlers} surface @param {(event: MouseEvent) => void} say @param {() => void} rest when the mouse leaves
 */
export function onHoverOrTap(surface, say, rest) {
    surface.addEventListener("pointermove", (event) => {
        if (event.pointerType === "mouse" && !event.buttons) say(event);
    });
    surface.addEventListener("click", (event) => {
        if (/** @type {PointerEvent} */ (event).pointerType !== "mouse") say(event);
    });
    surface.addEventListener("pointerleave", (event) => {
        if (event.pointerType === "mouse") rest();
    });
}

const LATE_MS = 400; // after a slider is let go, or a key: what comes until then may answer what was before

/** Follow one of Streamlit's sliders while it is moved: it sends its value only when it is let go. Returns how to stop; `again`
 * says once more where it stands if the reader has hold of it, for what comes meanwhile.
 * @param {string} key @param {(value: number) => void} moved */
export function followSlider(key, moved) {
    /** @type {Element | null | undefined} */ let slider = null;
    let pressed = false,
        until = 0;
    const say = () => {
        if (slider?.isConnected) moved(Number(slider.getAttribute("value")));
    };
    const watched = new MutationObserver(say);
    const look = (/** @type {Event} */ event) => {
        const found = /** @type {Element} */ (event.target)
            .closest?.(`.st-key-${key}`)
            ?.querySelector("input[type=range]");
        if (!found) return;
        slider = found;
        watched.disconnect();
        watched.observe(slider, { attributes: true, attributeFilter: ["value"] });
        pressed ||= event.type === "pointerdown";
        until = performance.now() + LATE_MS;
    };
    const lift = () => {
        if (pressed) until = performance.now() + LATE_MS;
        pressed = false;
    };
    const kinds = ["pointerdown", "focusin", "keydown"],
        ends = ["pointerup", "pointercancel"];
    for (const kind of kinds) document.addEventListener(kind, look, true);
    for (const kind of ends) document.addEventListener(kind, lift, true);
    const stop = () => {
        watched.disconnect();
        for (const kind of kinds) document.removeEventListener(kind, look, true);
        for (const kind of ends) document.removeEventListener(kind, lift, true);
    };
    return Object.assign(stop, {
        again: () => {
            if (pressed || performance.now() < until) say();
        },
    });
}
