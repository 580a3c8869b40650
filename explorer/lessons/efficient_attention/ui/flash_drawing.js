// @ts-check
// Flash attention on paper: what stands still, and what each moment changes.
import { filled } from "./parts.js";
import { put, shape, write } from "./drawing.js";
import { number, percent } from "./numbers.js";
import { ease, gone, lerp } from "./motion.js";
import { hex, ramp } from "./weights.js";

const PHONE = 620, MOST_LETTERS = 40, EVERY = 8, NAMED = 4, ROUNDING = 1e-5;

/** Draw what stands still. @param {SVGSVGElement} svg @param {import("./flash_film.js").Data} data @param {number} width @param {number} room */
export function draw(svg, data, width, room) {
  const { labels, tiles, said } = data, n = labels.length, phone = width < PHONE, zoom = phone ? 1 : data.zoom;
  const side = Math.max(phone ? width - 26 : Math.min(width * 0.53 - 26, room - 46), 200), cell = side / n;
  const place = { left: 22, top: phone ? 44 : 46, side, cell, n };
  const tall = place.top + side + 3, from = phone ? 0 : place.left + side + 44;
  const panel = { from, wide: width - from - 2, top: phone ? tall + 14 : 0, tall: phone ? 400 : Math.max(tall, 370), zoom };
  svg.replaceChildren();
  const whole = phone ? panel.top + panel.tall : panel.tall;
  put(svg, { viewBox: `0 0 ${width} ${whole}`, width, height: whole, style: `--zoom:${zoom}` });
  const map = shape("g", { class: "map", transform: `translate(${place.left} ${place.top})` }, svg);
  write(shape("text", { class: "head", x: 0, y: 17 }, svg), said.map);
  if (data.causal) future(map, data, cell);
  const boxes = tiles.map(([q, toQ, k, toK]) => {
    const box = shape("rect", { x: k * cell, y: q * cell, width: (toK - k) * cell, height: (toQ - q) * cell }, map);
    const wide = (toK - k) * cell > 70 && (toQ - q) * NAMED >= n;
    const word = wide ? shape("text", { class: "gone", x: ((k + toK) / 2) * cell }, map) : null;
    if (word) write(word, said.forgotten);
    return { box, word };
  });
  const tile = shape("g", {}, map), other = shape("g", {}, map);
  const frame = shape("rect", { class: "frame" }, map), line = shape("rect", { class: "frame row" }, map);
  const every = n <= MOST_LETTERS && cell > 8 ? 1 : EVERY, size = Math.min(14, Math.max(cell * 0.95, 10));
  const letters = labels.map((label, at) => (at % every ? null : [
    shape("text", { class: "letter", x: (at + 0.5) * cell, y: -5, style: `font-size:${size}px` }, map),
    shape("text", { class: "letter", x: -9, y: (at + 0.5) * cell + size / 3, style: `font-size:${size}px` }, map),
  ].map((made) => (write(made, label), made))));
  const colours = ramp(data.scale);
  return { place, boxes, cells: [{ group: tile, at: -1 }, { group: other, at: -1 }], frame, line, letters, colours, panel: drawKept(svg, data, panel) };
}

/** Hatch what lies after each query. @param {Element} map @param {import("./flash_film.js").Data} data @param {number} cell */
function future(map, data, cell) {
  const n = data.labels.length, at = (/** @type {number} */ x) => (x * cell).toFixed(1);
  const stairs = Array.from({ length: n - 1 }, (_, row) => `V${at(row + 1)}H${at(row + 2)}`).join("");
  const id = "flash-future", clip = shape("clipPath", { id }, map), path = `M${at(1)} 0${stairs}V0Z`;
  shape("path", { d: path }, clip);
  shape("path", { d: path, fill: data.masked[0] }, map);
  const strokes = Array.from({ length: 44 }, (_, each) => `M${at((2 * n * each) / 44)} 0L0 ${at((2 * n * each) / 44)}`).join("");
  shape("path", { d: strokes, stroke: data.masked[1], "clip-path": `url(#${id})` }, map);
}

/** The map at a moment: the tile before fades, the frame moves on, the scores of this one appear.
 * @param {ReturnType<typeof draw>} drawing @param {import("./flash_film.js").Data} data @param {Float32Array} scores @param {number} step
 * @param {number} share @param {(step: number) => number} rowOf */
export function paintMap({ place, boxes, cells, frame, line, letters, colours }, data, scores, step, share, rowOf) {
  const { cell, n } = place, last = Math.max(step - 1, 0), moved = ease(gone(share, 0.05, 0.35));
  const asks = lerp(data.tiles[last][0] + rowOf(last), data.tiles[step][0] + rowOf(step), moved);
  boxes.forEach(({ box, word }, at) => {
    const past = at < step - 1 || (at === step - 1 && share > 0.25), [q, toQ] = data.tiles[at];
    const crossed = asks + 1 > q && asks < toQ, high = crossed ? (asks + 0.5 < (q + toQ) / 2 ? 0.75 : 0.25) : 0.5; // beside the frame of the row
    put(box, { class: past ? "past" : at > step ? "later" : "" });
    if (word) put(word, { opacity: past ? 1 : 0, y: lerp(q, toQ, high) * cell + 5 });
  });
  const fill = (/** @type {{group: SVGGElement, at: number}} */ made, /** @type {number} */ at, /** @type {number} */ opacity) => {
    put(made.group, { opacity });
    if (opacity > 0 && made.at === at) return;
    made.at = opacity > 0 ? at : -1;
    made.group.replaceChildren();
    if (opacity === 0) return;
    const [q, toQ, k, toK] = data.tiles[at], [low, high] = data.strong;
    for (let y = q; y < toQ; y += 1) for (let x = k; x < toK; x += 1) {
      const score = scores[y * n + x];
      if (Number.isFinite(score)) shape("rect", { class: "cell", x: x * cell, y: y * cell, width: cell + 0.3, height: cell + 0.3, fill: hex(colours, (score - low) / (high - low || 1)) }, made.group);
    }
  };
  fill(cells[step % 2], step, share === 1 ? 1 : gone(share, 0.2, 0.45));
  fill(cells[(step + 1) % 2], last, last === step ? 0 : 1 - gone(share, 0, 0.25));
  const [q, toQ, k, toK] = data.tiles[step].map((each, side) => lerp(data.tiles[last][side], each, moved));
  put(frame, { x: k * cell, y: q * cell, width: (toK - k) * cell, height: (toQ - q) * cell });
  put(line, { x: 0, y: asks * cell, width: toK * cell, height: cell });
  const at = data.tiles[moved < 0.5 ? last : step];
  letters.forEach((pair, each) => {
    if (!pair) return;
    put(pair[0], { class: each >= at[2] && each < at[3] ? "letter key" : "letter" });
    put(pair[1], { class: each >= at[0] && each < at[1] ? "letter query" : "letter" });
  });
}

/** Make what a row keeps. @param {SVGSVGElement} svg @param {import("./flash_film.js").Data} data
 * @param {{from: number, wide: number, top: number, tall: number, zoom: number}} box */
function drawKept(svg, data, box) {
  const { said } = data, group = shape("g", { transform: `translate(${box.from} ${box.top})` }, svg), h = box.tall;
  const y = { head: 17, largest: 0.075 * h + 22, axis: 0.19 * h + 10, before: 0.345 * h, after: 0.475 * h, bar: 0.07 * h,
    error: 0.655 * h, memory: 0.865 * h };
  const x = (/** @type {number} */ score) => box.wide * ((score - data.largest[0]) / (data.largest[1] - data.largest[0]));
  const titles = [[said.first, 17], [said.second, y.before - 9], [said.third, y.error - 9], [said.fourth, y.memory - 9]];
  titles.forEach(([text, at]) => write(shape("text", { class: "title", x: 0, y: at }, group), String(text)));
  shape("line", { x1: 0, x2: box.wide, y1: y.axis, y2: y.axis }, group);
  const step = [1, 2, 5, 10, 20, 50, 100].find((each) => (data.largest[1] - data.largest[0]) / each <= 8) ?? 200;
  for (let at = Math.ceil(data.largest[0] / step) * step; at <= data.largest[1]; at += step)
    write(shape("text", { class: "tick", x: x(at), y: y.axis + 16 }, group), number(at, 0));
  const bar = (/** @type {string} */ name, /** @type {number} */ at) => shape("rect", { class: name, x: 0, y: at, height: y.bar }, group);
  const slope = shape("path", { class: "slope" }, group), old = bar("old", y.before), before = bar("old", y.before);
  const made = { group, box, y, x, slope, old, before, kept: bar("kept", y.after), added: bar("added", y.after) };
  const quiet = { width: box.wide, height: y.bar };
  put(bar("rest", y.error), quiet);
  put(bar("rest", y.memory), quiet);
  const text = (/** @type {string} */ name) => shape("text", { class: name }, group);
  return { ...made, dots: data.labels.map(() => shape("circle", { r: 0, cy: y.axis - 12 }, group)), mark: shape("line", { class: "mark", y1: y.largest + 4, y2: y.axis }, group),
    was: shape("line", { class: "mark was", y1: y.largest + 4, y2: y.axis }, group), largest: text("said query mid"), sumBefore: text("said muted"),
    sum: text("said"), factor: text("said query"), error: bar("error", y.error), off: text("said output"), memory: bar("added", y.memory), cells: text("cells") };
}

/** What the row keeps at a moment: scores are met, the sum is rescaled, the tile is added.
 * @param {ReturnType<typeof draw>} drawing @param {import("./flash_film.js").Data} data @param {Float32Array} scores @param {number} step
 * @param {number} share @param {number} row @param {(step: number, row: number) => import("./flash_film.js").Kept} keeps */
export function paintKept({ panel }, data, scores, step, share, row, keeps) {
  const { x, y, box } = panel, n = data.labels.length, [q, toQ, k, toK] = data.tiles[step], first = k === 0;
  const now = keeps(step, row), met = gone(share, 0.2, 0.4), scaled = ease(gone(share, 0.4, 0.7)), added = ease(gone(share, 0.7, 1));
  panel.dots.forEach((dot, key) => {
    const score = scores[(q + row) * n + key], here = key >= k, seen = key < toK && Number.isFinite(score);
    put(dot, { r: seen ? (here ? 6.5 * met : 4.5) : 0, cx: seen ? x(score) : 0, class: here ? "here" : "past" });
  });
  const known = Number.isFinite(now.before), grows = !known || now.now > now.before, began = known ? now.before : now.now;
  const largest = x(lerp(began, now.now, scaled)), shown = Number.isFinite(now.now) && (known || scaled > 0);
  put(panel.mark, { x1: largest, x2: largest, opacity: shown ? 1 : 0 });
  put(panel.was, { x1: x(began), x2: x(began), opacity: known && grows ? 1 : 0 });
  put(panel.largest, { x: Math.min(Math.max(largest, 18), box.wide - 18), y: y.largest, opacity: shown ? 1 : 0 });
  write(panel.largest, number(scaled > 0.5 || !known ? now.now : now.before, 2));

  const most = 1.25 * Math.max(...data.tiles.map(([from], at) => (from === q ? keeps(at, row).sum : 0)), 1e-9);
  const long = (/** @type {number} */ sum) => Math.max((sum / most) * box.wide, 0), kept = first ? 0 : now.sumBefore * now.factor;
  const rise = ease(gone(share, 0, 0.3)), reaches = long(now.sumBefore), shrunk = lerp(reaches, long(kept), scaled);
  put(panel.before, { width: first ? 0 : reaches, y: lerp(y.after, y.before, rise) });
  put(panel.old, { width: first || step === 0 ? 0 : long(keeps(step - 1, row).sumBefore), opacity: 1 - gone(share, 0, 0.15) });
  put(panel.kept, { width: first || rise < 1 ? 0 : shrunk });
  const last = (first ? 0 : shrunk) + long(now.sum - kept) * added;
  put(panel.added, { x: first ? 0 : shrunk, width: long(now.sum - kept) * added });
  const [low, high] = [y.before + y.bar, y.after];
  put(panel.slope, { d: first || scaled === 0 ? "" : `M0 ${low}H${reaches}L${shrunk} ${high}H0Z` });
  put(panel.sumBefore, { x: Math.min(reaches + 7, box.wide - 40), y: y.before + y.bar / 2 + 5, opacity: first ? 0 : rise });
  write(panel.sumBefore, number(now.sumBefore, 2));
  put(panel.sum, { x: Math.min(last + 7, box.wide - 40), y: y.after + y.bar / 2 + 5, opacity: added });
  write(panel.sum, number(now.sum, 2));
  put(panel.factor, { x: 10, y: (low + high) / 2 + 5, opacity: first ? 0 : scaled });
  write(panel.factor, now.factor < 0.995 ? filled(data.said.times, { factor: Number(now.factor.toPrecision(2)) }) : data.said.once);

  const error = Math.min(lerp(first || step === 0 ? 1 : keeps(step - 1, row).error, now.error, added), 1);
  put(panel.error, { width: box.wide * error });
  put(panel.off, { x: 0, y: y.error + y.bar + 17, opacity: added });
  write(panel.off, now.error < ROUNDING ? data.said.exact : filled(data.said.off, { error: percent(now.error) }));
  const cells = (toQ - q) * (toK - k);
  put(panel.memory, { width: Math.max((box.wide * cells) / n ** 2, 1) });
  put(panel.cells, { x: 0, y: y.memory + y.bar + 16 });
  write(panel.cells, filled(data.said.cells, { cells: cells.toLocaleString("en"), all: (n * n).toLocaleString("en") }));
}
