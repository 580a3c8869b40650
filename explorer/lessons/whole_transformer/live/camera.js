// The camera: a rectangle of the world, whose two axes are scaled apart. On a phone the picture is transposed.
import { prefersReducedMotion, clamp, ease, progressBetween } from "../../../ui/live/motion.js";
import { HIGH, WIDE } from "./world.js";

/** Rise smoothly from 0 to 1. @param {number} x @param {number} low @param {number} high */
export function fade(x, low, high) {
    const t = progressBetween(x, low, high);
    return t * t * (3 - 2 * t);
}

export function makeCamera() {
    /** @type {{from: number[], to: number[], start: number, lasts: number} | null} */ let flight = null;
    const camera = {
        at: [0, 0, WIDE, HIGH],
        wide: WIDE,
        high: HIGH,
        swapped: false,
        sx: (/** @type {number} */ x) => ((x - camera.at[0]) / camera.at[2]) * camera.wide,
        sy: (/** @type {number} */ y) => ((y - camera.at[1]) / camera.at[3]) * camera.high,
        wx: (/** @type {number} */ x) => camera.at[0] + (x / camera.wide) * camera.at[2],
        wy: (/** @type {number} */ y) => camera.at[1] + (y / camera.high) * camera.at[3],
        kx: () => camera.wide / camera.at[2],
        ky: () => camera.high / camera.at[3],
        /** Tell whether anything of a rectangle is seen. @param {number} x0 @param {number} y0 @param {number} x1 @param {number} y1 */
        seen: (x0, y0, x1, y1) =>
            camera.sx(x1) > 0 && camera.sx(x0) < camera.wide && camera.sy(y1) > 0 && camera.sy(y0) < camera.high,
        flying: () => flight !== null,
        /** Set off for a rectangle. @param {number[]} to */
        fly(to, lasts = 800) {
            flight = { from: [...camera.at], to, start: performance.now(), lasts: prefersReducedMotion() ? 0 : lasts };
        },
        stop: () => {
            flight = null;
        },
        /** Move on. Sizes grow geometrically, and each axis zooms about a point of its own. @param {number} now */
        move(now) {
            if (!flight) return;
            const { from, to, start, lasts } = flight,
                t = lasts ? clamp((now - start) / lasts) : 1,
                eased = ease(t);
            for (const axis of [0, 1]) {
                const [size, end] = [from[axis + 2], to[axis + 2]],
                    now = size * (end / size) ** eased;
                const share = Math.abs(end / size - 1) < 1e-3 ? eased : (size - now) / (size - end);
                camera.at[axis] = from[axis] + (to[axis] - from[axis]) * share;
                camera.at[axis + 2] = now;
            }
            if (t >= 1) [camera.at, flight] = [[...to], null];
        },
    };
    return camera;
}

/** @typedef {ReturnType<typeof makeCamera>} Camera */
