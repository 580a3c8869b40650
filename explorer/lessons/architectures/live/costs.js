// One count of four architectures along n or d, and as bars at the reader's sizes. Every count that the sliders can ask for came
// from Python: the sliders select, and curves and bars follow.
import { element, live, updateTableWhenIdle, screenReaderOnly, windowHeight } from "../../../ui/live/dom.js";
import { t } from "../../../ui/live/words.js";
import { setAttributes, svgElement, setText } from "../../../ui/live/drawing.js";
import { formatPowerOfTen } from "../../../ui/live/numbers.js";
import { clamp } from "../../../ui/live/motion.js";
import { liveRegion } from "../../../ui/live/live_region.js";
import { linePath, linear, logarithmic } from "../../../ui/live/axes.js";
import { redrawOnResize } from "../../../ui/live/resize.js";
import { binary, indexOf, marks, placesOf } from "./sizes.js";

/**
 * @typedef {import("../../../ui/live/unpack.js").Packed} Packed
 * @typedef {object} Data @property {Packed} counts [architectures, n, d, kernels, heads]
 * @property {Packed | null} compared the same, of the operations that compare pairs
 * @property {string[]} names @property {string[]} colours @property {number[]} widths of the curves
 * @property {Record<string, number[]>} stops of the sliders, in the order of the arrays' axes @property {Record<string, number>} at the reader's sizes
 * @property {Record<string, string>} keys of the sliders @property {string} axis what grows @property {boolean} mebibytes
 * @property {[number, string][]} scales how large numbers are said @property {string} counted what is counted @property {number} zoom
 */

const PLOT = 0.62,
    LEFT = 62,
    RIGHT = 14,
    HEAD = 34,
    FOOT = 46,
    ASIDE = 276,
    TIGHT = 600; // share of the width; pixels

export default (/** @type {import("../../../ui/live/dom.js").Component} */ component) =>
    live(component, "costs", costs);

/** @param {HTMLElement} root */
function costs(root) {
    const legend = element("p", "legend");
    root.append(legend);
    const svg = svgElement("svg", { role: "img" }, root),
        table = screenReaderOnly(root, "table");

    /** @type {Data} */ let data;
    /** @type {ArrayLike<number>} */ let counts = [];
    /** @type {ArrayLike<number> | null} of operations alone */ let compared = null;
    /** @type {Record<string, number>} positions of the sliders */ let at = {};
    /** @type {ReturnType<typeof build>} */ let drawn;

    /** A count of an architecture where the sliders stand, or elsewhere. @param {ArrayLike<number>} of @param {number} name @param {Record<string, number>} [other] */
    const count = (of, name, other = {}) => of[indexOf(data.stops, name, { ...at, ...other })];

    /** A count in words. @param {number} value */
    function words(value) {
        if (data.mebibytes) return binary(value);
        const [size, text] = data.scales.find(([least]) => value >= least) ?? [1, "{number}"];
        return text.replace("{number}", Number((value / size).toPrecision(3)).toLocaleString("en"));
    }

    /** Make axes, curves and bars. */
    function build() {
        const wide = root.clientWidth;
        root.style.setProperty("--zoom", String(data.zoom));
        const tight = wide < TIGHT,
            tall = tight ? 330 : clamp(windowHeight(root) - ASIDE * data.zoom, 300, 600),
            right = (tight ? 1 : PLOT) * wide - RIGHT,
            floor = tall - FOOT;
        const row = tight ? 58 : (floor - HEAD) / data.names.length,
            whole = tight ? tall + 28 + data.names.length * row : tall;
        const along = data.stops[data.axis],
            x = logarithmic([along[0], along[along.length - 1]], [LEFT + 12, right - 12]);
        const positive = Array.from(counts).filter((each) => each > 0),
            [low, most] = [Math.min(...positive), Math.max(...positive)];
        const y = logarithmic([low / 1.6, most * 1.6], [floor, HEAD]);
        svg.replaceChildren();
        setAttributes(svg, { width: wide, height: whole, viewBox: `0 0 ${wide} ${whole}` });
        setText(svgElement("text", { class: "strong", x: LEFT, y: 18 }, svg), data.counted);
        for (let power = Math.ceil(Math.log10(low / 1.6)); 10 ** power <= most * 1.6; power += 1) {
            svgElement("line", { class: "grid", x1: LEFT, x2: right, y1: y(10 ** power), y2: y(10 ** power) }, svg);
            setText(
                svgElement("text", { class: "tick", x: LEFT - 8, y: y(10 ** power) + 5, "text-anchor": "end" }, svg),
                Math.abs(power) < 2 ? String(10 ** power) : formatPowerOfTen(power),
            );
        }
        svgElement("line", { class: "axis", x1: LEFT, x2: right, y1: floor, y2: floor }, svg);
        const spoken = along.length > 7 ? 2 : 1;
        along.forEach(
            (each, position) =>
                position % spoken ||
                setText(
                    svgElement("text", { class: "tick", x: x(each), y: floor + 20, "text-anchor": "middle" }, svg),
                    String(each),
                ),
        );
        setText(
            svgElement("text", { class: "tick", x: (LEFT + right) / 2, y: tall - 5, "text-anchor": "middle" }, svg),
            data.axis === "n" ? t("n, length of the sequence") : t("d, numbers per position"),
        );
        const area = svgElement("path", { class: "pairs", fill: data.colours[data.names.length - 1] }, svg),
            here = svgElement("line", { class: "here", y1: HEAD, y2: floor }, svg);
        const lines = data.names.map((_, name) =>
            svgElement("path", { class: "curve", stroke: data.colours[name], "stroke-width": data.widths[name] }, svg),
        );
        const dots = data.names.map((_, name) =>
            along.map((each) =>
                svgElement("circle", { class: "target", cx: x(each), r: 4, fill: data.colours[name] }, svg),
            ),
        );
        const from = tight ? 0 : PLOT * wide + 22,
            top = tight ? tall + 28 : HEAD;
        const title = svgElement("text", { class: "strong", x: from, y: tight ? tall + 22 : 18 }, svg);
        const bars = data.names.map((name, position) => {
            const middle = top + position * row;
            setText(svgElement("text", { class: "name", x: from, y: middle + 20 }, svg), name);
            const bar = (/** @type {string} */ kind) =>
                svgElement(
                    "rect",
                    {
                        class: kind,
                        x: from,
                        y: middle + 27,
                        height: Math.min(row - 34, 52),
                        fill: data.colours[position],
                    },
                    svg,
                );
            return {
                whole: bar("bar"),
                part: bar("bar part"),
                text: svgElement("text", { class: "strong value", y: middle + 32 + Math.min(row - 34, 52) / 2 }, svg),
            };
        });
        const room = wide - from - 112 * data.zoom;
        return { x, y, area, here, lines, dots, title, bars, from, room, along };
    }

    /** Draw what depends on the sliders: a function of their places. */
    function paint() {
        const { x, y, area, here, lines, dots, title, bars, from, room, along } = drawn,
            last = data.names.length - 1;
        const rows = data.names.map((_, name) =>
            along.map((_stop, position) => count(counts, name, { [data.axis]: position })),
        );
        lines.forEach((line, name) => {
            setAttributes(line, { d: linePath(along, rows[name], x, y) });
            dots[name].forEach((dot, position) => {
                const value = rows[name][position],
                    said = { name: data.names[name], axis: data.axis, size: along[position], value: words(value) };
                setAttributes(dot, {
                    cy: y(value).toFixed(1),
                    "data-says": t("{name}, {axis} = {size}: {value}", said),
                });
            });
        });
        const pairs = compared;
        if (pairs) {
            const alone = rows[last].map((each, position) => each - count(pairs, last, { [data.axis]: position })),
                back = [...along].reverse();
            setAttributes(area, {
                d: `${linePath(along, rows[last], x, y)}${linePath(back, [...alone].reverse(), x, y).replace("M", "L")}z`,
            });
        }
        const now = x(data.stops[data.axis][at[data.axis]]);
        setAttributes(here, { x1: now, x2: now });
        setText(title, t("At n = {n}, d = {d}", { n: data.stops.n[at.n], d: data.stops.d[at.d] }));
        const values = data.names.map((_, name) => count(counts, name)),
            width = linear([0, Math.max(...values)], [0, room]);
        bars.forEach(({ whole, part, text }, name) => {
            const comparing = pairs ? count(pairs, name) : 0;
            setAttributes(whole, { width: width(values[name]).toFixed(1), opacity: comparing ? 0.5 : 1 });
            setAttributes(part, {
                x: (from + width(values[name] - comparing)).toFixed(1),
                width: width(comparing).toFixed(1),
                "data-says": t("{name}, comparing pairs: {value}", { name: data.names[name], value: words(comparing) }),
            });
            setAttributes(text, { x: (from + width(values[name]) + 8).toFixed(1) });
            setText(text, words(values[name]));
        });
        updateTableWhenIdle(table, data.counted, () => [
            ["", ...along.map((each) => `${data.axis} = ${each}`), t("at the reader’s sizes")],
            ...data.names.map((name, position) => [name, ...rows[position].map(String), String(values[position])]),
        ]);
    }

    liveRegion(root);
    const shown = redrawOnResize(root, () => (drawn = build()), paint);
    return {
        /** @param {Data} now */
        take(now) {
            const { at: sizes, counts: whole, compared: part, ...rest } = now; // the words say of what the arrays are
            data = now;
            at = placesOf(now.stops, sizes);
            shown.take(rest, () => {
                [counts, compared] = [whole.values, part && part.values];
                svg.ariaLabel = now.counted;
                legend.replaceChildren(...marks(data.names, data.colours));
                return Object.entries(data.keys).map(([axis, key]) => [key, shown.slide((to) => (at[axis] = to))]);
            });
        },
        end: shown.end,
    };
}
