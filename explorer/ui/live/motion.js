// Time in live pictures: what is shown is a function of a moment that plays, pauses, steps and is scrubbed.

export const clamp = (/** @type {number} */ x, low = 0, high = 1) => Math.min(high, Math.max(low, x));
export const lerp = (/** @type {number} */ a, /** @type {number} */ b, /** @type {number} */ share) =>
    a + (b - a) * share;
export const ease = (/** @type {number} */ share) => (share < 0.5 ? 4 * share ** 3 : 1 - (2 - 2 * share) ** 3 / 2);
/** How much of a stretch of time has gone by, 0 to 1. @param {number} t @param {number} from @param {number} to */
export const progressBetween = (t, from, to) => clamp((t - from) / (to - from));
/** Whether the reader asked for no motion. */
export const prefersReducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Call `paint` with shares from 0 to 1; with 1 at once where motion is not wanted. Returns how to stop.
 * @param {number} ms @param {(share: number) => void} paint */
export function tween(ms, paint) {
    let frame = 0;
    const began = performance.now(),
        whole = prefersReducedMotion() ? 0 : ms;
    const step = (/** @type {number} */ now) => {
        const share = whole ? clamp((now - began) / whole) : 1;
        paint(share);
        if (share < 1) frame = requestAnimationFrame(step);
    };
    step(began);
    return () => cancelAnimationFrame(frame);
}

const BEAT_MS = 1200; // from stop to stop, where motion is not wanted
const LONGEST_GLIDE_MS = 900;

/**
 * A moment that moves; without motion it goes from stop to stop.
 * @param {(t: number) => void} paint must depend on the moment alone
 * @param {(running: boolean) => void} told
 * @param {(t: number) => void} [rested] when the reader, or the end, has brought it to rest
 */
export function clock(paint, told, rested = () => {}) {
    let t = 0,
        speed = 1,
        last = 0,
        frame = 0,
        beat = 0,
        running = false,
        halt = () => {};
    /** @type {number[]} */ let stops = [0];
    const end = () => stops[stops.length - 1];
    const at = (/** @type {number} */ now) => paint((t = clamp(now, 0, end())));
    const next = () => stops.find((stop) => stop > t + 0.01) ?? end();
    function stop() {
        halt();
        cancelAnimationFrame(frame);
        clearInterval(beat);
        if (running) told((running = false));
    }
    function pause() {
        stop();
        rested(t);
    }
    function tick(/** @type {number} */ now) {
        at(t + (Math.min(100, now - last) / 1000) * speed);
        last = now;
        if (t >= end()) pause();
        else frame = requestAnimationFrame(tick);
    }
    function glide(/** @type {number} */ to) {
        stop();
        const from = t;
        halt = tween(Math.min(LONGEST_GLIDE_MS, Math.abs(to - from) * 420), (share) => {
            at(lerp(from, to, share));
            if (share === 1) rested(t);
        });
    }
    return {
        now: () => t,
        end,
        running: () => running,
        at(/** @type {number} */ to) {
            stop();
            at(to);
        },
        to: glide,
        again: () => paint(t),
        pause,
        stop,
        play() {
            stop();
            if (t >= end()) at(0);
            told((running = true));
            last = performance.now();
            if (!prefersReducedMotion()) frame = requestAnimationFrame(tick);
            else
                beat = window.setInterval(() => {
                    at(next());
                    if (t >= end()) pause();
                }, BEAT_MS / speed);
        },
        forward: () => glide(next()),
        back: () => glide([...stops].reverse().find((stop) => stop < t - 0.01) ?? 0),
        speed(/** @type {number} */ now) {
            speed = now;
            if (running && prefersReducedMotion()) this.play();
        },
        stops(/** @type {number[]} */ now) {
            stops = now;
            t = clamp(t, 0, end());
        },
    };
}
