// One row of weights as two bars of equal height: before a mask and under it; what is forbidden is hatched, the rest swells.
import { setAttributes, svgElement, setText } from "../../../ui/live/drawing.js";
import { formatWeight } from "../../../ui/live/dom.js";
import { t } from "../../../ui/live/words.js";
import { softmax, maskedSoftmax } from "../../../ui/live/closed_forms.js";
import { hex, onInk } from "../../../ui/live/weights.js";

const TOP = 26,
    APART = 16,
    WRITTEN = 17; // pixels: heading; names beside a bar; least height of a part with its weight

/** Make the bars below what a parent holds. @param {HTMLElement} parent */
export function rowBars(parent) {
    const svg = svgElement("svg", { class: "bars", role: "img" }, parent);
    let wide = 0,
        tall = 0;
    /** @type {string[]} */ let labels = [];
    /** @type {SVGGElement} */ let parts;

    /** Draw one bar, and the names beside it, the heaviest first; one that would lie over another is left out.
     * @param {number} x @param {Float64Array} weights @param {Uint8Array} hidden @param {boolean} after @param {Uint8ClampedArray} colours */
    function bar(x, weights, hidden, after, colours) {
        const width = 0.19 * wide,
            tops = [];
        for (let i = 0, y = TOP; i < weights.length; i += 1) {
            tops.push(y);
            y += weights[i] * tall;
        }
        const order = [...weights.keys()].sort((a, b) => weights[b] - weights[a]);
        /** @type {number[]} */ const taken = [];
        for (const at of order) {
            const height = weights[at] * tall,
                middle = tops[at] + height / 2,
                colour = hex(colours, weights[at]);
            if (!height) continue;
            svgElement(
                "rect",
                { class: "part", x, y: tops[at], width, height, fill: hidden[at] ? "url(#hatch)" : colour },
                parts,
            );
            if (height >= WRITTEN && !hidden[at])
                setText(
                    svgElement(
                        "text",
                        { x: x + width / 2, y: middle + 5, "text-anchor": "middle", style: `fill:${onInk(colour)}` },
                        parts,
                    ),
                    formatWeight(weights[at]),
                );
            if (taken.some((other) => Math.abs(other - middle) < APART)) continue;
            taken.push(middle);
            const side = after ? { x: x + width + 8 } : { x: x - 8, "text-anchor": "end" };
            setText(
                svgElement("text", { ...side, y: middle + 5, class: hidden[at] ? "struck" : "" }, parts),
                labels[at],
            );
        }
        return tops;
    }

    return {
        /** @param {number} width @param {number} height @param {{labels: string[]}} data */
        build(width, height, data) {
            [wide, tall, labels] = [width, height - TOP - 2, data.labels];
            svg.replaceChildren();
            setAttributes(svg, { width, height, viewBox: `0 0 ${width} ${height}` });
            setText(
                svgElement("text", { class: "head", x: 0.295 * wide, y: 16, "text-anchor": "middle" }, svg),
                t("before"),
            );
            setText(
                svgElement("text", { class: "head", x: 0.705 * wide, y: 16, "text-anchor": "middle" }, svg),
                t("masked"),
            );
            parts = svgElement("g", {}, svg);
        },

        /** @param {Float32Array} scores of the row @param {Uint8Array} hidden @param {Uint8ClampedArray} colours */
        paint(scores, hidden, colours) {
            parts.replaceChildren();
            const nothing = new Uint8Array(hidden.length),
                from = softmax([...scores]),
                to = maskedSoftmax(scores, hidden);
            const kept = from.reduce((sum, each, at) => sum + (hidden[at] ? 0 : each), 0),
                left = 0.2 * wide,
                right = 0.61 * wide;
            const [a, b] = [
                bar(left, from, hidden, false, colours),
                kept ? bar(right, to, nothing, true, colours) : [],
            ];
            const [start, end, middle] = [left + 0.19 * wide, right, (left + 0.19 * wide + right) / 2];
            for (let at = 0; kept && at < to.length; at += 1) {
                if (!to[at]) continue;
                const side = (/** @type {number} */ p, /** @type {number} */ q) => `C${middle} ${p} ${middle} ${q}`;
                const [low, high] = [a[at] + from[at] * tall, b[at] + to[at] * tall];
                svgElement(
                    "path",
                    {
                        class: "flow",
                        d: `M${start} ${a[at]}${side(a[at], b[at])} ${end} ${b[at]}V${high}${side(high, low)} ${start} ${low}Z`,
                    },
                    parts,
                );
            }
            if (!kept)
                svgElement("rect", { class: "empty", x: right, y: TOP, width: 0.19 * wide, height: tall }, parts);
            const note = svgElement(
                "text",
                {
                    class: "note",
                    x: kept ? middle : right + 0.095 * wide,
                    y: TOP + 0.3 * tall,
                    "text-anchor": "middle",
                },
                parts,
            );
            const free = hidden.every((each) => !each);
            const lines = free
                ? ["", ...t("nothing<br>is forbidden").split("<br>")]
                : kept
                  ? [t("× {factor}", { factor: (1 / kept).toFixed(2) }), ...t("every word<br>that stays").split("<br>")]
                  : ["0", ...t("nothing<br>is left").split("<br>")];
            lines.forEach((each, at) =>
                setText(
                    svgElement(
                        "tspan",
                        { x: note.getAttribute("x"), dy: at ? 18 : 0, class: at ? "" : "strong" },
                        note,
                    ),
                    each,
                ),
            );
            setAttributes(svg, { "aria-label": lines.join(" ") });
        },
    };
}
