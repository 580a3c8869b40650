// What is dragged: a grip follows the pointer or the arrow keys, and tells when it is let go.
import { debounceKeys, placeOn } from "./dom.js";

const TOLD_MS = 300; // after the last key
const HOLD_MS = 250; // a finger that has rested so long does not set out to scroll
const STILL = 8; // pixels that a resting finger trembles
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
 * Follow a finger from its first touch, where the page may be scrolled along: `took` is called once it is known to mean the
 * node, because it set out across or has rested, and from then on the page stays. Mouse and pen are not asked.
 * @param {Element} node @param {() => void} took @param {() => void} [scrolls] it scrolls the page instead
 * @returns {{asks: (event: PointerEvent) => boolean, unsure: () => boolean}} `asks` begins with a press, and returns whether
 *   what it means is not known yet
 */
export function knowFinger(node, took, scrolls) {
    let unsure = false,
        taken = false,
        timer = 0;
    /** @type {[number, number]} */ let from = [0, 0];
    const decide = () => {
        clearTimeout(timer);
        if (!unsure) return;
        [unsure, taken] = [false, true];
        took();
    };
    const listen = /** @type {HTMLElement} */ (node);
    listen.addEventListener("pointermove", ({ clientX, clientY }) => {
        const [across, along] = [Math.abs(clientX - from[0]), Math.abs(clientY - from[1])];
        if (unsure && across > along) decide();
        else if (along > STILL) clearTimeout(timer);
    });
    listen.addEventListener("pointerup", () => {
        decide();
        taken = false;
    });
    listen.addEventListener("pointercancel", () => {
        clearTimeout(timer);
        if (unsure) scrolls?.();
        unsure = taken = false;
    });
    listen.addEventListener(
        "touchmove",
        (event) => {
            if (taken && event.cancelable) event.preventDefault();
        },
        { passive: false },
    );
    return {
        asks(event) {
            clearTimeout(timer);
            from = [event.clientX, event.clientY];
            unsure = event.pointerType === "touch" && getComputedStyle(node).touchAction !== "none";
            if (unsure) timer = window.setTimeout(decide, HOLD_MS);
            return unsure;
        },
        unsure: () => unsure,
    };
}

/**
 * Follow a native slider. A finger that scrolls the page over it leaves it where it was.
 * @param {HTMLInputElement} slider @param {(value: number) => void} moved @param {(value: number) => void} [told] when it is let go
 */
export function followRange(slider, moved, told) {
    let before = "";
    const say = () => moved(Number(slider.value));
    const finger = knowFinger(slider, say, () => {
        slider.value = before;
    });
    slider.addEventListener("pointerdown", (event) => {
        before = slider.value;
        finger.asks(event);
    });
    slider.oninput = () => {
        if (!finger.unsure()) say();
    };
    slider.onchange = () => {
        if (!finger.unsure()) told?.(Number(slider.value));
    };
}

/**
 * Let a node be dragged over a surface. A finger that sets out along the page scrolls it and moves nothing, unless it has
 * rested before or the node's `touch-action` is `none`.
 * @param {SVGElement} node @param {SVGSVGElement} surface
 * @param {(x: number, y: number) => void} moved place on the surface, once a frame at most
 * @param {(right: number, up: number) => void} stepped by the keyboard
 * @param {() => void} told when it is let go
 */
export function makeDraggable(node, surface, moved, stepped, told) {
    const keys = debounceKeys(node, told, TOLD_MS);
    let held = -1,
        frame = 0,
        still = true; // whether nothing moved yet
    /** @type {[number, number]} */ let at = [0, 0];
    const follow = (/** @type {PointerEvent} */ event) => {
        still = false;
        at = placeOn(event, surface);
        frame ||= requestAnimationFrame(() => {
            frame = 0;
            moved(...at);
        });
    };
    const finger = knowFinger(node, () => {
        still = false;
        moved(...at);
    });
    node.addEventListener("pointerdown", (event) => {
        if (event.button) return;
        event.stopPropagation();
        held = event.pointerId;
        node.setPointerCapture(held);
        node.focus({ preventScroll: true });
        [still, at] = [finger.asks(event), placeOn(event, surface)];
        if (!still) moved(...at); // at once: how far from its middle a word is held must not wait for a frame
    });
    node.addEventListener("pointermove", (event) => {
        if (event.pointerId !== held) return;
        if (!finger.unsure()) follow(event);
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
