// @ts-check
// Memory of three layers along n or d: lines by formula for every size that the sliders can ask for, all from Python, and points
// where it was measured. The sliders select, and the lines follow; what was measured belongs to the sizes of Python's answer.
import { element, filled, kept, tabled, unseen, windowHeight } from "./parts.js";
import { put, shape, write } from "./drawing.js";
import { ten } from "./numbers.js";
import { clamp } from "./motion.js";
import { curve, floorAxis, logarithmic, rungs } from "./axes.js";
import { redrawn } from "./redraw.js";
import { indexOf, marks, placesOf } from "./sizes.js";

/**
 * @typedef {object} Data the arrays are `peak` and `matrix`: [layers, n, d, kernels, heads] and [1, …], and `measured`: [layers, stops of
 *   the axis]; in MiB, NaN where nothing was measured
 * @property {string[]} names @property {string[]} colours @property {number[]} widths of the lines
 * @property {Record<string, number[]>} stops of the sliders, in the order of the arrays' axes @property {Record<string, number>} at the reader's sizes
 * @property {Record<string, string>} keys of the sliders @property {string} axis what grows @property {number} zoom
 * @property {Record<string, string>} said words
 */

const LEFT = 64, RIGHT = 10, TOP = 12, FOOT = 46, ASIDE = 430; // pixels

export default (/** @type {import("./parts.js").Component} */ component) => kept(component, "memory_live", memory);

/** @param {HTMLElement} root */
function memory(root) {
  const legend = element("p", "legend");
  root.append(legend);
  const svg = shape("svg", { role: "img" }, root), table = unseen(root, "table");

  /** @type {Data} */ let data;
  /** @type {ArrayLike<number>} */ let peak = [];
  /** @type {ArrayLike<number>} */ let matrix = [];
  /** @type {ArrayLike<number>} */ let measured = [];
  /** @type {Record<string, number>} places of the sliders */ let at = {};
  /** @type {Record<string, number>} where they stood when it was measured */ let then = {};
  /** @type {ReturnType<typeof build>} */ let drawn;

  /** The memory of a layer at each stop of the axis. @param {ArrayLike<number>} of @param {number} layer */
  const along = (of, layer) => data.stops[data.axis].map((_, stop) => of[indexOf(data.stops, layer, { ...at, [data.axis]: stop })]);

  /** What was measured of a layer, while the sliders stand where they stood. @param {number} layer */
  const found = (layer) => data.stops[data.axis].map((_, stop, stops) =>
    Object.entries(at).every(([axis, place]) => axis === data.axis || place === then[axis]) ? measured[layer * stops.length + stop] : NaN);

  function build() {
    const wide = root.clientWidth, tall = clamp(windowHeight(root) - ASIDE * data.zoom, 240, 640), floor = tall - FOOT, right = wide - RIGHT;
    const stops = data.stops[data.axis], x = logarithmic([stops[0], stops[stops.length - 1]], [LEFT + 8, right - 8]);
    const positive = [...Array.from(peak), ...Array.from(matrix)].filter((each) => each > 0), [low, most] = [Math.min(...positive) / 1.6, Math.max(...positive) * 1.6];
    const y = logarithmic([low, most], [floor, TOP]), powers = [];
    for (let power = Math.ceil(Math.log10(low)); 10 ** power <= most; power += 1) powers.push(10 ** power);
    root.style.setProperty("--zoom", String(data.zoom));
    svg.replaceChildren();
    put(svg, { width: wide, height: tall, viewBox: `0 0 ${wide} ${tall}` });
    rungs(svg, powers, y, [LEFT, right], (level) => (level >= 0.1 && level < 100 ? String(level) : ten(Math.round(Math.log10(level)))));
    floorAxis(svg, stops.filter((_, place) => !(place % 2)), x, floor, [LEFT, right]);
    write(shape("text", { class: "tick", x: (LEFT + right) / 2, y: tall - 4, "text-anchor": "middle" }, svg), data.axis);
    write(shape("text", { class: "tick", transform: `translate(14 ${(TOP + floor) / 2}) rotate(-90)`, "text-anchor": "middle" }, svg), data.said.up);
    const here = shape("line", { class: "here", y1: TOP, y2: floor }, svg);
    const lines = data.names.map((_, layer) => shape("path", { class: "curve", stroke: data.colours[layer], "stroke-width": data.widths[layer] }, svg));
    const pairs = shape("path", { class: "curve pairs", stroke: data.colours[data.names.length - 1] }, svg);
    const points = data.names.map((_, layer) => stops.map((stop) => shape("circle", { cx: x(stop).toFixed(1), r: 4.5, fill: data.colours[layer] }, svg)));
    return { x, y, here, lines, pairs, points, stops };
  }

  function paint() {
    const { x, y, here, lines, pairs, points, stops } = drawn, rows = data.names.map((_, layer) => along(peak, layer)), now = x(stops[at[data.axis]]).toFixed(1);
    put(here, { x1: now, x2: now });
    put(pairs, { d: curve(stops, along(matrix, 0), x, y) });
    lines.forEach((line, layer) => {
      put(line, { d: curve(stops, rows[layer], x, y) });
      found(layer).forEach((value, stop) => put(points[layer][stop], Number.isNaN(value) ? { display: "none" } : { display: "inline", cy: y(value).toFixed(1) }));
    });
    const written = (/** @type {number[]} */ values) => values.map((each) => (Number.isNaN(each) ? "–" : String(Number(each.toPrecision(6)))));
    tabled(table, `${data.said.title}, ${data.said.up}`, () => [["", ...stops.map((each) => `${data.axis} = ${each}`)], [data.said.matrices, ...written(along(matrix, 0))],
      ...data.names.flatMap((name, layer) => [[name, ...written(rows[layer])], [filled(data.said.measured, { name }), ...written(found(layer))]])]);
  }

  const shown = redrawn(root, () => { drawn = build(); }, paint);
  return {
    /** @param {import("./unpack.js").Unpacked} packed */
    take({ head, array }) {
      const { at: sizes, ...rest } = head;
      [data, peak, matrix, measured] = [head, array("peak").values, array("matrix").values, array("measured").values];
      at = placesOf(data.stops, sizes);
      then = { ...at };
      shown.take(rest, () => {
        svg.ariaLabel = data.said.title;
        const [dashed] = marks([data.said.matrices], data.colours.slice(-1));
        dashed.classList.add("pairs");
        legend.replaceChildren(...(data.zoom > 1 ? [] : marks(data.names, data.colours)), dashed); // before a room the chart beside it names them
        return Object.entries(data.keys).map(([axis, key]) => [key, (to) => { at[axis] = to; paint(); }]);
      });
    },
    end: shown.end,
  };
}
