// Every query at once: a map of the weights, queries by keys, and beside it the prediction that each row makes. The row that
// asks is dragged; width and query follow their sliders.
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
    SHARE = 0.72,
    NARROW = 560; // pixels; of the width, for the map

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
        wide = 0; // `weighed` is the width that map and curve show

    /** Draw what stands still, and make what will move. */
    function build() {
        wide = root.clientWidth;
        const tall = clamp(windowHeight(root) - 300, 330, 620),
            [low, high] = data.domain,
            right = Math.round(SHARE * wide),
            beside = [right + 26, wide - 10];
        const y = linear([low, high], [ABOVE, tall - BELOW]),
            back = linear([ABOVE, tall - BELOW], [low, high]),
            floor = tall - BELOW,
            n = data.x.length;
        const spread = Math.max(...data.y) - Math.min(...data.y) || 1,
            [least, most] = [Math.min(...data.y) - 0.04 * spread, Math.max(...data.y) + 0.04 * spread];
        const x = linear([least, most], beside),
            place = (/** @type {number} */ key) => LABELS + ((key + 0.5) / n) * (right - LABELS);
        svg.replaceChildren();
        setAttributes(svg, { width: wide, height: tall, viewBox: `0 0 ${wide} ${tall}` });
        [map.width, map.height] = [n, data.at.length];
        map.style.cssText = `left:${LABELS}px;top:${ABOVE}px;width:${right - LABELS}px;height:${floor - ABOVE}px`;
        setText(svgElement("text", { class: "tick", x: 0, y: 15 }, svg), t("queries"));
        setText(svgElement("text", { class: "tick", x: beside[0], y: 15 }, svg), t("prediction"));
        yAxis(svg, ticks(low, high, tall / 70), y, beside);
        for (const level of ticks(low, high, tall / 70))
            setText(
                svgElement("text", { class: "tick", x: LABELS - 7, y: y(level) + 5, "text-anchor": "end" }, svg),
                formatSignificant(level, 12),
            );
        const count = Math.min(n, wide < NARROW ? 4 : 9),
            some = Array.from({ length: count }, (_, i) => Math.round((i * (n - 1)) / Math.max(1, count - 1)));
        xAxis(svg, some, place, floor, [LABELS, right], (key) => formatSignificant(data.x[key], 4));
        setText(
            svgElement("text", { class: "tick", x: right, y: tall - 4, "text-anchor": "end" }, svg),
            t("keys, in the order of x"),
        );
        xAxis(svg, ticks(least, most, wide < NARROW ? 2 : 4), x, floor, beside);
        svgElement(
            "path",
            { class: "points", d: data.x.map((at, i) => `M${x(data.y[i]).toFixed(1)} ${y(at).toFixed(1)}h0`).join("") },
            svg,
        );
        const fitted = svgElement("path", { class: "curve" }, svg),
            asks = svgElement(
                "g",
                {
                    class: "grip",
                    tabindex: 0,
                    role: "slider",
                    "aria-label": t("query"),
                    "aria-orientation": "vertical",
                    "aria-valuemin": low,
                    "aria-valuemax": high,
                },
                svg,
            );
        svgElement("rect", { class: "target", x: LABELS, y: -13, width: beside[1] - LABELS, height: 26, rx: 6 }, asks);
        svgElement("line", { class: "down", x1: LABELS, x2: beside[1] }, asks);
        const answer = svgElement("path", { class: "answer", d: "M0 -9L9 0L0 9L-9 0z" }, asks);
        makeDraggable(
            asks,
            svg,
            (_, down) => move(back(down), width),
            (across, up) => move(query + (across - up) * data.step, width),
            told,
        );
        ramped.style.background = `linear-gradient(90deg, ${data.scale.map(([stop, colour]) => `${colour} ${100 * stop}%`).join(",")})`;
        return { x, y, spread, fitted, asks, answer, back, right, colours: inks(data.scale) };
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
            image = pen.createImageData(n, weights.length);
        const pixels = new Uint32Array(image.data.buffer),
            ink = (colours.length - 1) / (top || 1);
        weights.forEach((row, down) => {
            if (Number.isNaN(fit[down])) return; // nobody within reach: the hatch behind the map is seen
            for (let key = 0; key < n; key += 1) pixels[down * n + key] = colours[Math.round(row[key] * ink)];
        });
        pen.putImageData(image, 0, 0);
        setAttributes(fitted, { d: linePath(fit, data.at, x, y) });
        setText(least, `${t("weight")} 0`);
        setText(most, formatSignificant(top || 1));
        weighed = width;
    }

    /** Draw what depends on query and width: a function of both. */
    function paint() {
        if (width !== weighed) weigh();
        const { x, y, spread, asks, answer } = drawn,
            row = nearest(query),
            output = fit[row],
            known = !Number.isNaN(output);
        const said = formatForSpread(query, data.domain[1] - data.domain[0]);
        setAttributes(asks, {
            transform: `translate(0 ${y(query).toFixed(1)})`,
            "aria-valuenow": query.toFixed(4),
            "aria-valuetext": t("query {query}", { query: said }),
        });
        setAttributes(answer, {
            transform: `translate(${known ? x(output).toFixed(1) : 0} 0)`,
            display: known ? "inline" : "none",
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
                key = Math.floor(((event.clientX - box.left) / box.width) * data.x.length),
                row = nearest(drawn.back(placeOn(event, svg)[1]));
            const inside = key >= 0 && key < data.x.length && event.clientY >= box.top && event.clientY <= box.bottom;
            setText(
                line,
                !inside
                    ? t("Drag the row that asks, or point at a cell.")
                    : t("query {query} gives key {key} the weight {weight}", {
                          query: formatSignificant(data.at[row], 4),
                          key: formatSignificant(data.x[key], 4),
                          weight: weights[row][key].toFixed(4),
                      }),
            );
        },
        () => setText(line, t("Drag the row that asks, or point at a cell.")),
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
                setText(line, t("Drag the row that asks, or point at a cell."));
                return [
                    [now.keys.query, (value) => move(value, width)],
                    [now.keys.width, (value) => move(query, value)],
                ];
            });
        },
        end: shown.end,
    };
}
