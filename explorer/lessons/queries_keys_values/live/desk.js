// The desk, looked at twice: the disc behind an object is as large as its weight with the query, the dotted ring as its weight
// without. What is wanted and the temperature follow their sliders; what Python sets anew is seen moving.
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
import { number } from "../../../ui/live/numbers.js";
import { lerp, tween } from "../../../ui/live/motion.js";
import { products, softmax, total } from "../../../ui/live/closed_forms.js";
import { redrawOnResize } from "../../../ui/live/resize.js";

/**
 * @typedef {import("../../../ui/live/unpack.js").Packed} Packed
 * @typedef {object} Data
 * @property {Packed} keys a row for each object @property {Packed} queries without and with @property {Packed} positions in units of the desk
 * @property {string[]} objects @property {{path: string, fill: string, stroke: string, width: number}[][]} drawings of each, about its middle
 * @property {number} temperature @property {number[]} choices of its slider @property {number} zoom
 * @property {string} wood @property {string} halo colours @property {number[]} edges of the desk: left, right, low, high @property {number} radius of a disc that has all the weight
 * @property {string[]} sliders their keys: of the features, and last of the temperature
 */

const BESIDE = 296,
    NARROW = 560,
    LEAST = 0.005; // pixels of the page; of a phone's stage; the weight that is written as a number
const BELOW = 0.9,
    AIR = 0.08,
    MOVED_MS = 400; // units of the desk below an object's middle

export default (/** @type {import("../../../ui/live/dom.js").Component} */ component) => live(component, "desk", desk);

/** @param {HTMLElement} root */
function desk(root) {
    const legend = element("p", "legend"),
        line = element("p", "line");
    root.append(legend, line);
    const svg = svgElement("svg", { role: "img" }, root),
        table = screenReaderOnly(root, "table");

    /** @type {Data} */ let data;
    /** @type {number[][]} */ let keys = [];
    /** @type {number[][]} */ let positions = [];
    /** @type {number[][]} */ let queries = [];
    /** @type {ReturnType<typeof build>} */ let drawn;
    let temperature = 1,
        wide = 0,
        halt = () => {};

    /** Scores and weights without and with the query. */
    const looked = () =>
        queries.map((query) => {
            const scores = keys.map((key) => total(products(query, key)));
            return { scores, weights: softmax(scores, temperature) };
        });

    /** Make the desk and what moves on it. */
    function build() {
        wide = root.clientWidth;
        root.style.setProperty("--zoom", String(data.zoom));
        root.classList.toggle("small", wide < NARROW);
        const [left, right, low, top] = data.edges,
            unit = Math.min(wide / (right - left), Math.max(windowHeight(root) - BESIDE, 250) / (top - low));
        const tall = (top - low) * unit,
            margin = (wide - (right - left) * unit) / 2;
        const x = (/** @type {number} */ at) => margin + (at - left) * unit,
            y = (/** @type {number} */ at) => (top - at) * unit;
        svg.replaceChildren();
        setAttributes(svg, { width: wide, height: tall, viewBox: `0 0 ${wide} ${tall}` });
        svgElement("rect", { class: "wood", x: margin, width: wide - 2 * margin, height: tall, rx: 6 }, svg);
        const circles = (/** @type {string} */ name) =>
            positions.map(([across, up]) => svgElement("circle", { class: name, cx: x(across), cy: y(up) }, svg));
        const discs = circles("disc"),
            rings = circles("ring");
        const captions = data.objects.map((object, at) => {
            const [across, up] = positions[at],
                things = svgElement(
                    "g",
                    { transform: `translate(${x(across)} ${y(up)}) scale(${unit} ${-unit})` },
                    svg,
                );
            for (const { path, fill, stroke, width } of data.drawings[at]) {
                svgElement(
                    "path",
                    {
                        d: path,
                        fill,
                        stroke,
                        "stroke-width": width,
                        "vector-effect": "non-scaling-stroke",
                        "stroke-linejoin": "round",
                    },
                    things,
                );
            }
            const caption = svgElement("text", { "text-anchor": "middle" }, svg),
                small = wide < NARROW;
            setText(svgElement("tspan", { x: x(across) }, caption), object);
            return {
                caption,
                weight: svgElement(
                    "tspan",
                    small ? { class: "weight", x: x(across), dy: "1.1em" } : { class: "weight", dx: 6 },
                    caption,
                ),
            };
        });
        positions.forEach(([across, up], at) => {
            const target = svgElement(
                "rect",
                { class: "target", x: x(across - 1.45), y: y(up + 1.55), width: 2.9 * unit, height: 3.4 * unit },
                svg,
            );
            target.addEventListener("pointerenter", () => setText(line, sentence(at)));
        });
        return { y, unit, discs, rings, captions };
    }

    /** What an object weighs, and why. @param {number} at */
    function sentence(at) {
        const [without, now] = looked();
        return t("{object}: weight {weight} (unasked {before}), score {score}", {
            object: data.objects[at],
            weight: now.weights[at].toFixed(3),
            before: without.weights[at].toFixed(3),
            score: number(now.scores[at], 2),
        });
    }

    /** Draw what depends on queries and temperature: a function of them. */
    function paint() {
        const { y, unit, discs, rings, captions } = drawn,
            [without, now] = looked();
        const radius = (/** @type {number} */ weight) => data.radius * Math.sqrt(weight);
        positions.forEach(([, up], at) => {
            const [ring, disc] = [without, now].map(({ weights }) => radius(weights[at]));
            setAttributes(discs[at], { r: (disc * unit).toFixed(1) });
            setAttributes(rings[at], { r: (ring * unit).toFixed(1) });
            const below = up - Math.max(BELOW, ring + AIR, disc + AIR),
                { caption, weight } = captions[at];
            setAttributes(caption, { y: (y(below) + (wide < NARROW ? 9 : 14)).toFixed(1) });
            setText(weight, now.weights[at] >= LEAST ? formatWeight(now.weights[at]) : "≈0");
        });
        updateTableWhenIdle(table, t("One desk, looked at twice"), () => [
            ["", t("weight with the query"), t("weight without it"), t("score")],
            ...data.objects.map((object, at) => [
                object,
                ...[now.weights[at], without.weights[at], now.scores[at]].map((each) => each.toFixed(6)),
            ]),
        ]);
    }

    /** Move from what is shown to what Python set. @param {number[][]} asked @param {number} heat */
    function moveTo(asked, heat) {
        const before = queries.map((row) => [...row]),
            hot = temperature;
        halt();
        halt = tween(MOVED_MS, (share) => {
            queries = asked.map((row, at) => row.map((each, i) => lerp(before[at][i], each, share)));
            temperature = share < 1 ? hot ** (1 - share) * heat ** share : heat;
            paint();
        });
    }

    svg.addEventListener("pointerleave", (event) => {
        if (event.pointerType === "mouse")
            setText(line, t("The larger the disc, the more weight; point at an object."));
    });
    const shown = redrawOnResize(root, () => (drawn = build()), paint);
    return {
        /** @param {Data} now */
        take(now) {
            const { temperature: heat, queries: queried, ...rest } = now,
                lists = (/** @type {Packed} */ { rows }) => rows.map((row) => [...row]),
                asked = lists(queried);
            data = now;
            shown.take(
                rest,
                () => {
                    [queries, temperature, keys, positions] = [asked, heat, lists(now.keys), lists(now.positions)];
                    for (const name of /** @type {const} */ (["wood", "halo"]))
                        root.style.setProperty(`--${name}`, now[name]);
                    svg.ariaLabel = t("One desk, looked at twice");
                    setText(line, t("The larger the disc, the more weight; point at an object."));
                    legend.replaceChildren(
                        element("span", "mark with", t("weight with the query")),
                        element("span", "mark without", t("weight without it")),
                    );
                    return now.sliders.map((key, at) => [
                        key,
                        (to) => {
                            halt();
                            if (at < queries[1].length) queries[1][at] = to;
                            else temperature = data.choices[to];
                            paint();
                        },
                    ]);
                },
                () => moveTo(asked, heat),
            );
        },
        end() {
            halt();
            shown.end();
        },
    };
}
