// One column: source words, ribbons as wide as the weights, the context they add up to, and the output words.
import { band, setAttributes, ribbon, svgElement, setText } from "../../../ui/live/drawing.js";
import { clamp, lerp } from "../../../ui/live/motion.js";
import { formatWeight } from "../../../ui/live/dom.js";
import { t } from "../../../ui/live/words.js";

/** @typedef {import("./columns.js").Column} Column @typedef {import("./columns.js").Data} Data
 * @typedef {{weights: Float32Array, contexts: Float32Array, drawn: number}} Numbers */

// Pixels: of type, above and below the rows, for a weight's number, beside a word, and of a line without a weight. Of the
// height: both ends of the context, and how much of a row a whole weight fills. Of the width: the most that words take.
const TYPE = 17,
    HEAD = 46,
    FOOT = 6,
    NUMBER = 34,
    BESIDE = 8,
    THIN = 1.5,
    TALL = [0.33, 0.67],
    THICK = 0.6,
    SIDES = [0.4, 0.36];
const SMALLEST = 13,
    LETTER = 0.56,
    LINE = 1.1; // pixels of type at least; of its size: width of a letter, height of a line
const WIDE = [16, 30],
    LEAST = 0.02,
    TOLD = 0.05; // pixels of the context's width; a smaller weight is not drawn, not told

/** Break both sides' words into lines that fit beside the ribbons. @param {Pick<Column, "source" | "written" | "looks">} column
 * @param {number} wide @param {number} zoom */
export function broken({ source, written, looks }, wide, zoom) {
    const fit = (/** @type {string[]} */ words, /** @type {number} */ room) =>
        words.map((word) => {
            const letters = [...word],
                long = letters.length,
                most = Math.max(Math.floor(room / (LETTER * SMALLEST * zoom)), 4);
            if (long <= most) return [word];
            const size = Math.ceil(long / Math.ceil(long / (most - 1)));
            return Array.from(
                { length: Math.ceil(long / size) },
                (_, at) => letters.slice(at * size, (at + 1) * size).join("") + ((at + 1) * size < long ? "-" : ""),
            );
        });
    const number = looks ? NUMBER * zoom : 0,
        room = SIDES[0] * wide - NUMBER * zoom;
    const lines = { source: fit(source, room), written: fit(written, SIDES[1] * wide) };
    return { ...lines, number, room, most: Math.max(lines.source.flat().length, lines.written.flat().length) };
}

/** Draw what stands still. @param {SVGGElement} group @param {Column} column @param {Numbers} numbers @param {Data} data
 * @param {{wide: number, tall: number}} size @param {(step: number) => void} go @param {(picked: object) => void} pick */
export function drawColumn(group, column, numbers, data, { wide, tall }, go, pick) {
    const { source, written, strong, looks } = column,
        head = HEAD * data.zoom,
        inner = tall - head - FOOT;
    const lines = broken(column, wide, data.zoom),
        unit = (THICK * inner) / lines.most;
    const middles = (/** @type {string[][]} */ words) =>
        words.map(
            (word, at) => head + (inner * (words.slice(0, at).flat().length + word.length / 2)) / words.flat().length,
        );
    const left = middles(lines.source),
        right = middles(lines.written);
    setText(svgElement("text", { class: "title", x: 0, y: 16 * data.zoom }, group), column.title);
    setText(svgElement("text", { class: "note", x: 0, y: 36 * data.zoom }, group), column.note);
    const [quiet, flows] = ["quiet", "flows"].map((name) => svgElement("g", { class: name }, group)),
        on = svgElement("path", { class: "on" }, group);
    const context = contextBox(group, numbers.drawn),
        chip = svgElement("rect", { class: "chip", rx: 4 }, group);
    const words = (
        /** @type {string[][]} */ list,
        /** @type {number} */ room,
        /** @type {(at: number) => string} */ kind,
    ) => {
        const texts = list.map((word, at) => {
            const text = svgElement("text", { class: kind(at) }, group);
            word.forEach((part, line) =>
                setText(
                    svgElement("tspan", { dy: `${line ? LINE : 0.34 - (LINE * (word.length - 1)) / 2}em` }, text),
                    part,
                ),
            );
            return text;
        });
        const row = inner / list.flat().length;
        return { texts, row, ...fitted(texts, room, row * 0.95, data.zoom) };
    };
    const asked = words(lines.source, lines.room, () => "source");
    const told = words(
        lines.written,
        SIDES[1] * wide,
        (row) => `written${strong.includes(row) ? " strong" : ""}${row === column.forced ? " forced" : ""}`,
    );
    const from = lines.number + asked.widest + BESIDE,
        to = wide - told.widest - 2 * BESIDE,
        middle = from + (to - from) * 0.56;
    const thick = clamp((to - from) * 0.14, ...WIDE),
        x = { from, to, enters: middle - thick / 2, leaves: middle + thick / 2 };
    const top = head + TALL[0] * inner,
        high = (TALL[1] - TALL[0]) * inner,
        spread = (/** @type {number} */ share) => top + high * share;
    context.position(x.enters, top, thick, high, looks ? t("context") : column.vector);
    const line = (
        /** @type {number} */ x1,
        /** @type {number} */ y1,
        /** @type {number} */ x2,
        /** @type {number} */ y2,
        /** @type {number} */ width,
    ) => svgElement("path", { d: ribbon(x1, y1, x2, y2), "stroke-width": width.toFixed(2) }, quiet);
    const named = (/** @type {number} */ row, /** @type {number} */ at) =>
        t("writing “{query}”, it looks at “{key}”: {weight}", {
            query: written[row],
            key: source[at],
            weight: numbers.weights[row * source.length + at].toFixed(3),
        });
    if (looks)
        written.forEach((_, row) =>
            left.forEach((y, at) => {
                const weight = numbers.weights[row * left.length + at];
                if (weight >= LEAST)
                    setAttributes(line(from, y, to, right[row], unit * weight), { "data-says": named(row, at) });
            }),
        );
    else {
        left.forEach((y, at) => line(from, y, x.enters, spread((at + 0.5) / left.length), THIN));
        right.forEach((y, row) => line(x.leaves, spread((row + 0.5) / right.length), to, y, THIN));
    }
    const now = { row: 0 },
        most = numbers.contexts.reduce((all, value) => Math.max(all, Math.abs(value)), 1e-9);
    const sources = asked.texts.map((text, word) => {
        place(text, from - BESIDE, left[word]);
        if (data.picks && looks) {
            text.classList.add("picks");
            setText(svgElement("title", {}, text), t("look only here"));
            text.onclick = () => pick({ step: now.row, word });
        }
        const share = svgElement(
            "text",
            {
                class: "share",
                x: from - asked.widest - 2 * BESIDE,
                y: left[word] + 4.5,
                style: `font-size:${Math.min(asked.size, 14.5 * data.zoom).toFixed(1)}px`,
            },
            group,
        );
        return { text, share, flow: svgElement("path", {}, flows) };
    });
    told.texts.forEach((text, row) => {
        place(text, to + BESIDE, right[row]);
        text.onclick = () => go(row);
    });
    return {
        of: column,
        x,
        left,
        right,
        unit,
        top,
        high,
        spread,
        on,
        chip,
        sources,
        told,
        cells: context.cells,
        most,
        now,
        named,
    };
}

/** Make a place for the numbers of a context. @param {SVGGElement} group @param {number} drawn */
export function contextBox(group, drawn) {
    const [ground, ...cells] = Array.from({ length: drawn + 1 }, () => svgElement("rect", {}, group));
    const box = svgElement("rect", { class: "box" }, group),
        name = svgElement("text", { class: "over" }, group);
    setAttributes(ground, { class: "ground" });
    return {
        cells,
        position(
            /** @type {number} */ x,
            /** @type {number} */ y,
            /** @type {number} */ width,
            /** @type {number} */ height,
            /** @type {string} */ text,
        ) {
            [ground, box].forEach((each) => setAttributes(each, { x, y, width, height }));
            cells.forEach((cell, at) =>
                setAttributes(cell, { x, y: y + (at * height) / drawn, width, height: height / drawn + 0.4 }),
            );
            setAttributes(name, { x: x + width / 2, y: y - 7 });
            setText(name, text);
        },
    };
}

/** Put all lines of a word at a place. @param {SVGTextElement} text @param {number} x @param {number} y */
export function place(text, x, y) {
    setAttributes(text, { y });
    for (const line of text.querySelectorAll("tspan")) setAttributes(line, { x });
}

/** Width of a word's longest line. @param {SVGTextElement} text */
const long = (text) => Math.max(...[...text.querySelectorAll("tspan")].map((line) => line.getComputedTextLength()));

/** Make words as large as they fit, all alike. @param {SVGTextElement[]} texts @param {number} room @param {number} high @param {number} zoom */
export function fitted(texts, room, high, zoom) {
    const size = Math.min(TYPE * zoom, high),
        widest = () => Math.max(...texts.map(long), 1);
    const typed = (/** @type {number} */ type) =>
        texts.forEach((text) => setAttributes(text, { style: `font-size:${type.toFixed(1)}px` }));
    typed(size);
    const shrunk = size * clamp(room / widest(), Math.min((SMALLEST * zoom) / size, 1));
    typed(shrunk);
    return { size: shrunk, widest: widest() };
}

/** Draw a moment between two output words. @param {ReturnType<typeof drawColumn>} drawing @param {Numbers} numbers
 * @param {number} from @param {number} to @param {number} share */
export function paintColumn(drawing, { weights, contexts, drawn }, from, to, share) {
    const { of, x, left, right, unit, top, high, spread, on, chip, sources, told, cells, most, now, named } = drawing,
        n = left.length;
    const at = (/** @type {Float32Array} */ values, /** @type {number} */ each, /** @type {number} */ count) =>
        lerp(values[from * count + each], values[to * count + each], share);
    const y = lerp(right[from], right[to], share),
        near = share < 0.5 ? from : to;
    now.row = near;
    if (of.waits) return;
    let stacked = top;
    sources.forEach(({ text, share: told, flow }, word) => {
        const weight = of.looks ? at(weights, word, n) : 0,
            seen = weight >= TOLD,
            half = (unit * weight) / 2;
        if (of.looks) setAttributes(flow, { "data-says": named(near, word) });
        setAttributes(flow, {
            d:
                weight < 0.003
                    ? ""
                    : band(x.from, left[word] - half, left[word] + half, x.enters, stacked, stacked + weight * high),
        });
        setText(told, seen ? formatWeight(weight) : "");
        text.classList.toggle("seen", seen);
        stacked += weight * high;
    });
    cells.forEach((cell, each) => {
        const value = at(contexts, each, drawn) / most;
        setAttributes(cell, {
            class: value < 0 ? "below" : "above",
            "fill-opacity": clamp(Math.abs(value)).toFixed(3),
        });
    });
    const place = (/** @type {number} */ row) => spread(of.looks ? 0.5 : (row + 0.5) / right.length),
        half = of.looks ? unit / 2 : 2 * THIN,
        leaves = lerp(place(from), place(to), share);
    setAttributes(on, { d: band(x.leaves, leaves - half, leaves + half, x.to, y - half, y + half) });
    told.texts.forEach((text, row) => text.classList.toggle("followed", row === near));
    const wide = lerp(long(told.texts[from]), long(told.texts[to]), share),
        tall = Math.min(told.size * 1.7, told.row) + LINE * told.size * (told.texts[near].children.length - 1);
    setAttributes(chip, {
        x: (x.to + BESIDE - 6).toFixed(1),
        y: (y - tall / 2).toFixed(1),
        width: (wide + 12).toFixed(1),
        height: tall.toFixed(1),
    });
}
