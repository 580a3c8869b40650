// Ribbons between words, of several heads: what `text.js` draws anew at each move.
import { svgElement } from "./drawing.js";

/** @typedef {{rows: number[], column: number}} Asking the words that ask; if there is none, the word that all ask */
/** @typedef {{x: number, top: number, bottom: number}} End where a word stands */
/** @typedef {{head: number, colour: string, weight: (row: number, column: number) => number}} Head that is drawn */

const LEAST_DRAWN = 0.03; // of a weight: what is less is no ribbon
const LEAST_PALE = 0.1; // of a weight of a word that does not ask
const WHOLE = 24; // pixels of all ribbons of a word together
const LINE = 16; // pixels: words of one line, and pills, differ by less
const ASKERS = ["var(--query)", "var(--output)"]; // colours of the first and the second word that ask

/** Whether each side stands in one line. @param {End[][]} ends */
export const inLines = (ends) => ends.every((side) => side.every(({ top }) => Math.abs(top - side[0].top) < LINE));

/** Draw the ribbons of the words that ask, stacked where they start, so that their widths add up; those of all others are
 * pale, as long as no line is wrapped. One word's heads have their own colours; of two words, each has the mean in its own.
 * @param {SVGSVGElement} flow @param {Asking} asking @param {Head[]} heads
 * @param {(row: number, column: number) => number} share mean of the heads
 * @param {End[][]} ends of the words that ask, and of those that are asked @param {boolean[]} rests which of these are no words */
export function stream(flow, { rows, column }, heads, share, ends, rests) {
    const [below, above] = ends;
    /** @param {number} from @param {number} to @param {number[]} moved at both ends @param {number} wide
     * @param {{class?: string} & Record<string, string | number>} more */
    const ribbon = (from, to, [start, end], wide, { class: name = "", ...more }) => {
        const [{ x, top }, { x: toX, bottom }] = [below[from], above[to]],
            middle = (top + bottom) / 2;
        const d = `M${(x + start).toFixed(1)} ${top}C${(x + start).toFixed(1)} ${middle} ${(toX + end).toFixed(1)} ${middle} ${(toX + end).toFixed(1)} ${bottom}`;
        const where = { "data-row": from, "data-column": to, class: rests[to] ? `${name} rest` : name };
        svgElement("path", { d, "stroke-width": Math.max(wide, 0.5).toFixed(1), ...where, ...more }, flow);
    };
    flow.replaceChildren();
    for (let from = 0; inLines(ends) && from < below.length; from += 1) {
        for (let to = 0; !rows.includes(from) && to < above.length; to += 1) {
            const part = share(from, to);
            if (part >= LEAST_PALE && to !== column) ribbon(from, to, [0, 0], part * WHOLE, { class: "pale" });
        }
    }
    const bundles = rows.length
        ? rows.map((row) => above.map((_, to) => [row, to]))
        : [below.map((_, from) => [from, column])];
    bundles.forEach((pairs, position) => {
        const [{ head }] = heads.length ? heads : [{ head: -1 }],
            alone = heads.length < 2,
            strands =
                alone || rows.length > 1
                    ? [{ head: alone ? head : -1, colour: ASKERS[position], weight: share }]
                    : heads;
        const total = pairs.reduce((sum, [from, to]) => sum + (share(from, to) || 0), 0) * WHOLE;
        let common = -total / 2;
        for (const [from, to] of pairs) {
            let own = (-(share(from, to) || 0) * WHOLE) / 2;
            for (const strand of strands) {
                const part = strand.weight(from, to),
                    wide = ((part || 0) * WHOLE) / strands.length;
                const moved = rows.length ? [common, own] : [own, common];
                own += wide;
                common += wide;
                if (!(part >= LEAST_DRAWN)) continue;
                const colour = { style: `stroke: ${strand.colour}`, "data-head": strand.head };
                ribbon(
                    from,
                    to,
                    moved.map((each) => each + wide / 2),
                    wide,
                    colour,
                );
            }
        }
    });
}
