// A word on its way through the decoder: what each sub-layer adds, what would be written after it, and where it looked.
import { t } from "../../../ui/live/words.js";
import { linear } from "../../../ui/live/axes.js";
import { setAttributes, svgElement, setText } from "../../../ui/live/drawing.js";
import { number, percent } from "../../../ui/live/numbers.js";
import { clamp, ease, progressBetween, lerp } from "../../../ui/live/motion.js";
import { screened } from "../../../ui/live/timeline.js";

/** @typedef {import("../../../ui/live/timeline.js").Arrays} Arrays
 * @typedef {{points: {name: string, kind: string}[], choices: string[][], written: boolean[][], looks: string[][],
 *   zoom: number}} Data
 *   array: `norm` and `added` [points], `lens` [points, choices], `weights` [points, tokens], the largest first, NaN where there is none
 * @typedef {{x: number, y: number, width: number, names: number, line: number}} Place where bars lie: room of their names, from bar to bar */

const HEAD = 26,
    PHONE = 620,
    GAP = 34,
    VALUE = 52; // pixels

const words = () => ({
    where: t("Step on the way"),
    position: t("Step {n} of {m}"),
    alt: t("The vector of one word, what each sub-layer adds to it, and what would be written after it"),
});

/** @param {import("../../../ui/live/dom.js").Component} component */
export default function (component) {
    return screened(component, "token", { words, beside: 340, draw: drawToken, paint: paintToken, rows });
}

/** @param {SVGSVGElement} svg @param {Data} data @param {Arrays} array @param {number} width @param {number} room @param {import("../../../ui/live/timeline.js").Time} time */
function drawToken(svg, data, array, width, room, time) {
    const count = data.points.length,
        small = width < PHONE,
        half = small ? width : (width - GAP) * 0.54,
        head = HEAD * data.zoom;
    const row = clamp((room - head) / count, 20, 46),
        choices = array("lens").shape[1],
        tokens = array("weights").shape[1];
    const left = { x: 0, y: head, width: half, names: 178 * data.zoom, line: row },
        low = small ? head + count * row + 18 : 0;
    const line = small ? 26 : clamp((room - 2 * head - 18) / (choices + tokens), 17, 34),
        x = small ? 0 : half + GAP;
    const right = { x, y: low + head, width: width - x, names: 128 * data.zoom, line };
    const below = { ...right, y: right.y + choices * line + 18 + head };
    const tall = Math.max(head + count * row, below.y + tokens * line) + 4;
    setAttributes(svg, { width, height: tall, viewBox: `0 0 ${width} ${tall}` });
    const titles = [
        [0, 16, t("Lengths: the vector, and what is added to it")],
        [x, low + 16, ""],
        [x, below.y - 12, t("Where it looked")],
    ].map(([at, y, text]) => {
        const title = svgElement("text", { class: "strong", x: at, y }, svg);
        setText(title, String(text));
        return title;
    });
    const way = drawWay(svg, data, array, left, time);
    const lens = chosen(data, array).map((each) => ({
        ...each,
        bar: lying(svg, each.text, each.written ? "bar written" : "bar", right),
    }));
    const looks = data.looks.map((names) => {
        const group = svgElement("g", {}, svg);
        return { group, bars: names.map((text, at) => ({ ...lying(group, text, "bar looked", below), at })) };
    });
    const nowhere = svgElement("text", { class: "tick", x, y: below.y + 14 }, svg);
    setText(nowhere, t("This one looks nowhere: it works on each word alone."));
    data.looks.forEach((names, point) =>
        looks[point].bars.forEach((bar, at) =>
            setAttributes(bar.group, { transform: `translate(0 ${(at * line).toFixed(1)})` }),
        ),
    );
    return { way, lens, looks, nowhere, title: titles[1], right, choices };
}

/** The lengths: a row for each point of the way, which can be pointed at. @param {SVGSVGElement} svg @param {Data} data @param {Arrays} array
 * @param {Place} position @param {import("../../../ui/live/timeline.js").Time} time */
function drawWay(svg, data, array, { y, width, names, line }, time) {
    const [norm, added] = [array("norm").values, array("added").values],
        x = linear([0, Math.max(...norm, ...added)], [names, width - VALUE]);
    const frame = svgElement("rect", { class: "frame", x: 1, width: width - 2, height: line, rx: 6 }, svg);
    const rows = data.points.map(({ name, kind }, at) => {
        const middle = y + (at + 0.5) * line,
            group = svgElement("g", { class: "row" }, svg),
            wide = x(added[at]) - names;
        svgElement("rect", { class: "area", x: 0, y: middle - line / 2, width, height: line }, group).onclick = () =>
            time.to(at);
        fit(svgElement("text", { x: names - 10, y: middle + 5, "text-anchor": "end" }, group), name, names - 16);
        const [, bar] = ["to_come", ""].map((when) =>
            svgElement(
                "rect",
                {
                    class: `bar ${kind} ${when}`,
                    x: names,
                    y: middle - 0.26 * line,
                    width: wide,
                    height: 0.52 * line,
                    rx: 2,
                },
                group,
            ),
        );
        setText(
            svgElement("text", { class: "tick", x: width - 8, y: middle + 5, "text-anchor": "end" }, group),
            number(added[at]),
        );
        return { group, bar, wide };
    });
    const at = (/** @type {number} */ point) => ({ x: x(norm[point]), y: y + (point + 0.5) * line });
    return {
        frame,
        rows,
        y,
        line,
        at,
        path: svgElement("path", { class: "norm" }, svg),
        dot: svgElement("circle", { class: "dot", r: 5 }, svg),
    };
}

/** A bar that lies, its name before it and a number behind. @param {Element} parent @param {string} text @param {string} kind @param {Place} position */
function lying(parent, text, kind, { x, y, names, width, line }) {
    const group = svgElement("g", {}, parent),
        inner = svgElement("g", { transform: `translate(${x} ${y})` }, group),
        most = width - names - VALUE;
    fit(svgElement("text", { x: names - 8, y: 0.5 * line + 5, "text-anchor": "end" }, inner), text, names - 12);
    return {
        group,
        bar: svgElement("rect", { class: kind, x: names, y: 0.14 * line, height: 0.72 * line, rx: 2 }, inner),
        value: svgElement("text", { class: "tick", y: 0.5 * line + 5 }, inner),
        names,
        most,
    };
}

/** Write a text, narrower where there is no room. @param {SVGTextElement} node @param {string} text @param {number} room */
function fit(node, text, room) {
    if (node.textContent === text) return;
    node.removeAttribute("textLength");
    setText(node, text);
    if (node.getComputedTextLength() > room)
        setAttributes(node, { textLength: room.toFixed(1), lengthAdjust: "spacingAndGlyphs" });
}

/** Make a bar as long as a share. @param {ReturnType<typeof lying>} bar @param {number} share */
function grown({ bar, value, names, most }, share) {
    setAttributes(bar, { width: Math.max(share * most, 0.8).toFixed(1) });
    setAttributes(value, { x: (names + share * most + 6).toFixed(1) });
    setText(value, percent(share));
}

/** Every piece that is ever among the choices: its place and share after each point; below all of them where it is not. @param {Data} data @param {Arrays} array */
function chosen(data, array) {
    const {
        shape: [points, count],
        values,
    } = array("lens");
    /** @type {Map<string, {text: string, written: boolean, positions: number[], shares: number[]}>} */ const found =
        new Map();
    data.choices.forEach((names, point) =>
        names.forEach((text, at) => {
            const key = `${text} ${names.slice(0, at).filter((each) => each === text).length}`;
            const one = found.get(key) ?? {
                text,
                written: data.written[point][at],
                positions: Array(points).fill(count),
                shares: Array(points).fill(0),
            };
            [one.positions[point], one.shares[point]] = [at, values[point * count + at]];
            found.set(key, one);
        }),
    );
    return [...found.values()];
}

/** @param {ReturnType<typeof drawToken>} drawing @param {Data} data @param {Arrays} array @param {number} now */
function paintToken({ way, lens, looks, nowhere, title, right, choices }, data, array, now) {
    const from = Math.floor(now),
        to = Math.min(from + 1, data.points.length - 1),
        share = ease(now - from);
    const near = Math.round(now),
        apart = Math.abs(2 * clamp(now - from) - 1),
        [start, end] = [way.at(from), way.at(to)];
    fit(title, t("{where}: what the lens reads after it", { where: data.points[near].name }), right.width);
    setAttributes(way.frame, { y: (way.y + lerp(from, to, share) * way.line).toFixed(1) });
    way.rows.forEach(({ group, bar, wide }, at) => {
        setAttributes(group, { class: at <= near ? "row" : "row later" });
        setAttributes(bar, { width: (wide * (at <= from ? 1 : at === to ? share : 0)).toFixed(1) });
    });
    const tip = { x: lerp(start.x, end.x, share), y: lerp(start.y, end.y, share) };
    setAttributes(way.path, {
        d: [...Array.from({ length: from + 1 }, (_, at) => way.at(at)), tip]
            .map(({ x, y }, at) => `${at ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`)
            .join(""),
    });
    setAttributes(way.dot, { cx: tip.x.toFixed(1), cy: tip.y.toFixed(1) });
    for (const { positions, shares, bar } of lens) {
        const position = lerp(positions[from], positions[to], share),
            seen = clamp(choices - position);
        setAttributes(bar.group, {
            display: seen > 0.01 ? "inline" : "none",
            opacity: seen.toFixed(2),
            transform: `translate(0 ${(position * right.line).toFixed(1)})`,
        });
        grown(bar, lerp(shares[from], shares[to], share));
    }
    const {
        shape: [, tokens],
        values,
    } = array("weights");
    looks.forEach(({ group, bars }, point) => {
        setAttributes(group, { display: point === near ? "inline" : "none", opacity: apart.toFixed(2) });
        if (point === near)
            bars.forEach((bar) =>
                grown(bar, values[point * tokens + bar.at] * (to === from ? 1 : progressBetween(apart, 0, 1))),
            );
    });
    setAttributes(nowhere, { display: data.looks[near].length ? "none" : "inline", opacity: apart.toFixed(2) });
}

/** Both lengths, what the lens reads, and where it looked. @param {Data} data @param {Arrays} array @param {number} step */
function rows(data, array, step) {
    const of = (/** @type {string} */ name, /** @type {string[]} */ texts) =>
        texts.map((text, at) => [text, array(name).values[step * array(name).shape[1] + at].toFixed(4)]);
    return [
        [data.points[step].name, ""],
        [t("the vector"), array("norm").values[step].toFixed(4)],
        [t("added"), array("added").values[step].toFixed(4)],
        ["", t("probability")],
        ...of("lens", data.choices[step]),
        ["", t("weight")],
        ...of("weights", data.looks[step]),
    ];
}
