// @ts-check
// Ribbons between words, and bars beside the map, of several heads: what `text.js` draws anew at each move.
import { shape } from "./drawing.js";

/** @typedef {{row: number, column: number}} Place the word that asks, the word that is asked; -1 for none */
/** @typedef {{x: number, top: number, bottom: number}} End where a word stands */
/** @typedef {{head: number, colour: string, weight: (row: number, column: number) => number}} Head that is drawn */

const LEAST_DRAWN = 0.03; // of a weight: what is less is no ribbon
const WHOLE = 24; // pixels of all ribbons of a word together

/** Draw the ribbons of the word that is pointed at: stacked at both ends, so that their widths add up.
 * @param {SVGSVGElement} flow @param {Place} at @param {Head[]} heads
 * @param {(row: number, column: number) => number} share mean of the heads
 * @param {End[][]} ends of the words that ask, and of those that are asked */
export function stream(flow, { row, column }, heads, share, ends) {
  const unit = WHOLE / Math.max(heads.length, 1);
  const pairs = row >= 0 ? ends[1].map((_, place) => [row, place]) : ends[0].map((_, place) => [place, column]);
  const total = pairs.reduce((sum, [from, to]) => sum + (share(from, to) || 0), 0) * WHOLE;
  let common = -total / 2;
  flow.replaceChildren();
  for (const [from, to] of pairs) {
    const whole = (share(from, to) || 0) * WHOLE, below = ends[0][from], above = ends[1][to];
    let own = -whole / 2;
    for (const { head, colour, weight } of heads) {
      const part = weight(from, to), wide = (part || 0) * unit, middle = (below.top + above.bottom) / 2;
      const [there, here] = row >= 0 ? [own, common] : [common, own];
      const x = below.x + here + wide / 2, toX = above.x + there + wide / 2;
      own += wide;
      common += wide;
      if (!(part >= LEAST_DRAWN)) continue;
      const faint = row >= 0 && column >= 0 && to !== column;
      shape("path", {
        d: `M${x.toFixed(1)} ${below.top}C${x.toFixed(1)} ${middle} ${toX.toFixed(1)} ${middle} ${toX.toFixed(1)} ${above.bottom}`,
        stroke: colour, "stroke-width": Math.max(wide, 0.5).toFixed(1), class: faint ? "faint" : "",
        "data-row": from, "data-column": to, "data-head": head,
      }, flow);
    }
  }
}

/** Draw a bar beside each row or column of the map, a part of it for each head.
 * @param {SVGSVGElement} where @param {number} count of the bars @param {Head[]} heads
 * @param {(head: Head, place: number) => number} of its weight @param {boolean} across whether bars lie */
export function stack(where, count, heads, of, across) {
  where.replaceChildren();
  const wide = 100 / count;
  for (let place = 0; place < count; place += 1) {
    let from = 0;
    for (const head of heads) {
      const long = (100 * (of(head, place) || 0)) / heads.length, start = place * wide + wide * 0.1;
      const box = across ? { x: from, y: start, width: long, height: wide * 0.8 } : { x: start, y: 100 - from - long, width: wide * 0.8, height: long };
      if (long > 0) shape("rect", { ...box, fill: head.colour, "data-place": place, "data-head": head.head }, where);
      from += long;
    }
  }
}
