// What a look-up in the plane answers, and the colour of an answer.
import { formatSignificant } from "../../../ui/live/numbers.js";
import { clamp } from "../../../ui/live/motion.js";
import { planeScores, softmax } from "../../../ui/live/closed_forms.js";

/**
 * A dictionary, as `plane.looked_up` in Python makes it.
 * @typedef {object} Dictionary
 * @property {{name: string, x: number, y: number, value: number[]}[]} entries all values colours, or all numbers
 * @property {[number, number]} query @property {string} score @property {number} temperature
 * @property {Record<string, string>} keys of the sliders @property {number[]} choices of the temperature's @property {number} zoom
 * @property {[number, number]} span smallest and largest number @property {[string, string]} tints their colours
 */

/** What a query is answered: weights, and their mean of the values. @param {Dictionary} data @param {number[][]} keys
 * @param {number[]} query @param {number} [heat] */
export function answered({ score, temperature, entries }, keys, query, heat = temperature) {
    const weights = softmax(planeScores(score, query, keys), heat);
    return { weights, mean: mean(entries, weights) };
}

/** The mean of the values. @param {Dictionary["entries"]} entries @param {ArrayLike<number>} weights */
export const mean = (entries, weights) =>
    entries[0].value.map((_, i) => entries.reduce((sum, each, at) => sum + weights[at] * each.value[i], 0));

/** Red, green and blue of a value. @param {Dictionary} data @param {number[]} value */
export function rgb({ span: [low, high], tints }, value) {
    if (value.length === 3) return value.map((each) => clamp(Math.round(each), 0, 255));
    const share = clamp((value[0] - low) / (high - low));
    const [from, to] = tints.map((colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)));
    return from.map((each, i) => Math.round(each + share * (to[i] - each)));
}

/** The same as #rrggbb. @param {Dictionary} data @param {number[]} value */
export const painted = (data, value) =>
    `#${rgb(data, value)
        .map((each) => each.toString(16).padStart(2, "0"))
        .join("")}`;

/** A number to four digits; nothing for a colour, which is painted. @param {number[]} value */
export const digits = (value) => (value.length === 1 ? formatSignificant(value[0], 4) : "");
