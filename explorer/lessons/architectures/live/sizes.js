// Sizes of a layer as the places of sliders, numbers for all of them at once, and the names of the lines that they draw.
import { element } from "../../../ui/live/dom.js";
import { clamp } from "../../../ui/live/motion.js";

const UNITS = ["KiB", "MiB", "GiB", "TiB"];

/** Where sliders stand at some sizes. @param {Record<string, number[]>} stops of each @param {Record<string, number>} sizes */
export const placesOf = (stops, sizes) =>
    Object.fromEntries(Object.entries(stops).map(([axis, each]) => [axis, each.indexOf(sizes[axis])]));

/** The index of a number in an array that has an axis for lines and one for each slider. @param {Record<string, number[]>} stops
 * @param {number} line @param {Record<string, number>} positions */
export const indexOf = (stops, line, positions) =>
    Object.entries(stops).reduce((index, [axis, each]) => index * each.length + positions[axis], line);

/** Make the legend of some lines, as elements. @param {string[]} names @param {string[]} colours */
export const marks = (names, colours) =>
    names.map((name, line) => {
        const mark = element("span", "mark", name);
        mark.style.setProperty("--own", colours[line]);
        return mark;
    });

/** Write how much memory something takes. @param {number} mebibytes */
export function binary(mebibytes) {
    const unit = clamp(Math.floor(Math.log2(mebibytes) / 10) + 1, 0, UNITS.length - 1);
    return `${Number((mebibytes / 1024 ** (unit - 1)).toPrecision(3))} ${UNITS[unit]}`;
}
