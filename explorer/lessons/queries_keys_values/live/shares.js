// Whose share the answer is, at every temperature: between the hard look-up and the average the areas are the weights of the
// keys. Temperature and query follow their sliders; the temperature is dragged along the areas too.
import {
    element,
    live,
    placeOn,
    formatWeight,
    updateTableWhenIdle,
    screenReaderOnly,
    windowHeight,
} from "../../../ui/live/dom.js";
import { t } from "../../../ui/live/words.js";
import { setAttributes, svgElement, setText } from "../../../ui/live/drawing.js";
import { number } from "../../../ui/live/numbers.js";
import { clamp } from "../../../ui/live/motion.js";
import { planeScores } from "../../../ui/live/closed_forms.js";
import { linePath, xAxis, linear, logarithmic } from "../../../ui/live/axes.js";
import { makeDraggable, onHoverOrTap } from "../../../ui/live/drag.js";
import { redrawOnResize } from "../../../ui/live/resize.js";
import { onInk } from "../../../ui/live/weights.js";
import { answered, digits, mean, painted } from "./looked_up.js";

/**
 * @typedef {object} Own
 * @property {string[]} ways hard look-up, attention, average
 * @typedef {import("./looked_up.js").Dictionary & Own & {temperatures: number[]}} Data the temperatures at which the areas are drawn
 * @typedef {import("./looked_up.js").Dictionary & Own & {temperatures: import("../../../ui/live/unpack.js").Packed}} Sent
 */

const PANELS = [
        [0, 0.13],
        [0.17, 0.83],
        [0.87, 1],
    ],
    WARM = 1; // shares of the width; above it names stand left of the mark
const HEAD = 26,
    GAP = 18,
    STRIP = 0.15,
    BELOW = 46,
    BESIDE = 240,
    WRITTEN = 0.05,
    LINE = 16; // pixels, but shares of height and weight

export default (/** @type {import("../../../ui/live/dom.js").Component} */ component) =>
    live(component, "shares", shares);

/** @param {HTMLElement} root */
function shares(root) {
    const line = element("p", "line");
    root.append(line);
    const svg = svgElement("svg", { role: "group" }, root),
        table = screenReaderOnly(root, "table");

    /** @type {Data} */ let data;
    /** @type {number[]} */ let query = [0, 0];
    /** @type {import("../../../ui/live/dom.js").Changed} */ let tell;
    /** @type {ReturnType<typeof build>} */ let drawn;
    let position = 0,
        wide = 0;
    const keys = () => data.entries.map(({ x, y }) => [x, y]);

    /** Make one end: a part of the column for each key, and a box for the answer. @param {number[]} panel @param {number} floor
     * @param {number} strip @param {number} height */
    function end([from, to], floor, strip, height) {
        const [x, width] = [from * wide, (to - from) * wide],
            middle = x + width / 2;
        const label = () => svgElement("text", { class: "name", x: middle, "text-anchor": "middle" }, svg);
        const parts = data.entries.map(() => svgElement("rect", { class: "share", x, width }, svg)),
            names = parts.map(label);
        const box = svgElement("rect", { class: "answer end", x, width, y: strip, height }, svg),
            result = label();
        setAttributes(result, { class: "name result", y: strip + height / 2 + 5 });
        return { parts, names, box, result, middle, floor, width };
    }

    /** Make the panels and what moves in them. */
    function build() {
        wide = root.clientWidth;
        root.style.setProperty("--zoom", String(data.zoom));
        const tall = clamp(windowHeight(root) - BESIDE, 300, wide < 560 ? 420 : 640),
            height = STRIP * (tall - HEAD - BELOW),
            strip = tall - BELOW - height;
        const floor = strip - GAP,
            y = linear([0, 1], [floor, HEAD]),
            [left, right] = PANELS[1].map((each) => each * wide);
        const { temperatures } = data,
            ends = [temperatures[0], temperatures[temperatures.length - 1]],
            x = logarithmic(ends, [left, right]);
        svg.replaceChildren();
        setAttributes(svg, { width: wide, height: tall, viewBox: `0 0 ${wide} ${tall}` });
        data.ways.forEach((way, at) =>
            setText(
                svgElement(
                    "text",
                    {
                        class: "head",
                        x: [0, (left + right) / 2, wide][at],
                        y: 16,
                        "text-anchor": ["start", "middle", "end"][at],
                    },
                    svg,
                ),
                way,
            ),
        );
        const areas = data.entries.map(() => svgElement("path", { class: "share" }, svg)),
            slot = (right - left) / temperatures.length;
        const answers = temperatures.map((_, at) =>
            svgElement("rect", { class: "answer", x: left + at * slot, width: slot + 0.6, y: strip, height }, svg),
        );
        const columns = [end(PANELS[0], floor, strip, height), end(PANELS[2], floor, strip, height)];
        xAxis(
            svg,
            temperatures
                .filter((each) => Math.abs(Math.log10(each) - Math.round(Math.log10(each))) < 1e-6)
                .map((each) => Number(each.toPrecision(3))),
            x,
            strip + height,
            [left, right],
        );
        setText(
            svgElement("text", { class: "tick", x: (left + right) / 2, y: tall - 4, "text-anchor": "middle" }, svg),
            t("temperature T"),
        );
        const asks = svgElement(
            "g",
            {
                class: "grip",
                tabindex: 0,
                role: "slider",
                "aria-label": t("temperature T"),
                "aria-valuemin": ends[0],
                "aria-valuemax": ends[1],
            },
            svg,
        );
        svgElement(
            "rect",
            { class: "target", x: -16, y: HEAD - 6, width: 32, height: tall - BELOW - HEAD + 10, rx: 8 },
            asks,
        );
        for (const name of ["halo", "here"])
            svgElement("line", { class: name, y1: HEAD - 4, y2: tall - BELOW + 4 }, asks);
        svgElement("circle", { class: "knob", cy: floor + GAP / 2, r: 8 }, asks);
        const names = data.entries.map(() => {
            const made = svgElement("text", { class: "name" }, svg);
            return [made, svgElement("tspan", {}, made), svgElement("tspan", { dx: 6 }, made)];
        });
        const result = svgElement("text", { class: "name result", y: strip + height / 2 + 5 }, svg);
        const back = linear([left, right], ends.map(Math.log)),
            { choices } = data;
        const nearest = (/** @type {number} */ pixel) =>
            choices.reduce(
                (best, each, at) => (Math.abs(x(each) - pixel) < Math.abs(x(choices[best]) - pixel) ? at : best),
                0,
            );
        makeDraggable(
            asks,
            svg,
            (across) => move(nearest(across)),
            (rightwards, up) => move(position + Math.sign(rightwards + up)),
            () => tell({ position }),
        );
        return { x, y, back, areas, answers, columns, asks, names, result, left, right, floor };
    }

    /** @param {number} to */
    function move(to) {
        position = clamp(to, 0, data.choices.length - 1);
        paint();
    }

    /** Draw an end: all weight on the best key, or all keys alike. @param {ReturnType<typeof end>} column @param {number[]} weights */
    function paintEnd({ parts, names, box, result, middle, floor, width }, weights) {
        const { y } = drawn,
            colour = painted(data, mean(data.entries, weights));
        let sum = 0;
        weights.forEach((weight, at) => {
            const tall = floor - y(weight),
                low = y(sum),
                fill = painted(data, data.entries[at].value);
            setAttributes(parts[at], {
                y: (low - tall).toFixed(1),
                height: Math.max(tall, 0).toFixed(1),
                fill,
                visibility: weight ? "visible" : "hidden",
            });
            setAttributes(names[at], { y: (low - tall / 2 + 5).toFixed(1), style: `fill:${onInk(fill)}` });
            setText(
                names[at],
                tall < LINE
                    ? ""
                    : width < 70
                      ? data.entries[at].name
                      : `${data.entries[at].name} ${formatWeight(weight)}`,
            );
            sum += weight;
        });
        setAttributes(box, { fill: colour });
        setAttributes(result, { x: middle, style: `fill:${onInk(colour)}` });
        setText(result, digits(mean(data.entries, weights)));
    }

    /** Name the keys and their weights where the chosen temperature cuts their areas. @param {ReturnType<typeof answered>} now @param {number} heat */
    function paintMark(now, heat) {
        const { x, y, asks, names, result } = drawn,
            side = heat > WARM ? -1 : 1,
            at = x(heat) + 12 * side,
            anchor = side < 0 ? "end" : "start";
        setAttributes(asks, {
            transform: `translate(${x(heat).toFixed(1)} 0)`,
            "aria-valuenow": heat,
            "aria-valuetext": `T = ${heat}`,
        });
        let sum = 0;
        now.weights.forEach((weight, key) => {
            const [text, name, share] = names[key];
            setAttributes(text, {
                x: at,
                y: (y(sum + weight / 2) + 5).toFixed(1),
                "text-anchor": anchor,
                style: `fill:${onInk(painted(data, data.entries[key].value))}`,
            });
            setText(name, weight >= WRITTEN ? data.entries[key].name : "");
            setText(share, weight >= WRITTEN ? formatWeight(weight) : "");
            sum += weight;
        });
        setAttributes(result, { x: at, "text-anchor": anchor, style: `fill:${onInk(painted(data, now.mean))}` });
        setText(result, digits(now.mean));
    }

    /** Draw what depends on query and temperature: a function of both. */
    function paint() {
        const { x, y, areas, answers, columns } = drawn,
            { entries, temperatures } = data,
            heat = data.choices[position];
        const every = temperatures.map((each) => answered(data, keys(), query, each)),
            now = answered(data, keys(), query, heat);
        const scores = planeScores(data.score, query, keys()),
            best = scores.indexOf(Math.max(...scores));
        const hard = entries.map((_, at) => Number(at === best)),
            even = entries.map(() => 1 / entries.length);
        const low = new Float64Array(temperatures.length);
        areas.forEach((area, key) => {
            const high = low.map((each, at) => each + every[at].weights[key]),
                back = [...temperatures].reverse();
            setAttributes(area, {
                d: `${linePath(temperatures, high, x, y)}${linePath(back, [...low].reverse(), x, y).replace("M", "L")}z`,
                fill: painted(data, entries[key].value),
            });
            low.set(high);
        });
        answers.forEach((box, at) => setAttributes(box, { fill: painted(data, every[at].mean) }));
        paintEnd(columns[0], hard);
        paintEnd(columns[1], even);
        paintMark(now, heat);
        const row = (
            /** @type {string} */ name,
            /** @type {ArrayLike<number>} */ weights,
            /** @type {number[]} */ answer,
        ) => [name, ...Array.from(weights, (each) => each.toFixed(6)), answer.map((each) => each.toFixed(4)).join(" ")];
        updateTableWhenIdle(table, t("Whose share the answer is"), () => [
            ["", ...entries.map(({ name }) => name), t("answer")],
            row(data.ways[0], hard, mean(entries, hard)),
            row(`T = ${heat}`, now.weights, now.mean),
            row(data.ways[2], even, mean(entries, even)),
        ]);
    }

    onHoverOrTap(
        svg,
        (event) => {
            const [across, down] = placeOn(event, svg),
                up = (drawn.floor - down) / (drawn.floor - drawn.y(1));
            if (across < drawn.left || across > drawn.right || up < 0 || up > 1)
                return setText(
                    line,
                    t("The areas are the weights of the keys; the strip below them is the answer. Drag the mark."),
                );
            const heat = Math.exp(drawn.back(across)),
                { weights } = answered(data, keys(), query, heat);
            let sum = 0;
            const key = weights.findIndex((each) => (sum += each) >= up);
            setText(
                line,
                t("temperature {temperature}: “{key}” weighs {weight}", {
                    temperature: Number(heat.toPrecision(3)),
                    key: data.entries[key]?.name ?? "",
                    weight: number(weights[key] ?? 0, 3),
                }),
            );
        },
        () =>
            setText(
                line,
                t("The areas are the weights of the keys; the strip below them is the answer. Drag the mark."),
            ),
    );
    const shown = redrawOnResize(root, () => (drawn = build()), paint);
    return {
        /** @param {Sent} sent @param {import("../../../ui/live/dom.js").Changed} told */
        take(sent, told) {
            const now = { ...sent, temperatures: sent.temperatures.list };
            const { query: asked, temperature, ...rest } = now;
            [tell, data, query, position] = [told, now, [...asked], Math.max(now.choices.indexOf(temperature), 0)];
            shown.take(rest, () => {
                svg.ariaLabel = t("Whose share the answer is");
                setText(
                    line,
                    t("The areas are the weights of the keys; the strip below them is the answer. Drag the mark."),
                );
                return [
                    [now.keys.temperature, move],
                    [now.keys.x, shown.slide((to) => (query[0] = to))],
                    [now.keys.y, shown.slide((to) => (query[1] = to))],
                ];
            });
        },
        end: shown.end,
    };
}
