// A soft look-up as it flows: from the query to every key, from every value to the answer, as wide as the weight. Query and
// temperature follow their sliders; what Python sets anew is seen moving.
import {
    element,
    live,
    formatWeight,
    updateTableWhenIdle,
    screenReaderOnly,
    windowHeight,
} from "../../../ui/live/dom.js";
import { formatMessage, t } from "../../../ui/live/words.js";
import { band, setAttributes, svgElement, setText } from "../../../ui/live/drawing.js";
import { formatSignificant } from "../../../ui/live/numbers.js";
import { clamp, lerp, tween } from "../../../ui/live/motion.js";
import { planeScores } from "../../../ui/live/closed_forms.js";
import { redrawOnResize } from "../../../ui/live/resize.js";
import { onInk } from "../../../ui/live/weights.js";
import { answered, digits, painted } from "./looked_up.js";

/** @typedef {import("./looked_up.js").Dictionary & {colours: boolean}} Data whether values are parts of a colour */

/** Left and right edges of the columns, as shares of the width. @type {Record<string, [number, number]>} */
const COLUMNS = {
    query: [0, 0.13],
    keys: [0.36, 0.58],
    values: [0.58, 0.7],
    mixture: [0.855, 0.88],
    answer: [0.88, 1],
};
const ENTRY = 0.62,
    WHOLE = 0.9,
    ROWS = 5; // heights in rows: an entry, all the weight; of so many rows query and answer are one row high
const HEAD = 30,
    BESIDE = 262,
    TALLEST = 165,
    TWO_LINES = 40,
    SLIM = 560,
    SHORT = 0.005,
    SETTLE_MS = 400; // pixels, weight, time

export default (/** @type {import("../../../ui/live/dom.js").Component} */ component) =>
    live(component, "dictionary", dictionary);

/** @param {HTMLElement} root */
function dictionary(root) {
    const line = element("p", "line");
    root.append(line);
    const svg = svgElement("svg", { role: "img" }, root),
        table = screenReaderOnly(root, "table");

    /** @type {Data} */ let data;
    /** @type {number[]} */ let query = [0, 0];
    /** @type {ReturnType<typeof build>} */ let drawn;
    let heat = 1,
        wide = 0,
        halt = () => {};
    const keys = () => data.entries.map(({ x, y }) => [x, y]);
    const now = () => answered(data, keys(), query, heat);

    /** A box of a column. @param {string} name @param {number} top @param {number} tall @param {string} [fill] */
    function box(name, top, tall, fill) {
        const [from, to] = COLUMNS[name].map((each) => each * wide),
            inset = name === "mixture" ? 0 : 1; // what the frame needs
        const rect = svgElement(
            "rect",
            { class: `box ${name}`, x: from + inset, width: to - from - 2 * inset, y: top, height: tall },
            svg,
        );
        if (fill) setAttributes(rect, { fill });
        return rect;
    }

    /** Words in the middle of a column, a line each. @param {string} name @param {number} middle @param {number} lines */
    function words(name, middle, lines) {
        const [from, to] = COLUMNS[name],
            x = ((from + to) / 2) * wide,
            size = 17 * data.zoom;
        const text = svgElement("text", { x, y: middle + 5 - ((lines - 1) * size) / 2, "text-anchor": "middle" }, svg);
        return Array.from({ length: lines }, (_, at) =>
            svgElement("tspan", { x, dy: at ? size : 0, class: at ? "small" : "strong" }, text),
        );
    }

    /** Make the columns, and what moves between them. */
    function build() {
        wide = root.clientWidth;
        root.style.setProperty("--zoom", String(data.zoom));
        root.classList.toggle("slim", wide < SLIM);
        const { entries } = data,
            n = entries.length,
            row = clamp((windowHeight(root) - BESIDE - HEAD) / Math.max(n, 3.4), 24, TALLEST * data.zoom);
        const tall = HEAD + row * Math.max(n, 1.6),
            middle = HEAD + (row * Math.max(n, 1.6)) / 2,
            whole = Math.min(WHOLE * Math.max(1, n / ROWS) * row, 2 * (middle - HEAD));
        svg.replaceChildren();
        setAttributes(svg, { width: wide, height: tall, viewBox: `0 0 ${wide} ${tall}` });
        const heads = { query: t("query"), keys: t("keys"), values: t("values"), answer: t("answer") };
        for (const [name, head] of Object.entries(heads)) {
            const [from, to] = COLUMNS[name],
                cut = wide < SLIM && name === "answer"; // the column is narrower than its name
            const position = cut
                ? { x: to * wide, "text-anchor": "end" }
                : { x: ((from + to) / 2) * wide, "text-anchor": "middle" };
            setText(svgElement("text", { class: `head ${name}`, y: 18, ...position }, svg), head);
        }
        const roomy = row * ENTRY >= TWO_LINES * data.zoom && wide >= SLIM,
            halves = wide < SLIM;
        const rows = entries.map((entry, at) => {
            const centre = middle + (at - (n - 1) / 2) * row,
                fill = painted(data, entry.value),
                top = centre - (ENTRY * row) / 2;
            const asks = svgElement("path", { class: "asks" }, svg),
                gives = svgElement("path", { class: "gives", fill }, svg);
            const mixed = box("mixture", middle, 0, fill),
                position = `(${formatSignificant(entry.x)}, ${formatSignificant(entry.y)})`;
            box("keys", top, ENTRY * row);
            box("values", top, ENTRY * row, fill);
            const [name, below] = words("keys", centre, roomy || (halves && row * ENTRY > 34) ? 2 : 1),
                [written] = words("values", centre, 1);
            setText(name, below && halves ? entry.name : `${entry.name} ${position}`);
            setText(written, digits(entry.value));
            setAttributes(written, { style: `fill:${onInk(fill)}` });
            const weight = svgElement(
                "text",
                { class: "strong weight", x: COLUMNS.keys[0] * wide - 8, y: centre + 5, "text-anchor": "end" },
                svg,
            );
            const target = svgElement(
                "rect",
                {
                    class: "target",
                    x: COLUMNS.keys[0] * wide,
                    y: top,
                    width: (COLUMNS.values[1] - COLUMNS.keys[0]) * wide,
                    height: ENTRY * row,
                },
                svg,
            );
            target.addEventListener("pointerenter", () =>
                setText(
                    line,
                    formatMessage(
                        data.colours
                            ? t("“{key}”: weight {weight} of its colour")
                            : t("“{key}”: weight {weight} of the value {value}"),
                        { key: entry.name, weight: now().weights[at].toFixed(4), value: digits(entry.value) },
                    ),
                ),
            );
            return {
                centre,
                asks,
                gives,
                mixed,
                below: halves ? undefined : below,
                position: halves ? below : undefined,
                said: position,
                weight,
            };
        });
        box("query", middle - whole / 2, whole);
        const result = box("answer", middle - whole / 2, whole),
            asked = words("query", middle, halves ? 2 : 1),
            [answer] = words("answer", middle, 1);
        rows.forEach(({ position, said: text }) => position && setText(position, text));
        return { row, middle, whole, rows, result, asked, answer };
    }

    /** Draw what depends on query and temperature: a function of both. */
    function paint() {
        const { row, middle, whole, rows, result, asked, answer } = drawn,
            { weights, mean } = now(),
            edge = (/** @type {string} */ name, /** @type {number} */ at) => COLUMNS[name][at] * wide;
        const scores = planeScores(data.score, query, keys()),
            colour = painted(data, mean),
            distances = data.entries.map(({ x, y }) => Math.hypot(x - query[0], y - query[1]));
        let from = middle - whole / 2;
        rows.forEach(({ centre, asks, gives, mixed, below, weight }, at) => {
            const half = (WHOLE * row * weights[at]) / 2,
                to = from + whole * weights[at];
            setAttributes(asks, { d: band(edge("query", 1), from, to, edge("keys", 0), centre - half, centre + half) });
            setAttributes(gives, {
                d: band(edge("values", 1), centre - half, centre + half, edge("mixture", 0), from, to),
            });
            setAttributes(mixed, { y: from.toFixed(1), height: (to - from).toFixed(1) });
            if (below)
                setText(
                    below,
                    data.score === "dot"
                        ? t("score {score}", { score: formatSignificant(scores[at]) })
                        : t("distance {distance}", { distance: distances[at].toFixed(2) }),
                );
            setText(weight, weights[at] >= SHORT ? formatWeight(weights[at]) : "≈0");
            from = to;
        });
        const [x, y] = query.map((each) => formatSignificant(each));
        setText(asked[0], asked.length > 1 ? `(${x},` : `(${x}, ${y})`);
        if (asked.length > 1) setText(asked[1], `${y})`);
        setAttributes(result, { fill: colour });
        setText(answer, digits(mean));
        setAttributes(answer, { style: `fill:${onInk(colour)}` });
        updateTableWhenIdle(table, t("From the query to the answer"), () => [
            ["", t("weight"), t("distance"), t("score")],
            ...data.entries.map(({ name }, at) => [
                name,
                ...[weights[at], distances[at], scores[at]].map((each) => each.toFixed(6)),
            ]),
            [t("answer"), mean.map((each) => each.toFixed(4)).join(" "), "", ""],
        ]);
    }

    /** Move from what is shown to what Python set. @param {number[]} asked @param {number} hot */
    function moveTo(asked, hot) {
        const before = [...query],
            was = heat;
        halt();
        halt = tween(SETTLE_MS, (share) => {
            query = asked.map((each, at) => lerp(before[at], each, share));
            heat = share < 1 ? was ** (1 - share) * hot ** share : hot;
            paint();
        });
    }

    svg.addEventListener("pointerleave", (event) => {
        if (event.pointerType === "mouse")
            setText(line, t("The wider the ribbon, the more weight; point at an entry."));
    });
    const shown = redrawOnResize(root, () => (drawn = build()), paint);
    return {
        /** @param {Data} told */
        take(told) {
            const { query: asked, temperature, ...rest } = told;
            const moved = (/** @type {(to: number) => void} */ set) => (/** @type {number} */ to) => {
                halt();
                set(to);
                paint();
            };
            data = told;
            shown.take(
                rest,
                () => {
                    [query, heat] = [[...asked], temperature];
                    svg.ariaLabel = t("From the query to the answer");
                    setText(line, t("The wider the ribbon, the more weight; point at an entry."));
                    return [
                        [told.keys.temperature, moved((to) => (heat = told.choices[to]))],
                        [told.keys.x, moved((to) => (query[0] = to))],
                        [told.keys.y, moved((to) => (query[1] = to))],
                    ];
                },
                () => moveTo(asked, temperature),
            );
        },
        end() {
            halt();
            shown.end();
        },
    };
}
