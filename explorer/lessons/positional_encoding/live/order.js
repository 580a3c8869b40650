// Words in another order, under the pointer: they are dragged, and what a model makes of each travels along. What it
// makes of the new order is not known here: it is faint until Python has computed it.
import { element, live, windowHeight } from "../../../ui/live/dom.js";
import { t } from "../../../ui/live/words.js";
import { redrawOnResize } from "../../../ui/live/resize.js";
import { bars, setAttributes, svgElement, vectorBars, setText } from "../../../ui/live/drawing.js";
import { number, percent } from "../../../ui/live/numbers.js";
import { clamp, lerp, ease, tween } from "../../../ui/live/motion.js";
import { makeDraggable } from "../../../ui/live/drag.js";

/**
 * @typedef {import("../../../ui/live/unpack.js").Packed} Packed
 * @typedef {object} Data what Python sends
 * @property {Packed} before [2, tokens, numbers], in the new order @property {Packed} after the same @property {Packed} change [2, tokens]
 * @property {string[]} words as typed @property {number[]} sizes tokens of each word @property {string[]} labels tokens as typed
 * @property {number} components numbers of an output @property {number[]} order which word stands at each position @property {string[]} written what comes of both lanes
 */
/** @typedef {{group: SVGGElement, thread: SVGPathElement, lanes: {paths: import("../../../ui/live/drawing.js").Strip, marks: SVGPathElement, change: SVGTextElement}[]}} Token */

const LEAST = 56,
    TYPED = 18,
    CHIP = 96,
    TALL = 42,
    LANE = 132; // pixels: a token's width; heights of what stands above the lanes
const ROOM = 110; // pixels of a token: for a word beside its share
const MOVE_MS = 190,
    READ_MS = 420,
    SAME = 0.005;

export default (/** @type {import("../../../ui/live/dom.js").Component} */ component) =>
    live(component, "order", order);

/** Shorten a text to what fits. @param {string} text @param {number} wide pixels @param {number} size of the type */
function fitted(text, wide, size) {
    let long = 0;
    const letters = [...text],
        fits = letters.findIndex((letter) => (long += size * (letter > "\u2e80" ? 1 : 0.56)) > wide);
    return fits < 0 ? text : `${letters.slice(0, Math.max(1, fits - 1)).join("")}…`;
}

/** What the lanes are called. */
const laneNames = () => [t("Without position codes"), t("With position codes")];

/** @param {HTMLElement} root */
function order(root) {
    const title = element("p", "title"),
        scroll = element("div", "scroll"),
        unseen = element("div", "unseen");
    const heads = [element("div", "lane"), element("div", "lane with")],
        table = element("table", ""),
        aloud = element("p", "aloud");
    const svg = svgElement("svg", { role: "group" }, scroll);
    aloud.ariaLive = "polite";
    unseen.append(table, aloud);
    root.replaceChildren(title, scroll, ...heads, unseen);

    /** @type {Data} */ let data;
    /** @type {import("../../../ui/live/dom.js").Changed} */ let tell;
    /** @type {number[]} */ let now = []; // which word stands at each position
    /** @type {number[]} */ let at = []; // where each word is drawn: the column of its first token
    /** @type {ReturnType<typeof build>} */ let drawn;
    let moving = () => {},
        growing = () => {}; // how to stop words that move, and bars that grow
    let held = -1,
        picked = -1,
        off = 0;
    /** @type {number[]} */ let before = [];
    /** @type {Float32Array} */ let shown; // bars that are drawn, while they change to those of a new order

    const same = () => data.order.every((word, position) => word === now[position]);
    /** The column of the first token of each word, in an order. @param {number[]} positions */
    const columns = (positions) => {
        const made = new Array(positions.length);
        positions.reduce((from, word) => {
            made[word] = from;
            return from + data.sizes[word];
        }, 0);
        return made;
    };

    /** Make words, threads and the panels of all tokens, as typed. */
    function build() {
        const wide = root.clientWidth,
            n = data.labels.length,
            column = Math.max(LEAST, (wide - 2) / n),
            narrow = wide < 560;
        const tall = clamp(windowHeight(root) - 300, 450, 640),
            head = narrow ? 68 : 46,
            half = (tall - LANE - 2 * head - 52) / 4;
        const middles = [0, 1].map((lane) => LANE + head + half + lane * (2 * half + 26 + head)),
            panel = 0.86 * column;
        const size = column > 100 ? 18 : column > 66 ? 15.5 : 14;
        svg.replaceChildren();
        setAttributes(svg, { width: n * column, height: tall, viewBox: `0 0 ${n * column} ${tall}` });
        heads.forEach((line, lane) => {
            line.style.cssText = `top:${scroll.offsetTop + middles[lane] - half - head}px;height:${head}px`;
        });
        const tokens = data.labels.map((label, token) => {
            setText(
                svgElement("text", { class: "typed", x: (token + 0.5) * column, y: TYPED }, svg),
                fitted(label, column - 4, 15),
            );
            const thread = svgElement("path", { class: "thread" }, svgElement("g", {}, svg)),
                group = svgElement("g", {}, svg);
            const lanes = middles.map((y) => {
                svgElement(
                    "rect",
                    { class: "panel", x: (column - panel) / 2, y: y - half, width: panel, height: 2 * half, rx: 6 },
                    group,
                );
                svgElement(
                    "line",
                    { class: "zero", x1: (column - panel) / 2, x2: (column + panel) / 2, y1: y, y2: y },
                    group,
                );
                const paths = vectorBars(group, "bar"),
                    marks = svgElement("path", { class: "mark" }, group);
                return {
                    paths,
                    marks,
                    change: svgElement("text", { class: "change", x: column / 2, y: y + half + 19 }, group),
                };
            });
            return { group, thread, lanes };
        });
        setText(
            svgElement("text", { class: "typed", x: (n - 0.5) * column, y: CHIP + 6 }, svg),
            fitted(data.labels[n - 1], column - 4, 15),
        );
        const chips = data.words.map((word, number) => {
            const made = svgElement("g", { class: "grip", tabindex: 0, role: "button" }, svg),
                room = data.sizes[number] * column - 8;
            const text = fitted(word, room - 6, size),
                width = Math.max(36, Math.min(room, fittedWidth(text, size) + 26));
            svgElement("title", {}, made).textContent = word;
            svgElement(
                "rect",
                { class: "chip", x: (room + 8 - width) / 2, y: CHIP - TALL / 2, width, height: TALL, rx: 10 },
                made,
            );
            setText(svgElement("text", { x: (room + 8) / 2, y: CHIP + 6, "font-size": size }, made), text);
            makeDraggable(
                made,
                svg,
                (x) => drag(number, x / column),
                (right) => step(number, right),
                told,
            );
            made.addEventListener("keydown", (event) => key(number, event));
            made.addEventListener("blur", () => {
                if (picked === number) drop();
            });
            return made;
        });
        return { column, half, middles, panel, tokens, chips };
    }

    /** Let a word follow the pointer; the others make room. @param {number} word @param {number} x in columns */
    function drag(word, x) {
        if (held !== word) [held, off] = [word, x - at[word]];
        at[word] = clamp(x - off, 0, data.labels.length - 1 - data.sizes[word]);
        const others = now.filter((each) => each !== word);
        let position = 0;
        for (
            let from = 0;
            position < others.length && at[word] > from + data.sizes[others[position]] / 2;
            position += 1
        )
            from += data.sizes[others[position]];
        others.splice(position, 0, word);
        now = others;
        settle();
    }

    /** Move the word that is picked up, or go to the next one. @param {number} word @param {number} right */
    function step(word, right) {
        const position = now.indexOf(word),
            to = position + Math.sign(right);
        if (!right || to < 0 || to >= now.length) return;
        if (picked !== word) return drawn.chips[now[to]].focus();
        [now[position], now[to]] = [now[to], now[position]];
        settle();
        aloud.textContent = named(word);
    }

    /** @param {number} word @param {KeyboardEvent} event */
    function key(word, event) {
        if (event.key === "Escape" && picked === word) {
            now = before;
            drop();
        } else if (event.key === " " || event.key === "Enter") {
            event.preventDefault();
            if (picked === word) return drop();
            [picked, before] = [word, [...now]];
            settle();
            aloud.textContent = t("{word}: arrow keys move it, space puts it down, Escape puts it back", {
                word: named(word),
            });
        }
    }

    function drop() {
        picked = -1;
        told();
    }

    /** Tell Python, unless a word is still held. */
    function told() {
        held = -1;
        if (picked >= 0) return;
        settle();
        if (!same()) tell({ order: { order: [...now] } });
    }

    const named = (/** @type {number} */ word) =>
        t("{word}, position {position} of {n}", {
            word: data.words[word],
            position: now.indexOf(word) + 1,
            n: now.length,
        });

    /** Let every word that is not held go to its position. */
    function settle() {
        const from = [...at],
            to = columns(now);
        moving();
        const waiting = !same();
        root.classList.toggle("waiting", waiting);
        const much = data.change.values,
            positions = typedPlaces();
        drawn.tokens.forEach(({ lanes }, token) =>
            lanes.forEach(({ change }, lane) => {
                const share = much[lane * positions.length + positions[token]];
                setText(
                    change,
                    waiting
                        ? "…"
                        : share < SAME
                          ? t("the same")
                          : drawn.column > ROOM
                            ? t("{share} changed", { share: percent(share) })
                            : percent(share),
                );
                change.classList.toggle("much", share >= SAME);
            }),
        );
        heads.forEach((head, lane) =>
            setText(/** @type {Element} */ (head.lastElementChild), waiting ? "…" : data.written[lane]),
        );
        drawn.chips.forEach((chip, word) => {
            chip.classList.toggle("held", word === held || word === picked);
            chip.classList.toggle("away", now[word] !== word);
            setAttributes(chip, { "aria-label": named(word), "aria-pressed": word === picked });
        });
        moving = tween(MOVE_MS, (share) => {
            at.forEach((_, word) => {
                if (word !== held) at[word] = lerp(from[word], to[word], ease(share));
            });
            place();
        });
        place();
    }

    /** Draw every word, and its tokens' panels and threads, where it is. */
    function place() {
        const { column, tokens, chips } = drawn;
        const put1 = (/** @type {number} */ token, /** @type {number} */ to) => {
            const { group, thread } = tokens[token],
                [x, toX] = [(token + 0.5) * column, (to + 0.5) * column],
                [top, low] = [TYPED + 7, CHIP - TALL / 2];
            setAttributes(group, { transform: `translate(${(to * column).toFixed(1)} 0)` });
            setAttributes(thread, {
                d: `M${x.toFixed(1)} ${top}C${x.toFixed(1)} ${(top + low) / 2} ${toX.toFixed(1)} ${(top + low) / 2} ${toX.toFixed(1)} ${low}`,
            });
            setAttributes(/** @type {Element} */ (thread.parentElement), {
                class: Math.abs(to - token) > 0.02 ? "away" : "",
            });
        };
        let token = 0;
        chips.forEach((chip, word) => {
            setAttributes(chip, { transform: `translate(${(at[word] * column).toFixed(1)} 0)` });
            for (let k = 0; k < data.sizes[word]; k += 1, token += 1) put1(token, at[word] + k);
        });
        put1(token, token);
    }

    /** The new position of each token as typed, in the order that Python computed. */
    function typedPlaces() {
        const from = columns(data.order);
        return [
            ...data.words.flatMap((_, word) => Array.from({ length: data.sizes[word] }, (_, k) => from[word] + k)),
            data.labels.length - 1,
        ];
    }

    /** Draw bars and marks of the order that Python computed; the bars grow from what was drawn. */
    function read() {
        const { half, column, panel, tokens } = drawn,
            [after, was] = [data.after, data.before.values];
        const [, n, count] = after.shape,
            slot = panel / (count + 1),
            positions = typedPlaces(),
            scale = (0.95 * half) / reach();
        const goal = new Float32Array(2 * n * count),
            start = shown?.length === goal.length ? shown : null;
        const from = (/** @type {number} */ lane, /** @type {number} */ token) => (lane * n + positions[token]) * count;
        tokens.forEach(({ lanes }, token) =>
            lanes.forEach(({ marks }, lane) => {
                goal.set(
                    after.values.subarray(from(lane, token), from(lane, token) + count),
                    (lane * n + token) * count,
                );
                const x = (column - panel) / 2 + slot / 2,
                    y = drawn.middles[lane],
                    old = was.subarray(from(lane, token), from(lane, token) + count);
                setAttributes(marks, {
                    d: [...old]
                        .map(
                            (value, i) =>
                                `M${(x + i * slot).toFixed(1)} ${(y - value * scale).toFixed(1)}h${slot.toFixed(1)}`,
                        )
                        .join(""),
                });
            }),
        );
        growing();
        growing = tween(start ? READ_MS : 0, (share) => {
            shown = start ? goal.map((value, i) => lerp(start[i], value, ease(share))) : goal;
            tokens.forEach(({ lanes }, token) =>
                lanes.forEach(({ paths }, lane) =>
                    bars(paths, shown.subarray((lane * n + token) * count, (lane * n + token + 1) * count), {
                        x: (column - panel) / 2 + slot / 2,
                        y: drawn.middles[lane],
                        slot,
                        offset: 0.1 * slot,
                        width: 0.8 * slot,
                        scale,
                    }),
                ),
            );
        });
        fill(positions);
    }

    const reach = () =>
        [data.before, data.after].reduce(
            (most, { values }) => values.reduce((all, each) => Math.max(all, Math.abs(each)), most),
            1e-9,
        );

    /** Write the numbers that are drawn for those who cannot see them. @param {number[]} positions */
    function fill(positions) {
        const [after, was, change] = [data.after, data.before.values, data.change.values],
            [, n, count] = after.shape;
        const row = (/** @type {string[]} */ cells, /** @type {"th" | "td"} */ kind) => {
            const made = element("tr", "");
            made.append(
                ...cells.map((text, i) => {
                    const cell = element(i ? kind : "th", "", text);
                    if (cell.nodeName === "TH") cell.setAttribute("scope", i ? "col" : "row");
                    return cell;
                }),
            );
            return made;
        };
        const heads = [0, 1].flatMap((lane) =>
            [
                t("change"),
                ...[t("before"), t("after")].flatMap((name) =>
                    Array.from({ length: count }, (_, i) => `${name} ${i + 1}`),
                ),
            ].map((text) => `${laneNames()[lane]}: ${text}`),
        );
        table.replaceChildren(
            element("caption", "", t("What the encoder makes of each word")),
            row([t("token"), ...heads], "th"),
            ...Array.from({ length: n }, (_, at) =>
                row(
                    [
                        data.labels[positions.indexOf(at)],
                        ...[0, 1].flatMap((lane) => [
                            number(change[lane * n + at], 4),
                            ...[was, after.values].flatMap((values) =>
                                [...values.subarray((lane * n + at) * count, (lane * n + at + 1) * count)].map((each) =>
                                    number(each, 4),
                                ),
                            ),
                        ]),
                    ],
                    "td",
                ),
            ),
        );
    }

    const drawing = redrawOnResize(
        root,
        () => {
            drawn = build();
            at = columns(now);
        },
        () => {
            settle();
            read();
        },
    );
    return {
        /** @param {Data} sent @param {import("../../../ui/live/dom.js").Changed} told */
        take(sent, told) {
            [tell, data] = [told, sent];
            if (held < 0 && picked < 0) now = [...sent.order]; // what the reader holds is newer
            drawing.take([sent.labels, sent.words, sent.sizes, sent.components], () => {
                [now, held, picked] = [[...sent.order], -1, -1];
                title.replaceChildren(
                    t("What the encoder makes of each word"),
                    element(
                        "span",
                        "",
                        t("{shown} of its {all} numbers; the marks: as typed", {
                            shown: sent.after.shape.at(-1),
                            all: sent.components,
                        }),
                    ),
                );
                heads.forEach((line, lane) =>
                    line.replaceChildren(
                        element("b", "", laneNames()[lane]),
                        element("span", "", `${t("in French:")} `),
                        element("em", ""),
                    ),
                );
                svg.ariaLabel = t("Drag a word to another position, or press space and move it with the arrow keys");
                shown = new Float32Array();
                return [];
            });
        },
        end() {
            moving();
            growing();
            drawing.end();
        },
    };
}

/** About how wide a text is. @param {string} text @param {number} size */
const fittedWidth = (text, size) => [...text].reduce((long, letter) => long + size * (letter > "\u2e80" ? 1 : 0.56), 0);
