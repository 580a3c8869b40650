// @ts-check
// Flash attention as a film: one tile of the map at a time, and beside it what one row keeps of all tiles so far.
import { element, kept } from "./parts.js";
import { shape } from "./drawing.js";
import { unpack } from "./unpack.js";
import { film } from "./foot.js";
import { draw, paintKept, paintMap } from "./flash_drawing.js";

/**
 * @typedef {object} Data arrays: `scores` [n, n], missing where a query may not look; `kept` [tiles, rows, 6]
 * @property {string} id another one is another film @property {number} at tile that is shown @property {number} row
 * @property {string[]} labels @property {[number, number, number, number][]} tiles first and last + 1 of queries and keys
 * @property {string[][]} sentences for each tile and row @property {number[]} largest ends of the axis of scores
 * @property {number[]} strong ends of the scale of colours @property {boolean} causal whether none may look ahead
 * @property {[number, string][]} scale @property {[string, string]} masked ground and strokes of what is never looked at
 * @property {number} zoom of type @property {Record<string, string>} said
 * @typedef {{before: number, now: number, sumBefore: number, sum: number, factor: number, error: number}} Kept
 */

const NUMBERS = 6; // that a row keeps

export default function (/** @type {{data: Uint8Array, parentElement: HTMLElement, setTriggerValue: (name: string, value: unknown) => void}} */ component) {
  const { data, parentElement, setTriggerValue } = component, [picture, end] = kept(parentElement, flash);
  picture.take(unpack(data), (to, row) => setTriggerValue("moved", { to, row }));
  return end;
}

/** @param {HTMLElement} parent */
function flash(parent) {
  const root = /** @type {HTMLElement} */ (parent.querySelector(".flash_film"));
  const stage = element("div", "stage"), unseen = element("div", "unseen"), table = element("table", "");
  const svg = shape("svg", { role: "img" }, stage);
  const time = film(show, (step) => tell(step, row));
  unseen.append(table);
  root.replaceChildren(stage, time.foot, time.line, unseen);

  /** @type {Data} */ let data;
  /** @type {Float32Array} */ let scores;
  /** @type {Float32Array} */ let kept;
  /** @type {(to: number, row: number) => void} */ let tell;
  /** @type {ReturnType<typeof draw> | null} */ let drawing = null;
  let row = 0, given = "", width = 0, height = 0, written = "";

  /** What a row of a tile keeps. @param {number} step @param {number} at @returns {Kept} */
  function keeps(step, at) {
    const rows = kept.length / NUMBERS / data.tiles.length, from = NUMBERS * (step * rows + at);
    const [before, now, sumBefore, sum, factor, error] = kept.subarray(from, from + NUMBERS);
    return { before, now, sumBefore, sum, factor, error };
  }
  const rowOf = (/** @type {number} */ step) => Math.min(row, data.tiles[step][1] - data.tiles[step][0] - 1);

  /** Draw a moment: what the last tile changes, as far as that has come. @param {number} t */
  function show(t) {
    if (!drawing) return;
    const step = Math.max(Math.ceil(t - 1e-4), 0), share = step === 0 ? 1 : 1 - (step - t), near = Math.round(t);
    paintMap(drawing, data, scores, step, share, rowOf);
    paintKept(drawing, data, scores, step, share, rowOf(step), keeps);
    time.say(data.said.place.replace("{n}", String(near + 1)), data.sentences[near][rowOf(near)]);
    if (`${near} ${row}` !== written) tabled(near);
    written = `${near} ${row}`;
  }

  /** Write the numbers of a tile for screen readers. @param {number} step */
  function tabled(step) {
    const [first, last] = data.tiles[step];
    const line = (/** @type {"th" | "td"} */ kind, /** @type {string[]} */ cells) => {
      const made = element("tr", "");
      made.append(...cells.map((cell, at) => element(at ? kind : "th", "", cell)));
      return made;
    };
    const rows = Array.from({ length: last - first }, (_, at) => line("td", [`${first + at + 1} ${data.labels[first + at]}`,
      ...Object.values(keeps(step, at)).map((each) => (Number.isFinite(each) ? each.toFixed(4) : "−∞"))]));
    const titles = ["", ...["before", "now", "sum_before", "sum", "factor", "error"].map((each) => data.said[each])];
    table.replaceChildren(element("caption", "", data.said.place.replace("{n}", String(step + 1))), line("th", titles), ...rows);
  }

  svg.addEventListener("click", (event) => {
    if (!drawing) return;
    const box = svg.getBoundingClientRect(), { left, top, cell } = drawing.place;
    const x = Math.floor((event.clientX - box.left - left) / cell), y = Math.floor((event.clientY - box.top - top) / cell);
    const step = data.tiles.findIndex(([q, toQ, k, toK]) => y >= q && y < toQ && x >= k && x < toK);
    if (step < 0) return;
    row = y - data.tiles[step][0];
    if (step === time.now()) {
      time.again();
      tell(step, row);
    } else time.to(step);
  });

  function build() {
    [width, height] = [root.clientWidth, innerHeight];
    drawing = width ? draw(svg, data, width, innerHeight - (innerHeight < 800 ? 300 : 370)) : null;
  }
  const resized = new ResizeObserver(() => {
    if (!data || (root.clientWidth === width && innerHeight === height)) return;
    build();
    time.again();
  });
  resized.observe(root);
  return {
    /** @param {ReturnType<typeof unpack>} packed @param {(to: number, row: number) => void} told */
    take({ head, array }, told) {
      const anew = head.id !== given, other = anew || head.row !== data.row;
      [given, data, tell] = [head.id, head, told];
      if (other) row = head.row;
      if (anew) {
        [scores, kept, written] = [array("scores").values, array("kept").values, ""];
        time.named(/** @type {any} */ (data.said));
        svg.ariaLabel = data.said.alt;
        build();
      }
      time.take(data.tiles.length, data.at, anew);
      if (!anew && other) time.again();
    },
    end() {
      time.close();
      resized.disconnect();
    },
  };
}
