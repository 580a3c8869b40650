// One step of a recurrent decoder as it flows: the memory asks, states are weighed and added up, a word is written.
import { band, setAttributes, ribbon, svgElement, setText } from "../../../ui/live/drawing.js";
import { clamp, ease, progressBetween, lerp } from "../../../ui/live/motion.js";
import { formatWeight } from "../../../ui/live/dom.js";
import { t } from "../../../ui/live/words.js";

/** @typedef {import("./step.js").Data} Data @typedef {import("./step.js").Arrays} Arrays */

// Left and right end of each part, in shares of the width; upper and lower end of memory and context, and of the words.
const MEMORY = [0.02, 0.075],
    ASKED_WORDS = 0.235,
    STATES = [0.39, 0.5],
    CONTEXT = [0.655, 0.71],
    NEXT = [0.775, 1];
const TALL = [0.3, 0.72],
    ROWS = [0.09, 0.95],
    PHONE = 620,
    LIKELIEST = 5,
    LEAST = 0.05,
    CLOSE = 15; // pixels; the last: of a row at least

/** Draw what stands still. @param {SVGSVGElement} svg @param {Data} data @param {Arrays} array @param {number} width @param {number} room */
export function drawStep(svg, data, array, width, room) {
    const tall = Math.max(room, (CLOSE * data.words.length) / (ROWS[1] - ROWS[0])),
        small = width < PHONE,
        x = (/** @type {number} */ share) => share * width,
        y = (/** @type {number} */ share) => share * tall;
    const n = data.words.length,
        row = ((ROWS[1] - ROWS[0]) * tall) / n,
        middles = data.words.map((_, at) => y(ROWS[0]) + (at + 0.5) * row);
    const type = Math.min((small ? 14 : 18) * (small ? 1 : data.zoom), row * 0.95),
        half = 0.32 * row,
        drawn = array("memory").shape[1];
    svg.replaceChildren();
    setAttributes(svg, {
        viewBox: `0 0 ${width} ${tall}`,
        width,
        height: tall,
        style: `--type:${small ? 14 : 15 * data.zoom}px`,
    });
    const head = (
        /** @type {number} */ share,
        /** @type {number} */ at,
        /** @type {string} */ name,
        /** @type {string} */ text,
    ) => setText(svgElement("text", { class: `head ${name}`, x: x(share), y: y(at) - 7 }, svg), text);
    head(MEMORY[0], TALL[0], "query", t("its memory"));
    head(ASKED_WORDS, ROWS[0], "key", t("words"));
    head(STATES[0], ROWS[0], "value", t("states"));
    const below = TALL[1] + (19 + 7) / tall; // on a phone two names do not fit beside each other
    head((CONTEXT[0] + CONTEXT[1]) / 2, small ? below : TALL[0], "output middle", t("context"));
    if (small) head(NEXT[1], TALL[0], "last", t("the next word"));
    else head(NEXT[0], TALL[0], "", t("the next word"));
    const middle = y((TALL[0] + TALL[1]) / 2),
        start = x(MEMORY[1]),
        asked = x(ASKED_WORDS) - (small ? 26 : 48);
    middles.forEach((at) => svgElement("path", { class: "asks", d: ribbon(start, middle, asked, at) }, svg));
    svgElement(
        "path",
        { class: "back", d: `M${start - 8} ${y(TALL[1]) + 5}V${tall - 4}H${x(0.9)}V${y(TALL[1]) + 24}` },
        svg,
    );
    svgElement("path", { class: "on", d: `M${x(CONTEXT[1]) + 5} ${middle}H${x(NEXT[0]) - 10}` }, svg);
    const flows = svgElement("g", { class: "river" }, svg);
    const cells = (/** @type {string} */ role, /** @type {(at: number) => Record<string, number>} */ place) =>
        Array.from({ length: drawn }, (_, at) => svgElement("rect", { class: role, ...place(at) }, svg));
    const upright = (/** @type {string} */ role, /** @type {number[]} */ [left, right]) => {
        const each = y(TALL[1] - TALL[0]) / drawn;
        const made = cells(role, (at) => ({
            x: x(left),
            y: y(TALL[0]) + at * each,
            width: x(right - left),
            height: each + 0.4,
        }));
        svgElement(
            "rect",
            { class: `box ${role}`, x: x(left), y: y(TALL[0]), width: x(right - left), height: y(TALL[1] - TALL[0]) },
            svg,
        );
        return made;
    };
    const across = x(STATES[1] - STATES[0]) / drawn;
    const rows = middles.map((at, word) => {
        const text = svgElement(
            "text",
            { class: "word", x: x(ASKED_WORDS), y: at + type / 3, style: `font-size:${type}px` },
            svg,
        );
        setText(text, data.words[word]);
        return {
            text,
            flow: svgElement("path", {}, flows),
            share: svgElement(
                "text",
                { class: "share", x: x(ASKED_WORDS) - 8, y: at + type / 3, style: `font-size:${Math.min(type, 15)}px` },
                svg,
            ),
            cells: cells("v", (each) => ({
                x: x(STATES[0]) + each * across,
                y: at - half,
                width: across + 0.4,
                height: 2 * half,
            })),
        };
    });
    const likeliest = Array.from({ length: LIKELIEST }, (_, at) => {
        const top = y(TALL[0] + 0.055) + at * y(0.09),
            line = Math.min(y(0.09) - 22, 13);
        return {
            text: svgElement("text", { class: "next", x: x(NEXT[0]), y: top + 4 }, svg),
            bar: svgElement("rect", { class: "next", x: x(NEXT[0]), y: top + 9, height: Math.max(line, 5) }, svg),
        };
    });
    const most = (/** @type {string} */ name) =>
        array(name).values.reduce((all, each) => Math.max(all, Math.abs(each) || 0), 1e-9);
    return {
        x,
        y,
        middles,
        half,
        rows,
        likeliest,
        memory: upright("q", MEMORY),
        context: upright("o", CONTEXT),
        wide: x(NEXT[1] - NEXT[0]),
        most: { memory: most("memory"), states: most("states"), context: most("context") },
    };
}

/** Draw a moment between two steps: the memory moves, asks, the weights change, then the context, then the word.
 * @param {ReturnType<typeof drawStep>} drawing @param {Data} data @param {Arrays} array @param {number} from @param {number} to @param {number} share */
export function paintStep(drawing, data, array, from, to, share) {
    const moved = ease(progressBetween(share, 0, 0.3)),
        looked = ease(progressBetween(share, 0.2, 0.6)),
        added = ease(progressBetween(share, 0.45, 0.75)),
        told = progressBetween(share, 0.7, 1);
    /** Number of a step, on its way to that of the next. @param {string} name @param {number} each @param {number} count @param {number} way */
    const at = (name, each, count, way) => {
        const { values } = array(name);
        return lerp(values[from * count + each], values[to * count + each], way);
    };
    const ink = (/** @type {Element} */ cell, /** @type {string} */ role, /** @type {number} */ value) =>
        setAttributes(cell, { class: value < 0 ? "below" : role, "fill-opacity": clamp(Math.abs(value)).toFixed(3) });
    const d = drawing.memory.length,
        n = data.words.length;
    drawing.memory.forEach((cell, each) => ink(cell, "q", at("memory", each, d, moved) / drawing.most.memory));
    drawing.context.forEach((cell, each) => ink(cell, "o", at("context", each, d, added) / drawing.most.context));
    const shares = data.words.map((_, word) => (data.looks ? at("shares", word, n, looked) : 0)),
        best = Math.max(...shares);
    const [top, bottom] = TALL.map(drawing.y);
    let stacked = top;
    drawing.rows.forEach(({ text, share: number, cells, flow }, word) => {
        const weight = shares[word],
            seen = weight >= LEAST,
            strength = data.looks ? 0.12 + (0.88 * weight) / (best || 1) : 1;
        setAttributes(text, { class: seen ? "word seen" : "word" });
        setText(number, seen ? formatWeight(weight) : "");
        cells.forEach((cell, each) =>
            ink(cell, "v", (strength * at("states", word * d + each, n * d, looked)) / drawing.most.states),
        );
        const thick = weight * (bottom - top),
            y = drawing.middles[word],
            high = drawing.half * Math.sqrt(weight);
        setAttributes(flow, {
            d:
                weight < 0.005
                    ? ""
                    : band(
                          drawing.x(STATES[1]) + 3,
                          y - high,
                          y + high,
                          drawing.x(CONTEXT[0]) - 2,
                          stacked,
                          stacked + thick,
                      ),
            "fill-opacity": (0.25 + 0.5 * weight).toFixed(3),
        });
        stacked += thick;
    });
    const shown = told >= 0.5 ? to : from,
        clear = from === to ? 1 : Math.abs(2 * told - 1);
    drawing.likeliest.forEach(({ text, bar }, rank) => {
        const word = data.next[shown][rank],
            name = data.chosen[shown] === rank ? "next written" : "next";
        setAttributes(text, { opacity: clear, class: name });
        setAttributes(bar, { opacity: clear, class: name, width: word ? Math.max(word[1], 0.01) * drawing.wide : 0 });
        setText(text, word ? `${word[0]}  ${word[2]}` : "");
    });
}
