// A beam search as it grows: a cell for each hypothesis, lines to what continues it; what ends and what is dropped is marked
// when it is known.
import { setAttributes, svgElement, setText } from "../../../ui/live/drawing.js";
import { clamp, ease, progressBetween, lerp } from "../../../ui/live/motion.js";
import { hex, onInk, ramp } from "../../../ui/live/weights.js";
import { element } from "../../../ui/live/dom.js";
import { screened } from "../../../ui/live/timeline.js";
import { t } from "../../../ui/live/words.js";

/** @typedef {import("../../../ui/live/timeline.js").Arrays} Arrays
 * @typedef {{text: string, mark: string, told: string[], won: boolean, dropped: boolean}} Piece its mark once its fate is known, and what
 *   is told of it while it is newest, and later
 * @typedef {{pieces: Piece[], beam: number, sentences: string[], scale: [number, string][], zoom: number, first: number}} Data
 *   array: `nodes` [pieces, 5], step, rank, parent or −1, log-probability, sum */

const LEAST = 58,
    LEFT = 26,
    TOP = 8,
    ROW = 46,
    FLOOR = 28,
    SIDE = 0.42,
    THICK = 0.66; // pixels; shares of a column and a row
const BORN = 0.5,
    PALE = 0.1; // of the way to a step: then its lines have grown; what is pruned fades to this

const words = (/** @type {Data} */ data) => ({
    where: t("Which step? {n} in all", { n: data.sentences.length }),
    position: t("Step {n} of {m}"),
    alt: t("The hypotheses of a beam search as they grow"),
});

/** @param {import("../../../ui/live/dom.js").Component} component */
export default function (component) {
    return screened(component, "search", { words, beside: 330, draw: drawTree, paint: paintTree, rows });
}

/** @param {SVGSVGElement} svg @param {Data} data @param {Arrays} array @param {number} width @param {number} room */
function drawTree(svg, data, array, width, room) {
    const nodes = numbers(array),
        steps = Math.max(...nodes.map(({ step }) => step)),
        ranks = 1 + Math.max(...nodes.map(({ rank }) => rank));
    const column = Math.max((width - LEFT - 4) / steps, LEAST * Math.min(data.zoom, 1.25)),
        wide = LEFT + column * steps + 4;
    const row = clamp((room - TOP - FLOOR) / ranks, 30, ROW * data.zoom),
        tall = TOP + ranks * row + FLOOR,
        colours = ramp(data.scale);
    setAttributes(svg, {
        width: wide,
        height: tall,
        viewBox: `0 0 ${wide} ${tall}`,
        style: `width:${wide.toFixed(0)}px`,
    });
    const stage = /** @type {HTMLElement} */ (svg.parentElement),
        scrolls = wide > width + 1;
    const legend = stage.previousElementSibling ?? element("p", "legend");
    legend.textContent = [
        t("beam {n}; the stronger the colour, the likelier the piece", { n: data.beam }),
        t("✓ finished"),
        t("✕ pruned at the next step"),
    ].join(" · ");
    stage.before(legend);
    stage.classList.toggle("scroll", scrolls);
    stage.tabIndex = scrolls ? 0 : -1; // what scrolls can be reached by keys
    const x = (/** @type {number} */ step) => LEFT + (step - 0.5) * column,
        y = (/** @type {number} */ rank) => TOP + (rank + 0.5) * row;
    for (let rank = 0; rank < ranks; rank += 1)
        setText(
            svgElement("text", { class: "tick", x: LEFT - 12, y: y(rank) + 5, "text-anchor": "middle" }, svg),
            String(rank + 1),
        );
    const here = svgElement("rect", { class: "here", y: TOP, width: column, height: tall - TOP, rx: 6 }, svg);
    const marks = Array.from({ length: steps }, (_, at) => {
        const mark = svgElement("text", { class: "tick", x: x(at + 1), y: tall - 9, "text-anchor": "middle" }, svg);
        setText(mark, String(at + 1));
        return mark;
    });
    const lines = svgElement("g", {}, svg);
    const cells = nodes.map((node, at) => {
        const piece = data.pieces[at],
            from = nodes[node.parent],
            share = Math.exp(node.log),
            fill = hex(colours, share),
            kind = piece.won ? " won" : piece.dropped ? " dropped" : "";
        const line = from ? svgElement("path", { class: `line${kind}`, pathLength: 1 }, lines) : null;
        const x1 = x(node.step - 1) + SIDE * column,
            x2 = x(node.step) - SIDE * column;
        if (from && line)
            setAttributes(line, {
                d: `M${x1.toFixed(1)} ${y(from.rank).toFixed(1)}L${x2.toFixed(1)} ${y(node.rank).toFixed(1)}`,
            });
        const group = svgElement("g", { class: `cell${kind}` }, svg);
        const box = svgElement(
            "rect",
            {
                x: -SIDE * column,
                y: (-THICK * row) / 2,
                width: 2 * SIDE * column,
                height: THICK * row,
                rx: 4,
                fill: piece.dropped ? "none" : fill,
            },
            group,
        );
        const text = svgElement("text", { class: "piece", y: 5, "text-anchor": "middle" }, group);
        return {
            node,
            piece,
            from,
            line,
            group,
            box,
            text,
            ink: onInk(fill),
            room: 2 * SIDE * column - 6,
            x: x(node.step),
            y: y(node.rank),
            before: from ? y(from.rank) : y(node.rank),
            left: x(node.step - (from ? 1 : 0)),
        };
    });
    return { cells, here, marks, column, steps, x, stage };
}

/** Between two steps the lines grow out of what is continued, and the new cells glide to their places.
 * @param {ReturnType<typeof drawTree>} drawing @param {Data} data @param {Arrays} _ @param {number} t */
function paintTree(drawing, data, _, t) {
    const now = t + 1,
        whole = Math.floor(now),
        share = now - whole,
        near = Math.round(now);
    setAttributes(drawing.here, { x: (drawing.x(Math.min(now, drawing.steps)) - drawing.column / 2).toFixed(1) });
    const { stage, column } = drawing,
        middle = drawing.x(Math.min(now, drawing.steps)) - stage.clientWidth / 2;
    if (Math.abs(stage.scrollLeft - middle) > stage.clientWidth / 2 - column) stage.scrollLeft = middle;
    drawing.marks.forEach((mark, at) => setAttributes(mark, { class: at + 1 === near ? "tick now" : "tick" }));
    for (const { node, piece, from, line, group, box, text, ink, room, x, y, before, left } of drawing.cells) {
        const age = node.step <= whole ? 1 : node.step === whole + 1 ? share : 0,
            born = ease(progressBetween(age, 0.1, 0.9));
        setAttributes(group, { display: age > 0 ? "inline" : "none" });
        if (line)
            setAttributes(line, {
                display: age > 0 ? "inline" : "none",
                "stroke-dashoffset": (1 - ease(progressBetween(age, 0, BORN))).toFixed(3),
            });
        if (age === 0) continue;
        const known = piece.mark === "✕" ? near > node.step : near >= node.step,
            pruned = piece.mark === "✕" ? progressBetween(now, node.step, node.step + 1) : 0;
        setAttributes(group, {
            transform: `translate(${(from ? lerp(left, x, born) : x).toFixed(1)} ${lerp(before, y, born).toFixed(1)})`,
            opacity: ease(progressBetween(age, 0.05, 0.5)).toFixed(3),
        });
        setAttributes(box, { "fill-opacity": lerp(1, PALE, pruned).toFixed(3) });
        setAttributes(text, { style: piece.dropped || pruned > 0.5 ? "" : `fill:${ink}` });
        const label = known && piece.mark ? `${piece.mark} ${piece.text}` : piece.text;
        if (text.textContent !== label) {
            setText(text, label);
            text.removeAttribute("textLength");
            if (text.getComputedTextLength() > room)
                setAttributes(text, { textLength: room.toFixed(1), lengthAdjust: "spacingAndGlyphs" });
        }
        setAttributes(group, { "data-says": piece.told[near > node.step ? 1 : 0] });
    }
}

/** Every hypothesis of a step. @param {Data} data @param {Arrays} array @param {number} step */
function rows(data, array, step) {
    const those = numbers(array)
        .map((node, at) => ({ ...node, ...data.pieces[at] }))
        .filter((each) => each.step === step + 1);
    return [
        ["", t("token"), t("probability"), t("sum (nats)")],
        ...those.map((each) => [
            String(each.rank + 1),
            each.text,
            Math.exp(each.log).toFixed(4),
            each.total.toFixed(4),
        ]),
    ];
}

/** @param {Arrays} array */
function numbers(array) {
    const {
        shape: [count, wide],
        values,
    } = array("nodes");
    return Array.from({ length: count }, (_, at) => {
        const [step, rank, parent, log, total] = values.subarray(at * wide, (at + 1) * wide);
        return { step, rank, parent, log, total };
    });
}
