// One head large: a row for each word that asks. The row that asks is framed, and the word that it looks at most is named.
import { setAttributes, svgElement, setText } from "../../../ui/live/drawing.js";
import { clamp } from "../../../ui/live/motion.js";
import { element, placeOn } from "../../../ui/live/dom.js";
import { paint, ramp } from "../../../ui/live/weights.js";
import { strongest } from "./weights.js";

const NAMES = 88,
    TOP = 24,
    LINE = 17,
    LETTERS = 11; // pixels beside and above the map, of a line of type; letters of a name

/** @param {HTMLElement} box @param {(row: number) => void} point @param {(row: number) => void} pin */
export function headMap(box, point, pin) {
    const canvas = element("canvas", "map");
    box.append(canvas);
    const svg = svgElement("svg", { class: "marks", "aria-hidden": "true" }, box),
        names = svgElement("g", {}, svg),
        asking = svgElement("rect", { class: "chosen" }, svg),
        column = svgElement("text", { class: "column", y: 15 }, svg);
    /** @type {import("./weights.js").Weights} */ let map;
    /** @type {import("./weights.js").Part} */ let part;
    let side = 0;

    /** Draw another head, or in another room. @param {import("./weights.js").Weights} now @param {import("./weights.js").Part} of
     * @param {any} look @param {number} room pixels of the larger side */
    function draw(now, of, look, room) {
        [map, part] = [now, of];
        side = room;
        const [width, height] = [NAMES + side, TOP + side];
        box.style.cssText = `width:${width}px;height:${height}px`;
        canvas.style.cssText = `left:${NAMES}px;top:${TOP}px;width:${side}px;height:${side}px`;
        setAttributes(svg, { width, height, viewBox: `0 0 ${width} ${height}` });
        paint(canvas, map.weights, { queries: map.rows, keys: map.columns }, ramp(look.scale), look.masked);
    }

    /** Frame the row that asks. @param {number} word */
    function ask(word) {
        const row = clamp(Math.floor((word * map.rows) / part.asks.length), 0, map.rows - 1),
            high = side / map.rows;
        setAttributes(asking, { x: NAMES, y: TOP + row * high, width: side, height: Math.max(high, 3) });
        const every = Math.ceil(LINE / high);
        names.replaceChildren();
        for (let at = 0; at < map.rows; at += 1) {
            if (at !== row && (at % every || Math.abs(at - row) < every)) continue;
            const text = svgElement(
                "text",
                { class: at === row ? "asks" : "", x: NAMES - 6, y: TOP + (at + 0.5) * high + 5 },
                names,
            );
            setText(text, short(part.asks[Math.ceil((at * part.asks.length) / map.rows)] ?? ""));
        }
        const most = strongest(map, row);
        if (most >= 0) {
            const at = NAMES + ((most + 0.5) * side) / map.columns;
            setText(column, short(part.asked[Math.ceil((most * part.asked.length) / map.columns)]));
            setAttributes(column, { x: clamp(at, NAMES + 30, NAMES + side - 30) });
        } else setText(column, "");
    }

    const short = (/** @type {string} */ word) => (word.length > LETTERS ? `${word.slice(0, LETTERS - 1)}…` : word);
    const find = (/** @type {MouseEvent} */ event) => {
        const row = Math.floor(((placeOn(event, svg)[1] - TOP) / side) * map.rows);
        return row >= 0 && row < map.rows ? Math.ceil((row * part.asks.length) / map.rows) : -1;
    };
    box.addEventListener("pointermove", (event) => {
        const row = event.pointerType === "mouse" ? find(event) : -1;
        if (row >= 0) point(row);
    });
    box.addEventListener("pointerleave", () => point(-1));
    box.addEventListener("click", (event) => {
        const row = find(event);
        if (row >= 0) pin(row);
    });
    return { draw, ask };
}
