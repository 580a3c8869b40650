// Heads folded into the batch as a film: strips move to where PyTorch puts them, and each block looks at its keys.
import { t } from "../../../ui/live/words.js";
import { screened } from "../../../ui/live/timeline.js";
import { drawSplit, paintSplit, strips } from "./split_drawing.js";

/** @typedef {import("../../../ui/live/timeline.js").Arrays} Arrays
 * @typedef {"rows" | "parts" | "heads" | "blocks" | "weights"} Layout
 * @typedef {object} Data arrays: `positions` [steps, strips], in strips; `before` and `after` [strips, numbers]; `weights` [blocks,
 *   queries, keys], missing where the length hides a key
 * @property {number} followed query whose strips stand out, from 1 over all sentences; 0 for all
 * @property {Layout[]} layouts @property {string[]} shapes @property {string[]} axes of every step
 * @property {string[][]} code in parts, the first line of which is the name @property {[number, number][][]} runs lines before each step
 * @property {number[]} lengths of the sentences @property {string[]} colours of the heads @property {string[]} titles of the blocks
 * @property {number} strips how many @property {number} numbers of each @property {boolean} swapped @property {[number, string][]} scale @property {number} zoom
 */

const words = (/** @type {Data} */ data) => ({
    where: t("Step"),
    position: t("Step {n} of {m}"),
    alt: t("{n} strips of {numbers} numbers on their way from axis to axis", { n: data.strips, numbers: data.numbers }),
});

/** @param {import("../../../ui/live/dom.js").Component} component */
export default function (component) {
    return screened(component, "split", { words, beside: 280, draw: drawSplit, paint: paintSplit, rows });
}

/** List the numbers at each place of a step's array; the weights of each block. @param {Data} data @param {Arrays} array @param {number} step */
function rows(data, array, step) {
    const [, queries, keys] = array("weights").shape;
    if (data.layouts[step] === "weights") {
        const names = Array.from({ length: keys }, (_, key) => `${t("key")} ${key + 1}`),
            { values } = array("weights");
        return [
            ["", ...names],
            ...data.titles.flatMap((title, block) =>
                Array.from({ length: queries }, (_, query) => [
                    `${title}, q${query + 1}`,
                    ...names.map((_, key) => written(values[(block * queries + query) * keys + key])),
                ]),
            ),
        ];
    }
    const all = strips(data, queries),
        count = all.length,
        positions = array("positions").values.subarray(step * count, (step + 1) * count);
    const order = all.map((_, at) => positions.indexOf(at));
    return [
        [t("place in memory"), t("what lies there")],
        ...order.map((at, position) => {
            const { sentence, query, head } = all[at];
            return [
                String(position),
                t("sentence {sentence}, query {query}, head {head}", {
                    sentence: sentence + 1,
                    query: query + 1,
                    head,
                }),
            ];
        }),
    ];
}

/** @param {number} weight */
const written = (weight) => (Number.isNaN(weight) ? t("hidden by the valid length") : weight.toFixed(3));
