// The foot of a picture that plays: Play, a step back and on, a slider, the speed; arrow keys step.
import { element } from "./dom.js";
import { followRange } from "./drag.js";
import { clock } from "./motion.js";
import { t } from "./words.js";

const SPEEDS = [1, 2, 0.5],
    PARTS = 1000; // places of the slider
const WHOLE = 1e-3;

/**
 * Make buttons and a slider with a clock behind them, and a line for what is said of each moment. Arrow keys step while
 * the focus is on one of these, or nowhere.
 * @param {(now: number) => void} paint @param {(now: number) => void} [rested]
 */
export function player(paint, rested) {
    const foot = element("div", "foot"),
        line = element("p", "line");
    const play = button("▶"),
        back = button("‹"),
        on = button("›"),
        speed = button("1×");
    const scrub = element("input", "scrub"),
        where = element("span", "where");
    let spoken = "";
    for (const [node, name] of /** @type {const} */ ([
        [back, t("Step back")],
        [on, t("Step on")],
        [speed, t("Speed")],
    ]))
        node.title = node.ariaLabel = name;
    Object.assign(scrub, { type: "range", min: "0", max: String(PARTS), step: "1" });
    foot.append(play, back, on, scrub, where, speed);
    const show = (/** @type {boolean} */ running) => {
        play.textContent = running ? "❚❚" : "▶";
        play.ariaLabel = play.title = running ? t("Pause") : t("Play");
        line.ariaLive = running ? "off" : "polite";
    };
    const time = clock(
        (now) => {
            paint(now);
            scrub.value = String(Math.round((PARTS * now) / (time.end() || 1)));
        },
        show,
        rested,
    );
    show(false);
    play.onclick = () => (time.running() ? time.pause() : time.play());
    back.onclick = () => time.back();
    on.onclick = () => time.forward();
    speed.onclick = () => {
        const next = SPEEDS[(SPEEDS.findIndex((each) => speed.textContent === rate(each)) + 1) % SPEEDS.length];
        speed.textContent = rate(next);
        time.speed(next);
    };
    followRange(
        scrub,
        (position) => time.at((position / PARTS) * time.end()),
        () => time.pause(),
    );
    const pressed = (/** @type {KeyboardEvent} */ event) => {
        const way = { ArrowLeft: time.back, ArrowRight: time.forward }[event.key];
        if (!way || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
        const at = event.composedPath()[0],
            nowhere = at === document.body && !location.search.includes("present=1");
        if (!nowhere && !foot.contains(/** @type {Node} */ (at))) return;
        event.preventDefault();
        way();
    };
    document.addEventListener("keydown", pressed);
    return {
        ...time,
        foot,
        line,
        /** Name the slider. @param {string} name */
        named(name) {
            scrub.ariaLabel = name;
        },
        /** Say where the moment is, and what happens, as of `mark`. @param {string} position @param {string} text */
        say(position, text) {
            if (where.textContent !== position) {
                where.textContent = position;
                scrub.setAttribute("aria-valuetext", position);
            }
            if (text === spoken) return;
            spoken = text;
            line.replaceChildren(...mark(text));
        },
        close() {
            time.stop();
            document.removeEventListener("keydown", pressed);
        },
    };
}

/** What a sentence is on the page: **strong**, and ~q~ for a role. @param {string} text */
export const mark = (text) =>
    text.split(/(\*\*.*?\*\*|~\w~)/).map((part) => {
        if (part.startsWith("**")) return element("b", "", part.slice(2, -2));
        return /^~\w~$/.test(part) ? element("b", `role ${part[1]}`, part[1]) : new Text(part);
    });

/**
 * A film of whole steps: it comes to rest on one of them, and tells which.
 * @param {(step: number) => void} paint the step, and after the point how much of the way to the next one is gone
 * @param {(step: number) => void} tell @param {number} [pace] seconds from a step to the next
 */
export function film(paint, tell, pace = 1.6) {
    let here = -1,
        given = -1;
    const echoes = echoed();
    /** The moment in steps: what is left of a division lies on the step, or the last one would have another after it. @param {number} now */
    const moment = (now) => {
        const at = now / pace,
            step = Math.round(at);
        return Math.abs(at - step) < WHOLE ? step : at;
    };
    const time = player(
        (now) => paint(moment(now)),
        (now) => {
            const step = Math.round(moment(now));
            if (step !== moment(now)) time.to(step * pace);
            else if (step !== here) {
                echoes.told(step);
                tell((here = step));
            }
        },
    );
    return {
        ...time,
        /** Go to a step because the reader pointed at it. @param {number} step */
        to: (step) => time.to(step * pace),
        /** Follow the pointer; `pause` when it lets go. @param {number} step */
        at: (step) => time.at(step * pace),
        /** Show what Python sent. @param {number} count of steps @param {number} at @param {boolean} anew whether it is another film
         * @param {boolean} [asked] whether the reader has asked for this step, though Python may have said it before */
        take(count, at, anew, asked) {
            const echo = echoes.heard(at),
                moves = at !== given && at !== here && !echo;
            if (anew || (at !== given && !echo)) here = at; // before it moves: what was sent is not told back
            given = at;
            time.stops(Array.from({ length: count }, (_, step) => step * pace));
            if (anew) time.at(at * pace);
            else if (moves || asked) time.to(at * pace);
        },
        now: () => moment(time.now()),
    };
}

/** Know Python's answers to what it was told from what it says of itself: an answer may come when the reader has gone on. */
export function echoed() {
    /** @type {number[]} */ const waiting = [];
    return {
        told: (/** @type {number} */ position) => {
            waiting.push(position);
        },
        /** Say whether a place that Python sends was told before. @param {number | null} position */
        heard(position) {
            const at = position === null ? -1 : waiting.lastIndexOf(position);
            waiting.splice(0, at < 0 ? waiting.length : at + 1);
            return at >= 0;
        },
    };
}

/** @param {number} speed */
const rate = (speed) => (speed === 0.5 ? "½×" : `${speed}×`);

/** Make a button. @param {string} text */
export function button(text = "") {
    const made = element("button", "", text);
    made.type = "button";
    return made;
}
