// Every way at one length of the text: its time as a bar, its memory as a square, hollow where they follow from a law. All lengths
// came from Python: the slider selects, bars and squares follow.
import { element, live, updateTableWhenIdle, screenReaderOnly, windowHeight } from "../../../ui/live/dom.js";
import { t } from "../../../ui/live/words.js";
import { setAttributes, svgElement, setText } from "../../../ui/live/drawing.js";
import { clamp } from "../../../ui/live/motion.js";
import { redrawOnResize } from "../../../ui/live/resize.js";
import { liveRegion } from "../../../ui/live/live_region.js";

/**
 * @typedef {object} Data @property {import("../../../ui/live/unpack.js").Packed} found [lengths, ways, seconds · bytes · whether they
 *   are measured], NaN where nothing is known
 * @property {string[]} names @property {string[]} colours @property {string[]} lengths in words @property {number} at which of them
 * @property {string[][]} times in words, of each way at each length @property {string[][]} sizes @property {number} zoom
 */

const FEW = 4,
    ASIDE = 344,
    GAP = 6; // ways whose names need no small type; pixels above and below; between squares

export default (/** @type {import("../../../ui/live/dom.js").Component} */ component) =>
    live(component, "at_length", lengthwise);

/** @param {HTMLElement} root */
function lengthwise(root) {
    const title = element("p", "title");
    root.append(title);
    const svg = svgElement("svg", { role: "img" }, root),
        table = screenReaderOnly(root, "table");

    /** @type {Data} */ let data;
    /** @type {ArrayLike<number>} */ let found = [];
    let at = 0;
    /** @type {ReturnType<typeof build>} */ let drawn;
    /** @param {number} way @param {0 | 1 | 2} what */
    const known = (way, what) => found[(at * data.names.length + way) * 3 + what];

    function build() {
        const wide = root.clientWidth,
            few = data.names.length <= FEW,
            line = (few ? 19 : 16) * data.zoom;
        root.style.setProperty("--zoom", String(data.zoom));
        root.classList.toggle("many", !few);
        const tall = clamp(windowHeight(root) - ASIDE * data.zoom, few ? 280 : 390, 560),
            row = (few ? 30 : 19) * data.zoom,
            top = data.names.length * row + 14;
        svg.replaceChildren();
        setAttributes(svg, { width: wide, height: tall, viewBox: `0 0 ${wide} ${tall}` });
        const widths = data.names.map((name, way) => {
            const made = svgElement("text", { x: 0, y: (way + 0.5) * row + 5 }, svg);
            setText(made, name);
            return made.getComputedTextLength();
        });
        const left = Math.min(Math.max(...widths) + 12, 0.6 * wide);
        const ways = data.names.map((_, way) => {
            const middle = (way + 0.5) * row,
                y = (way + 0.14) * row;
            const bar = svgElement(
                "rect",
                { class: "shape target", x: left, y, height: 0.72 * row, stroke: data.colours[way] },
                svg,
            );
            const time = svgElement("text", { class: "strong", y: middle + 5 }, svg),
                square = svgElement("rect", { class: "shape target", stroke: data.colours[way] }, svg);
            return { bar, time, square, name: svgElement("text", {}, svg), size: svgElement("text", {}, svg) };
        });
        return { wide, few, line, top, area: tall - top - 2, left, room: wide - left - 84 * data.zoom, ways };
    }

    function paint() {
        const { few, left, room, ways, line } = drawn,
            longest = Math.max(...ways.map((_, way) => known(way, 0) || 0));
        setText(title, t("At n = {n}: time, and memory as areas", { n: data.lengths[at] }));
        svg.ariaLabel = title.textContent;
        ways.forEach(({ bar, square, time }, way) => {
            const said = { name: data.names[way], time: data.times[at][way], size: data.sizes[at][way] };
            for (const each of [bar, square]) setAttributes(each, { "data-says": t("{name}: {time}, {size}", said) });
            const long = Math.max(room, 0) * ((known(way, 0) || 0) / (longest || 1));
            setAttributes(bar, {
                width: long.toFixed(1),
                fill: known(way, 2) ? data.colours[way] : "none",
                "stroke-opacity": Number.isNaN(known(way, 0)) ? 0 : 1,
            });
            setAttributes(time, { x: (left + long + 8).toFixed(1) });
            setText(time, data.times[at][way]);
        });
        const { order, sides, column, inside } = squares();
        let below = drawn.top;
        order.forEach((way, position) => {
            const side = sides[position],
                x = position ? column + GAP : 1,
                y = position ? below : drawn.top,
                there = known(way, 2) > 0;
            const { square, name, size } = ways[way],
                high = Math.max(side, few ? 2 * line : line),
                middle = y + Math.min(side, high) / 2;
            if (position) below += high + GAP;
            setAttributes(square, {
                x: x.toFixed(1),
                y: y.toFixed(1),
                width: side.toFixed(1),
                height: side.toFixed(1),
                fill: there ? data.colours[way] : "none",
            });
            const beside = position ? x + side + 8 : x + (inside ? 8 : 0),
                role = there && !position && inside ? "inside" : "";
            const upper = position
                ? Math.max(middle + (few ? -4 : 5), y + (few ? 12 : 10))
                : y + line + (inside ? 2 : side);
            setAttributes(name, { class: role, x: beside.toFixed(1), y: upper.toFixed(1) });
            setAttributes(size, { class: `strong ${role}`, x: beside.toFixed(1), y: (upper + line).toFixed(1) });
            setText(name, data.names[way] + (few || !position ? "" : `  ${data.sizes[at][way]}`));
            setText(size, few || !position ? data.sizes[at][way] : "");
        });
        ways.forEach(({ square, name, size }, way) => {
            for (const each of [square, name, size])
                setAttributes(each, { visibility: order.includes(way) ? "visible" : "hidden" });
        });
        updateTableWhenIdle(table, title.textContent ?? "", () => [
            ["", t("time"), t("memory")],
            ...data.names.map((name, way) => [name, data.times[at][way], data.sizes[at][way]]),
        ]);
    }

    /** The ways with known memory, the largest first, and sides as large as there is room: the largest by itself, its name in it or
     * below it, the others one below the other beside it. */
    function squares() {
        const { few, area, wide, line, ways } = drawn,
            order = data.names.map((_, way) => way).filter((way) => known(way, 1) > 0);
        order.sort((one, other) => known(other, 1) - known(one, 1));
        const shares = order.map((way) => Math.sqrt(known(way, 1) / known(order[0], 1))),
            first = ways[order[0]];
        if (first) {
            setText(first.name, data.names[order[0]]);
            setText(first.size, data.sizes[at][order[0]]);
        }
        const label = first ? Math.max(first.name.getComputedTextLength(), first.size.getComputedTextLength()) : 0;
        let most = Math.min(area, (few ? 0.58 : 0.5) * wide);
        const sides = () => shares.map((each) => each * most),
            column = () => Math.max(most, label);
        const fits = ([, ...others] = sides()) =>
            others.reduce((sum, side) => sum + Math.max(side, few ? 2 * line : line) + GAP, 0) <= area &&
            column() + 2 * GAP + Math.max(0, ...others) + 0.3 * wide <= wide;
        while (most > 40 && !fits()) most *= 0.97;
        return { order, sides: sides(), column: column(), inside: most >= Math.max(label + 16, 2.4 * line) };
    }

    liveRegion(root);
    const shown = redrawOnResize(root, () => (drawn = build()), paint);
    return {
        /** @param {Data} now */
        take(now) {
            const { at: position, ...rest } = now;
            [data, at] = [now, position];
            shown.take(rest, () => {
                found = now.found.values;
                return [["ea_n", shown.slide((to) => (at = to))]];
            });
        },
        end: shown.end,
    };
}
