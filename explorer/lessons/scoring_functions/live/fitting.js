// Scorers as they learn: loss and accuracy up to a moment; beside them what each makes of eight queries, the matrix W, and how like
// the dot product each scores. Between two moments that were recorded, everything lies between its numbers.
import { linePath, xAxis, linear, yAxis, ticks } from "../../../ui/live/axes.js";
import { makeDraggable, onHoverOrTap } from "../../../ui/live/drag.js";
import { setAttributes, svgElement, setText } from "../../../ui/live/drawing.js";
import { clamp, lerp } from "../../../ui/live/motion.js";
import { number } from "../../../ui/live/numbers.js";
import { placeOn } from "../../../ui/live/dom.js";
import { formatMessage, t } from "../../../ui/live/words.js";
import { screened } from "../../../ui/live/timeline.js";
import { hex, ramp } from "../../../ui/live/weights.js";

/** @typedef {import("../../../ui/live/timeline.js").Arrays} Arrays
 * @typedef {{names: string[], guess: number[], scale: [number, string][], signed: [number, string][], stride: number,
 *   zoom: number}} Data
 *   names: of the best possible score, then of those that learn; array: `curves` [loss and accuracy, moments, scorers], `alike` [moments,
 *   scorers], `weights` [moments, scorers, keys, keys], `w` [moments, d, d] */

const SMALL = 640,
    LEFT = 48,
    AFTER = 16,
    HEAD = 28,
    FLOOR = 44,
    APART = 22,
    CAPTION = 30,
    WORDY = 175,
    LEGEND = 520; // pixels
const BAR = 12,
    LABEL = 22,
    CLEAR = 44; // pixels: of a bar, of a label with its line, and for the number behind the longest bar

const words = () => ({
    where: t("Training step"),
    position: t("Step {n}"),
    alt: t("Loss, accuracy and weights of three scorers while they learn"),
});

/** @param {import("../../../ui/live/dom.js").Component} component */
export default function (component) {
    return screened(component, "fitting", {
        words,
        beside: 262,
        pace: 0.35,
        draw: drawFit,
        paint: paintFit,
        rows: fitRows,
    });
}

/** Numbers of a moment, or between two. @param {import("../../../ui/live/unpack.js").Packed} packed whose first axis are the moments @param {number} t
 * @param {number} first @param {number} count of the numbers of a moment that are taken */
function between({ shape: [, ...rest], values }, t, first, count) {
    const all = rest.reduce((size, each) => size * each, 1),
        from = Math.floor(t),
        share = t - from;
    const start = from * all + first,
        next = share ? start + all : start;
    return Float32Array.from({ length: count }, (_, at) => lerp(values[start + at], values[next + at], share));
}

/** One of the curves. @param {Arrays} array @param {number} row @param {number} scorer */
function course(array, row, scorer) {
    const {
        shape: [, moments, scorers],
        values,
    } = array("curves");
    return Float32Array.from({ length: moments }, (_, at) => values[(row * moments + at) * scorers + scorer]);
}

/** @param {SVGSVGElement} svg @param {Data} data @param {Arrays} array @param {number} width @param {number} room @param {import("../../../ui/live/timeline.js").Time} time */
function drawFit(svg, data, array, width, room, time) {
    const small = width < SMALL,
        plots = small ? 300 : clamp(room, 400, 620),
        half = small ? width : 0.36 * width,
        apart = small ? APART / 2 : APART,
        head = HEAD * data.zoom;
    const left = small ? 0 : half + 34,
        top = small ? plots + 20 : 0,
        across = width - left;
    const side = Math.min((across - 2 * apart) / 3, small ? Infinity : (plots - 2 * head - apart - CAPTION) / 2);
    const tall = small ? top + 2 * (head + side) + apart + CAPTION : plots;
    setAttributes(svg, { width, height: tall, viewBox: `0 0 ${width} ${tall}`, class: small ? "small" : "" });
    const corner = (/** @type {number} */ at) => [
        left + (at % 3) * (side + apart),
        top + head + Math.floor(at / 3) * (side + head + apart),
    ];
    const scorers = data.names.map((_, at) => at),
        moments = array("alike").shape[0];
    const tiles = [
        ...scorers.map((scorer) =>
            weightsTile(svg, data, array, scorer, corner(scorer < 2 ? scorer : scorer + 1), side),
        ),
        matrixTile(svg, data, array, corner(2), side),
    ];
    const hint = svgElement("text", { class: "hint tick", x: left, y: corner(3)[1] + side + 20 }, svg);
    const legend = () =>
        across > LEGEND * data.zoom
            ? `${t("rows: queries, columns: keys; ink: weight")}; ${t("W: blue above 0, red below")}`
            : t("rows: queries, columns: keys; ink: weight");
    let tell = legend; // what is said of the cell that is pointed at, whose number changes as time goes by
    const hinted = () => setText(hint, tell());
    for (const { area, grid, now, said } of tiles) {
        onHoverOrTap(
            area,
            (event) => {
                const [column, row] = placeOn(event, area).map((each) =>
                    clamp(Math.floor((each / side) * grid), 0, grid - 1),
                );
                tell = () =>
                    formatMessage(said, {
                        row: row + 1,
                        column: column + 1,
                        value: number(now()[row * grid + column], 3),
                    });
                hinted();
            },
            () => {
                tell = legend;
                hinted();
            },
        );
    }
    return {
        hinted,
        ...plotted(svg, data, array, moments, half, plots, time),
        tiles,
        likeness: likenessBars(svg, data, corner(5), side),
    };
}

/** Draw both curves of every scorer. @param {SVGSVGElement} svg @param {Data} data @param {Arrays} array @param {number} moments
 * @param {number} width @param {number} tall @param {import("../../../ui/live/timeline.js").Time} time */
function plotted(svg, data, array, moments, width, tall, time) {
    const ends = [LEFT, width - AFTER],
        each = (tall - FLOOR) / 2,
        x = linear([0, moments - 1], ends);
    const rest = svgElement("g", { class: "rest" }, svg),
        view = svgElement("svg", { class: "window", height: tall }, svg),
        positions = [...Array(moments).keys()];
    const panels = [t("loss on unseen queries"), t("share of unseen queries answered right")].map((title, row) => {
        const courses = data.names.map((_, scorer) => course(array, row, scorer)),
            most = row ? 1 : Math.max(...courses.flatMap((own) => [...own]));
        const y = linear([0, 1.04 * most], [(row + 1) * each - 4, row * each + HEAD]);
        setText(svgElement("text", { class: "strong", x: 0, y: row * each + 16 }, svg), title);
        yAxis(svg, ticks(0, most, 5), y, ends);
        for (const [kind, level] of /** @type {[string, number][]} */ ([
            ["best", courses[0][0]],
            ["guess", data.guess[row]],
        ])) {
            svgElement("line", { class: kind, x1: ends[0], x2: ends[1], y1: y(level), y2: y(level) }, svg);
        }
        const top = row * each + HEAD,
            floor = (row + 1) * each - 4,
            [best, guess] = [y(courses[0][0]), y(data.guess[row])];
        const above = (/** @type {number} */ level) => level - 6,
            below = (/** @type {number} */ level) => level + 17; // a label and its line
        const labels = [[t("guessing"), row && below(guess) < floor ? below(guess) : above(guess)]];
        if (row) labels.push([data.names[0], best - LABEL > top ? above(best) : below(best)]);
        for (const [name, height] of labels)
            setText(svgElement("text", { class: "tick end", x: ends[1] - 10, y: height }, svg), String(name));
        courses
            .slice(1)
            .forEach((own, at) =>
                [rest, view].forEach((into) =>
                    svgElement("path", { class: `course scorer${at + 1}`, d: linePath(positions, own, x, y) }, into),
                ),
            );
        return { y, courses };
    });
    xAxis(
        svg,
        positions.filter((at) => !(at % ((moments - 1) / 2))),
        x,
        tall - FLOOR,
        ends,
        (at) => String(at * data.stride),
    );
    setText(svgElement("text", { class: "tick mid", x: (ends[0] + ends[1]) / 2, y: tall - 6 }, svg), t("step"));
    const here = svgElement("g", { class: "here" }, svg);
    for (const row of [0, 1]) svgElement("line", { y1: row * each + HEAD - 6, y2: (row + 1) * each - 4 }, here);
    const dots = panels.flatMap(({ y, courses }) =>
        courses
            .slice(1)
            .map((own, at) => ({ y, own, dot: svgElement("circle", { class: `scorer${at + 1}`, r: 5 }, svg) })),
    );
    const area = svgElement("rect", { class: "grip", x: ends[0], width: ends[1] - ends[0], height: tall - FLOOR }, svg),
        back = linear(ends, [0, moments - 1]);
    makeDraggable(
        area,
        svg,
        (at) => time.at(clamp(back(at), 0, moments - 1)),
        () => {},
        time.pause,
    );
    return { x, view, here, dots };
}

/** Make a tile of cells; its title stands above. @param {SVGSVGElement} svg @param {string} title @param {string} kind @param {number[]} corner
 * @param {number} side @param {number} grid cells on each side @param {(t: number) => Float32Array} values @param {(value: number) => string} ink @param {string} said */
function tile(svg, title, kind, [left, top], side, grid, values, ink, said) {
    const group = svgElement("g", { transform: `translate(${left.toFixed(1)} ${top.toFixed(1)})` }, svg),
        size = side / grid,
        gap = grid > 16 ? 0 : 1;
    setText(svgElement("text", { class: `name ${kind}`, y: -9 }, group), title);
    const rects = Array.from({ length: grid * grid }, (_, at) =>
        svgElement(
            "rect",
            {
                x: ((at % grid) * size).toFixed(2),
                y: (Math.floor(at / grid) * size).toFixed(2),
                width: (size - gap).toFixed(2),
                height: (size - gap).toFixed(2),
            },
            group,
        ),
    );
    const area = svgElement("rect", { class: "cells", width: side, height: side }, group);
    /** @type {Float32Array} */ let now = new Float32Array();
    const show = (/** @type {number} */ t) => {
        now = values(t);
        rects.forEach((rect, at) => setAttributes(rect, { fill: ink(now[at]) }));
    };
    return { area, grid, said, show, now: () => now };
}

/** What a scorer makes of the queries. @param {SVGSVGElement} svg @param {Data} data @param {Arrays} array @param {number} scorer
 * @param {number[]} corner @param {number} side */
function weightsTile(svg, data, array, scorer, corner, side) {
    const packed = array("weights"),
        keys = packed.shape[3],
        colours = ramp(data.scale),
        cells = keys * keys;
    const values = (/** @type {number} */ t) => between(packed, t, scorer * cells, cells);
    return tile(
        svg,
        data.names[scorer],
        scorer ? `scorer${scorer}` : "",
        corner,
        side,
        keys,
        values,
        (value) => hex(colours, value),
        t("query {row}, key {column}: {value}"),
    );
}

/** The matrix of the bilinear score, on one scale for all moments. @param {SVGSVGElement} svg @param {Data} data @param {Arrays} array
 * @param {number[]} corner @param {number} side */
function matrixTile(svg, data, array, corner, side) {
    const packed = array("w"),
        d = packed.shape[1],
        colours = ramp(data.signed),
        reach = packed.values.reduce((most, each) => Math.max(most, Math.abs(each)), 1e-9);
    return tile(
        svg,
        t("its matrix W"),
        "scorer1",
        corner,
        side,
        d,
        (t) => between(packed, t, 0, d * d),
        (value) => hex(colours, 0.5 + value / reach / 2),
        t("row {row}, column {column} of W: {value}"),
    );
}

/** How like the dot product each scores. @param {SVGSVGElement} svg @param {Data} data @param {number[]} corner @param {number} side */
function likenessBars(svg, data, [left, top], side) {
    setText(
        svgElement("text", { class: "name", x: left, y: top - 9 }, svg),
        side < WORDY ? t("like q·k") : t("How like the dot product?"),
    );
    const x = linear([0, 1], [0, Math.max(side - CLEAR * data.zoom, 0)]),
        tall = side < WORDY ? 0.75 * BAR : BAR,
        each = side / (data.names.length - 1);
    return data.names.slice(1).map((name, at) => {
        const group = svgElement(
            "g",
            { transform: `translate(${left.toFixed(1)} ${(top + (at + 0.5) * each).toFixed(1)})` },
            svg,
        );
        setText(svgElement("text", { class: "tick", y: -3 }, group), name);
        svgElement("line", { class: "axis", y1: 2, y2: 6 + tall }, group);
        return {
            x,
            bar: svgElement("rect", { class: `scorer${at + 1}`, y: 4, height: tall }, group),
            value: svgElement("text", { class: "strong", y: 4 + tall }, group),
        };
    });
}

/** @param {ReturnType<typeof drawFit>} drawing @param {Data} _ @param {Arrays} array @param {number} t */
function paintFit({ x, view, here, dots, tiles, hinted, likeness }, _, array, t) {
    const at = x(t),
        alike = between(array("alike"), t, 1, likeness.length),
        from = Math.floor(t);
    setAttributes(view, { width: at.toFixed(1) });
    setAttributes(here, { transform: `translate(${at.toFixed(1)})` });
    for (const { y, own, dot } of dots)
        setAttributes(dot, {
            cx: at.toFixed(1),
            cy: y(lerp(own[from], own[Math.min(from + 1, own.length - 1)], t - from)).toFixed(1),
        });
    for (const { show } of tiles) show(t);
    hinted();
    likeness.forEach(({ x: along, bar, value }, row) => {
        const long = along(Math.max(alike[row], 0));
        setAttributes(bar, { width: long.toFixed(1) });
        setAttributes(value, { x: (long + 6).toFixed(1) });
        setText(value, number(alike[row], 2));
    });
}

/** Measures and weights of every scorer. @param {Data} data @param {Arrays} array @param {number} step */
function fitRows({ names }, array, step) {
    const written = (/** @type {number} */ value) => value.toFixed(4),
        keys = array("weights").shape[3],
        cells = keys * keys;
    const measures = [t("loss on unseen queries"), t("share of unseen queries answered right")].map((title, row) => [
        title,
        ...names.map((_, scorer) => written(course(array, row, scorer)[step])),
    ]);
    const weights = between(array("weights"), step, 0, names.length * cells);
    const cell = (/** @type {number} */ at) => names.map((_, scorer) => written(weights[scorer * cells + at]));
    return [
        ["", ...names],
        ...measures,
        [t("correlation with the dot product"), ...Array.from(between(array("alike"), step, 0, names.length), written)],
        ...Array.from({ length: cells }, (_, at) => [
            `q${Math.floor(at / keys) + 1} · k${(at % keys) + 1}`,
            ...cell(at),
        ]),
    ];
}
