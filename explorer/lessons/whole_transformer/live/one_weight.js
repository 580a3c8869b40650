// One row of a head from left to right: a query, the keys it meets, scores, weights, values, and what is mixed of them.
import { bars, fitText, ribbon, setAttributes, setText, svgElement, vectorBars } from "../../../ui/live/drawing.js";
import { formatWeight, live, screenReaderOnly, updateTableWhenIdle, windowHeight } from "../../../ui/live/dom.js";
import { number } from "../../../ui/live/numbers.js";
import { redrawOnResize } from "../../../ui/live/resize.js";
import { t } from "../../../ui/live/words.js";

/** @typedef {import("../../../ui/live/unpack.js").Packed} Packed
 * @typedef {{asks: string, asked: string[], query: Packed, keys: Packed, scores: Packed, weights: Packed, values: Packed, output: Packed}} Data
 * scores and weights are missing where the word may not look */

const BESIDE = 300, // pixels of the page above and below the picture
    PHONE = 620,
    LEAST = 0.01; // of a weight: what is less sends no ribbon

export default (/** @type {import("../../../ui/live/dom.js").Component} */ component) =>
    live(component, "one_weight", make);

/** @param {HTMLElement} root */
function make(root) {
    root.replaceChildren();
    const svg = svgElement("svg", { role: "img" }, root),
        table = screenReaderOnly(root, "table");
    /** @type {Data} */ let data;
    const drawn = redrawOnResize(
        root,
        () => draw(svg, data, root.clientWidth, Math.max(windowHeight(root) - BESIDE, 300)),
        () => {
            svg.ariaLabel = t("How “{word}” weighs the words it asks, and what is mixed of them", { word: data.asks });
            updateTableWhenIdle(table, svg.ariaLabel, () => rows(data));
        },
    );
    return {
        /** @param {Data} now */
        take(now) {
            data = now;
            const still = [now.asks, now.asked, [...now.scores.values], [...now.output.values]];
            drawn.take(still, () => []);
        },
        end: drawn.end,
    };
}

/** @param {Data} data */
const rows = ({ asked, scores, weights }) => [
    ["", t("score"), t("weight")],
    ...asked.map((word, at) => {
        const seen = Number.isFinite(weights.values[at]);
        return [word, ...(seen ? [number(scores.values[at], 2), weights.values[at].toFixed(4)] : ["–", t("hidden")])];
    }),
];

/** Where the columns stand, as shares of the width. */
const WIDE = {
        q: [0.01, 0.17],
        word: 0.265,
        k: [0.28, 0.42],
        score: 0.465,
        bar: [0.515, 0.635],
        v: [0.68, 0.82],
        o: [0.87, 1],
    },
    NARROW = {
        q: [0, 0.4],
        word: 0.2,
        k: [0.22, 0.4],
        score: 0.465,
        bar: [0.58, 0.7],
        v: [0.77, 0.93],
        o: [0.53, 0.93],
    };

/** @param {SVGSVGElement} svg @param {Data} data @param {number} width @param {number} room */
function draw(svg, data, width, room) {
    svg.replaceChildren();
    const phone = width < PHONE,
        position = phone ? NARROW : WIDE,
        count = data.asked.length,
        x = (/** @type {number} */ share) => share * width;
    const above = phone ? 150 : 64,
        below = phone ? 120 : 12,
        high = Math.min(Math.max((room - above - below) / count, 30), 64),
        tall = above + count * high + below,
        row = (/** @type {number} */ at) => above + (at + 0.5) * high,
        middle = row((count - 1) / 2),
        asks = phone ? 84 : middle,
        mixes = phone ? tall - 46 : middle;
    setAttributes(svg, { class: phone ? "phone" : "", viewBox: `0 0 ${width} ${tall}`, width, height: tall });
    /** @type {SVGElement} what is drawn next goes there */ let into = svg;
    const text = (/** @type {string} */ name, /** @type {number} */ at, /** @type {number} */ y, words = "") => {
        const made = svgElement("text", { class: name, x: at, y }, into);
        setText(made, words);
        return made;
    };
    const title = (
        /** @type {string} */ role,
        /** @type {readonly number[]} */ [from, to],
        /** @type {number} */ y,
        /** @type {string} */ step,
        /** @type {string} */ says,
    ) => {
        const centre = (x(from) + x(to)) / 2;
        fitText(text(`title ${role}`, centre, y, step), Math.max(x(to) - x(from) + 0.04 * width, 60));
        if (says) fitText(text(`note ${role}`, centre, y + 19, says), x(to) - x(from) + 0.05 * width);
    };
    const strip = (
        /** @type {string} */ role,
        /** @type {ArrayLike<number>} */ values,
        /** @type {readonly number[]} */ [from, to],
        /** @type {number} */ y,
        /** @type {number} */ half,
        /** @type {number} */ most,
    ) => {
        svgElement("line", { class: "zero", x1: x(from), x2: x(to), y1: y, y2: y }, into);
        const slot = (x(to) - x(from)) / values.length;
        bars(vectorBars(into, role), values, {
            x: x(from),
            y,
            slot,
            offset: 0.1 * slot,
            width: 0.8 * slot,
            scale: half / most,
        });
    };
    const largest = (/** @type {Packed} */ { values }) => Math.max(...[...values].map(Math.abs)) || 1;
    const size = data.keys.shape[1],
        part = (/** @type {Packed} */ { values }, /** @type {number} */ at) =>
            values.subarray(at * size, (at + 1) * size);
    const [keys, values] = [largest(data.keys), Math.max(largest(data.values), largest(data.output))],
        half = Math.min(high * 0.42, 24),
        weights = [...data.weights.values],
        most = weights.reduce((best, weight, at) => (weight > (weights[best] || 0) ? at : best), 0);

    title("query", position.q, phone ? 16 : 18, t("1 query"), t("what “{word}” asks", { word: data.asks }));
    strip("query", data.query.values, position.q, asks, 24, largest(data.query));
    if (!phone) text("strong query", (x(position.q[0]) + x(position.q[1])) / 2, asks + 50, data.asks);
    const heads = phone ? above - 26 : 18;
    title("key", position.k, heads, t("2 keys"), phone ? "" : t("what each offers"));
    title("", [position.score - 0.04, position.score + 0.04], heads, t("3 scores"), phone ? "" : "q · k ÷ √d");
    title("", position.bar, heads, t("4 weights"), phone ? "" : t("all add up to 1"));
    title("value", position.v, heads, t("5 values"), phone ? "" : t("what each says"));
    title("output", position.o, phone ? tall - 92 : 18, t("6 output"), t("the mixture"));
    data.asked.forEach((word, at) => {
        const y = row(at),
            weight = weights[at],
            seen = Number.isFinite(weight),
            name = at === most ? "strong" : "",
            group = seen ? "" : "hidden";
        into = svgElement("g", { class: "row target" }, svg); // where it is pointed at, the other rows go pale
        svgElement("rect", { class: "area", x: 0, y: y - high / 2, width: x(position.v[1]), height: high }, into);
        if (seen && !phone)
            svgElement(
                "path",
                { class: "meets", d: ribbon(x(position.q[1]) + 4, asks, x(position.word) - 52, y) },
                into,
            );
        if (seen && weight >= LEAST) {
            const d = phone
                ? `M${x(position.v[1]) + 2} ${y}C${x(1)} ${y} ${x(1)} ${mixes} ${x(position.o[1]) + 2} ${mixes}`
                : ribbon(x(position.v[1]) + 3, y, x(position.o[0]) - 3, mixes);
            svgElement("path", { class: "flows", d, "stroke-width": Math.max(1, 22 * weight).toFixed(1) }, into);
        }
        fitText(
            text(`word key ${name} ${group}`, x(position.word) - 4, y + 5, word),
            phone ? x(position.word) - 4 : 64,
        );
        if (!seen) {
            text("note", x(position.bar[0]), y + 5, t("hidden: not yet written")).classList.add("start");
            return;
        }
        strip("key", part(data.keys, at), position.k, y, half, keys);
        text(`number ${name}`, x(position.score), y + 5, number(data.scores.values[at]));
        const long = (x(position.bar[1]) - x(position.bar[0])) * weight;
        svgElement(
            "rect",
            { class: "weight", x: x(position.bar[0]), y: y - half * 0.6, width: Math.max(long, 1), height: half * 1.2 },
            into,
        );
        text(`start ${name}`, x(position.bar[0]) + long + 6, y + 5, formatWeight(weight));
        strip("value", part(data.values, at), position.v, y, half, values);
    });
    into = svg;
    strip("output", data.output.values, position.o, mixes, 24, values);
}
