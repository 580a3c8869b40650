// What a class has tried, as a picture: its map beside the model's, its numbers below the curve that says which is best.
import { linear, linePath, logarithmic, ticks, xAxis, yAxis } from "../ui/live/axes.js";
import { element, screenReaderOnly, updateTableWhenIdle } from "../ui/live/dom.js";
import { setText, svgElement } from "../ui/live/drawing.js";
import { formatSignificant, percent } from "../ui/live/numbers.js";
import { setLanguage, t } from "../ui/live/words.js";

/** Text by language. @typedef {Record<string, string>} Said */
/** What a class was asked and all of it that was revealed, as `kinds.py` says it.
 * @typedef {{kind: "number" | "words" | "mask", label: Said, low: number, high: number, log: boolean, rows: string[],
 *   columns: string[], counts: Record<string, any>, right: any}} Tried */

const CELL = 46, // pixels of a cell, of the names beside and above the cells, between two maps
    LEFT = 116,
    ABOVE = 112,
    BETWEEN = 40,
    NUMBERED = 0.05, // a lighter weight has no number in its cell
    DARK = 0.8; // a cell of more ink has a light number
const WIDE = 900,
    CURVE = 300, // pixels of the curve, of the room below it for the class's answers, of a dot
    STRIP = 120,
    DOT = 5;

const top = (/** @type {number[]} */ row) => row.indexOf(Math.max(...row));
const count = (/** @type {number[]} */ all, /** @type {number} */ one) => all.filter((each) => each === one).length;
const sum = (/** @type {number[]} */ row) => row.reduce((all, each) => all + each, 0);

/** Draw what a class tried. @param {HTMLElement} root @param {Tried} tried @param {string} language
 * @param {number} [shown] number of the model's map */
export function drawTried(root, tried, language, shown = 0) {
    setLanguage(language);
    root.replaceChildren();
    (tried.kind === "number" ? drawNumbers : drawMaps)(root, tried, (text) => text[language] ?? text.en ?? "", shown);
}

/** The middle of the class, and between which numbers its inner half lies. @param {number[]} values ascending */
function quartiles(values) {
    const at = (/** @type {number} */ share) => {
        const place = share * (values.length - 1),
            low = Math.floor(place);
        return values[low] + (place - low) * (values[Math.min(low + 1, values.length - 1)] - values[low]);
    };
    return [0.25, 0.5, 0.75].map(at);
}

/** @param {HTMLElement} root @param {Tried} tried @param {(text: Said) => string} said @param {number} shown */
function drawMaps(root, { kind, rows, columns, counts, right }, said, shown) {
    const mine = /** @type {number[][]} */ (counts["1"].weights),
        model = right.maps[shown],
        people = Math.max(...counts["1"].n),
        second = LEFT + columns.length * CELL + BETWEEN,
        tall = ABOVE + rows.length * CELL + 4,
        wide = second + columns.length * CELL + 70,
        svg = svgElement("svg", { viewBox: `0 0 ${wide} ${tall}`, role: "img" }, root);
    svg.setAttribute("aria-label", `${t("The class")}, ${said(model.name)}`);
    const written = (/** @type {Record<string, unknown>} */ place, /** @type {string} */ text) =>
        setText(svgElement("text", place, svg), text);
    written({ class: "head", x: LEFT, y: 20 }, t("The class: {n} answered", { n: people }));
    written({ class: "head", x: second, y: 20 }, said(model.name));
    rows.forEach((word, y) => written({ x: LEFT - 10, y: ABOVE + (y + 0.5) * CELL + 7, "text-anchor": "end" }, word));
    const drawn = /** @type {const} */ ([
        [mine, LEFT, "class"],
        [model.weights, second, "model"],
    ]);
    for (const [weights, left, whose] of drawn) {
        columns.forEach((word, x) =>
            written({ transform: `translate(${left + (x + 0.5) * CELL + 5} ${ABOVE - 9}) rotate(-48)` }, word),
        );
        weights.forEach((/** @type {number[]} */ row, /** @type {number} */ y) =>
            row.forEach((weight, x) => {
                const first = kind === "words" && weight > 0 && x === top(row),
                    [px, py] = [left + x * CELL, ABOVE + y * CELL];
                svgElement(
                    "rect",
                    {
                        class: first ? `cell ${whose} first` : `cell ${whose}`,
                        style: `--weight:${(100 * weight).toFixed(0)}%`,
                        ...{ x: px + 1.5, y: py + 1.5, width: CELL - 3, height: CELL - 3, rx: 5 },
                    },
                    svg,
                );
                if (weight >= NUMBERED)
                    written(
                        {
                            class: weight > DARK ? "weight on" : "weight",
                            ...{ x: px + CELL / 2, y: py + CELL / 2 + 6, "text-anchor": "middle" },
                        },
                        String(Math.round(100 * weight)),
                    );
            }),
        );
    }
    root.append(
        element(
            "p",
            "reading",
            kind === "mask" ? agreed(mine, model.weights) : compared(rows, columns, mine, model.weights),
        ),
    );
    updateTableWhenIdle(screenReaderOnly(root, "table"), t("The class, and beside it the model, in percent"), () => [
        ["", ...columns],
        ...rows.map((word, y) => [
            word,
            ...columns.map((_, x) => `${percent(mine[y][x])} · ${percent(model.weights[y][x])}`),
        ]),
    ]);
}

/** Say where the class and the model look at the same word first, and where they are furthest apart.
 * @param {string[]} rows @param {string[]} columns @param {number[][]} mine @param {number[][]} model */
function compared(rows, columns, mine, model) {
    const answered = rows.map((_, y) => y).filter((y) => sum(mine[y]) > 0),
        same = answered.filter((y) => top(mine[y]) === top(model[y])),
        apart = (/** @type {number} */ y) => sum(mine[y].map((each, x) => Math.abs(each - model[y][x]))),
        others = answered.filter((y) => !same.includes(y)).sort((one, other) => apart(other) - apart(one)),
        [far = 0] = others,
        words = { word: rows[far], class: columns[top(mine[far])], model: columns[top(model[far])] },
        said = t("For {same} of {all} words the class and the model look at the same word first.", {
            same: same.length,
            all: answered.length,
        });
    if (answered.length === 1) return t("The class looks most at “{class}”, the model at “{model}”.", words);
    if (!others.length) return said;
    return `${said} ${t("Furthest apart: “{word}”. The class looks at “{class}”, the model at “{model}”.", words)}`;
}

/** Say in how many cells most of the class paint what the model's mask has. @param {number[][]} mine @param {number[][]} model */
function agreed(mine, model) {
    const cells = mine.flatMap((row, y) => row.map((share, x) => share > 0.5 === model[y][x] > 0.5));
    return t("In {same} of {all} cells most of the class say what the mask says.", {
        same: cells.filter(Boolean).length,
        all: cells.length,
    });
}

/** @param {HTMLElement} root @param {Tried} tried @param {(text: Said) => string} said */
function drawNumbers(root, { label, low, high, log, counts, right }, said) {
    const values = /** @type {number[]} */ (counts["1"].values),
        there = right.x.map(
            (/** @type {number} */ x, /** @type {number} */ at) => x >= low && x <= high && right.y[at] !== null,
        ),
        xs = right.x.filter((/** @type {number} */ _, /** @type {number} */ at) => there[at]),
        ys = /** @type {number[]} */ (right.y.filter((/** @type {number} */ _, /** @type {number} */ at) => there[at])),
        ends = [60, WIDE - 20],
        x = (log ? logarithmic : linear)([low, high], ends),
        levels = ticks(Math.min(0, ...ys), Math.max(...ys), 5),
        y = linear([levels[0], Math.max(levels[levels.length - 1], ...ys)], [CURVE, 40]),
        floor = CURVE + STRIP,
        svg = svgElement("svg", { viewBox: `0 0 ${WIDE} ${floor + 50}`, role: "img" }, root),
        word = (/** @type {Record<string, unknown>} */ place, /** @type {string} */ text) =>
            setText(svgElement("text", place, svg), text);
    svg.setAttribute("aria-label", `${right.says && said(right.says)}, ${t("The class")}`);
    yAxis(svg, levels, y, ends);
    word({ class: "head", x: ends[0], y: 20 }, said(right.says));
    svgElement("path", { class: "curve", d: linePath(xs, ys, x, y) }, svg);
    const best = x(right.value),
        before = best > WIDE * 0.8; // the number stands on the side where there is room
    svgElement("line", { class: "best", x1: best, x2: best, y1: 30, y2: floor }, svg);
    word(
        { class: "right", x: best + (before ? -8 : 8), y: CURVE + 30, "text-anchor": before ? "end" : "start" },
        formatSignificant(right.value),
    );
    const places = values.map((value) => Math.round(x(value) / (2 * DOT))),
        step = Math.min(2 * DOT + 1, (STRIP - 20) / Math.max(1, ...places.map((at) => count(places, at))));
    values.forEach((value, at) => {
        const above = count(places.slice(0, at), places[at]) + 0.5;
        svgElement("circle", { class: "dot", cx: x(value), cy: floor - step * above, r: DOT }, svg);
    });
    xAxis(svg, log ? decades(low, high) : ticks(low, high, 8), x, floor, ends);
    word({ class: "tick", x: ends[1], y: floor + 42, "text-anchor": "end" }, said(label));
    const short = (/** @type {number} */ value) => formatSignificant(value, 2);
    if (values.length) {
        const [quarter, middle, upper] = quartiles(values);
        const told = { middle: short(middle), low: short(quarter), high: short(upper), n: values.length };
        root.append(
            element(
                "p",
                "reading",
                `${t("{n} answered. The middle of the class: {middle}; half lie between {low} and {high}.", told)} ${t("Computed: {right}.", { right: formatSignificant(right.value) })}`,
            ),
        );
    }
    updateTableWhenIdle(screenReaderOnly(root, "table"), t("What the class answered"), () => [
        [said(label), t("The class")],
        ...[...new Set(values)].map((each) => [formatSignificant(each), String(count(values, each))]),
    ]);
}

/** 1, 2 and 5 of every decade; where that is too many, 1 alone. @param {number} low @param {number} high */
function decades(low, high) {
    const steps = Math.log10(high / low) > 3 ? [1] : [1, 2, 5],
        made = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power += 1)
        for (const step of steps) {
            const each = Number((step * 10 ** power).toPrecision(3));
            if (each >= low * (1 - 1e-9) && each <= high * (1 + 1e-9)) made.push(each);
        }
    return made;
}
