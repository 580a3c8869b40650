// From key to weight: query and keys in numbers, what each feature adds to each score, and what softmax makes of the scores.
// What is wanted and the temperature follow their sliders; a click on a row writes its score out.
import {
    element,
    live,
    formatWeight,
    updateTableWhenIdle,
    screenReaderOnly,
    windowHeight,
} from "../../../ui/live/dom.js";
import { t } from "../../../ui/live/words.js";
import { setAttributes, svgElement, setText } from "../../../ui/live/drawing.js";
import { formatSignificant, number } from "../../../ui/live/numbers.js";
import { clamp } from "../../../ui/live/motion.js";
import { products, softmax, total } from "../../../ui/live/closed_forms.js";
import { linear } from "../../../ui/live/axes.js";
import { redrawOnResize } from "../../../ui/live/resize.js";
import { hex, onInk, ramp } from "../../../ui/live/weights.js";

/**
 * @typedef {[number, string][]} Scale
 * @typedef {object} Data
 * @property {import("../../../ui/live/unpack.js").Packed} keys a row for each object @property {import("../../../ui/live/unpack.js").Packed} query
 * @property {string[]} objects @property {string[]} features @property {string[]} colours of the features
 * @property {number} chosen object that is framed @property {number} temperature @property {number[]} choices of its slider @property {number} zoom
 * @property {Scale} asked colours from −1 to 1 @property {Scale} offered colours from 0 to 1 @property {Scale} scale colours of weights
 * @property {string[]} sliders their keys: of the features, and last of the temperature
 */

const NAMES = 0.17,
    PANELS = [
        [0, 0.5],
        [0.53, 0.8],
        [0.83, 1],
    ]; // shares of the width, and of what the names leave
const HEAD = 44,
    SLANT = 40,
    BESIDE = 240,
    ROOM = 44,
    NARROW = 560,
    LEAST = 0.05; // pixels, but the degrees by which names lean, and the weight that is written short

export default (/** @type {import("../../../ui/live/dom.js").Component} */ component) => live(component, "sums", sums);

/** @param {HTMLElement} root */
function sums(root) {
    const line = element("p", "line");
    root.append(line);
    const svg = svgElement("svg", { role: "img" }, root),
        table = screenReaderOnly(root, "table");

    /** @type {Data} */ let data;
    /** @type {number[][]} */ let keys = [];
    /** @type {number[]} */ let query = [];
    /** @type {import("../../../ui/live/dom.js").Changed} */ let tell;
    /** @type {ReturnType<typeof build>} */ let drawn;
    let temperature = 1,
        wide = 0;

    /** A row of numbers, each on a cell. @param {number} top @param {number} height @param {number[]} edges */
    const cells = (top, height, edges) =>
        data.features.map((_, at) => {
            const box = svgElement(
                "rect",
                { x: edges[at] + 1, y: top + 1, width: edges[at + 1] - edges[at] - 2, height: height - 2 },
                svg,
            );
            return {
                box,
                text: svgElement(
                    "text",
                    {
                        class: "number",
                        x: (edges[at] + edges[at + 1]) / 2,
                        y: top + height / 2 + 5,
                        "text-anchor": "middle",
                    },
                    svg,
                ),
            };
        });

    /** Make the rows and what moves in them. */
    function build() {
        wide = root.clientWidth;
        root.style.setProperty("--zoom", String(data.zoom));
        root.classList.toggle("small", wide < NARROW);
        const tall = clamp(windowHeight(root) - BESIDE, 330, wide < NARROW ? 480 : 640),
            names = Math.max(NAMES * wide, 88);
        const [[left, right], [start, end], [low, high]] = PANELS.map((panel) =>
            panel.map((each) => names + each * (wide - names)),
        );
        const edges = Array.from(
            { length: data.features.length + 1 },
            (_, at) => left + (at * (right - left)) / data.features.length,
        );
        svg.replaceChildren();
        setAttributes(svg, { width: wide, height: tall, viewBox: `0 0 ${wide} ${tall}` });
        const heads = data.features.map((feature) => {
            const name = svgElement("text", { class: "head" }, svg);
            setText(name, feature);
            return name;
        });
        const long = Math.max(...heads.map((name) => name.getComputedTextLength())),
            leans = long > edges[1] - edges[0] - 2;
        const head = HEAD + (leans ? long * Math.sin((SLANT * Math.PI) / 180) : 0),
            row = (tall - head) / (data.objects.length + 1);
        heads.forEach((name, at) => {
            const x = (edges[at] + edges[at + 1]) / 2;
            setAttributes(name, {
                x,
                y: head - 24,
                ...(leans ? { transform: `rotate(-${SLANT} ${x} ${head - 22})` } : { "text-anchor": "middle" }),
            });
            svgElement("rect", { x: x - 6, y: head - 16, width: 12, height: 12, fill: data.colours[at] }, svg);
        });
        for (const [x, word] of /** @type {[number, string][]} */ ([
            [(start + end) / 2, t("score")],
            [(low + high) / 2, t("weight")],
        ])) {
            setText(svgElement("text", { class: "panel", x, y: head - 24, "text-anchor": "middle" }, svg), word);
        }
        setText(
            svgElement("text", { class: "asks", x: names - 10, y: head + row / 2 + 5, "text-anchor": "end" }, svg),
            t("query"),
        );
        const asks = cells(head, row, edges),
            axis = svgElement("line", { class: "axis", y1: head + row, y2: tall }, svg);
        svgElement("line", { class: "axis", x1: low, x2: low, y1: head + row, y2: tall }, svg);
        const rows = data.objects.map((object, at) => {
            const top = head + (at + 1) * row,
                inset = 0.18 * row,
                middle = top + row / 2 + 5;
            const group = svgElement("g", { class: "row" }, svg),
                ground = svgElement("rect", { class: "ground", y: top, width: wide, height: row }, group);
            ground.addEventListener("click", () => {
                choose(at);
                tell({ row: at });
            });
            ground.addEventListener("pointermove", () => setText(line, sentence(at)));
            setText(
                svgElement("text", { class: "name", x: names - 10, y: middle, "text-anchor": "end" }, group),
                object,
            );
            const offers = cells(top, row, edges);
            for (const { box, text } of offers) group.append(box, text);
            for (const { box } of offers) setAttributes(box, { "pointer-events": "none" });
            const bar = () =>
                svgElement("rect", { y: top + inset, height: row - 2 * inset, "pointer-events": "none" }, group);
            const adds = data.features.map(bar),
                weight = bar();
            adds.forEach((each, feature) => setAttributes(each, { fill: data.colours[feature] }));
            setAttributes(weight, { x: low, class: "bar" });
            const label = () => svgElement("text", { y: middle }, group);
            return { group, offers, adds, weight, score: label(), share: label() };
        });
        const frame = svgElement("rect", { class: "frame", x: 1, width: wide - 2, height: row }, svg);
        return {
            head,
            row,
            asks,
            axis,
            rows,
            frame,
            scores: [start, end - ROOM],
            weights: linear([0, 1], [low, high - ROOM]),
            offered: ramp(data.offered),
            asked: ramp(data.asked),
            inks: ramp(data.scale),
        };
    }

    /** Paint numbers on their cells. @param {ReturnType<typeof cells>} boxes @param {number[]} numbers @param {(value: number) => string} colour */
    const paintCells = (boxes, numbers, colour) =>
        boxes.forEach(({ box, text }, at) => {
            const fill = colour(numbers[at]);
            setAttributes(box, { fill });
            setAttributes(text, { style: `fill:${onInk(fill)}` });
            setText(text, formatSignificant(numbers[at], 2));
        });

    /** The score of an object, written out. @param {number} at */
    const sentence = (at) =>
        `${data.objects[at]}: ${
            keys[at]
                .map((key, i) => (query[i] ? `${number(query[i], 1)} × ${number(key, 1)}` : ""))
                .filter(Boolean)
                .join(" + ") || "0"
        } = ${number(total(products(query, keys[at])), 2)}`;

    /** @param {number} at */
    function choose(at) {
        setAttributes(drawn.frame, { y: drawn.head + (at + 1) * drawn.row });
        drawn.rows.forEach(({ group }, row) => setAttributes(group, { class: row === at ? "row chosen" : "row" }));
    }

    /** Draw what depends on the query and the temperature: a function of both. */
    function paint() {
        const { rows, asks, axis, weights: across, offered, asked, inks } = drawn,
            parts = keys.map((key) => products(query, key));
        const scores = parts.map(total),
            weights = softmax(scores, temperature);
        const sums = (/** @type {number} */ sign) =>
            parts.map((row) => total(row.map((each) => sign * Math.max(sign * each, 0))));
        const low = Math.min(0, ...sums(-1)),
            high = Math.max(low + 1, ...sums(1)),
            x = linear([low, high], drawn.scores),
            zero = x(0);
        paintCells(asks, query, (value) => hex(asked, (value + 1) / 2));
        setAttributes(axis, { x1: zero, x2: zero });
        rows.forEach(({ offers, adds, weight, score, share }, at) => {
            const reached = [0, 0];
            paintCells(offers, keys[at], (value) => hex(offered, value));
            parts[at].forEach((part, feature) => {
                const side = part < 0 ? 0 : 1,
                    from = reached[side];
                reached[side] += part;
                setAttributes(adds[feature], {
                    x: x(Math.min(from, reached[side])).toFixed(1),
                    width: (x(Math.abs(part)) - zero).toFixed(1),
                });
            });
            setAttributes(score, { x: (x(reached[1]) + 6).toFixed(1) });
            setText(score, number(scores[at], 2));
            setAttributes(weight, {
                width: (across(weights[at]) - across(0)).toFixed(1),
                fill: hex(inks, weights[at]),
            });
            setAttributes(share, { x: (across(weights[at]) + 6).toFixed(1) });
            setText(share, weights[at] >= LEAST ? formatWeight(weights[at]) : weights[at].toFixed(3).replace(/^0/, ""));
        });
        choose(data.chosen);
        const exact = (/** @type {ArrayLike<number>} */ all) => Array.from(all, (each) => each.toFixed(6));
        updateTableWhenIdle(table, t("Query times key, added up, put through softmax"), () => [
            [
                "",
                ...data.features,
                ...data.features.map((each) => t("{feature} adds", { feature: each })),
                t("score"),
                t("weight"),
            ],
            [t("query"), ...exact(query)],
            ...data.objects.map((object, at) => [
                object,
                ...exact(keys[at]),
                ...exact(parts[at]),
                ...exact([scores[at], weights[at]]),
            ]),
        ]);
    }

    svg.addEventListener("pointerleave", (event) => {
        if (event.pointerType === "mouse")
            setText(line, t("Query times key, added up, put through softmax; click a row to write it out."));
    });
    const shown = redrawOnResize(root, () => (drawn = build()), paint);
    return {
        /** @param {Data} now @param {import("../../../ui/live/dom.js").Changed} told */
        take(now, told) {
            const { chosen, temperature: heat, query: asked, ...rest } = now;
            [tell, data, temperature, query] = [told, now, heat, asked.list];
            shown.take(rest, () => {
                keys = now.keys.rows.map((row) => [...row]);
                svg.ariaLabel = t("Query times key, added up, put through softmax");
                setText(line, t("Query times key, added up, put through softmax; click a row to write it out."));
                return now.sliders.map((key, at) => [
                    key,
                    (to) => {
                        if (at < query.length) query[at] = to;
                        else temperature = data.choices[to];
                        paint();
                    },
                ]);
            });
        },
        end: shown.end,
    };
}
