// Every query at once: a map of the weights, a column for each query, and below it, at the same place, the prediction that the
// column makes; beside it the weights of the column that asks, which is dragged. Width and query follow their sliders.
import { element, live, placeOn, updateTableWhenIdle, screenReaderOnly, windowHeight } from "../../../ui/live/dom.js";
import { setAttributes, svgElement, setText } from "../../../ui/live/drawing.js";
import { formatForSpread, formatSignificant } from "../../../ui/live/numbers.js";
import { clamp } from "../../../ui/live/motion.js";
import { kernelWeights, weighted } from "../../../ui/live/closed_forms.js";
import { linePath, xAxis, linear, yAxis, ticks } from "../../../ui/live/axes.js";
import { makeDraggable, onHoverOrTap } from "../../../ui/live/drag.js";
import { redrawOnResize } from "../../../ui/live/resize.js";
import { inks } from "../../../ui/live/weights.js";
import { fitted } from "./fitted.js";
import { formatMessage, t } from "../../../ui/live/words.js";

/**
 * @typedef {import("./fitted.js").Sent & {scale: [number, string][]}} Sent of a fit, and
 * @typedef {import("./fitted.js").Data & {scale: [number, string][]}} Data the same, read the colours of weights
 */

const LABELS = 44,
    ABOVE = 26,
    BELOW = 46,
    GAP = 30,
    BESIDE = 130,
    SHARE = 0.58,
    NARROW = 560; // pixels; of the height, for the map

export default (/** @type {import("../../../ui/live/dom.js").Component} */ component) =>
    live(component, "matrix", matrix);

/** @param {HTMLElement} root */
function matrix(root) {
    const legend = element("p", "legend"),
        stage = element("div", "stage");
    const least = element("span", ""),
        ramped = element("i", ""),
        most = element("span", ""),
        asked = element("b", "sum");
    const map = element("canvas", "map"),
        line = element("p", "line");
    legend.append(least, ramped, most, asked);
    stage.append(map);
    const svg = svgElement("svg", { role: "group" }, stage);
    root.replaceChildren(legend, stage, line);
    const table = screenReaderOnly(root, "table");

    /** @type {Data} */ let data;
    /** @type {import("../../../ui/live/dom.js").Changed} */ let tell;
    /** @type {ReturnType<typeof build>} */ let drawn;
    /** @type {Float64Array[]} */ let weights = []; // of every query
    /** @type {number[]} */ let fit = []; // the prediction of every query
    let query = 0,
        width = 1,
        weighed = NaN,
        largest = 1,
        wide = 0; // `weighed` is the width that map and curve show; the largest weight has the strongest colour

    /** Draw what stands still, and make what will move. */
    function build() {
        wide = root.clientWidth;
        const tall = clamp(windowHeight(root) - 300, 330, 620),
            [low, high] = data.domain,
            n = data.x.length;
        const right = wide - (wide < NARROW ? 10 : BESIDE),
            ends = [LABELS, right],
            floor = tall - BELOW,
            split = Math.round(ABOVE + SHARE * (floor - ABOVE));
        const x = linear([low, high], ends),
            back = linear(ends, [low, high]),
            spread = Math.max(...data.y) - Math.min(...data.y) || 1,
            [least, most] = [Math.min(...data.y) - 0.04 * spread, Math.max(...data.y) + 0.04 * spread],
            y = linear([least, most], [floor, split + GAP]),
            thick = (split - ABOVE) / n,
            place = (/** @type {number} */ key) => split - (key + 0.5) * thick;
        svg.replaceChildren();
        setAttributes(svg, { width: wide, height: tall, viewBox: `0 0 ${wide} ${tall}` });
        [map.width, map.height] = [data.at.length, n];
        map.style.cssText = `left:${LABELS}px;top:${ABOVE}px;width:${right - LABELS}px;height:${split - ABOVE}px`;
        setText(svgElement("text", { class: "head", x: 0, y: 15 }, svg), t("where the key lies, x"));
        for (const level of ticks(data.x[0], data.x[n - 1], (split - ABOVE) / 40))
            setText(
                svgElement(
                    "text",
                    { class: "tick", x: LABELS - 7, y: place(rank(level)) + 5, "text-anchor": "end" },
                    svg,
                ),
                formatSignificant(level, 12),
            );
        setText(svgElement("text", { class: "head", x: 0, y: split + 20 }, svg), t("value, y"));
        yAxis(svg, ticks(least, most, (floor - split) / 50), y, ends);
        xAxis(svg, ticks(low, high, wide < NARROW ? 4 : 10), x, floor, ends);
        setText(
            svgElement("text", { class: "tick", x: right, y: tall - 4, "text-anchor": "end" }, svg),
            t("x: where we ask (queries)"),
        );
        const dots = data.x.map((at, i) =>
            svgElement("circle", { class: "point", cx: x(at).toFixed(1), cy: y(data.y[i]).toFixed(1) }, svg),
        );
        const fitted = svgElement("path", { class: "curve" }, svg),
            column = wide < NARROW ? null : svgElement("path", { class: "column" }, svg),
            asks = svgElement(
                "g",
                {
                    class: "grip",
                    tabindex: 0,
                    role: "slider",
                    "aria-label": t("query"),
                    "aria-valuemin": low,
                    "aria-valuemax": high,
                },
                svg,
            );
        svgElement("rect", { class: "target", x: -13, y: ABOVE, width: 26, height: floor - ABOVE, rx: 6 }, asks);
        svgElement("line", { class: "down", y1: ABOVE, y2: floor }, asks);
        svgElement("circle", { class: "knob", cy: floor - 4, r: 11 }, asks);
        setText(svgElement("text", { class: "letter", y: floor + 1, "text-anchor": "middle" }, asks), "q");
        const answer = svgElement("path", { class: "answer", d: "M0 -9L9 0L0 9L-9 0z" }, asks);
        if (column) setText(svgElement("text", { class: "head side", x: right + 14, y: 15 }, svg), t("weights of q"));
        makeDraggable(
            asks,
            svg,
            (across) => move(back(across), width),
            (across, up) => move(query + (across + up) * data.step, width),
            told,
        );
        ramped.style.background = `linear-gradient(90deg, ${data.scale.map(([stop, colour]) => `${colour} ${100 * stop}%`).join(",")})`;
        return {
            x,
            y,
            spread,
            fitted,
            dots,
            column,
            place,
            thick,
            asks,
            answer,
            back,
            right,
            colours: inks(data.scale),
        };
    }

    /** Where a place lies among the keys, which stand in order, each as thick as the others. @param {number} value */
    function rank(value) {
        const after = data.x.findIndex((each) => each >= value);
        if (after <= 0) return after && data.x.length - 1;
        return after - (data.x[after] - value) / (data.x[after] - data.x[after - 1]);
    }

    /** @param {number} to @param {number} wider */
    function move(to, wider) {
        query = clamp(to, ...data.domain);
        width = clamp(wider, .../** @type {[number, number]} */ (data.widths));
        paint();
    }

    /** Round to a query that is drawn, and tell. */
    function told() {
        const [low] = data.domain;
        move(low + Math.round((query - low) / data.step) * data.step, width);
        tell({ query, width });
    }

    /** Draw what depends on the width alone: the map and the curve. */
    function weigh() {
        const { x, y, fitted, colours } = drawn,
            n = data.x.length;
        weights = data.at.map((at) => kernelWeights(data.kernel, data.x, width, at));
        fit = weights.map((row) => weighted(row, data.y));
        let top = 0;
        for (const row of weights) for (let key = 0; key < n; key += 1) if (row[key] > top) top = row[key];
        const pen = /** @type {CanvasRenderingContext2D} */ (map.getContext("2d", { willReadFrequently: true })),
            image = pen.createImageData(weights.length, n);
        const pixels = new Uint32Array(image.data.buffer),
            ink = (colours.length - 1) / (top || 1);
        weights.forEach((row, at) => {
            if (Number.isNaN(fit[at])) return; // nobody within reach: the hatch behind the map is seen
            for (let key = 0; key < n; key += 1)
                pixels[(n - 1 - key) * weights.length + at] = colours[Math.round(row[key] * ink)];
        });
        largest = top || 1;
        pen.putImageData(image, 0, 0);
        setAttributes(fitted, { d: linePath(data.at, fit, x, y) });
        setText(least, `${t("weight")} 0`);
        setText(most, formatSignificant(top || 1));
        weighed = width;
    }

    /** Draw what depends on query and width: a function of both. */
    function paint() {
        if (width !== weighed) weigh();
        const { x, y, spread, dots, column, place, thick, right, asks, answer } = drawn,
            row = nearest(query),
            output = fit[row],
            known = !Number.isNaN(output);
        const said = formatForSpread(query, data.domain[1] - data.domain[0]);
        setAttributes(asks, {
            transform: `translate(${x(query).toFixed(1)} 0)`,
            "aria-valuenow": query.toFixed(4),
            "aria-valuetext": t("query {query}", { query: said }),
        });
        setAttributes(answer, {
            transform: `translate(0 ${known ? y(output).toFixed(1) : 0})`,
            display: known ? "inline" : "none",
        });
        const peak = Math.max(...weights[row]) || 1;
        weights[row].forEach((weight, key) => {
            setAttributes(dots[key], {
                r: (3 + 4 * Math.sqrt(weight / peak)).toFixed(1),
                opacity: (0.3 + (0.7 * weight) / peak).toFixed(2),
            });
        });
        if (column)
            setAttributes(column, {
                d: Array.from(weights[row], (weight, key) => {
                    const long = (weight / largest) * (BESIDE - 30);
                    return `M${right + 14} ${(place(key) - 0.45 * thick).toFixed(1)}h${long.toFixed(1)}v${(0.9 * thick).toFixed(1)}h${-long.toFixed(1)}z`;
                }).join(""),
            });
        setText(
            asked,
            formatMessage(known ? t("query {query}: prediction {value}") : t("query {query}: no key within reach"), {
                query: said,
                value: formatForSpread(output, spread),
            }),
        );
        const [now, predicted] = [weights, fit];
        updateTableWhenIdle(table, t("The weight matrix, queries × keys"), () => [
            [t("query"), t("prediction"), ...data.x.map((_, key) => String(key + 1))],
            ...predicted.map((each, at) =>
                [data.at[at], each, ...(at === row ? now[at] : [])].map((value) => value.toFixed(6)),
            ),
        ]);
    }

    const nearest = (/** @type {number} */ at) => Math.round((clamp(at, ...data.domain) - data.domain[0]) / data.step);
    onHoverOrTap(
        svg,
        (event) => {
            const box = map.getBoundingClientRect(),
                key = Math.floor(((box.bottom - event.clientY) / box.height) * data.x.length),
                row = nearest(drawn.back(placeOn(event, svg)[0]));
            const inside = key >= 0 && key < data.x.length && event.clientX >= box.left && event.clientX <= box.right;
            setText(
                line,
                !inside
                    ? t("Drag the query, or point at a cell.")
                    : t("query {query} gives key {key} the weight {weight}", {
                          query: formatSignificant(data.at[row], 4),
                          key: formatSignificant(data.x[key], 4),
                          weight: weights[row][key].toFixed(4),
                      }),
            );
        },
        () => setText(line, t("Drag the query, or point at a cell.")),
    );
    const shown = redrawOnResize(
        root,
        () => {
            drawn = build();
            weighed = NaN;
        },
        paint,
    );
    return {
        /** @param {Sent} sent @param {import("../../../ui/live/dom.js").Changed} told */
        take(sent, told) {
            const now = fitted(sent);
            const { query: at, width: chosen, ...rest } = now;
            [tell, data, query, width] = [told, now, at, chosen];
            shown.take(rest, () => {
                svg.ariaLabel = t("The weight matrix, queries × keys");
                setText(line, t("Drag the query, or point at a cell."));
                return [
                    [now.keys.query, (value) => move(value, width)],
                    [now.keys.width, (value) => move(query, value)],
                ];
            });
        },
        end: shown.end,
    };
}
