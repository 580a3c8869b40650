// Shared by the films of sinusoidal codes: which positions are seen, and where a hand points.
import { ease } from "../../../ui/live/motion.js";

/** Positions that are seen at once: a page of the text. */
export const PAGE = 64;

/** First position that is seen at a moment: a page stands still, and glides away when the next one begins. @param {number} t */
export function seen(t) {
    const page = Math.floor(t / PAGE);
    return PAGE * (page + ease(Math.max(t - PAGE * page - (PAGE - 1), 0)));
}

/** Angle of a hand, clockwise from 12 o'clock; between two positions it turns on.
 * @param {import("../../../ui/live/unpack.js").Packed} codes [positions, pairs, 2], sine and cosine @param {number} pair @param {number} t position */
export function hand({ shape: [positions, pairs], values }, pair, t) {
    const angle = (/** @type {number} */ position) =>
        Math.atan2(values[2 * (position * pairs + pair)], values[2 * (position * pairs + pair) + 1]);
    const from = Math.floor(t),
        start = angle(from),
        by = angle(Math.min(from + 1, positions - 1)) - start;
    return start + (t - from) * (by - 2 * Math.PI * Math.round(by / 2 / Math.PI));
}
