// Outputs of several models beside one source: for the followed word, the weights flow into the context, and on to the word.
import { screened } from "../../../ui/live/timeline.js";
import { broken, drawColumn, paintColumn } from "./columns_drawing.js";
import { setAttributes, svgElement } from "../../../ui/live/drawing.js";
import { clamp, ease } from "../../../ui/live/motion.js";
import { t } from "../../../ui/live/words.js";

/** @typedef {import("../../../ui/live/timeline.js").Arrays} Arrays
 * @typedef {{title: string, note: string, source: string[], written: string[], strong: number[], forced: number | null, looks: boolean,
 *   waits: boolean, vector: string}} Column arrays, by its number: `weights` [written, source] and `contexts` [written, drawn]
 * @typedef {{columns: Column[], across: number, picks: boolean, pieces: boolean, zoom: number}} Data */

const GAP = 26,
    PHONE = 620,
    SHORTEST = 250,
    ROW = 30,
    CLOSE = 17,
    HEADS = 52,
    MOST = 620; // pixels; the last: of a column's width

const words = (/** @type {Data} */ data) => ({
    where: data.pieces ? t("Step") : t("Follow output word"),
    position: data.pieces ? t("Step {n} of {m}") : t("Word {n} of {m}"),
    alt: t("What each output word saw of the source: weights, and the context they add up to"),
});

/** @param {import("../../../ui/live/dom.js").Component} component */
export default function (component) {
    return screened(component, "columns", { words, beside: 300, draw, paint, rows });
}

/** @param {SVGSVGElement} svg @param {Data} data @param {Arrays} array @param {number} width @param {number} room
 * @param {import("../../../ui/live/timeline.js").Time} time @param {(picked: object) => void} pick */
function draw(svg, data, array, width, room, time, pick) {
    const across = width < PHONE ? 1 : Math.min(data.across, data.columns.length),
        lines = Math.ceil(data.columns.length / across);
    const wide = Math.min((width - (across - 1) * GAP) / across, MOST * data.zoom);
    const talls = Array.from({ length: lines }, (_, line) => {
        const longest = Math.max(
            ...data.columns.slice(line * across, (line + 1) * across).map((each) => broken(each, wide, data.zoom).most),
        );
        return Math.max(
            (longest * CLOSE + HEADS) * data.zoom,
            lines === 1 ? room : clamp(longest * ROW, SHORTEST, Math.max(room, SHORTEST)),
        );
    });
    const tall = talls.reduce((all, each) => all + each, 0),
        beside = (width - (across - 1) * GAP) / across + GAP;
    setAttributes(svg, { width, height: tall, viewBox: `0 0 ${width} ${tall}` });
    return data.columns.map((column, at) => {
        const line = Math.floor(at / across),
            top = talls.slice(0, line).reduce((all, each) => all + each, 0);
        const group = svgElement(
            "g",
            {
                class: column.waits ? "waits" : "",
                transform: `translate(${((at % across) * beside).toFixed(1)} ${top})`,
            },
            svg,
        );
        return drawColumn(group, column, numbers(array, at), data, { wide, tall: talls[line] }, time.to, pick);
    });
}

/** @param {ReturnType<typeof draw>} drawing @param {Data} _ @param {Arrays} array @param {number} t */
function paint(drawing, _, array, t) {
    drawing.forEach((column, at) => {
        const last = column.of.written.length - 1,
            from = Math.min(Math.floor(t), last),
            to = Math.min(from + 1, last);
        paintColumn(column, numbers(array, at), from, to, ease(clamp(t - from)));
    });
}

/** What each column's word weighs, and the first numbers of its context. @param {Data} data @param {Arrays} array @param {number} step */
function rows(data, array, step) {
    return [
        ["", t("weight")],
        ...data.columns.flatMap(({ title, source, written, looks, waits }, at) => {
            if (waits) return [];
            const { weights, contexts, drawn } = numbers(array, at),
                row = Math.min(step, written.length - 1);
            const weighed = looks
                ? source.map((word, each) => [`${title}: ${word}`, weights[row * source.length + each].toFixed(4)])
                : [];
            return [
                [`${title}: ${written[row]}`],
                ...weighed,
                [
                    `${title}: ${t("context")}`,
                    ...[...contexts.subarray(row * drawn, (row + 1) * drawn)].map((each) => each.toFixed(4)),
                ],
            ];
        }),
    ];
}

/** @param {Arrays} array @param {number} at */
function numbers(array, at) {
    const contexts = array(`contexts_${at}`);
    return { weights: array(`weights_${at}`).values, contexts: contexts.values, drawn: contexts.shape[1] };
}
