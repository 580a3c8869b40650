// @ts-check
// Attention over text: words, ribbons, bars and map of several heads. What is pointed at lights up in all of them, and
// nobody asks the server; Python is told which word is pinned, which heads are shown, and which head is switched off.
import { shape } from "./drawing.js";
import { boxesOn, element, filled, kept, said, unseen, weightTable } from "./parts.js";
import { stack, stream } from "./text_drawing.js";
import { paint, ramp } from "./weights.js";

/**
 * @typedef {object} Data
 * @property {string[]} asks words that ask @property {string[]} asked words that are asked
 * @property {string[]} colours of the heads @property {number[]} off heads that are switched off
 * @property {boolean} switches whether heads can be switched off @property {number} start which word asks first
 * @property {number} pinned the word that asks until it is clicked again; -1 if none
 * @property {number[]} shown heads that are drawn until the reader chooses others
 * @property {boolean} tells whether Python is told which heads these are
 * @property {[number, string][]} scale colours of weights @property {[string, string]} masked ground and hatch
 * @property {Record<string, string>} said sentences and labels
 */

const TYPE = [19, 28], WIDE = 0.56, BESIDE = 16; // pixels of a letter, its width in its height, pixels beside a word
const LEAST_SAID = 0.05; // of a weight: what is less has no number
const SETTLED = 350; // milliseconds after the last click on a tile, until Python is told: a double click is two
const MOVES = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const POWER = "M12 3v9M6.5 6.5a8 8 0 1 0 11 0";

export default (/** @type {import("./parts.js").Component} */ component) => kept(component, "text", make);

/** @param {HTMLElement} root */
function make(root) {
  const tiles = element("div", "tiles"), both = element("div", "both"), sentence = element("div", "sentence");
  const asked = element("div", "words asked"), asks = element("div", "words asks"), chart = element("div", "chart");
  const map = element("div", "map"), canvas = element("canvas", "");
  const crosses = [element("div", "cross row"), element("div", "cross column")];
  const line = element("p", "line");
  const flow = shape("svg", { class: "flow", "aria-hidden": "true" }, sentence);
  sentence.append(asked, element("div", "gap"), asks);
  const top = shape("svg", { class: "top", "aria-hidden": "true", viewBox: "0 0 100 100", preserveAspectRatio: "none" }, chart);
  map.append(canvas, ...crosses);
  chart.append(element("span", ""), map);
  const side = shape("svg", { class: "side", "aria-hidden": "true", viewBox: "0 0 100 100", preserveAspectRatio: "none" }, chart);
  both.append(sentence, chart);
  root.replaceChildren(tiles, both, line);
  const table = unseen(root, "table");
  line.ariaLive = "polite";
  map.tabIndex = 0;
  map.role = "group";

  /** @type {Data} */ let data;
  /** @type {Float32Array} */ let weights;
  /** @type {import("./parts.js").Tell} */ let tell;
  /** @type {Float32Array} */ let mean; // over the heads that are drawn
  /** @type {Set<number>} */ let shown = new Set();
  /** @type {number[]} */ let drawn = [];
  /** @type {import("./text_drawing.js").Place} */ let at = { row: 0, column: -1 };
  /** @type {import("./text_drawing.js").End[][]} */ let ends = [[], []];
  let preview = -1, held = false, given = "", telling = 0;
  const rows = () => data.asks.length, columns = () => data.asked.length;
  const weight = (/** @type {number} */ head, /** @type {number} */ row, /** @type {number} */ column) =>
    weights[(head * rows() + row) * columns() + column];
  const share = (/** @type {number} */ row, /** @type {number} */ column) => mean[row * columns() + column];

  /** Take other heads: those that are chosen, or the one that is pointed at alone. */
  function choose() {
    drawn = preview >= 0 ? [preview] : [...shown].filter((head) => !data.off.includes(head)).sort((a, b) => a - b);
    mean = new Float32Array(rows() * columns());
    for (const head of drawn) {
      for (let cell = 0; cell < mean.length; cell += 1) mean[cell] += weights[head * mean.length + cell] / drawn.length;
    }
    [...tiles.children].forEach((box, head) => box.firstElementChild?.setAttribute("aria-pressed", String(shown.has(head))));
    paint(canvas, mean, { queries: rows(), keys: columns() }, ramp(data.scale), data.masked);
    if (!drawn.length) table.replaceChildren();
    else if (preview < 0) weightTable(table, data.said, data.asks, data.asked, share);
    light();
  }

  /** Show other heads, and tell Python once the reader has settled. @param {Iterable<number>} heads */
  function show(heads) {
    shown = new Set(heads);
    choose();
    clearTimeout(telling);
    if (data.tells) telling = setTimeout(() => tell("shown", { heads: [...shown].sort((a, b) => a - b) }), SETTLED);
  }

  /** Point at a word or a cell, unless one is pinned. @param {number} row @param {number} column */
  function point(row, column) {
    if (held || (row === at.row && column === at.column)) return;
    at = { row, column };
    light();
  }

  /** Pin a place, or let it go. @param {number} row @param {number} column */
  function pin(row, column) {
    held = !(held && row === at.row && column === at.column);
    at = { row, column };
    light();
    if (held && row >= 0) tell("pinned", { row });
  }

  /** Show in words, ribbons, bars, map and sentence what is pointed at. */
  function light() {
    const { row, column } = at, asking = row >= 0;
    const mark = (/** @type {Element} */ list, /** @type {number} */ own, /** @type {boolean} */ lit, /** @type {(place: number) => number} */ of) =>
      [...list.children].forEach((word, place) => {
        const part = lit ? of(place) : 0, number = /** @type {HTMLElement} */ (word.lastElementChild);
        word.classList.toggle("pointed", place === own);
        word.classList.toggle("lit", lit && part > 0 && place !== own);
        word.classList.toggle("barred", Number.isNaN(part));
        /** @type {HTMLElement} */ (word).style.setProperty("--share", part.toFixed(3));
        word.setAttribute("aria-pressed", String(held && place === own));
        number.textContent = part >= LEAST_SAID ? said(part) : "";
      });
    mark(asks, row, !asking, (place) => share(place, column));
    mark(asked, column, asking, (place) => share(row, place));
    const heads = drawn.map((head) => ({ head, colour: data.colours[head], weight: (/** @type {number} */ from, /** @type {number} */ to) => weight(head, from, to) }));
    stream(flow, at, heads, share, ends);
    stack(top, asking ? columns() : 0, heads, (head, place) => head.weight(row, place), false);
    stack(side, column >= 0 ? rows() : 0, heads, (head, place) => head.weight(place, column), true);
    for (const [cross, place, count] of /** @type {[HTMLElement, number, number][]} */ ([[crosses[0], row, rows()], [crosses[1], column, columns()]])) {
      const across = cross === crosses[0], [from, size] = [`${(100 * place) / count}%`, `${100 / count}%`];
      cross.hidden = place < 0;
      cross.style.cssText = across ? `left:0;width:100%;top:${from};height:${size}` : `top:0;height:100%;left:${from};width:${size}`;
    }
    speak();
  }

  /** Say what is pointed at. */
  function speak() {
    const { row, column } = at, most = (/** @type {number[]} */ all) =>
      all.reduce((best, part, place) => (part > all[best] || Number.isNaN(all[best]) ? place : best), 0);
    const from = row >= 0 ? row : most(data.asks.map((_, place) => share(place, column)));
    const to = column >= 0 ? column : most(data.asked.map((_, place) => share(row, place)));
    const part = share(from, to), pattern = row < 0 ? data.said.read : column < 0 ? data.said.asks : data.said.cell;
    if (!drawn.length) return line.replaceChildren(element("span", "hint", data.said.hint));
    const words = { query: data.asks[from], key: data.asked[to], share: Number.isNaN(part) ? data.said.hidden : `${Math.round(100 * part)}%` };
    line.replaceChildren(...pattern.split(/(\{\w+\})/).map((piece) => {
      const role = piece.slice(1, -1);
      return piece.startsWith("{") && role in words ? element("span", role, words[role]) : document.createTextNode(piece);
    }), element("span", "hint", data.said.hint));
  }

  /** Measure where the words stand: once, not at each move. */
  function measure() {
    ends = [asks, asked].map((list) => boxesOn(list.children, sentence).map(({ left, right, ...rest }) => ({ x: (left + right) / 2, ...rest })));
  }

  /** Make the words of one side; the arrow keys go from word to word. @param {HTMLElement} list @param {string[]} words
   * @param {(place: number) => [number, number]} place */
  function write(list, words, place) {
    list.role = "group";
    list.replaceChildren(...words.map((word, number) => {
      const made = element("button", "word", word);
      made.type = "button";
      made.tabIndex = number ? -1 : 0;
      made.append(element("span", "weight"));
      made.onpointerenter = () => point(...place(number));
      made.onfocus = () => { if (made.matches(":focus-visible")) point(...place(number)); };
      made.onclick = () => pin(...place(number));
      made.onkeydown = (event) => {
        const step = MOVES[event.key];
        if (!step) return;
        event.preventDefault();
        const next = /** @type {HTMLElement | undefined} */ (list.children[number + step[0] + step[1]]);
        if (next) [made.tabIndex, next.tabIndex] = [-1, 0];
        next?.focus();
      };
      return made;
    }));
  }

  function build() {
    preview = -1;
    write(asks, data.asks, (row) => [row, -1]);
    write(asked, data.asked, (column) => [-1, column]);
    [asks.ariaLabel, asked.ariaLabel, map.ariaLabel, tiles.ariaLabel] = [data.said.askers, data.said.asking, data.said.map, data.said.heads];
    tiles.role = "group";
    tiles.replaceChildren(...data.colours.map((colour, head) => {
      const box = element("div", "head"), tile = element("button", "tile", String(head)), small = element("canvas", "");
      const only = () => show([head]);
      box.style.setProperty("--head", colour);
      tile.type = "button";
      tile.title = tile.ariaLabel = filled(data.said.head, { head });
      tile.prepend(small);
      tile.onpointerenter = (event) => { if (event.pointerType === "mouse") { preview = head; choose(); } };
      tile.onpointerleave = () => { if (preview >= 0) { preview = -1; choose(); } };
      tile.ondblclick = only;
      tile.onclick = (event) => {
        if (event.shiftKey) return only();
        if (!shown.delete(head)) shown.add(head);
        show(shown.size ? shown : data.colours.keys());
      };
      box.append(tile);
      if (data.switches) {
        const power = element("button", "power"), icon = shape("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, power);
        shape("path", { d: POWER }, icon);
        power.type = "button";
        power.onclick = () => tell("switched", { head });
        box.append(power);
      }
      return box;
    }));
  }

  /** Mark the heads that are switched off. */
  function mark() {
    [...tiles.children].forEach((box, head) => {
      const off = data.off.includes(head), power = /** @type {HTMLElement | null} */ (box.querySelector(".power"));
      box.classList.toggle("off", off);
      if (!power) return;
      power.ariaPressed = String(off);
      power.title = power.ariaLabel = filled(data.said.power, { head });
    });
  }

  const cell = (/** @type {PointerEvent | MouseEvent} */ event) => {
    const box = canvas.getBoundingClientRect();
    const place = (/** @type {number} */ part, /** @type {number} */ count) => Math.min(Math.max(Math.floor(part * count), 0), count - 1);
    return /** @type {[number, number]} */ ([place((event.clientY - box.top) / box.height, rows()), place((event.clientX - box.left) / box.width, columns())]);
  };
  map.onpointermove = (event) => point(...cell(event));
  map.onclick = (event) => pin(...cell(event));
  map.onkeydown = (event) => {
    const step = MOVES[event.key], { row, column } = at;
    if (event.key === "Enter") pin(Math.max(row, 0), Math.max(column, 0));
    if (!step) return;
    event.preventDefault();
    held = false;
    point(Math.min(Math.max(row + step[0], 0), rows() - 1), Math.min(Math.max(column + step[1], 0), columns() - 1));
  };
  root.addEventListener("keydown", (event) => { if (event.key === "Escape" && held) { held = false; light(); } });

  function draw() {
    const colours = ramp(data.scale), size = { queries: rows(), keys: columns() }, cells = rows() * columns();
    const longest = [data.asks, data.asked].map((words) => (sentence.clientWidth - BESIDE * words.length) / (WIDE * Math.max(words.join("").length, 1)));
    root.style.setProperty("--type", `${Math.min(Math.max(TYPE[0], Math.floor(Math.min(...longest))), TYPE[1])}px`);
    measure();
    [...tiles.querySelectorAll("canvas")].forEach((small, head) =>
      paint(small, weights.subarray(head * cells, (head + 1) * cells), size, colours, data.masked));
    choose();
  }
  const resized = new ResizeObserver(() => data && draw());
  resized.observe(sentence);
  document.fonts?.ready.then(() => data && draw());
  return {
    /** @param {import("./unpack.js").Unpacked} packed @param {import("./parts.js").Tell} told */
    take({ head, array }, told) {
      const words = JSON.stringify([head.asks, head.asked, head.colours, head.switches, head.said]);
      const first = given !== words, moved = first || head.pinned !== data.pinned;
      const other = first || String(head.shown) !== String(data.shown), began = first || head.start !== data.start;
      [given, data, weights, tell] = [words, head, array("weights").values, told];
      if (other) shown = new Set(data.shown);
      if (began) at = { row: data.start, column: -1 };
      if (first) build();
      if (moved) held = data.pinned >= 0;
      if (moved && held) at = { row: data.pinned, column: -1 };
      mark();
      draw();
    },
    end() {
      clearTimeout(telling);
      resized.disconnect();
    },
  };
}
