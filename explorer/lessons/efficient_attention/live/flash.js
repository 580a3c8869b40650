// Flash attention as a film: one tile of the map at a time, and beside it, to scale, what is never stored.
import { placeOn, windowHeight } from "../../../ui/live/dom.js";
import { draw, paintMap } from "./flash_drawing.js";
import { screened } from "../../../ui/live/timeline.js";
import { t } from "../../../ui/live/words.js";

/** @typedef {import("../../../ui/live/timeline.js").Arrays} Arrays
 * @typedef {object} Data arrays: `scores` [n, n], missing where a query may not look; `kept` [tiles, rows, 6]
 * @property {number} row of the tile, which the reader can point at
 * @property {string[]} labels @property {[number, number, number, number][]} tiles first and last + 1 of queries and keys
 * @property {string[][]} sentences for each tile and row @property {{shares: {tile: number, rows: number}, sizes: Record<string, string>}} long sizes of a long text, written, and their shares of its map
 * @property {number[]} strong ends of the scale of colours @property {boolean} causal whether none may look ahead
 * @property {[number, string][]} scale @property {[string, string]} masked ground and strokes of what is never looked at
 * @property {number} zoom of type
 * @typedef {{before: number, now: number, sumBefore: number, sum: number, factor: number, error: number}} Kept
 */

const NUMBERS = 6,
    LOW = 800,
    MORE = 38; // that a row keeps; pixels: of a screen on which so much less stands around the film

const words = (/** @type {Data} */ data) => ({
    where: t("Which tile? {n} in all", { n: data.tiles.length }),
    position: t("Tile {n} of {m}"),
    alt: t("The map of which one tile exists at a time"),
});

/** @param {import("../../../ui/live/dom.js").Component} component */
export default function (component) {
    return screened(component, "flash", {
        words,
        beside: 370,
        below: true,
        sentence,
        draw: drawFlash,
        paint: paintFlash,
        rows,
    });
}

/** The row of a tile that is looked at. @param {Data} data @param {number} step */
const rowOf = (data, step) => Math.min(data.row, data.tiles[step][1] - data.tiles[step][0] - 1);

/** @param {Data} data @param {number} step */
const sentence = (data, step) => data.sentences[step][rowOf(data, step)];

/** What a row of a tile keeps. @param {Data} data @param {Arrays} array @param {number} step @param {number} row @returns {Kept} */
function keeps(data, array, step, row) {
    const {
            values,
            shape: [, count],
        } = array("kept"),
        from = NUMBERS * (step * count + row);
    const [before, now, sumBefore, sum, factor, error] = values.subarray(from, from + NUMBERS);
    return { before, now, sumBefore, sum, factor, error };
}

/** @param {SVGSVGElement} svg @param {Data} data @param {Arrays} _ @param {number} width @param {number} room
 * @param {import("../../../ui/live/timeline.js").Time} time @param {(picked: object) => void} pick */
function drawFlash(svg, data, _, width, room, time, pick) {
    const drawing = draw(svg, data, width, room + (windowHeight(svg) < LOW ? MORE : 0)),
        { left, top, cell } = drawing.position;
    svg.onclick = (event) => {
        const [across, down] = placeOn(event, svg),
            x = Math.floor((across - left) / cell),
            y = Math.floor((down - top) / cell);
        const to = data.tiles.findIndex(([q, toQ, k, toK]) => y >= q && y < toQ && x >= k && x < toK);
        if (to < 0) return;
        pick({ to, row: y - data.tiles[to][0] });
        time.to(to);
    };
    return drawing;
}

/** Draw what the last tile changes, as far as that has come. @param {ReturnType<typeof draw>} drawing @param {Data} data
 * @param {Arrays} array @param {number} now */
function paintFlash(drawing, data, array, now) {
    const step = Math.ceil(now),
        share = step === 0 ? 1 : 1 - (step - now),
        scores = array("scores").values;
    paintMap(drawing, data, scores, step, share, (at) => rowOf(data, at));
}

/** What each row of a tile keeps. @param {Data} data @param {Arrays} array @param {number} step */
function rows(data, array, step) {
    const [first, last] = data.tiles[step];
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
        ...Array.from({ length: last - first }, (_, row) => [
            `${first + row + 1} ${data.labels[first + row]}`,
            ...Object.values(keeps(data, array, step, row)).map((each) =>
                Number.isFinite(each) ? each.toFixed(4) : "−∞",
            ),
        ]),
    ];
}
