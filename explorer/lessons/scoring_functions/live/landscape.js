// How well does a key fit? One formula's landscape around the query, and whom each formula chooses. The query is dragged by
// its tip or follows its sliders; landscape, thumbnails and weights are drawn anew.
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
import { scorer, softmax } from "../../../ui/live/closed_forms.js";
import { valuesOf } from "../../../ui/live/unpack.js";
import { linear } from "../../../ui/live/axes.js";
import { makeDraggable, onHoverOrTap } from "../../../ui/live/drag.js";
import { redrawOnResize } from "../../../ui/live/resize.js";
import { liveRegion } from "../../../ui/live/live_region.js";
import { contours, thumbnail } from "./contours.js";
import { hex, inks, onInk, ramp } from "../../../ui/live/weights.js";

/**
 * @typedef {import("../../../ui/live/unpack.js").Packed} Packed
 * @typedef {object} Data what Python sends
 * @property {Packed} points the keys, [keys, 2] @property {Record<string, Packed>} learned weights of the learned formulas
 * @property {{name: string, label: string, written: string}[]} formulas @property {number} formula whose landscape is drawn
 * @property {number[]} hidden formulas whose answer is not shown yet @property {string[]} letters of the keys
 * @property {string[]} nicknames what stands below a key, if anything does
 * @property {number[][]} named lengths and directions of the query for which it does
 * @property {number} reach length of the query @property {number} turn its direction in degrees
 * @property {[number, number]} lengths least and most @property {[number, number]} steps of both sliders
 * @property {number} span half the width that is drawn @property {Record<string, string>} keys of the sliders
 * @property {[number, string][]} scale colours of weights @property {string} paper
 */

const APART = 30,
    BESIDE = 720,
    NAMES = 124,
    ABOVE = 26,
    TALLEST = 110; // pixels
const WRITTEN = 0.05,
    MINIATURE = 22; // weights that are written; pixels of a thumbnail

export default (/** @type {import("../../../ui/live/dom.js").Component} */ component) =>
    live(component, "landscape", landscape);

/** @param {HTMLElement} root */
function landscape(root) {
    const stage = element("div", "stage"),
        ground = element("canvas", "ground"),
        line = element("p", "line");
    const left = element("div", "plane"),
        right = element("div", "rows"),
        thumbs = element("div", "");
    stage.append(ground);
    const svg = svgElement("svg", { role: "group" }, stage),
        rows = svgElement("svg", { role: "img" }, right);
    left.append(stage, line);
    right.prepend(thumbs);
    root.replaceChildren(left, right);
    const table = screenReaderOnly(root, "table");
    liveRegion(root);

    /** @type {Data} */ let data;
    /** @type {number[][]} */ let keys = [];
    /** @type {import("../../../ui/live/closed_forms.js").Learned} */ let learned;
    /** @type {import("../../../ui/live/dom.js").Changed} */ let tell;
    /** @type {ReturnType<typeof build>} */ let drawn;
    let reach = 1,
        turn = 0,
        wide = 0;
    /** @type {number[]} */ let query = [1, 0];

    /** Make the plane: keys, arrow, and the grip at its tip. @param {number} side */
    function buildPlane(side) {
        const span = [-data.span, data.span],
            x = linear(span, [0, side]),
            y = linear(span, [side, 0]);
        const back = linear([0, side], span),
            up = linear([side, 0], span);
        svg.replaceChildren();
        setAttributes(svg, { width: side, height: side, viewBox: `0 0 ${side} ${side}` });
        ground.style.cssText = `width:${side}px;height:${side}px`;
        ground.width = ground.height = side;
        const arrow = svgElement("path", { class: "arrow" }, svg);
        const points = keys.map(([a, b], at) => {
            const made = svgElement("g", { class: "key", transform: `translate(${x(a)} ${y(b)})` }, svg),
                circle = svgElement("circle", {}, made);
            setText(svgElement("text", { class: "letter", y: 5, "text-anchor": "middle" }, made), data.letters[at]);
            setText(
                svgElement("text", { class: "name", y: 33, "text-anchor": "middle" }, made),
                data.nicknames[at] ?? "",
            );
            return circle;
        });
        const asks = svgElement(
            "g",
            {
                class: "grip",
                tabindex: 0,
                role: "slider",
                "aria-label": t("query"),
                "aria-valuemin": 0,
                "aria-valuemax": 360,
            },
            svg,
        );
        svgElement("circle", { class: "target", r: 22 }, asks);
        svgElement("path", { class: "head", d: "M4 0L-14 -9V9z" }, asks);
        const name = svgElement("text", { class: "name query", "text-anchor": "middle" }, svg);
        setText(name, t("query"));
        const [step, degrees] = data.steps,
            vectorAt = (/** @type {number} */ across, /** @type {number} */ down) => [back(across), up(down)];
        const told = () => {
            move(Math.round(reach / step) * step, Math.round(turn / degrees) * degrees);
            tell({ reach, turn: turn / degrees });
        };
        makeDraggable(
            asks,
            svg,
            (across, down) => {
                const [a, b] = vectorAt(across, down);
                move(Math.hypot(a, b), (Math.atan2(b, a) * 180) / Math.PI);
            },
            (across, upwards) => move(reach + Math.sign(upwards) * step, turn + across * degrees),
            told,
        );
        return { x, y, vectorAt, points, arrow, asks, name };
    }

    /** Make a row for each formula: its name, its landscape in small, a cell for each key. @param {number} width @param {number} height */
    function buildRows(width, height) {
        const tall = Math.min((height - ABOVE) / data.formulas.length, TALLEST),
            small = Math.min(tall - 12, 58),
            from = NAMES + small + 14,
            cell = (width - from - 2) / keys.length;
        rows.replaceChildren();
        thumbs.replaceChildren();
        setAttributes(rows, {
            width,
            height,
            viewBox: `0 0 ${width} ${height}`,
            "aria-label": t("weights of each formula"),
        });
        const pattern = svgElement(
            "pattern",
            { id: "hatch", width: 9, height: 9, patternUnits: "userSpaceOnUse", patternTransform: "rotate(35)" },
            rows,
        );
        svgElement("rect", { class: "hidden", width: 9, height: 9 }, pattern);
        svgElement("path", { class: "stroke", d: "M0 0V9" }, pattern);
        setText(svgElement("text", { class: "top", x: 0, y: 17 }, rows), t("weights of the keys"));
        data.letters.forEach((letter, at) =>
            setText(
                svgElement("text", { class: "top", x: from + (at + 0.5) * cell, y: 17, "text-anchor": "middle" }, rows),
                letter,
            ),
        );
        return data.formulas.map(({ label, written }, at) => {
            const middle = ABOVE + (at + 0.5) * tall,
                chosen = at === data.formula ? " chosen" : "";
            setText(
                svgElement("text", { class: `label${chosen}`, x: NAMES, y: middle - 3, "text-anchor": "end" }, rows),
                label,
            );
            setText(
                svgElement("text", { class: `written${chosen}`, x: NAMES, y: middle + 15, "text-anchor": "end" }, rows),
                written,
            );
            if (data.hidden.includes(at)) {
                svgElement(
                    "rect",
                    {
                        fill: "url(#hatch)",
                        x: from,
                        y: middle - tall / 2 + 6,
                        width: keys.length * cell,
                        height: tall - 12,
                    },
                    rows,
                );
                setText(
                    svgElement(
                        "text",
                        { class: "ask", x: from + (keys.length * cell) / 2, y: middle + 8, "text-anchor": "middle" },
                        rows,
                    ),
                    "?",
                );
                return null;
            }
            const thumb = element("canvas", "thumb");
            thumb.width = thumb.height = MINIATURE;
            thumb.style.cssText = `left:${NAMES + 8}px;top:${middle - small / 2}px;width:${small}px;height:${small}px`;
            thumbs.append(thumb);
            const needle = svgElement("line", { class: "needle", x1: NAMES + 8 + small / 2, y1: middle }, rows),
                scale = small / (2 * data.span);
            const cells = keys.map((_, key) => {
                const x = from + key * cell,
                    box = svgElement(
                        "rect",
                        { x: x + 1, y: middle - tall / 2 + 6, width: cell - 2, height: tall - 12 },
                        rows,
                    );
                return {
                    box,
                    text: svgElement(
                        "text",
                        { class: "share", x: x + cell / 2, y: middle + 5, "text-anchor": "middle" },
                        rows,
                    ),
                };
            });
            return { thumb, needle, cells, middle, scale, first: -1 };
        });
    }

    function build() {
        wide = root.clientWidth;
        const beside = wide >= BESIDE,
            side = Math.round(clamp(beside ? Math.min(0.57 * wide, windowHeight(root) - 280) : wide, 220, 620));
        root.classList.toggle("stacked", !beside);
        left.style.width = `${side}px`;
        const made = {
            ...buildPlane(side),
            rows: buildRows(beside ? wide - side - APART : wide, beside ? side : 440),
            colours: ramp(data.scale),
            pixels: inks(data.scale),
        };
        rows.append(...rows.querySelectorAll(".needle")); // over what was drawn before them
        return made;
    }

    /** @param {number} long @param {number} degrees */
    function move(long, degrees) {
        [reach, turn] = [clamp(long, ...data.lengths), ((degrees % 360) + 360) % 360];
        paint();
    }

    /** Draw what depends on the query: a function of its length and direction. */
    function paint() {
        query = [reach * Math.cos((turn * Math.PI) / 180), reach * Math.sin((turn * Math.PI) / 180)];
        const { x, y, colours, pixels, arrow, asks, points, name } = drawn,
            scores = data.formulas.map((each) => scorer(each.name, query, learned));
        const weights = scores.map((score) => softmax(keys.map(([a, b]) => score(a, b))));
        const best = (/** @type {Float64Array} */ row) => row.indexOf(Math.max(...row)),
            wins = data.hidden.includes(data.formula) ? -1 : best(weights[data.formula]); // not yet
        contours(ground, scores[data.formula], data.span, pixels, data.paper);
        const [lengths, turns] = data.named,
            about = (/** @type {number} */ value, /** @type {number[]} */ [low, high]) => low <= value && value <= high;
        svg.classList.toggle("away", !about(reach, lengths) || !about(turn, turns)); // no key is called near or opposite then
        points.forEach((circle, at) =>
            setAttributes(circle, { r: at === wins ? 17 : 13, class: at === wins ? "wins" : "" }),
        );
        const [tipX, tipY] = [x(query[0]), y(query[1])];
        setAttributes(arrow, { d: `M${x(0)} ${y(0)}L${tipX.toFixed(1)} ${tipY.toFixed(1)}` });
        setAttributes(asks, {
            transform: `translate(${tipX.toFixed(1)} ${tipY.toFixed(1)}) rotate(${-turn.toFixed(1)})`,
            "aria-valuenow": turn.toFixed(1),
            "aria-valuetext": t("{length} long, at {degrees}°", { length: number(reach, 2), degrees: number(turn, 0) }),
        });
        setAttributes(name, {
            x: (tipX + 10 * Math.cos((turn * Math.PI) / 180)).toFixed(1),
            y: (tipY + (query[1] < 0 ? 30 : -16)).toFixed(1),
        });
        drawn.rows.forEach((row, at) => {
            if (!row) return;
            const { thumb, needle, cells, middle, scale } = row,
                first = best(weights[at]);
            thumbnail(thumb, scores[at], data.span, pixels);
            setAttributes(needle, {
                x2: Number(needle.getAttribute("x1")) + scale * query[0],
                y2: middle - scale * query[1],
            });
            cells.forEach(({ box, text }, key) => {
                const colour = hex(colours, weights[at][key]);
                const values = {
                    formula: data.formulas[at].label,
                    key: data.letters[key],
                    weight: weights[at][key].toFixed(3),
                };
                setAttributes(box, {
                    fill: colour,
                    class: key === first ? "cell wins" : "cell",
                    "data-says": t("{formula}, key {key}: weight {weight}", values),
                });
                setAttributes(text, { style: `fill:${onInk(colour)}` });
                setText(text, weights[at][key] >= WRITTEN ? formatWeight(weights[at][key]) : "");
            });
            if (row.first !== first) rows.append(cells[(row.first = first)].box, cells[first].text); // its frame over its neighbours
        });
        updateTableWhenIdle(table, t("weights of each formula"), () => [
            ["", ...data.letters],
            ...data.formulas.map(({ label }, at) => [
                label,
                ...Array.from(weights[at], (each) => (drawn.rows[at] ? each.toFixed(6) : "?")),
            ]),
        ]);
    }

    onHoverOrTap(
        svg,
        (event) => {
            const [a, b] = drawn.vectorAt(...placeOn(event, svg));
            setText(
                line,
                t("a key here would score {score}", {
                    score: number(scorer(data.formulas[data.formula].name, query, learned)(a, b), 2),
                }),
            );
        },
        () => setText(line, t("Drag the query. Point anywhere: what a key would score there.")),
    );
    const shown = redrawOnResize(root, () => (drawn = build()), paint);
    return {
        /** @param {Data} sent @param {import("../../../ui/live/dom.js").Changed} told */
        take(sent, told) {
            const { reach: long, turn: degrees, ...rest } = sent;
            [tell, data, reach, turn] = [told, sent, long, degrees];
            shown.take(rest, () => {
                keys = sent.points.rows.map((position) => [...position]);
                learned = valuesOf(sent.learned);
                svg.ariaLabel = t("Where does a key fit?");
                setText(line, t("Drag the query. Point anywhere: what a key would score there."));
                return [
                    [sent.keys.reach, (to) => move(to, turn)],
                    [sent.keys.turn, (to) => move(reach, to)],
                ];
            });
        },
        end: shown.end,
    };
}
