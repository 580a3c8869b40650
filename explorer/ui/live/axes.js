// Axes of live plots: from numbers to pixels, round numbers with their lines, a curve with gaps.
import { svgElement, setText } from "./drawing.js";
import { formatSignificant, number } from "./numbers.js";

/** @typedef {(value: number) => number} Scale */

/** From a range to pixels. @param {number[]} range @param {number[]} pixels @returns {Scale} */
export const linear =
    ([low, high], [from, to]) =>
    (value) =>
        from + ((value - low) / (high - low)) * (to - from);

/** The same where each step multiplies. @param {number[]} range @param {number[]} pixels @returns {Scale} */
export function logarithmic(range, pixels) {
    const even = linear(range.map(Math.log), pixels);
    return (value) => even(Math.log(value));
}

/** Values at round distances for an axis of a length. @param {number} low @param {number} high @param {number} most */
export function ticks(low, high, most) {
    const raw = (high - low) / Math.max(most, 1),
        power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= raw * (1 - 1e-9)) ?? raw;
    const made = [];
    for (let at = Math.ceil(low / step - 1e-9); at * step <= high + 1e-9 * step; at += 1)
        made.push(Number((at * step).toPrecision(12)));
    return made;
}

/** How many digits stand behind the point. @param {number} value */
function decimals(value) {
    const [digits, power = 0] = String(value).split("e");
    return (digits.split(".")[1] ?? "").length - Number(power);
}

const MOST_DIGITS = 5; // behind the point
/** Write a place as it is. @param {number} value */
const exactly = (value) => formatSignificant(value, 12);

/** Draw an upright axis: a line and a number at each level. @param {SVGElement} svg @param {number[]} levels @param {Scale} y
 * @param {number[]} ends of the lines @param {(value: number) => string} [written] */
export function yAxis(svg, levels, y, [left, right], written) {
    const digits = Math.max(0, ...levels.map(decimals));
    written ??= digits > MOST_DIGITS ? exactly : (level) => number(level, digits);
    for (const level of levels) {
        svgElement("line", { class: "grid", x1: left, x2: right, y1: y(level), y2: y(level) }, svg);
        setText(
            svgElement("text", { class: "tick", x: left - 7, y: y(level) + 5, "text-anchor": "end" }, svg),
            written(level),
        );
    }
}

/** Draw what stands below an axis that lies: its line, and a number at each place. @param {SVGElement} svg @param {number[]} positions
 * @param {Scale} x @param {number} floor @param {number[]} ends of the line @param {(value: number) => string} [written] */
export function xAxis(svg, positions, x, floor, [left, right], written = exactly) {
    svgElement("line", { class: "axis", x1: left, x2: right, y1: floor, y2: floor }, svg);
    for (const position of positions)
        setText(
            svgElement("text", { class: "tick", x: x(position), y: floor + 20, "text-anchor": "middle" }, svg),
            written(position),
        );
}

/** A path through points, with gaps where a value is missing. @param {ArrayLike<number>} at @param {ArrayLike<number>} values
 * @param {Scale} x @param {Scale} y @param {number} [count] of the points that are drawn */
export function linePath(at, values, x, y, count = at.length) {
    let pen = "M",
        drawn = "";
    for (let i = 0; i < count; i += 1) {
        if (Number.isNaN(values[i]) || Number.isNaN(at[i])) {
            pen = "M";
            continue;
        }
        drawn += `${pen}${x(at[i]).toFixed(1)} ${y(values[i]).toFixed(1)}`;
        pen = "L";
    }
    return drawn;
}
