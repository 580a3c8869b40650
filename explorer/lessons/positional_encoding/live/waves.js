// The code of a position: waves over the positions of a text, a line through them, on it the hands of clocks and their numbers, and
// how alike the codes of other positions are.
import { linePath, linear } from "../../../ui/live/axes.js";
import { PAGE, hand, seen } from "./clocks.js";
import { makeDraggable } from "../../../ui/live/drag.js";
import { setAttributes, svgElement, setText } from "../../../ui/live/drawing.js";
import { number } from "../../../ui/live/numbers.js";
import { clamp } from "../../../ui/live/motion.js";
import { screened } from "../../../ui/live/timeline.js";
import { hex, onInk, ramp } from "../../../ui/live/weights.js";
import { t } from "../../../ui/live/words.js";

/** @typedef {import("../../../ui/live/timeline.js").Arrays} Arrays
 * @typedef {{pairs: number[], rounds: string[], scale: [number, string][], zoom: number}} Data
 *   array: `codes` [positions, pairs, 2], sine and cosine; `fine` [points], positions between which the waves are drawn; `waves`
 *   [2, pairs, points]; `alike` [2 · positions − 1] by distance, 1 for none */

const HEAD = 30,
    FLOOR = 22,
    PHONE = 520,
    EDGE = 3,
    TALL = 0.4,
    PALE = 0.3; // pixels; a wave's share of its row; of the scale of ink

const words = () => ({
    where: t("Position"),
    position: t("Position {n}"),
    alt: t("Waves over the positions of a text, and the hands of clocks at one of them"),
});

/** @param {import("../../../ui/live/dom.js").Component} component */
export default function (component) {
    return screened(component, "waves", { words, beside: 300, pace: 0.25, draw: drawWaves, paint: paintWaves, rows });
}

/** @param {SVGSVGElement} svg @param {Data} data @param {Arrays} array @param {number} width @param {number} room @param {import("../../../ui/live/timeline.js").Time} time */
function drawWaves(svg, data, array, width, room, time) {
    const count = data.pairs.length,
        small = width < PHONE,
        row = clamp((room - HEAD - FLOOR) / (count + 1.15), 34, 110);
    const [left, right] = [small ? 10 : 16, width * (small ? 0.6 : 0.63)],
        slot = (right - left) / (PAGE - 1),
        floor = HEAD + count * row;
    const tall = floor + FLOOR + 1.1 * row,
        clock = width * (small ? 0.685 : 0.715),
        cells = width * (small ? 0.755 : 0.79),
        cell = (width - cells) / 2;
    const y = (/** @type {number} */ at) => HEAD + (at + 0.5) * row,
        reach = TALL * row;
    setAttributes(svg, { width, height: tall, viewBox: `0 0 ${width} ${tall}` });
    const heads = [
        [clock, t("hand"), "tick"],
        [cells + cell / 2, t("sine"), "strong"],
        [cells + 1.5 * cell, t("cosine"), "tick"],
    ];
    for (const [x, text, kind] of heads)
        setText(svgElement("text", { class: `mid ${kind}`, x, y: 16 }, svg), String(text));

    const view = svgElement(
            "svg",
            { class: "window", x: left - EDGE, width: right - left + 2 * EDGE, height: tall },
            svg,
        ),
        moving = svgElement("g", {}, view);
    const x = linear([0, 1], [EDGE, EDGE + slot]),
        { values: fine } = array("fine"),
        { values: waves } = array("waves");
    for (const [which, kind] of [
        [1, "cosine"],
        [0, "sine"],
    ]) {
        data.pairs.forEach((_, at) => {
            const from = (Number(which) * count + at) * fine.length,
                heights = waves.subarray(from, from + fine.length);
            svgElement(
                "path",
                { class: kind, d: linePath(fine, heights, x, (value) => y(at) - reach * value) },
                moving,
            );
        });
    }
    for (let at = 0; at < array("codes").shape[0]; at += small ? 16 : 8)
        setText(svgElement("text", { class: "tick", x: x(at) - (at ? 0 : 2), y: floor + 16 }, moving), String(at));
    const { values: alike } = array("alike"),
        far = (alike.length - 1) / 2,
        foot = floor + FLOOR + row;
    const unit = (0.85 * row) / (1 - Math.min(0, ...alike)),
        zero = foot - 0.85 * row + unit; // codes may be less alike than not at all
    svgElement("line", { class: "axis", x1: 0, x2: width, y1: zero, y2: zero }, view);
    const sliding = svgElement(
        "path",
        {
            class: "alike",
            d: linePath(
                Float32Array.from(alike, (_, at) => at - far),
                alike,
                x,
                (value) => zero - unit * value,
            ),
        },
        view,
    );
    t("How alike are<br>the other codes?")
        .split("<br>")
        .forEach((text, at) =>
            setText(
                svgElement("text", { class: "alike", x: right + 10, y: foot - 0.5 * row + 18 * data.zoom * at }, svg),
                text,
            ),
        );

    const line = svgElement("line", { class: "here", y1: HEAD - 4, y2: foot }, svg),
        chip = svgElement("g", { class: "chip" }, svg);
    svgElement("rect", { x: -20, y: 2, width: 40, height: 24, rx: 7 }, chip);
    const position = svgElement("text", { class: "mid", y: 19 }, chip),
        size = Math.min(reach, 32, clock - right - 8, cells - clock - 4);
    const made = data.pairs.map((_, at) => {
        svgElement("circle", { class: "face", cx: clock, cy: y(at), r: size }, svg);
        const dots = ["cosine", "sine"].map((kind) => svgElement("circle", { class: `dot ${kind}`, r: 4.5 }, svg));
        const boxes = [0, 1].map((side) => {
            const box = svgElement(
                "rect",
                { x: cells + side * cell + 2, y: y(at) - 0.36 * row, width: cell - 4, height: 0.44 * row, rx: 4 },
                svg,
            );
            return {
                box,
                text: svgElement(
                    "text",
                    { class: "mid", x: cells + (side + 0.5) * cell, y: y(at) - 0.14 * row + 5 },
                    svg,
                ),
            };
        });
        setText(svgElement("text", { class: "mid tick", x: cells + cell, y: y(at) + 0.4 * row }, svg), data.rounds[at]);
        return { dots, boxes, hand: svgElement("line", { class: "hand", x1: clock, y1: y(at) }, svg), y: y(at) };
    });
    const drawing = {
        left,
        slot,
        moving,
        sliding,
        line,
        chip,
        position,
        made,
        clock,
        size,
        reach,
        colours: ramp(data.scale),
        page: 0,
    };
    const area = svgElement(
        "rect",
        { class: "grip", x: left - EDGE, width: right - left + 2 * EDGE, height: tall },
        svg,
    );
    const last = array("codes").shape[0] - 1;
    makeDraggable(
        area,
        svg,
        (at) =>
            time.at(clamp(drawing.page + (at - left) / slot, drawing.page, Math.min(drawing.page + PAGE - 1, last))),
        () => {},
        time.pause,
    );
    return drawing;
}

/** @param {ReturnType<typeof drawWaves>} drawing @param {Data} data @param {Arrays} array @param {number} now */
function paintWaves(drawing, data, array, now) {
    const { left, slot, clock, size, reach, colours } = drawing,
        page = (drawing.page = seen(now)),
        x = left + (now - page) * slot;
    setAttributes(drawing.moving, { transform: `translate(${(-page * slot).toFixed(2)})` });
    setAttributes(drawing.sliding, { transform: `translate(${((now - page) * slot).toFixed(2)})` });
    setAttributes(drawing.line, { x1: x.toFixed(1), x2: x.toFixed(1) });
    setAttributes(drawing.chip, { transform: `translate(${x.toFixed(1)})` });
    setText(drawing.position, String(Math.round(now)));
    drawing.made.forEach(({ dots, boxes, hand: line, y }, at) => {
        const angle = hand(array("codes"), at, now),
            sides = [Math.sin(angle), Math.cos(angle)];
        setAttributes(line, {
            x2: (clock + 0.86 * size * sides[0]).toFixed(1),
            y2: (y - 0.86 * size * sides[1]).toFixed(1),
        });
        dots.forEach((dot, which) =>
            setAttributes(dot, { cx: x.toFixed(1), cy: (y - reach * sides[1 - which]).toFixed(1) }),
        );
        boxes.forEach(({ box, text }, side) => {
            const fill = hex(colours, PALE * Math.abs(sides[side]));
            const pair = `${t("pair")} ${data.pairs[at]}`;
            setAttributes(box, {
                fill,
                "data-says": `${pair}, ${side ? t("cosine") : t("sine")}: ${number(sides[side], 3)}`,
            });
            setAttributes(text, { fill: onInk(fill) });
            setText(text, number(sides[side], 2));
        });
    });
}

/** The code of a position, a row for each clock. @param {Data} data @param {Arrays} array @param {number} step */
function rows(data, array, step) {
    const {
        shape: [, pairs],
        values,
    } = array("codes");
    return [
        ["", t("sine"), t("cosine"), t("comes round")],
        ...data.pairs.map((pair, at) => [
            `${t("pair")} ${pair}`,
            ...[0, 1].map((side) => values[2 * (step * pairs + at) + side].toFixed(4)),
            data.rounds[at],
        ]),
    ];
}
