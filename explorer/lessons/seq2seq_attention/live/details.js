// One detail of a sentence through several models: where it lies in the source, where it went, and a list of all of them.
import { screened } from "../../../ui/live/timeline.js";
import { broken } from "./columns_drawing.js";
import { drawDetails, listed, nameMark, paintDetails } from "./details_drawing.js";
import { setAttributes, svgElement } from "../../../ui/live/drawing.js";
import { t } from "../../../ui/live/words.js";

/** @typedef {import("../../../ui/live/timeline.js").Arrays} Arrays
 * @typedef {{label: string, mark: "kept" | "lost" | "", source: number[], rows: number[], instead: string}} Detail `rows` say it, or, where
 *   it is lost, look at its words
 * @typedef {{title: string, note: string, source: string[], written: string[], strong: number[], looks: boolean, vector: string,
 *   details: Detail[]}} Column arrays, by its number: `weights` [written, source], and `vector` [drawn]
 * @typedef {{columns: Column[], across: number, zoom: number}} Data */

const GAP = 30,
    PHONE = 620,
    SHORTEST = 250,
    ROW = 30,
    CLOSE = 17,
    HEADS = 52,
    MOST = 620; // pixels; the last: of a column's width

const words = () => ({
    where: t("Follow a detail"),
    position: t("Detail {n} of {m}"),
    alt: t("Where one detail of the sentence lies in the source, and what became of it in each translation"),
});

/** @param {import("../../../ui/live/dom.js").Component} component */
export default function (component) {
    return screened(component, "details", { words, beside: 340, below: true, draw, paint, rows });
}

/** @param {SVGSVGElement} svg @param {Data} data @param {Arrays} array @param {number} width @param {number} room
 * @param {import("../../../ui/live/timeline.js").Time} time */
function draw(svg, data, array, width, room, time) {
    const across = width < PHONE ? 1 : Math.min(data.across, data.columns.length),
        step = (width + GAP) / across,
        wide = Math.min(step - GAP, MOST * data.zoom);
    setAttributes(svg, { width });
    let top = 0;
    const drawings = [];
    for (let first = 0; first < data.columns.length; first += across) {
        const beside = data.columns.slice(first, first + across).map((column, at) => {
            const group = svgElement("g", {}, svg);
            return { column, group, x: at * step, at: first + at, list: listed(group, column, wide, data, time.to) };
        });
        const list = Math.max(...beside.map((each) => each.list.tall)),
            longest = Math.max(
                ...beside.map(({ column }) => broken({ ...column, looks: false }, wide, data.zoom).most),
            ),
            lines = data.columns.length <= across ? room : Math.min(Math.max(longest * ROW + list, SHORTEST), room),
            tall = Math.max((longest * CLOSE + HEADS) * data.zoom + list, lines);
        for (const { column, group, x, at, list: own } of beside) {
            setAttributes(group, { transform: `translate(${x.toFixed(1)} ${top.toFixed(1)})` });
            own.put(tall - list);
            const given = { weights: array(`weights_${at}`).values, vector: array(`vector_${at}`).values };
            drawings.push({ list: own, ...drawDetails(group, column, given, data, wide, tall - list) });
        }
        top += tall + (first + across < data.columns.length ? GAP : 0);
    }
    setAttributes(svg, { height: top, viewBox: `0 0 ${width} ${top}` });
    return drawings;
}

/** @param {ReturnType<typeof draw>} drawings @param {Data} _ @param {Arrays} __ @param {number} t */
function paint(drawings, _, __, t) {
    for (const drawing of drawings) {
        paintDetails(drawing, t);
        drawing.list.mark(Math.round(t));
    }
}

/** Whether each model has the detail, and what the words that it became weigh. @param {Data} data @param {Arrays} array @param {number} step */
function rows(data, array, step) {
    return [
        ["", t("weight")],
        ...data.columns.flatMap(({ title, source, written, looks, details }, at) => {
            const { label, mark, rows: found } = details[Math.min(step, details.length - 1)],
                weights = array(`weights_${at}`).values;
            return [
                [`${title}: ${label}`, nameMark(mark)],
                ...(looks ? found : []).flatMap((row) =>
                    source.map((word, each) => [
                        `${title}: ${written[row]} ← ${word}`,
                        weights[row * source.length + each].toFixed(4),
                    ]),
                ),
            ];
        }),
    ];
}
