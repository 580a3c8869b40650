// Every head as a square: its map, or the sign and colour of its rule. Layers go across or down, whichever makes larger squares.
import { t } from "../../../ui/live/words.js";
import { setAttributes, svgElement, setText } from "../../../ui/live/drawing.js";
import { element, presentZoom, placeOn, windowHeight } from "../../../ui/live/dom.js";
import { inks, onInk } from "../../../ui/live/weights.js";
import { read } from "./weights.js";

/** @typedef {{part: string, name: string, layer: number, heads: number, kv: number, rules: number[], strength: number[],
 *   rest: number[]}} Site */
/** @typedef {{sign: string, colour: string, name: string}} Rule */

const LEFT = 46,
    TOP = 22,
    LARGEST = 50,
    LEAST_MAP = 16,
    SHARED = 5,
    APART = 18; // pixels: between heads that share a key and the others, between parts of a model
const FADED = 0.14;

/** @param {HTMLElement} box @param {(site: number, head: number) => void} choose @param {(site: number, head: number) => void} point */
export function squares(box, choose, point) {
    const canvas = element("canvas", "maps");
    box.append(canvas);
    const svg = svgElement("svg", { class: "marks", "aria-hidden": "true" }, box);
    /** @type {any} */ let data;
    /** @type {number[][]} */ let corners = []; // of each site: x or y of its squares, and of each head
    let [side, flip] = [0, true];
    const chosen = svgElement("rect", { class: "chosen", rx: 2 }, svg),
        under = svgElement("rect", { class: "under", rx: 2 }, svg),
        marks = svgElement("g", {}, svg);
    svg.append(under, chosen);

    /** Where the places of sites and heads begin, for squares of a side. @param {number} size */
    function spread(size) {
        let at = 0,
            before = data.sites[0].part;
        const sites = data.sites.map((/** @type {Site} */ site) => {
            if (site.part !== before) [at, before] = [at + APART, site.part];
            at += size;
            return at - size;
        });
        const { heads, kv } = data.sites.reduce((/** @type {Site} */ a, /** @type {Site} */ b) =>
            b.heads > a.heads ? b : a,
        );
        const many = kv < heads ? heads / kv : heads;
        const positions = Array.from({ length: heads }, (_, head) => head * size + Math.floor(head / many) * SHARED);
        return { sites, positions, long: at, wide: (positions.at(-1) ?? 0) + size };
    }

    /** The largest squares that fit. @param {number} width @param {number} tall @param {boolean} across whether layers go across */
    function largest(width, tall, across) {
        const { long, wide } = spread(0),
            count = data.sites.length,
            heads = Math.max(...data.sites.map((/** @type {Site} */ site) => site.heads));
        const [columns, rows, beside, below] = across ? [count, heads, long, wide] : [heads, count, wide, long];
        return Math.max(
            4,
            Math.floor(Math.min((width - LEFT - beside) / columns, (tall - TOP - below) / rows, LARGEST)),
        );
    }

    /** @param {number} site @param {number} head @returns {[number, number]} */
    const corner = (site, head) => {
        const [along, other] = [corners[0][site], corners[1][head]];
        return flip ? [LEFT + along, TOP + other] : [LEFT + other, TOP + along];
    };
    const small = () => side < LEAST_MAP;
    const drawsMaps = () => data.shown === "maps" && !small(); // else a square has the colour of its rule

    /** Take the room that there is; returns the width that is used. @param {any} now @param {number} width */
    function arrange(now, width) {
        data = now;
        const tall = Math.min(0.4 * windowHeight(box), 330),
            [across, down] = [largest(width, tall, true), largest(width, tall, false)];
        flip = across >= down;
        side = Math.max(across, down);
        const { sites, positions, long, wide } = spread(side);
        corners = [sites, positions];
        const [full, high] = flip ? [LEFT + long, TOP + wide] : [LEFT + wide, TOP + long];
        box.style.cssText = `width:${full}px;height:${high}px`;
        setAttributes(svg, { width: full, height: high, viewBox: `0 0 ${full} ${high}` });
        return full;
    }

    function draw(/** @type {number} */ only) {
        const density = Math.max(1, devicePixelRatio * presentZoom(box)),
            pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")),
            inner = side - (side > 20 ? 3 : 1);
        [canvas.width, canvas.height] = [svg, svg].map((_, at) =>
            Math.round(Number(svg.getAttribute(at ? "height" : "width")) * density),
        );
        pen.scale(density, density);
        marks.replaceChildren();
        names(inner);
        const maps = drawsMaps(),
            colours = inks(data.scale),
            line = getComputedStyle(box).getPropertyValue("--line");
        data.sites.forEach((/** @type {Site} */ site, /** @type {number} */ number) => {
            const part = data.parts[site.part],
                tiles = data.tiles[number],
                [, rows, columns] = tiles.shape;
            for (let head = 0; head < site.heads; head += 1) {
                const [x, y] = corner(number, head),
                    faded = only >= 0 && site.rules[head] !== only ? FADED : 1;
                if (!maps) {
                    sign(data.rules[site.rules[head]], site.strength[head], x, y, inner, faded);
                    continue;
                }
                const from = head * rows * columns,
                    map = read(tiles.values.subarray(from, from + rows * columns), rows, columns, part, data.hide);
                pen.globalAlpha = faded;
                pen.imageSmoothingEnabled = inner * density < columns;
                pen.drawImage(pixels(map, colours), x, y, inner, inner);
                pen.strokeStyle = line;
                pen.strokeRect(x - 0.5, y - 0.5, inner + 1, inner + 1);
            }
        });
    }

    /** Draw a rule. @param {Rule} rule @param {number} strength @param {number} x @param {number} y @param {number} inner
     * @param {number} faded */
    function sign(rule, strength, x, y, inner, faded) {
        const group = svgElement("g", { opacity: faded }, marks);
        svgElement("rect", { x, y, width: inner, height: inner, fill: rule.colour, "fill-opacity": strength }, group);
        if (inner < 20) return;
        const ink = strength > 0.6 ? onInk(rule.colour) : "var(--text)",
            made = svgElement(
                "text",
                { class: "sign", x: x + inner / 2, y: y + inner / 2 + 5, style: `fill:${ink}` },
                group,
            );
        setText(made, rule.sign);
    }

    /** Number layers and heads, and tie the heads that share a key. @param {number} inner */
    function names(inner) {
        const label = (/** @type {string} */ text, /** @type {number} */ x, /** @type {number} */ y, kind = "") =>
            setText(svgElement("text", { class: `tick ${kind}`, x, y }, marks), text);
        const step = Math.ceil((flip ? 20 : 16) / side),
            many = Math.ceil((flip ? 16 : 20) / side);
        data.sites.forEach((/** @type {Site} */ site, /** @type {number} */ number) => {
            const at = corners[0][number] + inner / 2;
            if (site.layer % step) return;
            if (flip) label(String(site.layer), LEFT + at, 14, "mid");
            else label(String(site.layer), LEFT - 8, TOP + at + 5, "end");
        });
        corners[1].forEach((position, head) => {
            if (head % many) return;
            if (flip) label(String(head), LEFT - 17, TOP + position + inner / 2 + 5, "end");
            else label(String(head), LEFT + position + inner / 2, 14, "mid");
        });
        label(flip ? t("layer") : t("head"), LEFT - 8, 14, "end");
        const down = corners[flip ? 1 : 0],
            middle = TOP + ((down[down.length - 1] ?? 0) + side) / 2;
        const name = flip ? t("head") : t("layer"),
            turned = name.length > 1 ? " rotate(-90)" : ""; // a single Chinese character would lie on its side
        const aside = { class: "tick mid", transform: `translate(10 ${middle})${turned}` };
        setText(svgElement("text", aside, marks), name);
        const { heads, kv } = data.sites[0];
        if (!flip || kv >= heads) return;
        for (let group = 0; group < kv; group += 1) {
            const [from, to] = [corners[1][(group * heads) / kv], corners[1][((group + 1) * heads) / kv - 1] + inner];
            svgElement("path", { class: "shared", d: `M${LEFT - 4} ${TOP + from + 2}h-6V${TOP + to - 2}h6` }, marks);
        }
    }

    const scratch = new Map();
    /** Paint a map, a pixel for each cell. @param {import("./weights.js").Weights} map @param {Uint32Array} colours */
    function pixels({ rows, columns, weights }, colours) {
        const key = `${rows}.${columns}`,
            made = scratch.get(key) ?? new OffscreenCanvas(columns, rows);
        scratch.set(key, made);
        const pen = made.getContext("2d"),
            image = pen.createImageData(columns, rows),
            inked = new Uint32Array(image.data.buffer);
        weights.forEach((weight, cell) => {
            if (!Number.isNaN(weight))
                inked[cell] = colours[Math.round(weight * (colours.length - 1))] ?? colours.at(-1);
        });
        pen.putImageData(image, 0, 0);
        return made;
    }

    /** Frame a head. @param {Element} frame @param {number[] | null} position */
    function around(frame, position) {
        setAttributes(frame, { display: position ? "inline" : "none" });
        if (!position) return;
        const [x, y] = corner(position[0], position[1]),
            inner = side - (side > 20 ? 3 : 1);
        setAttributes(frame, { x: x - 2, y: y - 2, width: inner + 4, height: inner + 4 });
    }

    /** The head under the pointer. @param {MouseEvent} event @returns {[number, number] | null} */
    function find(event) {
        const [x, y] = placeOn(event, svg),
            [along, other] = flip ? [x - LEFT, y - TOP] : [y - TOP, x - LEFT];
        const inside = (/** @type {number[]} */ positions, /** @type {number} */ at) =>
            positions.findIndex((position) => at >= position && at < position + side);
        const [site, head] = [inside(corners[0], along), inside(corners[1], other)];
        return site >= 0 && head >= 0 && head < data.sites[site].heads ? [site, head] : null;
    }
    box.addEventListener("click", (event) => {
        const found = find(event);
        if (found) choose(...found);
    });
    box.addEventListener("pointermove", (event) => {
        const found = event.pointerType === "mouse" ? find(event) : null;
        around(under, found);
        if (found) point(...found);
    });
    box.addEventListener("pointerleave", () => {
        around(under, null);
        point(-1, -1);
    });
    return {
        arrange,
        draw,
        drawsMaps,
        frame: (/** @type {number[]} */ position) => around(chosen, position),
        across: () => flip,
    };
}
