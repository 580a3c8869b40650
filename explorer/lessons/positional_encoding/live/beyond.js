// Five models read on beyond the length of their training: their lines grow to the position that is read, their numbers stand beside.
import { linePath, xAxis, linear, logarithmic, yAxis } from "../../../ui/live/axes.js";
import { makeDraggable } from "../../../ui/live/drag.js";
import { setAttributes, svgElement, setText } from "../../../ui/live/drawing.js";
import { clamp, lerp } from "../../../ui/live/motion.js";
import { screened } from "../../../ui/live/timeline.js";
import { t } from "../../../ui/live/words.js";

/** @typedef {import("../../../ui/live/timeline.js").Arrays} Arrays
 * @typedef {{models: {name: string, ink: string, dash: string}[], trained: number, last: number, signs: number, whole: boolean,
 *   first: number, stride: number, zoom: number}} Data
 *   array: `wavering` [models, steps], NaN where a model cannot read; `middles` [steps], positions in the text */

const TOP = 34,
    FLOOR = 46,
    LEFT = 46,
    PHONE = 520,
    LABEL = 44; // pixels

const words = () => ({
    where: t("Read up to character"),
    position: t("Character {n}"),
    alt: t("Between how many characters five models hesitate, by the position in the text"),
});

/** @param {import("../../../ui/live/dom.js").Component} component */
export default function (component) {
    return screened(component, "beyond", { words, beside: 300, pace: 0.8, draw: drawBeyond, paint: paintBeyond, rows });
}

/** @param {SVGSVGElement} svg @param {Data} data @param {Arrays} array @param {number} width @param {number} room @param {import("../../../ui/live/timeline.js").Time} time */
function drawBeyond(svg, data, array, width, room, time) {
    const tall = clamp(room, 300, 640),
        small = width < PHONE,
        right = width - (small ? 92 : 150) * data.zoom,
        floor = tall - FLOOR;
    const { values } = array("wavering"),
        { values: middles } = array("middles"),
        known = values.filter((each) => !Number.isNaN(each));
    const x = linear([0, data.last], [LEFT, right]),
        y = logarithmic([0.87 * Math.min(...known), 1.45 * data.signs], [floor, TOP]);
    setAttributes(svg, { width, height: tall, viewBox: `0 0 ${width} ${tall}`, class: small ? "small" : "" });
    svgElement("rect", { class: "trained", x: LEFT, y: TOP, width: x(data.trained) - LEFT, height: floor - TOP }, svg);
    const beyond = svgElement("rect", { class: "past", x: x(data.trained), y: TOP, height: floor - TOP }, svg);
    yAxis(
        svg,
        [2, 4, 8, 16, 32, 64].filter((each) => y(each) < floor),
        y,
        [LEFT, right],
    );
    xAxis(
        svg,
        Array.from({ length: data.last / data.trained + 1 }, (_, at) => at * data.trained),
        x,
        floor,
        [LEFT, right],
    );
    const texts = [
        ["mid tick", (LEFT + right) / 2, floor + 40, t("position in the text, in characters")],
        [
            "end tick",
            small ? right : x(middles[middles.length - 1]) - 8,
            y(data.signs) - 7,
            t("guessing blindly among all {n}", { n: data.signs }),
        ],
    ];
    for (const [kind, at, down, text] of texts)
        setText(svgElement("text", { class: kind, x: at, y: down }, svg), String(text));
    const below = y(data.signs) + 8; // the line of a blind guess crosses no word
    const upright = small && {
        transform: `rotate(-90 ${LEFT + 16} ${below})`,
        class: "end tick",
        x: LEFT + 16,
        y: below,
    }; // the box is too narrow
    setText(
        svgElement(
            "text",
            upright || { class: "mid tick", x: x(data.trained / 2), y: TOP + 0.16 * (floor - TOP) },
            svg,
        ),
        t("trained on these"),
    );
    svgElement("line", { class: "blind", x1: LEFT, x2: right, y1: y(data.signs), y2: y(data.signs) }, svg);
    const asked = svgElement("g", {}, svg);
    t("What happens<br>out here?")
        .split("<br>")
        .forEach((text, at) =>
            setText(
                svgElement(
                    "text",
                    {
                        class: "mid ask",
                        x: (x(data.trained) + right) / 2,
                        y: (TOP + floor) / 2 + 26 * data.zoom * (at - 1),
                    },
                    asked,
                ),
                text,
            ),
        );
    const rest = svgElement("g", { class: "rest" }, svg),
        view = svgElement("svg", { class: "window", height: tall }, svg),
        ends = svgElement("g", {}, svg);
    const models = data.models.map(({ name, ink, dash }, at) => {
        const own = values.subarray(at * middles.length, (at + 1) * middles.length),
            d = linePath(middles, own, x, y);
        if (data.whole) svgElement("path", { class: "line", d, stroke: ink }, rest);
        svgElement("path", { class: "line", d, stroke: ink, "stroke-dasharray": dash }, view);
        const end = svgElement("g", { class: "end" }, ends),
            number = svgElement("text", { class: "number", y: 6 }, end);
        svgElement(
            "line",
            { class: "line", x1: -22, x2: -6, y1: -2, y2: -2, stroke: ink, "stroke-dasharray": dash },
            end,
        );
        setText(svgElement("text", { class: "tick", y: 22 * data.zoom }, end), name);
        return { own, end, number, ink };
    });
    const here = svgElement("g", { class: "here" }, svg),
        chip = svgElement("text", { class: "mid", y: TOP - 10 }, here);
    svgElement("line", { y1: TOP - 4, y2: floor }, here);
    here.prepend(svgElement("rect", { x: -22, y: TOP - 28, width: 44, height: 25, rx: 7 }, here));
    const dots = models.map(({ ink }) => svgElement("circle", { r: 5.5, fill: ink }, svg));
    const area = svgElement("rect", { class: "grip", x: LEFT, width: right - LEFT, height: floor }, svg),
        back = linear([LEFT, right], [0, data.last]);
    makeDraggable(
        area,
        svg,
        (at) => time.at(clamp((back(at) - data.first) / data.stride, 0, middles.length - 1)),
        () => {},
        time.pause,
    );
    return { x, y, beyond, asked, view, models, dots, here, chip, ends: right + 34, floor };
}

/** @param {ReturnType<typeof drawBeyond>} drawing @param {Data} data @param {Arrays} _ @param {number} t */
function paintBeyond({ x, y, beyond, asked, view, models, dots, here, chip, ends, floor }, data, _, t) {
    const near = Math.round(t),
        read = data.first + t * data.stride,
        at = x(read);
    setAttributes(beyond, { width: Math.max(at - x(data.trained), 0).toFixed(1) });
    setAttributes(asked, { display: data.whole || read > data.trained ? "none" : "inline" });
    setAttributes(view, { width: at.toFixed(1) });
    setAttributes(here, { transform: `translate(${at.toFixed(1)})` });
    setText(chip, String(data.first + near * data.stride));
    const heights = models.map(({ own }) => between(own, t)),
        positions = apart(
            heights.map((each) => (Number.isNaN(each) ? TOP : y(each))),
            TOP + 8,
            floor - 20,
        );
    models.forEach(({ own, end, number }, model) => {
        const there = !Number.isNaN(heights[model]),
            value = own[near];
        setAttributes(
            dots[model],
            there ? { cx: at.toFixed(1), cy: y(heights[model]).toFixed(1), display: "inline" } : { display: "none" },
        );
        setAttributes(end, { style: `transform: translate(${ends.toFixed(0)}px, ${positions[model].toFixed(1)}px)` });
        setText(number, Number.isNaN(value) ? "–" : value.toFixed(value < 10 ? 1 : 0));
    });
}

/** Where a line runs between two steps of a scale on which each step multiplies. @param {Float32Array} own @param {number} t */
function between(own, t) {
    const from = Math.floor(t),
        share = t - from;
    return share === 0 ? own[from] : Math.exp(lerp(Math.log(own[from]), Math.log(own[from + 1]), share));
}

/** Heights of labels, pushed apart where they would cover each other. @param {number[]} wanted @param {number} top @param {number} floor */
function apart(wanted, top, floor) {
    const order = wanted.map((_, at) => at).sort((a, b) => wanted[b] - wanted[a] || a - b),
        placed = [...wanted]; // from below
    order.forEach((each, at) => {
        placed[each] = Math.min(wanted[each], at ? placed[order[at - 1]] - LABEL : floor);
    });
    [...order].reverse().forEach((each, at, all) => {
        placed[each] = Math.max(placed[each], at ? placed[all[at - 1]] + LABEL : top);
    });
    return placed;
}

/** Among how many characters each model wavers. @param {Data} data @param {Arrays} array @param {number} step */
function rows(data, array, step) {
    const {
        shape: [, steps],
        values,
    } = array("wavering");
    return [
        ["", t("characters it hesitates between")],
        ...data.models.map(({ name }, at) => {
            const value = values[at * steps + step];
            return [name, Number.isNaN(value) ? t("cannot read it") : value.toFixed(4)];
        }),
    ];
}
