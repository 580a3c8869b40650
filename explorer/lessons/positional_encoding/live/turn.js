// Two words move along a line: on every clock the hands of both turn, the angle between them stays, and so does the score. How far
// apart they are follows its slider.
import { formatMessage, t } from "../../../ui/live/words.js";
import { linePath, xAxis, linear, ticks } from "../../../ui/live/axes.js";
import { PAGE, hand, seen } from "./clocks.js";
import { makeDraggable } from "../../../ui/live/drag.js";
import { setAttributes, svgElement, setText } from "../../../ui/live/drawing.js";
import { number } from "../../../ui/live/numbers.js";
import { clamp } from "../../../ui/live/motion.js";
import { screened } from "../../../ui/live/timeline.js";

/** @typedef {import("../../../ui/live/timeline.js").Arrays} Arrays
 * @typedef {{pairs: number[], offset: number, position: number, most: number, positions: number, turns: [string[], string][], first: number,
 *   sentences: string[], zoom: number}} Data
 *   `offset` from −`most` to `most`; `turns` has for each what stands below the clocks, and what is said of positions {i} and {j}
 *   array: `codes` [positions, pairs, 2], sine and cosine; `turned` [offsets, pairs] from the first hand to the second, in degrees;
 *   `score` by distance from 0 */

const RULER = 66,
    HEAD = 28,
    UNDER = 24,
    FLOOR = 24,
    PHONE = 520,
    EDGE = 16,
    HAND = 0.94,
    FULL = 359.9; // pixels; of a radius; degrees
const REACHES = [32, 64]; // distances over which the score is drawn: the shorter where it is enough

const words = () => ({
    where: t("First word at position"),
    position: t("Position {n}"),
    alt: t("Two words on a line, a hand for each on every clock, and the angles between the hands"),
});

/** @param {import("../../../ui/live/dom.js").Component} component */
export default function (component) {
    return screened(component, "turn", {
        words,
        beside: 300,
        pace: 0.25,
        draw: drawTurn,
        paint: paintTurn,
        rows,
        follows: { pe_offset: apart },
    });
}

/** Let the words stand so far apart: the first stays, unless the second would stand before the text. @param {Data} data @param {number} offset */
function apart(data, offset) {
    [data.offset, data.first] = [offset, Math.max(0, -offset)];
    const [, said] = data.turns[offset + data.most];
    data.sentences = Array.from({ length: data.positions - data.first }, (_, step) => {
        const position = step + data.first;
        return formatMessage(said, { i: position, j: position + offset });
    });
    return Math.max(data.position - data.first, 0);
}

/** Degrees by which every hand turns from the first word to the second. @param {Data} data @param {Arrays} array */
const turnedBy = (data, array) => {
    const from = (data.offset + data.most) * data.pairs.length;
    return array("turned").values.subarray(from, from + data.pairs.length);
};

/** @param {SVGSVGElement} svg @param {Data} data @param {Arrays} array @param {number} width @param {number} room @param {import("../../../ui/live/timeline.js").Time} time */
function drawTurn(svg, data, array, width, room, time) {
    const count = data.pairs.length,
        head = HEAD * data.zoom,
        under = UNDER * data.zoom,
        low = clamp(0.16 * room, 56, 100);
    const size = clamp(
        Math.min((width / count) * 0.42, (room - RULER - 3 * head - under - low - FLOOR - 14) / 4),
        20,
        74,
    );
    const upper = RULER + head + size + 4,
        lower = upper + 2 * size + head + 6,
        top = lower + size + under + head,
        tall = top + low + FLOOR;
    setAttributes(svg, { width, height: tall, viewBox: `0 0 ${width} ${tall}` });
    const ruler = drawRuler(svg, data, width, time);
    const heads = [
        [upper - size - 10, t("The hands turn when the pair moves")],
        [lower - size - 10, t("The angle between the two hands, set upright")],
        [top - 8, t("All angles together: the score of the two codes")],
    ];
    for (const [y, text] of heads) setText(svgElement("text", { class: "strong", x: 0, y }, svg), String(text));
    const turned = turnedBy(data, array),
        [degrees] = data.turns[data.offset + data.most];
    const dials = data.pairs.map((_, at) => {
        const x = ((at + 0.5) * width) / count;
        for (const y of [upper, lower]) svgElement("circle", { class: "face", cx: x, cy: y, r: size }, svg);
        const wedge = svgElement("path", { class: "wedge" }, svg);
        svgElement("path", { class: "upright", d: sector(x, lower, HAND * size, 0, turned[at] % 360) }, svg);
        setText(svgElement("text", { class: "mid", x, y: lower + size + 18 * data.zoom }, svg), degrees[at]);
        const hands = ["first", "second"].map((kind) =>
            svgElement("line", { class: `hand ${kind}`, x1: x, y1: upper }, svg),
        );
        return { x, wedge, hands };
    });
    drawScore(svg, data, array, width, top, low);
    return { ruler, dials, size, upper, turned };
}

/** @param {SVGSVGElement} svg @param {Data} data @param {number} width @param {import("../../../ui/live/timeline.js").Time} time */
function drawRuler(svg, { offset, first, positions: all }, width, time) {
    const positions = all + Math.max(0, offset),
        before = Math.max(0, -offset),
        slot = (width - 2 * EDGE) / (PAGE - 1 + Math.abs(offset)),
        line = RULER - 22;
    const view = svgElement("svg", { class: "window", width, height: RULER }, svg),
        moving = svgElement("g", {}, view);
    const x = (/** @type {number} */ position) => EDGE + (position + before) * slot,
        each = slot < 7 ? 16 : 8;
    xAxis(
        moving,
        Array.from({ length: Math.ceil(positions / each) }, (_, at) => at * each),
        x,
        line,
        [x(0), x(positions - 1)],
    );
    const arc = svgElement("path", { class: "arc" }, svg);
    const marks = ["second", "first"]
        .map((kind) => {
            // the first lies above
            const word = svgElement("g", { class: `mark ${kind}` }, svg);
            svgElement("circle", { r: 15, cy: line - 15 }, word);
            return { word, text: svgElement("text", { class: "mid", y: line - 10 }, word) };
        })
        .reverse();
    const drawing = { x, slot, moving, arc, marks, line, each, names: [...moving.querySelectorAll("text")], page: 0 };
    const area = svgElement("rect", { class: "grip", width, height: RULER }, svg);
    makeDraggable(
        area,
        svg,
        (at) => {
            const position = drawing.page + (at - EDGE) / slot - before - offset / 2; // the pointer holds the middle of the pair
            time.at(clamp(position, Math.max(drawing.page, first), drawing.page + PAGE - 1) - first);
        },
        () => {},
        time.pause,
    );
    return drawing;
}

/** @param {SVGSVGElement} svg @param {Data} data @param {Arrays} array @param {number} width @param {number} top @param {number} low */
function drawScore(svg, data, array, width, top, low) {
    const far = Math.abs(data.offset),
        reach = REACHES.find((each) => far <= each) ?? data.most,
        right = width * (width < PHONE ? 0.72 : 0.8);
    const score = array("score").values.subarray(0, reach + 1),
        own = score[far];
    const x = linear([0, score.length - 1], [20, right]),
        y = linear([Math.min(0, ...score), Math.max(...score)], [top + low, top + 6]);
    svgElement("line", { class: "axis", x1: 20, x2: right, y1: y(0), y2: y(0) }, svg);
    xAxis(svg, ticks(0, score.length - 1, width < PHONE ? 4 : 8), x, top + low, [20, right]);
    setText(svgElement("text", { class: "tick", x: right + 10, y: top + low + 20 }, svg), t("positions apart"));
    svgElement(
        "path",
        {
            class: "score",
            d: linePath(
                Float32Array.from(score, (_, at) => at),
                score,
                x,
                y,
            ),
        },
        svg,
    );
    svgElement("circle", { class: "dot", r: 7.5, cx: x(far), cy: y(own) }, svg);
    setText(svgElement("text", { class: "large", x: right + 14, y: top + low / 2 + 10 }, svg), number(own, 2));
}

/** @param {ReturnType<typeof drawTurn>} drawing @param {Data} data @param {Arrays} array @param {number} t */
function paintTurn({ ruler, dials, size, upper, turned }, data, array, t) {
    const position = t + data.first,
        page = (ruler.page = seen(position)),
        positions = [position, position + data.offset];
    setAttributes(ruler.moving, { transform: `translate(${(-page * ruler.slot).toFixed(2)})` });
    ruler.names.forEach((each, at) =>
        setAttributes(each, { opacity: ruler.x(at * ruler.each - page) < EDGE - 4 ? 0 : 1 }),
    ); // no half numbers
    const ends = positions.map((each) => ruler.x(each - page)),
        half = Math.abs(ends[1] - ends[0]) / 2,
        base = ruler.line - 15;
    setAttributes(ruler.arc, {
        d: `M${ends[0].toFixed(1)} ${base}A${half.toFixed(1)} ${Math.min(half, base - 4).toFixed(1)} 0 0 ${data.offset > 0 ? 1 : 0} ${ends[1].toFixed(1)} ${base}`,
    });
    ruler.marks.forEach(({ word, text }, at) => {
        setAttributes(word, { transform: `translate(${ends[at].toFixed(1)})` });
        setText(text, String(Math.round(positions[at])));
    });
    dials.forEach(({ x, wedge, hands }, at) => {
        const angles = positions.map((each) => hand(array("codes"), at, each)),
            reach = HAND * size;
        setAttributes(wedge, { d: sector(x, upper, reach, angles[0], turned[at] % 360) });
        hands.forEach((each, which) =>
            setAttributes(each, {
                x2: (x + reach * Math.sin(angles[which])).toFixed(1),
                y2: (upper - reach * Math.cos(angles[which])).toFixed(1),
            }),
        );
    });
}

/** A sector of a circle, from an angle in radians on by so many degrees, clockwise from 12 o'clock.
 * @param {number} x @param {number} y @param {number} size @param {number} start @param {number} degrees */
function sector(x, y, size, start, degrees) {
    const end = start + (clamp(degrees, -FULL, FULL) * Math.PI) / 180;
    const [from, to] = [start, end].map(
        (angle) => `${(x + size * Math.sin(angle)).toFixed(2)} ${(y - size * Math.cos(angle)).toFixed(2)}`,
    );
    return `M${x.toFixed(2)} ${y.toFixed(2)}L${from}A${size} ${size} 0 ${Math.abs(degrees) > 180 ? 1 : 0} ${degrees > 0 ? 1 : 0} ${to}Z`;
}

/** Both hands, and the angle between them, a row for each clock. @param {Data} data @param {Arrays} array @param {number} step */
function rows(data, array, step) {
    const {
            shape: [, pairs],
            values,
        } = array("codes"),
        positions = [step + data.first, step + data.first + data.offset];
    const names = [t("first position"), t("second position")].flatMap((each) => [
        `${each}, ${t("sine")}`,
        `${each}, ${t("cosine")}`,
    ]);
    return [
        ["", ...names, t("turned by, in degrees")],
        ...data.pairs.map((pair, at) => [
            `${t("pair")} ${pair}`,
            ...positions.flatMap((position) =>
                [0, 1].map((side) => values[2 * (position * pairs + at) + side].toFixed(6)),
            ),
            turnedBy(data, array)[at].toFixed(4),
        ]),
    ];
}
