// @ts-check
// Whose share the answer is, at every temperature: between the hard look-up and the average the areas are the weights of the
// keys. Temperature and query follow their sliders; the temperature is dragged along the areas too.
import { element, filled, kept, placeOn, said, tabled, unseen, windowHeight } from "./parts.js";
import { put, shape, write } from "./drawing.js";
import { number } from "./numbers.js";
import { clamp } from "./motion.js";
import { planeScores } from "./closed_forms.js";
import { curve, floorAxis, linear, logarithmic } from "./axes.js";
import { grip, pointed } from "./drag.js";
import { redrawn } from "./redraw.js";
import { onInk } from "./weights.js";
import { answered, digits, mean, painted } from "./looked_up.js";

/**
 * @typedef {object} Own
 * @property {number[]} temperatures at which the areas are drawn
 * @property {string[]} ways hard look-up, attention, average
 * @property {Record<string, string>} said words, with {placeholders}
 * @typedef {import("./looked_up.js").Dictionary & Own} Data
 */

const PANELS = [[0, 0.13], [0.17, 0.83], [0.87, 1]], WARM = 1; // shares of the width; above it names stand left of the mark
const HEAD = 26, GAP = 18, STRIP = 0.15, BELOW = 46, BESIDE = 240, WRITTEN = 0.05, LINE = 16; // pixels, but shares of height and weight

export default (/** @type {import("./parts.js").Component} */ component) => kept(component, "shares", shares);

/** @param {HTMLElement} root */
function shares(root) {
  const line = element("p", "line");
  root.append(line);
  const svg = shape("svg", { role: "group" }, root), table = unseen(root, "table");

  /** @type {Data} */ let data;
  /** @type {number[]} */ let query = [0, 0];
  /** @type {import("./parts.js").Tell} */ let tell;
  /** @type {ReturnType<typeof build>} */ let drawn;
  let place = 0, wide = 0;
  const keys = () => data.entries.map(({ x, y }) => [x, y]);

  /** Make one end: a part of the column for each key, and a box for the answer. @param {number[]} panel @param {number} floor
   * @param {number} strip @param {number} height */
  function end([from, to], floor, strip, height) {
    const [x, width] = [from * wide, (to - from) * wide], middle = x + width / 2;
    const label = () => shape("text", { class: "name", x: middle, "text-anchor": "middle" }, svg);
    const parts = data.entries.map(() => shape("rect", { class: "share", x, width }, svg)), names = parts.map(label);
    const box = shape("rect", { class: "answer end", x, width, y: strip, height }, svg), result = label();
    put(result, { class: "name result", y: strip + height / 2 + 5 });
    return { parts, names, box, result, middle, floor, width };
  }

  /** Make the panels and what moves in them. */
  function build() {
    wide = root.clientWidth;
    root.style.setProperty("--zoom", String(data.zoom));
    const tall = clamp(windowHeight(root) - BESIDE, 300, wide < 560 ? 420 : 640), height = STRIP * (tall - HEAD - BELOW), strip = tall - BELOW - height;
    const floor = strip - GAP, y = linear([0, 1], [floor, HEAD]), [left, right] = PANELS[1].map((each) => each * wide);
    const { temperatures } = data, ends = [temperatures[0], temperatures[temperatures.length - 1]], x = logarithmic(ends, [left, right]);
    svg.replaceChildren();
    put(svg, { width: wide, height: tall, viewBox: `0 0 ${wide} ${tall}` });
    data.ways.forEach((way, at) => write(shape("text", { class: "head", x: [0, (left + right) / 2, wide][at], y: 16,
      "text-anchor": ["start", "middle", "end"][at] }, svg), way));
    const areas = data.entries.map(() => shape("path", { class: "share" }, svg)), slot = (right - left) / temperatures.length;
    const answers = temperatures.map((_, at) => shape("rect", { class: "answer", x: left + at * slot, width: slot + 0.6, y: strip, height }, svg));
    const columns = [end(PANELS[0], floor, strip, height), end(PANELS[2], floor, strip, height)];
    floorAxis(svg, temperatures.filter((each) => Math.abs(Math.log10(each) - Math.round(Math.log10(each))) < 1e-6)
      .map((each) => Number(each.toPrecision(3))), x, strip + height, [left, right]);
    write(shape("text", { class: "tick", x: (left + right) / 2, y: tall - 4, "text-anchor": "middle" }, svg), data.said.across);
    const asks = shape("g", { class: "grip", tabindex: 0, role: "slider", "aria-label": data.said.across,
      "aria-valuemin": ends[0], "aria-valuemax": ends[1] }, svg);
    shape("rect", { class: "target", x: -16, y: HEAD - 6, width: 32, height: tall - BELOW - HEAD + 10, rx: 8 }, asks);
    for (const name of ["halo", "here"]) shape("line", { class: name, y1: HEAD - 4, y2: tall - BELOW + 4 }, asks);
    shape("circle", { class: "knob", cy: floor + GAP / 2, r: 8 }, asks);
    const names = data.entries.map(() => { const made = shape("text", { class: "name" }, svg); return [made, shape("tspan", {}, made), shape("tspan", { dx: 6 }, made)]; });
    const result = shape("text", { class: "name result", y: strip + height / 2 + 5 }, svg);
    const back = linear([left, right], ends.map(Math.log)), { choices } = data;
    const nearest = (/** @type {number} */ pixel) => choices.reduce((best, each, at) => (Math.abs(x(each) - pixel) < Math.abs(x(choices[best]) - pixel) ? at : best), 0);
    grip(asks, svg, (across) => move(nearest(across)), (rightwards, up) => move(place + Math.sign(rightwards + up)), () => tell("moved", { place }));
    return { x, y, back, areas, answers, columns, asks, names, result, left, right, floor };
  }

  /** @param {number} to */
  function move(to) {
    place = clamp(to, 0, data.choices.length - 1);
    paint();
  }

  /** Draw an end: all weight on the best key, or all keys alike. @param {ReturnType<typeof end>} column @param {number[]} weights */
  function paintEnd({ parts, names, box, result, middle, floor, width }, weights) {
    const { y } = drawn, colour = painted(data, mean(data.entries, weights));
    let sum = 0;
    weights.forEach((weight, at) => {
      const tall = floor - y(weight), low = y(sum), fill = painted(data, data.entries[at].value);
      put(parts[at], { y: (low - tall).toFixed(1), height: Math.max(tall, 0).toFixed(1), fill, visibility: weight ? "visible" : "hidden" });
      put(names[at], { y: (low - tall / 2 + 5).toFixed(1), style: `fill:${onInk(fill)}` });
      write(names[at], tall < LINE ? "" : width < 70 ? data.entries[at].name : `${data.entries[at].name} ${said(weight)}`);
      sum += weight;
    });
    put(box, { fill: colour });
    put(result, { x: middle, style: `fill:${onInk(colour)}` });
    write(result, digits(mean(data.entries, weights)));
  }

  /** Name the keys and their weights where the chosen temperature cuts their areas. @param {ReturnType<typeof answered>} now @param {number} heat */
  function paintMark(now, heat) {
    const { x, y, asks, names, result } = drawn, side = heat > WARM ? -1 : 1, at = x(heat) + 12 * side, anchor = side < 0 ? "end" : "start";
    put(asks, { transform: `translate(${x(heat).toFixed(1)} 0)`, "aria-valuenow": heat, "aria-valuetext": `T = ${heat}` });
    let sum = 0;
    now.weights.forEach((weight, key) => {
      const [text, name, share] = names[key];
      put(text, { x: at, y: (y(sum + weight / 2) + 5).toFixed(1), "text-anchor": anchor, style: `fill:${onInk(painted(data, data.entries[key].value))}` });
      write(name, weight >= WRITTEN ? data.entries[key].name : "");
      write(share, weight >= WRITTEN ? said(weight) : "");
      sum += weight;
    });
    put(result, { x: at, "text-anchor": anchor, style: `fill:${onInk(painted(data, now.mean))}` });
    write(result, digits(now.mean));
  }

  /** Draw what depends on query and temperature: a function of both. */
  function paint() {
    const { x, y, areas, answers, columns } = drawn, { entries, temperatures } = data, heat = data.choices[place];
    const every = temperatures.map((each) => answered(data, keys(), query, each)), now = answered(data, keys(), query, heat);
    const scores = planeScores(data.score, query, keys()), best = scores.indexOf(Math.max(...scores));
    const hard = entries.map((_, at) => Number(at === best)), even = entries.map(() => 1 / entries.length);
    const low = new Float64Array(temperatures.length);
    areas.forEach((area, key) => {
      const high = low.map((each, at) => each + every[at].weights[key]), back = [...temperatures].reverse();
      put(area, { d: `${curve(temperatures, high, x, y)}${curve(back, [...low].reverse(), x, y).replace("M", "L")}z`, fill: painted(data, entries[key].value) });
      low.set(high);
    });
    answers.forEach((box, at) => put(box, { fill: painted(data, every[at].mean) }));
    paintEnd(columns[0], hard);
    paintEnd(columns[1], even);
    paintMark(now, heat);
    const row = (/** @type {string} */ name, /** @type {ArrayLike<number>} */ weights, /** @type {number[]} */ answer) =>
      [name, ...Array.from(weights, (each) => each.toFixed(6)), answer.map((each) => each.toFixed(4)).join(" ")];
    tabled(table, data.said.title, () => [["", ...entries.map(({ name }) => name), data.said.answer],
      row(data.ways[0], hard, mean(entries, hard)), row(`T = ${heat}`, now.weights, now.mean), row(data.ways[2], even, mean(entries, even))]);
  }

  pointed(svg, (event) => {
    const [across, down] = placeOn(event, svg), up = (drawn.floor - down) / (drawn.floor - drawn.y(1));
    if (across < drawn.left || across > drawn.right || up < 0 || up > 1) return write(line, data.said.hint);
    const heat = Math.exp(drawn.back(across)), { weights } = answered(data, keys(), query, heat);
    let sum = 0;
    const key = weights.findIndex((each) => (sum += each) >= up);
    write(line, filled(data.said.share, { temperature: Number(heat.toPrecision(3)), key: data.entries[key]?.name ?? "", weight: number(weights[key] ?? 0, 3) }));
  }, () => write(line, data.said.hint));
  const shown = redrawn(root, () => { drawn = build(); }, paint);
  return {
    /** @param {Data} now @param {import("./parts.js").Tell} told */
    take(now, told) {
      const { query: asked, temperature, ...rest } = now;
      [tell, data, query, place] = [told, now, [...asked], Math.max(now.choices.indexOf(temperature), 0)];
      shown.take(rest, () => {
        svg.ariaLabel = now.said.title;
        write(line, now.said.hint);
        return [[now.keys.temperature, move], [now.keys.x, (to) => { query[0] = to; paint(); }], [now.keys.y, (to) => { query[1] = to; paint(); }]];
      });
    },
    end: shown.end,
  };
}
