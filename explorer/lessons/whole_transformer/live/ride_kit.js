// What the ride and the inside of a layer are drawn of: vectors as chips of cells, words, sums, bars, nets.
import { svgElement } from "../../../ui/live/drawing.js";
import { percent } from "../../../ui/live/numbers.js";
import { mixed } from "./pen.js";
import { t } from "../../../ui/live/words.js";

/** @typedef {Record<string, string>} Colours
 * @typedef {"enc" | "dec"} Stack
 * @typedef {object} Stop what happens at it, to which row of which stack
 * @property {"word" | "position" | "mix" | "look" | "alone" | "memory" | "chosen"} kind @property {Stack} stack @property {number} row
 * @property {number[]} weights of who is heard, the mean over the heads
 * @typedef {object} Common what every picture of stops gets from Python
 * @property {Colours} colours @property {number} type by how much type is larger @property {string[]} source @property {string[]} read
 * @property {string[]} special words that stand for start and end @property {[string, number][]} likeliest @property {string} chosen
 * @property {Record<Stack, number>} counts of layers @property {Record<Stack, string[]>} layers @property {Stop[]} stops
 */

const SPREAD = 2.2; // how many times the mean size of a vector's numbers has the full colour

/** What mixes, looks or works alone is called. @param {Stop["kind"]} kind */
export const nameStop = (kind) => (kind === "mix" ? t("mix") : kind === "look" ? t("look") : t("alone"));

/** The colour of what happens at a stop. @param {Stop} stop */
export const hue = ({ kind, stack }) => (kind === "alone" ? "net" : kind === "look" ? "enc" : stack);

/** Rows of an array. @param {import("../../../ui/live/unpack.js").Packed} packed @param {number} row */
export function vector({ shape: [, length], values }, row) {
    return values.subarray(row * length, (row + 1) * length);
}

/** The number from which on a cell has its full colour. @param {Float32Array} values */
export const scaleOf = (values) => (SPREAD * Math.hypot(...values)) / Math.sqrt(values.length) || 1;

/** A vector as a square of cells around a place: its colour above 0, grey below. @param {Element} parent @param {Float32Array} values
 * @param {number} x @param {number} y @param {number} side @param {string} name of the colour @param {Colours} colours @param {number} [scale] */
export function chip(parent, values, x, y, side, name, colours, scale = scaleOf(values)) {
    const across = Math.round(Math.sqrt(values.length)),
        canvas = document.createElement("canvas");
    canvas.width = canvas.height = across;
    const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    values.forEach((value, at) => {
        const share = Math.min(1, Math.abs(value) / scale);
        pen.fillStyle = mixed(colours.paper, value >= 0 ? colours[name] : colours.negative, share);
        pen.fillRect(at % across, Math.floor(at / across), 1, 1);
    });
    const position = { x: x - side / 2, y: y - side / 2, width: side, height: side };
    svgElement("image", { ...position, href: canvas.toDataURL(), class: "chip" }, parent);
    svgElement("rect", { ...position, rx: 2, fill: "none", stroke: colours[name] }, parent);
}

/** @param {Element} parent @param {number} x @param {number} y @param {string} text @param {Record<string, unknown>} [more] */
export function write(parent, x, y, text, { fill, ...more } = {}) {
    const style = fill ? `fill:${fill}` : ""; // a style sheet's colour is stronger than an attribute
    const made = svgElement("text", { x, y, "dominant-baseline": "central", style, ...more }, parent);
    made.textContent = text;
    return made;
}

/** A word; start and end are pills. @param {Element} parent @param {number} x its right end, or its middle @param {number} y
 * @param {string} text @param {Common} data @param {{colour?: string, large?: boolean, middle?: boolean}} [look] */
export function word(parent, x, y, text, data, { colour = "muted", large = false, middle = false } = {}) {
    const pill = data.special.includes(text),
        wide = (8 * text.length + 16) * data.type;
    const group = svgElement("g", { class: `word${large ? " large" : ""}` }, parent);
    if (pill) {
        const left = middle ? x - wide / 2 : x - wide,
            tall = 20 * data.type;
        svgElement("rect", { x: left, y: y - tall / 2, width: wide, height: tall, rx: tall / 2, class: "pill" }, group);
        write(group, left + wide / 2, y, text, { class: "mid", fill: data.colours.muted });
    } else write(group, x, y, text, { class: middle ? "mid" : "end", fill: data.colours[colour] });
    return group;
}

/** The sign of a sum. @param {Element} parent @param {number} x @param {number} y @param {string} colour @param {number} [radius] */
export function sum(parent, x, y, colour, radius = 8) {
    const arm = radius * 0.55;
    svgElement("circle", { cx: x, cy: y, r: radius, class: "sum", stroke: colour }, parent);
    svgElement(
        "path",
        { d: `M${x - arm} ${y}h${2 * arm}M${x} ${y - arm}v${2 * arm}`, stroke: colour, fill: "none" },
        parent,
    );
}

/** Words with a bar as long as each one's share. @param {Element} parent @param {{x: number, y: number, width: number, row: number}} position
 * @param {[string, number][]} shares @param {Common} data @param {string} colour */
export function bars(parent, { x, y, width, row }, shares, data, colour) {
    const room = Math.max(...shares.map(([text]) => text.length)) * 8.5 * data.type + 16,
        end = 44 * data.type;
    shares.forEach(([text, share], at) => {
        const middle = y + (at + 0.5) * row,
            long = Math.max(1, share * (width - room - 8 - end));
        const fill = data.special.includes(text) ? data.colours.negative : data.colours[colour];
        word(parent, x + room, middle, text, data, { colour });
        svgElement(
            "rect",
            { x: x + room + 8, y: middle - row * 0.32, width: long, height: row * 0.64, rx: 3, fill },
            parent,
        );
        write(parent, x + room + 14 + long, middle, percent(share));
    });
}

/** Units of a net as a grid; those above 0 are coloured. @param {Element} parent @param {Float32Array} units @param {number} x @param {number} y
 * @param {number} cell its width @param {number} across @param {Colours} colours @param {number} [tall] of the grid */
export function net(parent, units, x, y, cell, across, colours, tall = cell * Math.ceil(units.length / across)) {
    const most = Math.max(...units),
        down = Math.ceil(units.length / across),
        canvas = document.createElement("canvas"),
        side = 4; // pixels of a cell, one of them the gap
    [canvas.width, canvas.height] = [across * side, down * side];
    const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    units.forEach((value, at) => {
        pen.fillStyle = value > 0 ? mixed(colours.board, colours.net, 0.4 + (0.6 * value) / most) : colours.line;
        pen.fillRect((at % across) * side, Math.floor(at / across) * side, side - 1, side - 1);
    });
    const position = { x, y, width: across * cell, height: tall };
    svgElement("image", { ...position, href: canvas.toDataURL(), preserveAspectRatio: "none" }, parent);
}

/** Let something be pressed by mouse and keyboard. @param {SVGGElement} node @param {string} name @param {() => void} act */
export function pressable(node, name, act) {
    node.classList.add("pressable");
    node.setAttribute("role", "button");
    node.setAttribute("tabindex", "0");
    node.setAttribute("aria-label", name);
    node.addEventListener("click", act);
    node.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        act();
    });
}
