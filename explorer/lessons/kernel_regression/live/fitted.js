// A fit as Python sends it, and as it is drawn.

/**
 * @typedef {import("../../../ui/live/unpack.js").Packed} Packed
 * @typedef {object} Sent what Python sends of a fit
 * @property {{x: Packed, y: Packed}} points keys and values @property {Packed} numbers of the points, before any was moved
 * @property {Packed} queries places where the curve is drawn @property {Packed | null} truth there, if it is known
 * @property {string} kernel @property {number} query @property {number} width @property {[number, number] | null} widths smallest, which is the step, and largest;
 *   where there are none the width is not dragged @property {boolean} ground whether curve and truth have ground between them
 * @property {Record<string, string>} keys of the sliders that move `query` and `width`, if any
 * @typedef {Omit<Sent, "points" | "numbers" | "queries" | "truth"> & {x: number[], y: number[], numbers: number[],
 *   at: number[], truth: number[] | null, domain: [number, number], step: number}} Data the same as lists, and the step of the query
 */

/** Read what Python sent. @template {Sent} S @param {S} sent @returns {Omit<S, keyof Sent> & Data} */
export function fitted({ points, numbers, queries, truth, ...rest }) {
    const at = queries.list,
        [low, high] = [at[0], at[at.length - 1]];
    return /** @type {any} */ ({
        ...rest,
        x: points.x.list,
        y: points.y.list,
        numbers: numbers.list,
        at,
        truth: truth && truth.list,
        domain: [low, high],
        step: (high - low) / (at.length - 1),
    });
}
