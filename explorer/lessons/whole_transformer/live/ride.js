// The ride of one word through the whole Transformer: a map of its way, and below it the numbers at the stop.
import { formatMessage, t } from "../../../ui/live/words.js";
import { screened } from "../../../ui/live/timeline.js";
import { number } from "../../../ui/live/numbers.js";
import { svgElement } from "../../../ui/live/drawing.js";
import { drawMap, moveMap } from "./ride_map.js";
import { drawNow } from "./ride_now.js";
import { vector } from "./ride_kit.js";

/** @typedef {import("../../../ui/live/timeline.js").Arrays} Arrays
 * @typedef {import("./ride_kit.js").Common & {language: string}} Data arrays: `after` and `added`
 *   [stops, numbers], `units` [nets, units] */

const PHONE = 620,
    GAP = 8;

const words = () => ({
    where: t("Stop"),
    position: t("Stop {n} of {m}"),
    alt: t("One word on its way through the whole Transformer, stop by stop"),
});

export default (/** @type {import("../../../ui/live/dom.js").Component} */ component) =>
    screened(component, "ride", { words, beside: 268, pace: 1.5, draw, paint, rows });

/** @param {SVGSVGElement} svg @param {Data} data @param {Arrays} array @param {number} width @param {number} room @param {unknown} _time
 * @param {(picked: object) => void} pick */
function draw(svg, data, array, width, room, _time, pick) {
    const phone = width < PHONE,
        now = phone ? 270 : room < 460 ? 112 : 140;
    svg.setAttribute("role", "group"); // stops and words can be pressed
    svg.style.setProperty("--zoom", String(data.type));
    const holder = svgElement("g", {}, svg),
        memory = data.stops.findIndex(({ kind }) => kind === "memory");
    const redraw = (/** @type {boolean} */ both) =>
        drawMap(holder, data, array, width, Math.max(300, room - now - GAP), both, pick);
    const map = redraw(false);
    const panel = svgElement("g", { class: "now", transform: `translate(0 ${map.tall + GAP})` }, svg);
    const tall = map.tall + GAP + now;
    svg.setAttribute("viewBox", `0 0 ${width} ${tall}`);
    svg.setAttribute("height", String(tall));
    return { map, redraw, memory, both: false, panel, width, now, phone, shown: -1 };
}

/** @param {ReturnType<typeof draw>} drawing @param {Data} data @param {Arrays} array @param {number} now */
function paint(drawing, data, array, now) {
    const stop = Math.floor(now + 0.5),
        both = stop > drawing.memory; // the French lines come when the ride reaches them
    if (both !== drawing.both) drawing.map = drawing.redraw((drawing.both = both));
    moveMap(drawing.map, now);
    if (stop === drawing.shown) return;
    drawing.shown = stop;
    drawing.panel.replaceChildren();
    drawNow(drawing.panel, data, array, stop, drawing.width, drawing.now, drawing.phone);
}

/** The numbers of the word at a stop, and who is heard. @param {Data} data @param {Arrays} array @param {number} step */
function rows(data, array, step) {
    const stop = data.stops[step],
        asked = stop.kind === "look" || stop.stack === "enc" ? data.source : data.read;
    return [
        [t("number"), t("after")],
        ...stop.weights.map((weight, at) => [formatMessage("“{word}”", { word: asked[at] }), weight.toFixed(4)]),
        ...[...vector(array("after"), step)].map((value, at) => [String(at + 1), number(value, 3)]),
    ];
}
