// Memory of three layers along n or d: lines by formula for every size that the sliders can ask for, all from Python, and points
// where it was measured. The sliders select, and the lines follow; what was measured belongs to the sizes of Python's answer.
import { element, live, updateTableWhenIdle, screenReaderOnly, windowHeight } from "../../../ui/live/dom.js";
import { t } from "../../../ui/live/words.js";
import { setAttributes, svgElement, setText } from "../../../ui/live/drawing.js";
import { formatPowerOfTen } from "../../../ui/live/numbers.js";
import { clamp } from "../../../ui/live/motion.js";
import { liveRegion } from "../../../ui/live/live_region.js";
import { linePath, xAxis, logarithmic, yAxis } from "../../../ui/live/axes.js";
import { redrawOnResize } from "../../../ui/live/resize.js";
import { binary, indexOf, marks, placesOf } from "./sizes.js";

/**
 * @typedef {import("../../../ui/live/unpack.js").Packed} Packed
 * @typedef {object} Data in MiB
 * @property {Packed} peak [layers, n, d, kernels, heads] @property {Packed} matrix [1, …]
 * @property {Packed} measured [layers, stops of the axis], NaN where nothing was measured
 * @property {string[]} names @property {string[]} colours @property {number[]} widths of the lines
 * @property {Record<string, number[]>} stops of the sliders, in the order of the arrays' axes @property {Record<string, number>} at the reader's sizes
 * @property {Record<string, string>} keys of the sliders @property {string} axis what grows @property {number} zoom
 * @property {string} title
 */

const LEFT = 64,
    RIGHT = 10,
    TOP = 12,
    FOOT = 46,
    ASIDE = 430; // pixels

export default (/** @type {import("../../../ui/live/dom.js").Component} */ component) =>
    live(component, "memory", memory);

/** @param {HTMLElement} root */
function memory(root) {
    const legend = element("p", "legend");
    root.append(legend);
    const svg = svgElement("svg", { role: "img" }, root),
        table = screenReaderOnly(root, "table");

    /** @type {Data} */ let data;
    /** @type {ArrayLike<number>} */ let peak = [];
    /** @type {ArrayLike<number>} */ let matrix = [];
    /** @type {ArrayLike<number>} */ let measured = [];
    /** @type {Record<string, number>} positions of the sliders */ let at = {};
    /** @type {Record<string, number>} where they stood when it was measured */ let then = {};
    /** @type {ReturnType<typeof build>} */ let drawn;

    /** The memory of a layer at each stop of the axis. @param {ArrayLike<number>} of @param {number} layer */
    const along = (of, layer) =>
        data.stops[data.axis].map((_, stop) => of[indexOf(data.stops, layer, { ...at, [data.axis]: stop })]);

    /** What was measured of a layer, while the sliders stand where they stood. @param {number} layer */
    const found = (layer) =>
        data.stops[data.axis].map((_, stop, stops) =>
            Object.entries(at).every(([axis, place]) => axis === data.axis || place === then[axis])
                ? measured[layer * stops.length + stop]
                : NaN,
        );

    function build() {
        const wide = root.clientWidth,
            tall = clamp(windowHeight(root) - ASIDE * data.zoom, 240, 640),
            floor = tall - FOOT,
            right = wide - RIGHT;
        const stops = data.stops[data.axis],
            x = logarithmic([stops[0], stops[stops.length - 1]], [LEFT + 8, right - 8]);
        const positive = [...Array.from(peak), ...Array.from(matrix)].filter((each) => each > 0),
            [low, most] = [Math.min(...positive) / 1.6, Math.max(...positive) * 1.6];
        const y = logarithmic([low, most], [floor, TOP]),
            powers = [];
        for (let power = Math.ceil(Math.log10(low)); 10 ** power <= most; power += 1) powers.push(10 ** power);
        root.style.setProperty("--zoom", String(data.zoom));
        svg.replaceChildren();
        setAttributes(svg, { width: wide, height: tall, viewBox: `0 0 ${wide} ${tall}` });
        yAxis(svg, powers, y, [LEFT, right], (level) =>
            level >= 0.1 && level < 100 ? String(level) : formatPowerOfTen(Math.round(Math.log10(level))),
        );
        xAxis(
            svg,
            stops.filter((_, place) => !(place % 2)),
            x,
            floor,
            [LEFT, right],
        );
        setText(
            svgElement("text", { class: "tick", x: (LEFT + right) / 2, y: tall - 4, "text-anchor": "middle" }, svg),
            data.axis,
        );
        setText(
            svgElement(
                "text",
                { class: "tick", transform: `translate(14 ${(TOP + floor) / 2}) rotate(-90)`, "text-anchor": "middle" },
                svg,
            ),
            t("memory (MiB)"),
        );
        const here = svgElement("line", { class: "here", y1: TOP, y2: floor }, svg);
        const lines = data.names.map((_, layer) =>
            svgElement(
                "path",
                { class: "curve", stroke: data.colours[layer], "stroke-width": data.widths[layer] },
                svg,
            ),
        );
        const pairs = svgElement("path", { class: "curve pairs", stroke: data.colours[data.names.length - 1] }, svg);
        const read = data.names.map(() =>
            stops.map((stop) => svgElement("circle", { class: "read target", cx: x(stop).toFixed(1), r: 4.5 }, svg)),
        );
        const points = data.names.map((_, layer) =>
            stops.map((stop) =>
                svgElement(
                    "circle",
                    { class: "target", cx: x(stop).toFixed(1), r: 4.5, fill: data.colours[layer] },
                    svg,
                ),
            ),
        );
        return { x, y, here, lines, pairs, read, points, stops };
    }

    function paint() {
        const { x, y, here, lines, pairs, read, points, stops } = drawn,
            rows = data.names.map((_, layer) => along(peak, layer)),
            now = x(stops[at[data.axis]]).toFixed(1);
        setAttributes(here, { x1: now, x2: now });
        setAttributes(pairs, { d: linePath(stops, along(matrix, 0), x, y) });
        const place = (/** @type {string} */ name, /** @type {number} */ stop, /** @type {number} */ value) => {
            const said = t("{name}, {axis} = {size}: {value}", {
                name,
                axis: data.axis,
                size: stops[stop],
                value: binary(value),
            });
            return { display: "inline", cy: y(value).toFixed(1), "data-says": said };
        };
        lines.forEach((line, layer) => {
            const name = data.names[layer],
                measuredOf = t("{name}, measured", { name });
            setAttributes(line, { d: linePath(stops, rows[layer], x, y) });
            rows[layer].forEach((value, stop) => setAttributes(read[layer][stop], place(name, stop, value)));
            found(layer).forEach((value, stop) =>
                setAttributes(
                    points[layer][stop],
                    Number.isNaN(value) ? { display: "none" } : place(measuredOf, stop, value),
                ),
            );
        });
        const written = (/** @type {number[]} */ values) =>
            values.map((each) => (Number.isNaN(each) ? "–" : String(Number(each.toPrecision(6)))));
        updateTableWhenIdle(table, `${data.title}, ${t("memory (MiB)")}`, () => [
            ["", ...stops.map((each) => `${data.axis} = ${each}`)],
            [t("attention matrices"), ...written(along(matrix, 0))],
            ...data.names.flatMap((name, layer) => [
                [name, ...written(rows[layer])],
                [t("{name}, measured", { name }), ...written(found(layer))],
            ]),
        ]);
    }

    liveRegion(root);
    const shown = redrawOnResize(root, () => (drawn = build()), paint);
    return {
        /** @param {Data} now */
        take(now) {
            const { at: sizes, peak: whole, matrix: part, measured: points, ...rest } = now;
            [data, peak, matrix, measured] = [now, whole.values, part.values, points.values];
            at = placesOf(data.stops, sizes);
            then = { ...at };
            shown.take(rest, () => {
                svg.ariaLabel = data.title;
                const [dashed] = marks([t("attention matrices")], data.colours.slice(-1));
                dashed.classList.add("pairs");
                legend.replaceChildren(...marks(data.names, data.colours), dashed);
                return Object.entries(data.keys).map(([axis, key]) => [key, shown.slide((to) => (at[axis] = to))]);
            });
        },
        end: shown.end,
    };
}
