// One word inside of a layer: its line is large, the others are pale; each head's look stands on the lines of the words.
import {
    element,
    live,
    standsAlone,
    updateTableWhenIdle,
    screenReaderOnly,
    windowHeight,
} from "../../../ui/live/dom.js";
import { formatMessage, t } from "../../../ui/live/words.js";
import { svgElement } from "../../../ui/live/drawing.js";
import { clamp } from "../../../ui/live/motion.js";
import { number } from "../../../ui/live/numbers.js";
import { liveRegion } from "../../../ui/live/live_region.js";
import { chip, hue, net, pressable, scaleOf, sum, vector, word, write, nameStop } from "./ride_kit.js";

/** @typedef {import("../../../ui/live/timeline.js").Arrays} Arrays
 * @typedef {import("./ride_kit.js").Common & {title: string, numbers: boolean, at: number, active: number,
 *   arrays: Record<string, import("../../../ui/live/unpack.js").Packed>, heads: number[][][], norms: {mean: number, scale: number}[]}} Data stops are the parts of the layer, `heads` their weights [heads,
 *   words]; arrays as of the ride */
/** @typedef {{x: number, y: number, width: number, tall: number}} Room */

const PHONE = 620,
    BESIDE = 300, // pixels of the page above and below
    LEAST = 1.2; // pixels of a disc
/** Where a word is cut into pieces. */ const CUT = "\u2011";
const ACROSS = 32; // units beside each other
/** How wide a part is beside the others. @type {Record<string, number>} */ const SHARE = { look: 1.2, alone: 0.8 };

export default (/** @type {import("../../../ui/live/dom.js").Component} */ component) =>
    live(component, "in_layer", mount);

/** @param {HTMLElement} root */
function mount(root) {
    const stage = element("div", "stage"),
        svg = svgElement("svg", { role: "group" }, stage);
    root.replaceChildren(stage);
    liveRegion(root);
    const table = screenReaderOnly(root, "table");
    /** @type {Data | null} */ let data = null;
    /** @type {Arrays} */ let array;
    /** @type {import("../../../ui/live/dom.js").Changed} */ let tell;

    function build() {
        if (!data || !root.clientWidth) return;
        const { title, heads, stops } = data;
        svg.style.setProperty("--zoom", String(data.type));
        svg.replaceChildren();
        drawLayer(svg, data, array, root.clientWidth, Math.max(windowHeight(root) - BESIDE, 300), (row) =>
            tell({ word: row }),
        );
        svg.ariaLabel = title;
        const given = data;
        updateTableWhenIdle(table, title, () => [
            [t("number"), ...heads[0].map((_, head) => String(head))],
            ...stops.flatMap((stop, part) =>
                asked(given, stop)
                    .slice(0, heads[part][0]?.length ?? 0)
                    .map((text, at) => [
                        `${nameStop(stop.kind)}: ${text}`,
                        ...heads[part].map((each) => each[at].toFixed(4)),
                    ]),
            ),
        ]);
    }
    const resized = new ResizeObserver(build);
    resized.observe(root);
    return {
        /** @param {Data} now @param {import("../../../ui/live/dom.js").Changed} told */
        take(now, told) {
            [data, array, tell] = [now, (name) => now.arrays[name], told];
            build();
        },
        end: () => resized.disconnect(),
    };
}

/** Words that are asked at a stop. @param {Data} data @param {import("./ride_kit.js").Stop} stop */
const asked = (data, { kind, stack }) => (kind === "look" || stack === "enc" ? data.source : data.read);

/** Words of the decoder, each with its row; what is not yet written is not cut into pieces. @param {Data} data */
const written = ({ read, at }) =>
    read.reduce((/** @type {{text: string, row: number}[]} */ found, text, row) => {
        const last = found[found.length - 1];
        if (row > at + 1 && last.text.length > 1 && last.text.endsWith(CUT) && text.startsWith(CUT))
            last.text = last.text.slice(0, -1) + text.slice(1);
        else found.push({ text, row });
        return found;
    }, []);

/** @param {SVGSVGElement} svg @param {Data} data @param {Arrays} array @param {number} width @param {number} room @param {(row: number) => void} pick */
function drawLayer(svg, data, array, width, room, pick) {
    const phone = width < PHONE,
        { type, stops } = data,
        words = stops[0].stack === "enc" ? data.source.map((text, row) => ({ text, row })) : written(data),
        lines = words.map(({ text }) => text);
    const long = Math.max(...[...data.source, ...lines].map((each) => each.length)),
        label = clamp(long * 9 * type + 14, 56 * type, 120 * type);
    const head = 52 * type,
        foot = 30 * type,
        count = Math.max(lines.length, stops.length > 2 ? data.source.length : 0);
    const least = 20 * type * (count - 1) + 64 + head + foot,
        tall = Math.max(least, phone ? 330 : room);
    const each = phone ? tall + 16 : 0;
    const first = phone ? 0 : label,
        side = phone ? 46 : clamp(width * 0.055, 44, 58);
    const share = stops.map(({ kind }) => SHARE[kind] ?? 1),
        unit = (width - label - side - 6) / share.reduce((a, b) => a + b);
    stops.forEach((_, part) => {
        const before = share.slice(0, part).reduce((a, b) => a + b, 0);
        const at = phone
            ? { x: label, y: part * each, width: width - label, tall }
            : { x: first + side + before * unit, y: 0, width: share[part] * unit, tall };
        const all = lanes({ ...at, y: at.y + head, tall: tall - head - foot }, lines.length, data.at, side);
        if (phone || !part)
            lines.forEach((text, row) => {
                const unwritten = stops[0].stack === "dec" && row > data.at;
                const own = row === data.at,
                    made = word(svg, label - 8, all[row], text, data, {
                        colour: own ? hue(stops[0]) : "muted",
                        large: own,
                    });
                made.classList.toggle("unwritten", unwritten);
                if (!standsAlone(svg)) pressable(made, text, () => pick(words[row].row));
            });
        drawPart(svg, data, array, part, at, all, { head, foot, side, phone });
    });
    const whole = phone ? each * stops.length : tall;
    svg.setAttribute("viewBox", `0 0 ${width} ${whole}`);
    svg.setAttribute("height", String(whole));
}

/** Heights of lines, one of which is large. @param {Room} room @param {number} count @param {number} large @param {number} side */
function lanes({ y, tall }, count, large, side) {
    const big = count > 1 ? Math.max(side + 24, (tall / count) * 1.4) : tall,
        row = (tall - big) / Math.max(1, count - 1);
    return Array.from(
        { length: count },
        (_, at) => y + at * row + (at < large ? row / 2 : at > large ? big - row / 2 : big / 2),
    );
}

/** @param {SVGSVGElement} svg @param {Data} data @param {Arrays} array @param {number} part @param {Room} room @param {number[]} lines
 * @param {{head: number, foot: number, side: number, phone: boolean}} sizes */
function drawPart(svg, data, array, part, { x, y, width, tall }, lines, { head, foot, side, phone }) {
    const { colours, type, stops } = data,
        stop = stops[part],
        { stack, kind } = stop,
        colour = hue(stop),
        middle = lines[data.at];
    const after = vector(array("after"), part),
        added = vector(array("added"), part),
        before = after.map((value, at) => value - added[at]),
        scale = scaleOf(vector(array("after"), stops.length - 1));
    const start = phone ? x + side : x,
        end = x + width,
        box = { x: start + 12, width: end - start - side - 60, y: y + 2, tall: tall - foot - 2 };
    for (const line of lines)
        if (line !== middle)
            svgElement("path", { d: `M${phone ? x : part ? start : start - side} ${line}H${end}`, class: "pale" }, svg);
    svgElement(
        "path",
        { d: `M${phone ? x : start - side} ${middle}H${end}`, stroke: colours[stack], "stroke-width": 6 },
        svg,
    );
    if (phone || !part) {
        const at = phone ? x + side / 2 : start - side / 2;
        chip(svg, before, at, middle, side, stack, colours, scale);
        caption(svg, at, middle + side / 2, t("before"), data);
    }
    svgElement("rect", { x: box.x, y: box.y, width: box.width, height: box.tall, rx: 10, class: "board" }, svg);
    svgElement(
        "path",
        { d: `M${box.x} ${middle}H${box.x + box.width}`, stroke: colours[stack], "stroke-width": 6, opacity: 0.25 },
        svg,
    );
    const title = {
        mix: t("mix: {count} heads"),
        look: t("look at English: {count} heads"),
        alone: t("alone"),
    }[/** @type {"mix" | "look" | "alone"} */ (kind)];
    const many = kind === "alone" ? array("units").shape[1] : data.heads[part].length;
    write(svg, box.x + 10, box.y + 15 * type, formatMessage(title, { count: many.toLocaleString("en") }), {
        class: "title",
        fill: colours[colour],
    });
    if (kind === "alone") {
        const units = formatMessage(t("{count} units"), { count: many.toLocaleString("en") });
        write(svg, box.x + 10, box.y + head - 13 * type, units, { fill: colours.muted });
        drawUnits(svg, data, array, box, middle, head);
    } else drawHeads(svg, data, part, box, lines, head);
    const sumAt = box.x + box.width + 26,
        up = middle - side * 1.6 > y + head * 0.6 ? -1 : 1,
        own = side * 0.72,
        beside = middle + up * (side * 0.5 + own * 0.5 + 26 * type);
    svgElement(
        "path",
        {
            d: `M${box.x + box.width} ${beside}H${sumAt}V${middle}`,
            stroke: colours[colour],
            "stroke-width": 3,
            fill: "none",
        },
        svg,
    );
    chip(svg, added, sumAt, beside, own, colour, colours, scale);
    write(
        svg,
        sumAt,
        beside + (up < 0 ? -1 : 1) * (own / 2 + 11 * type),
        kind === "alone" ? t("its own") : t("heard"),
        {
            class: "mid",
            fill: colours[colour],
        },
    );
    sum(svg, sumAt, middle, colours[colour], 10);
    const last = end - side / 2;
    chip(svg, after, last, middle, side, stack, colours, scale);
    if (part === stops.length - 1 || phone) caption(svg, last, middle + side / 2, t("after"), data);
    if (!data.numbers) return;
    const { mean, scale: spread } = data.norms[part];
    const said = t("norm: mean {mean}, scale {scale}", { mean: number(mean, 2), scale: number(spread, 1) });
    write(svg, box.x + box.width / 2, y + tall - foot / 2 + 4, said, { class: "mid", fill: colours.muted });
}

/** @param {SVGSVGElement} svg @param {number} x @param {number} y @param {string} text @param {Data} data */
const caption = (svg, x, y, text, data) =>
    write(svg, x, y + 11 * data.type, text, { class: "mid", fill: data.colours.muted });

/** Discs as large as the weights: a column for each head, a line for each word. @param {SVGSVGElement} svg @param {Data} data
 * @param {number} part @param {Room} box @param {number[]} lines @param {number} head */
function drawHeads(svg, data, part, box, lines, head) {
    const { colours, type, stops, heads } = data,
        stop = stops[part],
        texts = asked(data, stop),
        look = stop.kind === "look";
    const room = look
        ? Math.min(box.width * 0.36, Math.max(...texts.map((each) => each.length)) * 8.5 * type + 22)
        : 12;
    const pitch = (box.width - room - 8) / heads[part].length,
        x = (/** @type {number} */ at) => box.x + room + (at + 0.5) * pitch;
    const step = (box.tall - head - 8) / texts.length;
    const at = look ? texts.map((_, row) => box.y + head + (row + 0.5) * step) : lines;
    const row = look ? step : Math.min(...lines.slice(1).map((line, position) => line - lines[position]), 200);
    if (look)
        texts.forEach((text, position) => word(svg, box.x + room - 4, at[position], text, data, { colour: "enc" }));
    heads[part].forEach((weights, position) => {
        write(svg, x(position), box.y + head - 13 * type, String(position), { class: "mid", fill: colours.muted });
        const most = Math.max(...weights);
        weights.forEach((weight, key) => {
            const own = !look && key === data.at ? 1.4 : 1,
                radius = Math.sqrt(weight) * Math.min(pitch, row * own) * 0.5;
            if (radius < LEAST) return;
            const special = data.special.includes(texts[key]);
            const says = t("head {head}: “{query}” attends to “{key}”: {weight}", {
                head: position,
                query: (stop.stack === "enc" ? data.source : data.read)[data.at],
                key: texts[key],
                weight: weight.toFixed(3),
            });
            const disc = { cx: x(position), cy: at[key], r: radius, opacity: weight === most ? 1 : 0.4 };
            svgElement(
                "circle",
                {
                    ...disc,
                    class: "disc target",
                    fill: special ? colours.negative : colours[hue(stop)],
                    "data-says": says,
                },
                svg,
            );
            if (data.numbers && weight === most && radius > 10 * type)
                write(svg, x(position), at[key], String(Math.round(100 * weight)), {
                    class: "mid on",
                    fill: colours.paper,
                });
        });
    });
}

/** @param {SVGSVGElement} svg @param {Data} data @param {Arrays} array @param {Room} box @param {number} middle @param {number} head */
function drawUnits(svg, data, array, box, middle, head) {
    const units = vector(array("units"), 0),
        down = units.length / ACROSS,
        top = box.y + head,
        cell = Math.min((box.width - 20) / ACROSS, (box.tall - head - 34 * data.type) / down),
        tall = cell * down;
    const y = clamp(middle - tall / 2, top, box.y + box.tall - tall - 30 * data.type),
        x = box.x + (box.width - cell * ACROSS) / 2;
    net(svg, units, x, y, cell, ACROSS, data.colours);
    write(svg, box.x + box.width / 2, y + tall + 14 * data.type, t("{awake} active", { awake: data.active }), {
        class: "mid",
        fill: data.colours.net,
    });
}
