// A stroke over a surface: pointer down, moves, up. A finger that moves up or down at once scrolls the page: the stroke is taken
// back; one that has rested paints in every direction.
import { placeOn } from "../../../ui/live/dom.js";
import { knowFinger } from "../../../ui/live/drag.js";

/** @typedef {[number, number]} Point x and y on the surface */

/**
 * Follow strokes of mouse, pen and finger over a surface whose `touch-action` is `pan-y`.
 * @param {SVGSVGElement} surface
 * @param {{begin: (x: number, y: number) => boolean, move: (from: Point, to: Point) => void, end: () => void, cancel: () => void}} told
 *   `begin` returns whether a stroke may start there; `move` is called once a frame at most
 */
export function stroke(surface, { begin, move, end, cancel }) {
    let held = -1,
        frame = 0;
    /** @type {Point} */ let last = [0, 0];
    /** @type {Point} */ let at = [0, 0];
    const finger = knowFinger(surface, () => {});
    const drain = () => {
        cancelAnimationFrame(frame);
        frame = 0;
        move(last, at);
        last = at;
    };
    const place = (/** @type {PointerEvent} */ event) => {
        at = placeOn(event, surface);
    };
    surface.addEventListener("pointerdown", (event) => {
        place(event);
        if (event.button || held >= 0 || !begin(...at)) return;
        held = event.pointerId;
        finger.asks(event);
        surface.setPointerCapture(held);
        last = at;
        drain();
    });
    surface.addEventListener("pointermove", (event) => {
        if (event.pointerId !== held) return;
        place(event);
        frame ||= requestAnimationFrame(drain);
    });
    surface.addEventListener("pointerup", (event) => {
        if (event.pointerId !== held) return;
        held = -1;
        drain();
        end();
    });
    surface.addEventListener("pointercancel", (event) => {
        if (event.pointerId !== held) return;
        held = -1;
        cancelAnimationFrame(frame);
        frame = 0;
        cancel();
    });
    return { held: () => held >= 0 };
}

/** The cells that a straight line crosses from one to another, both included. @param {number[]} from @param {number[]} to */
export function cellsBetween([row, column], [toRow, toColumn]) {
    const steps = Math.max(Math.abs(toRow - row), Math.abs(toColumn - column), 1);
    return Array.from({ length: steps + 1 }, (_, i) => [
        Math.round(row + ((toRow - row) * i) / steps),
        Math.round(column + ((toColumn - column) * i) / steps),
    ]);
}
