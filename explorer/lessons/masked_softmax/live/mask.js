// A mask under the pointer: cells of a head's map are painted, and every row shares out its weight anew.
import { MOVES, debounceKeys, element, live, formatWeight, windowHeight } from "../../../ui/live/dom.js";
import { t } from "../../../ui/live/words.js";
import { redrawOnResize } from "../../../ui/live/resize.js";
import { setAttributes, svgElement, setText } from "../../../ui/live/drawing.js";
import { clamp } from "../../../ui/live/motion.js";
import { maskedSoftmax } from "../../../ui/live/closed_forms.js";
import { cellsBetween, stroke } from "./stroke.js";
import { hex, onInk, ramp } from "../../../ui/live/weights.js";
import { rowBars } from "./row_bars.js";
import { liveRegion } from "../../../ui/live/live_region.js";

/**
 * @typedef {import("../../../ui/live/unpack.js").Packed} Packed
 * @typedef {object} Data
 * @property {string[]} labels of the rows, and of the columns @property {Packed} scores [n, n]
 * @property {Packed} hidden 1 where a cell is forbidden, [n, n] @property {number} row that is shown beside the map
 * @property {[number, string][]} scale colours of weights, at stops from 0 to 1 @property {string} hatch its colour
 */

const LETTER = 7.4,
    SLANT = 0.5,
    GAP = 28,
    STACKED = 640,
    LEAST = 0.05; // pixels; weights that are written
const PAUSE_MS = 400; // after the last key

export default (/** @type {import("../../../ui/live/dom.js").Component} */ component) => live(component, "mask", mask);

/** @param {HTMLElement} root */
function mask(root) {
    const table = element("output", "unseen");
    const map = svgElement("svg", { role: "grid", class: "map" }, root),
        row = element("div", "row"),
        title = element("p", "title");
    row.append(title);
    const bars = rowBars(row);
    root.append(row, table);
    liveRegion(root);

    /** @type {Data} */ let data;
    /** @type {import("../../../ui/live/dom.js").Changed} */ let tell;
    /** @type {Float32Array} */ let scores;
    /** @type {Uint8Array} */ let hidden = new Uint8Array();
    /** @type {ReturnType<typeof build>} */ let drawn;
    let asking = 0,
        size = 0,
        focused = 0;

    /** Make labels, cells and the frame of the row that asks. */
    function build() {
        const wide = root.clientWidth,
            longest = Math.max(...data.labels.map((each) => each.length)),
            stacked = wide < STACKED;
        const left = Math.min(110, LETTER * longest + 14),
            top = Math.min(96, SLANT * LETTER * longest + 22);
        const room = (stacked ? wide : 0.66 * wide - GAP) - left - 0.35 * top;
        const cell = Math.floor(clamp(Math.min(room, windowHeight(root) - 262 - top) / size, 18, 52));
        const colours = ramp(data.scale),
            [width, height] = [left + cell * size + 0.35 * top, top + cell * size + 4];
        root.classList.toggle("stacked", stacked);
        root.style.setProperty("--hatch", data.hatch);
        map.replaceChildren();
        setAttributes(map, {
            width,
            height,
            viewBox: `0 0 ${width} ${height}`,
            "aria-label": t("Who looks at whom"),
            "aria-rowcount": size,
        });
        const pattern = svgElement(
            "pattern",
            { id: "hatch", width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
            map,
        );
        svgElement("rect", { class: "ground", width: 6, height: 6 }, pattern);
        svgElement("path", { class: "hatch", d: "M0 0V6" }, pattern);
        data.labels.forEach((label, at) => {
            const x = left + (at + 0.6) * cell;
            setText(
                svgElement(
                    "text",
                    { class: "key", transform: `translate(${x} ${top - 8}) rotate(-45)`, "aria-hidden": "true" },
                    map,
                ),
                label,
            );
        });
        const names = data.labels.map((label, at) => {
            const made = svgElement(
                "text",
                { x: left - 8, y: top + (at + 0.5) * cell + 5, "text-anchor": "end", "aria-hidden": "true" },
                map,
            );
            setText(made, label);
            return made;
        });
        const cells = data.labels.map((_, query) => {
            const made = svgElement("g", { role: "row" }, map);
            return data.labels.map((_, key) => {
                const group = svgElement(
                    "g",
                    {
                        role: "gridcell",
                        tabindex: -1,
                        transform: `translate(${left + key * cell} ${top + query * cell})`,
                    },
                    made,
                );
                group.onfocus = () => {
                    focused = query * size + key;
                };
                const box = svgElement("rect", { x: 0.5, y: 0.5, width: cell - 1, height: cell - 1 }, group);
                return {
                    group,
                    box,
                    text: svgElement(
                        "text",
                        { x: cell / 2, y: cell / 2 + 5, "text-anchor": "middle", class: "number" },
                        group,
                    ),
                };
            });
        });
        const frame = svgElement("rect", { class: "frame", x: left, width: cell * size, height: cell }, map);
        const height2 = stacked ? 300 : height - 26;
        bars.build(stacked ? wide : wide - width - GAP, height2, data);
        const position = (/** @type {number} */ x, /** @type {number} */ y) => [
            Math.floor((y - top) / cell),
            Math.floor((x - left) / cell),
        ];
        return { top, cell, colours, names, cells, frame, position };
    }

    /** Draw what depends on mask and row: a function of both. */
    function paint() {
        const { top, cell, colours } = drawn,
            told = [];
        for (let query = 0; query < size; query += 1) {
            const from = query * size,
                inRow = hidden.subarray(from, from + size);
            const weights = maskedSoftmax(scores.subarray(from, from + size), inRow);
            told.push(...[...weights].map((each) => each.toFixed(6)));
            drawn.cells[query].forEach(({ group, box, text }, key) => {
                const colour = hex(colours, weights[key]),
                    shown = !inRow[key] && weights[key] >= LEAST && cell >= 26;
                setAttributes(box, { fill: inRow[key] ? "url(#hatch)" : colour });
                setAttributes(text, { style: `fill:${onInk(colour)}` });
                setText(text, shown ? formatWeight(weights[key]) : "");
                const what = inRow[key] ? t("forbidden") : weights[key].toFixed(2);
                const named = t("“{query}” attends to “{key}”: {weight}", {
                    query: data.labels[query],
                    key: data.labels[key],
                    weight: what,
                });
                setAttributes(group, {
                    "aria-label": named,
                    "data-says": named,
                    tabindex: from + key === focused ? 0 : -1,
                });
            });
            drawn.names[query].classList.toggle("asks", query === asking);
            if (query === asking) bars.paint(scores.subarray(from, from + size), inRow, colours);
        }
        setAttributes(drawn.frame, { y: top + asking * cell });
        setText(title, t("The row of “{word}”", { word: data.labels[asking] }));
        setText(table, `${asking} ${told.join(" ")}`);
    }

    const inside = (/** @type {number[]} */ position) => position.every((each) => each >= 0 && each < size);
    const cellsNow = () => [...hidden].flatMap((each, at) => (each ? [[Math.floor(at / size), at % size]] : []));
    const tellNow = () => {
        keys.end();
        tell({ painted: { row: asking, cells: cellsNow() } });
    };
    const keys = debounceKeys(map, tellNow, PAUSE_MS);

    let brush = 0,
        before = hidden,
        rowBefore = 0,
        cellBefore = 0;
    const strokes = stroke(map, {
        begin(x, y) {
            const at = drawn.position(x, y);
            if (!inside(at)) return false;
            [before, rowBefore, cellBefore] = [hidden.slice(), asking, focused];
            brush = hidden[at[0] * size + at[1]] ? 0 : 1;
            return true;
        },
        move(from, to) {
            const ends = [drawn.position(...from), drawn.position(...to)].map((position) =>
                position.map((each) => clamp(each, 0, size - 1)),
            );
            for (const [query, key] of cellsBetween(ends[0], ends[1])) {
                hidden[query * size + key] = brush;
                [asking, focused] = [query, query * size + key];
            }
            paint();
        },
        end: tellNow,
        cancel() {
            [hidden, asking, focused] = [before, rowBefore, cellBefore];
            paint();
        },
    });

    map.addEventListener("keydown", (event) => {
        const step = MOVES[event.key];
        if (!step && event.key !== " " && event.key !== "Enter") return;
        event.preventDefault();
        let [query, key] = [Math.floor(focused / size), focused % size];
        if (step) [query, key] = [clamp(query + step[0], 0, size - 1), clamp(key + step[1], 0, size - 1)];
        if (!step) brush = hidden[focused] ? 0 : 1;
        [focused, asking] = [query * size + key, query];
        if (!step || event.shiftKey) hidden[focused] = brush; // with Shift the arrows paint on
        paint();
        drawn.cells[query][key].group.focus({ preventScroll: true });
        keys.key();
    });

    const shown = redrawOnResize(root, () => (drawn = build()), paint);
    return {
        /** @param {Data} now @param {import("../../../ui/live/dom.js").Changed} told */
        take(now, told) {
            tell = told;
            if (keys.waits() || strokes.held()) return; // what the reader is painting is newer
            [data, size, asking] = [now, now.labels.length, now.row];
            hidden = Uint8Array.from(now.hidden.values);
            focused = Math.min(focused, size * size - 1);
            shown.take([now.labels, now.scores, now.scale], () => {
                scores = now.scores.values;
                return [];
            });
        },
        end() {
            keys.end();
            shown.end();
        },
    };
}
