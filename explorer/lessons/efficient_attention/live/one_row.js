// One row of flash attention as a film: a few keys at a time, and the running mean of their values.
import { NUMBERS, draw, paint } from "./one_row_drawing.js";
import { screened } from "../../../ui/live/timeline.js";
import { t } from "../../../ui/live/words.js";

/** @typedef {import("../../../ui/live/timeline.js").Arrays} Arrays
 * @typedef {object} Data arrays: `scores` [n], missing where the query may not look; `kept` [tiles, 6]; `values` [n, d]
 * @property {number} query that asks @property {string[]} labels @property {[number, number][]} tiles first and last + 1 of the keys
 * @property {number} seen keys that the query may look at @property {number} number of a value that is drawn: the one that moves most
 * @property {number} zoom of type
 * @typedef {{before: number, now: number, sumBefore: number, sum: number, factor: number, error: number}} Kept
 */

const words = (/** @type {Data} */ data) => ({
    where: t("Which tile? {n} in all", { n: data.tiles.length }),
    position: t("Tile {n} of {m}"),
    alt: t("The keys of one row, a tile at a time, and the running mean of their values"),
});

/** @param {import("../../../ui/live/dom.js").Component} component */
export default function (component) {
    return screened(component, "one_row", { words, beside: 330, draw, paint, rows });
}

/** What the row keeps after each tile so far. @param {Data} data @param {Arrays} array @param {number} step */
function rows(data, array, step) {
    const { values } = array("kept");
    return [
        [
            "",
            t("largest score before"),
            t("largest score"),
            t("sum before"),
            t("sum"),
            t("multiplied by"),
            t("output off by"),
        ],
        ...data.tiles
            .slice(0, step + 1)
            .map(([first, last], at) => [
                data.labels.slice(first, last).join(" "),
                ...[...values.subarray(NUMBERS * at, NUMBERS * (at + 1))].map((each) =>
                    Number.isFinite(each) ? each.toFixed(4) : "−∞",
                ),
            ]),
    ];
}
