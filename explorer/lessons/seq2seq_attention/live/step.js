// A recurrent decoder as a film of its steps: memory, weights, context and the next word; or one of these in rows.
import { element, windowHeight } from "../../../ui/live/dom.js";
import { button } from "../../../ui/live/player.js";
import { drawStep, paintStep } from "./step_drawing.js";
import { paintRows } from "./step_rows.js";
import { screened } from "../../../ui/live/timeline.js";
import { t } from "../../../ui/live/words.js";

/**
 * @typedef {object} Data
 * @property {"step" | "scores" | "sum" | "state"} shown @property {boolean} looks whether there are weights
 * @property {string[]} words of the source @property {string[]} written
 * @property {[string, number, string][][]} next likeliest words of each step @property {(number | null)[]} chosen among them
 * @property {string[][]} rows names of the strips, a step each
 * @property {number} ruled strip above which a line stands; -1 for none
 * @property {[string, string, string]} inks of a number below zero, of zero, and above
 * @property {number} numbers of a vector @property {number} drawn of them @property {number} zoom of type
 * @typedef {(name: string) => import("../../../ui/live/unpack.js").Packed} Arrays `shares` (weights) and `scores` [steps, words],
 *   `states` [steps, words, drawn], `memory` and `context` [steps, drawn], `strips` [steps, rows, d]
 */

const TURN = 0.85; // of the way to the next step: then its word stands there
const LOW = 800,
    MORE = 60; // pixels: of a screen on which so much less stands around the film

const words = () => ({
    where: t("Step"),
    position: t("Step {n} of {m}"),
    alt: t("One step: memory, weights of the words, context, and the next word"),
});

/** @param {import("../../../ui/live/dom.js").Component} component */
export default function (component) {
    return screened(component, "step", { words, beside: 352, turn: TURN, draw, paint, rows });
}

/** @param {SVGSVGElement} svg @param {Data} data @param {Arrays} array @param {number} width @param {number} room @param {import("../../../ui/live/timeline.js").Time} time */
function draw(svg, data, array, width, room, time) {
    const stage = /** @type {HTMLElement} */ (svg.parentElement),
        tall = room + (windowHeight(svg) < LOW ? MORE : 0);
    const drawing = data.shown === "step" ? drawStep(svg, data, array, width, tall) : null;
    const { drawn, numbers } = data;
    const note = data.shown === "step" ? t("{n} numbers each, {drawn} drawn", { n: numbers, drawn }) : "";
    const row = element("div", "words"),
        parts = element("div", "rows"),
        buttons = data.written.map(() => button());
    buttons.forEach((each, at) => {
        each.onclick = () => time.to(at);
    });
    row.role = "group";
    row.ariaLabel = t("Written so far (click a word)");
    row.append(...buttons, element("span", "note", note));
    for (const old of [...(stage.parentElement?.querySelectorAll(".words, .rows") ?? [])]) old.remove();
    stage.before(row);
    stage.append(parts);
    svg.style.display = drawing ? "block" : "none";
    parts.style.cssText = drawing ? "display:none" : `max-height:${tall}px`;
    return { drawing, parts, buttons };
}

/** @param {ReturnType<typeof draw>} made @param {Data} data @param {Arrays} array @param {number} t */
function paint({ drawing, parts, buttons }, data, array, t) {
    const last = data.written.length - 1,
        from = Math.floor(t),
        to = Math.min(from + 1, last),
        share = t - from;
    const near = share >= TURN ? to : from;
    if (drawing) paintStep(drawing, data, array, from, to, share);
    else paintRows(parts, data, array, from, to, share, near);
    buttons.forEach((each, at) => {
        each.textContent = at <= near ? data.written[at] : "…";
        each.setAttribute("aria-pressed", String(at === near));
    });
}

/** Scores and weights of a step. @param {Data} data @param {Arrays} array @param {number} step */
function rows(data, array, step) {
    const of = (/** @type {string} */ name, /** @type {number} */ at) =>
        array(name).values[step * data.words.length + at].toFixed(4);
    return [
        ["", t("score"), t("weight")],
        ...(data.looks ? data.words.map((word, at) => [word, of("scores", at), of("shares", at)]) : []),
    ];
}
