// One model of a film of details: words on both sides, all ribbons pale, those of the followed detail strong, and the list.
import { setAttributes, ribbon, svgElement, setText } from "../../../ui/live/drawing.js";
import { clamp } from "../../../ui/live/motion.js";
import { broken, contextBox, fitted, place } from "./columns_drawing.js";
import { t } from "../../../ui/live/words.js";

/** @typedef {import("./details.js").Column} Column @typedef {import("./details.js").Data} Data */

// Pixels: above the rows, beside a word, of a line without a weight, of the vector's width, of a line of the list, between
// two of its entries, half a cross. Of a row: a whole weight. Of the vector's height: its ends. The smallest weight drawn.
const HEAD = 50,
    BESIDE = 8,
    THIN = 1.5,
    WIDE = 26,
    ENTRY = 27,
    APART = 16,
    CROSS = 10,
    THICK = 0.72,
    ENDS = [0.3, 0.7],
    LEAST = 0.02,
    TYPE = 15.5;
const SIGNS = { kept: "✓", lost: "✗", "": "·" };

/** What became of a detail. @param {import("./details.js").Detail["mark"]} mark */
export const nameMark = (mark) => ({ "": "", kept: t("It arrived."), lost: t("It is missing.") })[mark];

/** Write the list of details, which breaks into lines, and return its height. @param {SVGGElement} group @param {Column} column
 * @param {number} wide @param {Data} data @param {(step: number) => void} go */
export function listed(group, { details }, wide, data, go) {
    const list = svgElement("g", { class: "list" }, group),
        line = ENTRY * data.zoom;
    let x = 0,
        lines = 1;
    const entries = details.map(({ label, mark, instead }, at) => {
        const entry = svgElement("g", { class: `entry ${mark}` }, list),
            ground = svgElement("rect", { class: "ground", rx: 5 }, entry),
            text = svgElement("text", {}, entry);
        setAttributes(text, { style: `font-size:${TYPE * data.zoom}px` });
        setText(svgElement("tspan", { class: "sign" }, text), `${SIGNS[mark]} `);
        setText(svgElement("tspan", {}, text), label);
        if (instead) setText(svgElement("tspan", { class: "instead" }, text), ` → ${instead}`);
        if (mark) setText(svgElement("title", {}, entry), nameMark(mark));
        const long = text.getComputedTextLength();
        if (x && x + long > wide) [x, lines] = [0, lines + 1];
        setAttributes(text, { x, y: lines * line - 8 * data.zoom });
        setAttributes(ground, { x: x - 5, y: (lines - 1) * line, width: long + 10, height: line - 2 });
        x += long + APART * data.zoom;
        entry.onclick = () => go(at);
        return entry;
    });
    return {
        tall: lines * line + 8,
        put: (/** @type {number} */ y) => setAttributes(list, { transform: `translate(0 ${(y + 6).toFixed(1)})` }),
        mark: (/** @type {number} */ at) =>
            entries.forEach((entry, each) => entry.classList.toggle("chosen", each === at)),
    };
}

/** Draw what one model made of every detail. @param {SVGGElement} group @param {Column} column
 * @param {{weights: Float32Array, vector: Float32Array}} numbers @param {Data} data @param {number} wide @param {number} tall */
export function drawDetails(group, column, { weights, vector }, data, wide, tall) {
    const { source, written, looks, details } = column,
        head = HEAD * data.zoom,
        inner = tall - head;
    const lines = broken({ ...column, looks: false }, wide, data.zoom),
        unit = (THICK * inner) / lines.most;
    setText(svgElement("text", { class: "title", x: 0, y: 16 * data.zoom }, group), column.title);
    setText(svgElement("text", { class: "note", x: 0, y: 36 * data.zoom }, group), column.note);
    const [quiet, strong] = ["quiet", "followed"].map((name) => svgElement("g", { class: name }, group));
    const words = (/** @type {string[][]} */ list, /** @type {string} */ kind, /** @type {number} */ room) => {
        const all = list.flat().length,
            texts = list.map((word) => {
                const text = svgElement("text", { class: kind }, group);
                word.forEach((part, at) =>
                    setText(svgElement("tspan", { dy: `${at ? 1.1 : 0.34 - 0.55 * (word.length - 1)}em` }, text), part),
                );
                return text;
            });
        const middles = list.map(
            (word, at) => head + (inner * (list.slice(0, at).flat().length + word.length / 2)) / all,
        );
        return { texts, middles, ...fitted(texts, room, (0.95 * inner) / all, data.zoom) };
    };
    const left = words(lines.source, "source", lines.room),
        right = words(lines.written, "written", 0.36 * wide);
    const from = left.widest + BESIDE,
        to = wide - right.widest - BESIDE,
        middle = (from + to) / 2;
    left.texts.forEach((text, at) => place(text, from - BESIDE, left.middles[at]));
    right.texts.forEach((text, at) => place(text, to + BESIDE, right.middles[at]));
    const [enters, leaves] = [middle - WIDE / 2, middle + WIDE / 2],
        spread = (/** @type {number} */ share) => head + inner * (ENDS[0] + (ENDS[1] - ENDS[0]) * share);
    const line = (
        /** @type {SVGGElement} */ parent,
        /** @type {number[]} */ [x, y, toX, toY],
        /** @type {number} */ width,
        name = "",
    ) => svgElement("path", { d: ribbon(x, y, toX, toY), "stroke-width": width.toFixed(2), class: name }, parent);
    const between = (/** @type {number} */ row, /** @type {number} */ at) => [
        from,
        left.middles[at],
        to,
        right.middles[row],
    ];
    const into = (/** @type {number} */ at) => [from, left.middles[at], enters, spread((at + 0.5) / source.length)];
    const outOf = (/** @type {number} */ row) => [leaves, spread((row + 0.5) / written.length), to, right.middles[row]];
    const heard = (/** @type {number} */ row, /** @type {number} */ at) => weights[row * source.length + at];

    if (looks)
        written.forEach((word, row) =>
            source.forEach((key, at) => {
                const weight = heard(row, at);
                if (weight < LEAST) return;
                const says = t("writing “{query}”, it looks at “{key}”: {weight}", {
                    query: word,
                    key,
                    weight: weight.toFixed(2),
                });
                setAttributes(line(quiet, between(row, at), unit * weight), { "data-says": says });
            }),
        );
    else {
        source.forEach((_, at) => line(quiet, into(at), THIN));
        written.forEach((_, row) => line(quiet, outOf(row), THIN));
    }
    const groups = details.map(({ mark, source: positions, rows }) => {
        const own = svgElement("g", { class: mark || "unknown" }, strong);
        if (looks)
            for (const row of rows)
                source.forEach((_, at) => {
                    const weight = heard(row, at);
                    if (weight >= LEAST)
                        line(own, between(row, at), unit * weight, positions.includes(at) ? "" : "elsewhere");
                });
        else {
            for (const at of positions) line(own, into(at), 4 * THIN);
            for (const row of rows) line(own, outOf(row), 4 * THIN);
            if (mark === "lost") cross(own, (leaves + to) / 2, spread(0.5));
        }
        return own;
    });
    if (!looks) {
        const box = contextBox(group, vector.length),
            most = vector.reduce((all, value) => Math.max(all, Math.abs(value)), 1e-9);
        box.position(enters, spread(0), WIDE, spread(1) - spread(0), column.vector);
        box.cells.forEach((cell, at) =>
            setAttributes(cell, {
                class: vector[at] < 0 ? "below" : "above",
                "fill-opacity": clamp(Math.abs(vector[at]) / most).toFixed(3),
            }),
        );
    }
    return { details, groups, sources: left.texts, told: right.texts };
}

/** @param {SVGGElement} group @param {number} x @param {number} y */
function cross(group, x, y) {
    const d = `M${x - CROSS} ${y - CROSS}l${2 * CROSS} ${2 * CROSS}m0 ${-2 * CROSS}l${-2 * CROSS} ${2 * CROSS}`;
    svgElement("path", { class: "cross", d, "stroke-width": 4 }, group);
}

/** Show the detail of a moment; from one to the next, one fades into the other.
 * @param {ReturnType<typeof drawDetails>} drawing @param {number} t */
export function paintDetails({ details, groups, sources, told }, t) {
    const { mark, source, rows } = details[Math.min(Math.round(t), details.length - 1)];
    groups.forEach((group, at) => setAttributes(group, { opacity: clamp(1 - Math.abs(t - at)).toFixed(3) }));
    sources.forEach((text, at) => text.classList.toggle("seen", source.includes(at)));
    told.forEach((text, row) => {
        text.classList.toggle("says-it", rows.includes(row) && mark !== "lost");
        text.classList.toggle("instead", rows.includes(row) && mark === "lost");
    });
}
