// What a model takes, as bars: download and memory with their bounds, weights by their bits, maps by the length of the text. Every
// size that the slider can ask for came from Python: the slider selects.
import { element, live, screenReaderOnly, updateTableWhenIdle } from "../../../ui/live/dom.js";
import { fitText, setAttributes, setText, svgElement } from "../../../ui/live/drawing.js";
import { linear } from "../../../ui/live/axes.js";
import { liveRegion } from "../../../ui/live/live_region.js";
import { redrawOnResize } from "../../../ui/live/resize.js";
import { t } from "../../../ui/live/words.js";

/**
 * @typedef {{bytes: number[], said: string[]}} Sizes
 * @typedef {object} Data @property {number[]} stops tokens of the text, by the slider's place @property {number} at its place
 * @property {string} key of the slider @property {Sizes} download @property {Sizes} memory at each stop
 * @property {Sizes} bounds of download and memory @property {number[]} bits @property {Sizes} weights by their bits
 * @property {number[]} lengths of texts, the stops the last of them @property {Sizes} maps at each length
 * @property {number} rows lengths that are drawn @property {number} zoom
 */

const NAMES = 148,
    ROW = 31,
    HEADING = 38,
    SAID = 86,
    AWAY = 6,
    CAPTION = 14; // pixels: left of the bars, a row, a heading, right of the longest bar, from a bar to its size, above one with a bound

export default (/** @type {import("../../../ui/live/dom.js").Component} */ component) =>
    live(component, "costs", costs);

/** @param {HTMLElement} root */
function costs(root) {
    const drawing = element("div", "drawing");
    root.append(drawing);
    const svg = svgElement("svg", { role: "img" }, drawing),
        table = screenReaderOnly(root, "table");
    /** @type {Data} */ let data;
    let at = 0;
    /** @type {ReturnType<typeof build>} */ let drawn;

    /** Names of the rows of the model and of its maps, the sizes of each, in words, and which bound it has. */
    function rows() {
        const whole = { name: t("to download"), size: data.download.bytes[0], said: data.download.said[0], bound: 0 },
            open = { name: t("memory while open"), size: data.memory.bytes[at], said: data.memory.said[at], bound: 1 };
        const weights = data.bits.map((bits, position) => ({
            name: t("weights, {bits} bits", { bits }),
            size: data.weights.bytes[position],
            said: data.weights.said[position],
            bound: -1,
        }));
        const first = data.lengths.length - data.stops.length + at + 1 - data.rows;
        const maps = data.lengths.slice(first, first + data.rows).map((n, position) => ({
            name: t("maps, {n} tokens", { n: n.toLocaleString("en") }),
            size: data.maps.bytes[first + position],
            said: data.maps.said[first + position],
            bound: -1,
        }));
        return { model: [whole, open, ...weights], maps };
    }

    /** Make headings and rows without their sizes. */
    function build() {
        const { model, maps } = rows(),
            { zoom } = data,
            wide = root.clientWidth,
            left = NAMES * zoom,
            room = Math.max(wide - left - SAID * zoom, 40),
            tall = (2 * (HEADING + CAPTION) + ROW * (model.length + maps.length)) * zoom;
        root.style.setProperty("--zoom", String(zoom));
        svg.replaceChildren();
        setAttributes(svg, { width: wide, height: tall, viewBox: `0 0 ${wide} ${tall}` });
        let top = 0;
        const heading = (/** @type {string} */ said) => {
            top += HEADING * zoom;
            setText(svgElement("text", { class: "heading", x: 0, y: top - 12 * zoom }, svg), said);
        };
        const row = (/** @type {string} */ kind, /** @type {number} */ bound) => {
            const y = top + (bound < 0 ? 0 : CAPTION * zoom),
                high = ROW * zoom,
                base = y + 0.66 * high;
            top = y + high;
            if (bound >= 0) {
                const x = left + scale(data.bounds.bytes[bound]),
                    anchor = x - left > (wide - left) / 2 ? "end" : "start";
                svgElement("line", { class: "bound", x1: x, x2: x, y1: y, y2: top - 2 }, svg);
                const most = svgElement("text", { class: "most", x, y: y - 3, "text-anchor": anchor }, svg);
                setText(most, t("at most {size}", { size: data.bounds.said[bound] }));
            }
            return {
                name: svgElement("text", { x: left - 10, y: base, "text-anchor": "end" }, svg),
                bar: svgElement("rect", { class: kind, x: left, y: y + 4, height: high - 8 }, svg),
                said: svgElement("text", { class: "size", y: base }, svg),
            };
        };
        const reach = Math.max(
                ...data.bounds.bytes,
                ...data.memory.bytes,
                ...data.download.bytes,
                ...data.weights.bytes,
            ),
            scale = linear([0, reach], [0, room]);
        heading(t("All maps of one text, by its length"));
        const from = top,
            texts = maps.map((_, position) => row(position < maps.length - 1 ? "shorter" : "chosen", -1));
        svgElement("line", { class: "floor", x1: left, x2: left, y1: from, y2: top }, svg);
        heading(t("The model (a scale of its own)"));
        const below = top,
            kinds = model.map(({ bound }) => row(bound < 0 ? "kept" : "fetched", bound));
        svgElement("line", { class: "floor", x1: left, x2: left, y1: below, y2: top }, svg);
        return { kinds, texts, left, room, scale };
    }

    /** Write the sizes at the slider's place. */
    function paint() {
        const { model, maps } = rows(),
            { kinds, texts, left, room, scale } = drawn,
            longest = linear([0, maps[maps.length - 1].size], [0, room]);
        /** @param {typeof kinds} nodes @param {typeof model} rows @param {(size: number) => number} length */
        const write = (nodes, rows, length) =>
            rows.forEach(({ name, size, said }, position) => {
                const { name: named, bar, said: words } = nodes[position];
                setText(named, name);
                fitText(named, left - 10);
                setAttributes(bar, {
                    width: Math.max(length(size), size ? 1 : 0).toFixed(1),
                    "data-says": t("{name}: {size}", { name, size: said }),
                });
                setText(words, said);
                setAttributes(words, { x: (left + length(size) + AWAY).toFixed(1) });
            });
        write(kinds, model, scale);
        write(texts, maps, longest);
        updateTableWhenIdle(table, t("What the model takes"), () =>
            [["", t("size"), t("at most")]].concat(
                [...maps, ...model].map(({ name, said, bound }) => [name, said, data.bounds.said[bound] ?? ""]),
            ),
        );
    }

    liveRegion(root);
    const shown = redrawOnResize(root, () => (drawn = build()), paint);
    return {
        /** @param {Data} now */
        take(now) {
            const { at: position, ...rest } = now;
            [data, at] = [now, position];
            shown.take(rest, () => {
                svg.ariaLabel = t("What the model takes");
                return [[data.key, shown.slide((to) => (at = to))]];
            });
        },
        end: shown.end,
    };
}
