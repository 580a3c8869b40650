// Strips of a head's numbers: where a place of each layout is drawn, and what each moment changes.
import { t } from "../../../ui/live/words.js";
import { setAttributes, svgElement, setText } from "../../../ui/live/drawing.js";
import { ease, progressBetween, lerp } from "../../../ui/live/motion.js";
import { hex, ramp } from "../../../ui/live/weights.js";

/** @typedef {import("./split.js").Data} Data @typedef {import("./split.js").Layout} Layout
 * @typedef {{x: number, y: number, wide: number, tall: number}} Box */

const PHONE = 620,
    HEAD = 36,
    UNIT = 100; // pixels; a strip is drawn in a square of the last and stretched
const NAMED = 15,
    PALE = 0.2,
    SECOND = 0.62; // pixels that a name needs; how strong others are, and the second sentence

/** Every strip, in the order of memory at the beginning. @param {Data} data @param {number} queries */
export const strips = ({ lengths, colours }, queries) =>
    lengths.flatMap((_, sentence) =>
        Array.from({ length: queries }, (_, query) =>
            colours.map((colour, head) => ({ sentence, query, head, colour })),
        ).flat(),
    );

/** Say where the places of each layout are drawn. @param {number} sentences @param {number} queries @param {number} heads
 * @param {number} width @param {number} tall @param {number} zoom */
function geometry(sentences, queries, heads, width, tall, zoom) {
    const phone = width < PHONE,
        gap = phone ? 6 : 12,
        apart = phone ? 0 : 34,
        line = 22 * zoom;
    const across = phone ? heads : heads * sentences,
        wide = (width - (across - 1) * gap - (phone ? 0 : apart - gap)) / across;
    const each = heads * wide + (heads - 1) * gap,
        band = phone ? tall / sentences : tall; // of a sentence
    const row = Math.min((band - 2 * line - 14) / queries, phone ? 32 : 78),
        whole = queries * row;
    const corner = (/** @type {number} */ sentence) =>
        phone ? { x: 0, y: sentence * band + line } : { x: sentence * (each + apart), y: line };
    const part = tall - line,
        pile = part / heads,
        thin = Math.min((pile - 7) / queries, row);
    /** @param {Layout} layout @param {number} position @returns {Box} */
    const box = (layout, position) => {
        if (layout === "rows" || layout === "parts") {
            const head = position % heads,
                query = Math.floor(position / heads) % queries,
                { x, y } = corner(Math.floor(position / heads / queries));
            const pitch = layout === "rows" ? wide : wide + gap;
            return { x: x + head * pitch, y: y + query * row, wide, tall: row - 3 };
        }
        const block = Math.floor(position / queries),
            query = position % queries,
            head = block % heads,
            sentence = Math.floor(block / heads);
        if (layout === "heads") {
            const x = phone ? (sentence * width) / sentences : corner(sentence).x + 2 * wide;
            return { x, y: line + head * pile + query * thin, wide, tall: thin - 1.5 };
        }
        const { x, y } = corner(sentence);
        return { x: x + head * (wide + gap), y: y + line + query * row, wide, tall: row - 3 };
    };
    const heading = (/** @type {Layout} */ layout, /** @type {number} */ sentence) =>
        phone && layout === "heads"
            ? { x: (sentence * width) / sentences, y: 14 }
            : { x: corner(sentence).x, y: corner(sentence).y - 8 };
    return { box, heading, wide, row, whole, thin, phone };
}

/** Draw what stands still. @param {SVGSVGElement} svg @param {Data} data @param {import("../../../ui/live/timeline.js").Arrays} array @param {number} width
 * @param {number} room @param {import("../../../ui/live/timeline.js").Time} _ @param {(picked: object) => void} pick */
export function drawSplit(svg, data, array, width, room, _, pick) {
    const [blocks, queries, keys] = array("weights").shape,
        heads = data.colours.length,
        phone = width < PHONE,
        zoom = phone ? 1 : data.zoom;
    const line = 22 * zoom,
        under = 4 * line + 18,
        tall = phone ? 400 : Math.min(Math.max(room - HEAD * zoom - under, 220), 420);
    const top = HEAD * zoom,
        at = geometry(data.lengths.length, queries, heads, width, tall, zoom);
    setAttributes(svg, {
        viewBox: `0 0 ${width} ${top + tall + under}`,
        width,
        height: top + tall + under,
        style: `--zoom:${zoom}`,
    });
    const title = svgElement("text", { class: "shape", y: 25 * zoom }, svg),
        size = svgElement("tspan", {}, title),
        axes = svgElement("tspan", { class: "axes", dx: 10 }, title);
    const ground = svgElement("g", { transform: `translate(0 ${top})` }, svg);
    const boards = Array.from({ length: blocks }, (_, block) => {
        const { x, y } = at.box("blocks", block * queries),
            first = !data.swapped && block === 0;
        return svgElement(
            "rect",
            {
                class: first ? "board first" : "board",
                x: x - 4,
                y: y - 4,
                width: at.wide + 8,
                height: at.whole + 5,
                rx: 6,
            },
            ground,
        );
    });
    const all = strips(data, queries).map((each, position) =>
        drawStrip(ground, data, array, each, position, queries, pick),
    );
    const maps = drawMaps(ground, data, array, at, [blocks, queries, keys]);
    const headings = data.lengths.map((_, sentence) =>
        drawText(ground, "heading", t("sentence {n}", { n: sentence + 1 })),
    );
    const lengths = Array.from({ length: blocks }, (_, block) =>
        drawText(ground, "length", t("{n} keys", { n: data.lengths[Math.floor(block / heads)] })),
    );
    const names = Array.from({ length: blocks }, (_, block) =>
        drawText(ground, "head", t("head {number}", { number: block % heads })),
    );
    return {
        at,
        size,
        axes,
        boards,
        all,
        maps,
        headings,
        lengths,
        names,
        code: drawCode(svg, data, width, top + tall + 10, line, phone),
        queries,
        heads,
        zoom,
    };
}

/** A strip: its colour, its numbers before and after attention, its name. @param {Element} ground @param {Data} data
 * @param {import("../../../ui/live/timeline.js").Arrays} array @param {{sentence: number, query: number, head: number, colour: string}} each
 * @param {number} position @param {number} queries @param {(picked: object) => void} pick */
function drawStrip(ground, data, array, { sentence, query, head, colour }, position, queries, pick) {
    const number = sentence * queries + query + 1;
    const group = svgElement(
        "g",
        {
            class: "strip",
            "data-says": t("sentence {sentence}, query {query}, head {head}", {
                sentence: sentence + 1,
                query: query + 1,
                head,
            }),
        },
        ground,
    );
    const body = svgElement("g", {}, group),
        strength = sentence ? SECOND : 1;
    svgElement("rect", { class: "paper", width: UNIT, height: UNIT }, body);
    svgElement("rect", { width: UNIT, height: UNIT, fill: colour, "fill-opacity": strength }, body);
    const [before, after] = ["before", "after"].map((name) =>
        svgElement("path", { class: "numbers", d: numbers(array(name), position) }, body),
    );
    const name = svgElement("text", { class: "mid name" }, group);
    setText(name, `q${query + 1}`);
    group.addEventListener("click", () => pick({ followed: data.followed === number ? 0 : number }));
    return { group, body, before, after, name, number };
}

/** Bars of a strip's numbers from its middle line, on the scale of all strips. @param {import("../../../ui/live/unpack.js").Packed} packed @param {number} strip */
function numbers({ values, shape: [, count] }, strip) {
    const most = values.reduce((most, each) => Math.max(most, Math.abs(each)), 1e-9),
        slot = UNIT / count;
    return Array.from(
        values.subarray(strip * count, (strip + 1) * count),
        (each, at) =>
            `M${(at * slot + 0.5).toFixed(1)} 50v${((-46 * each) / most).toFixed(1)}h${(slot - 1).toFixed(1)}V50z`,
    ).join("");
}

/** The weights of every block. @param {Element} ground @param {Data} data @param {import("../../../ui/live/timeline.js").Arrays} array
 * @param {ReturnType<typeof geometry>} at @param {number[]} sizes */
function drawMaps(ground, data, array, at, [blocks, queries, keys]) {
    const colours = ramp(data.scale),
        { values } = array("weights"),
        maps = svgElement("g", {}, ground);
    for (let cell = 0; cell < blocks * queries * keys; cell += 1) {
        const key = cell % keys,
            query = Math.floor(cell / keys) % queries,
            block = Math.floor(cell / keys / queries),
            weight = values[cell];
        const { x, y, wide } = at.box("weights", block * queries + query),
            hidden = Number.isNaN(weight),
            side = wide / keys;
        const says = hidden
            ? t("hidden by the valid length")
            : t("{title}: q{query} → k{key}: {weight}", {
                  title: data.titles[block],
                  query: query + 1,
                  key: key + 1,
                  weight: weight.toFixed(3),
              });
        svgElement(
            "rect",
            {
                class: hidden ? "cell hidden" : "cell",
                x: x + key * side,
                y: y + 0.5,
                width: side - 1,
                height: at.row - 1,
                fill: hidden ? "none" : hex(colours, weight),
                "data-says": says,
            },
            maps,
        );
    }
    return maps;
}

/** Draw the code that runs, in parts beside each other; on a phone the part that runs. @param {SVGSVGElement} svg @param {Data} data @param {number} width
 * @param {number} top @param {number} line @param {boolean} phone */
function drawCode(svg, data, width, top, line, phone) {
    const code = svgElement("g", { class: "code", transform: `translate(0 ${top})` }, svg),
        column = phone ? 0 : width / data.code.length;
    svgElement("rect", { class: "board", width, height: 4 * line + 8, rx: 8 }, code);
    return data.code.map((lines, part) => {
        const group = svgElement("g", { transform: `translate(${column * part} 0)` }, code);
        return {
            group,
            lines: lines.map((text, position) => {
                const lit = svgElement(
                    "rect",
                    {
                        class: "lit",
                        x: 6,
                        y: position * line + 4,
                        width: (phone ? width : column) - 12,
                        height: line,
                        rx: 5,
                    },
                    group,
                );
                const made = svgElement(
                    "text",
                    { class: position ? "run" : "run named", x: position ? 24 : 12, y: (position + 0.72) * line + 4 },
                    group,
                );
                setText(made, text);
                return { lit, made };
            }),
        };
    });
}

/** @param {Element} parent @param {string} name @param {string} text */
function drawText(parent, name, text) {
    const made = svgElement("text", { class: name }, parent);
    setText(made, text);
    return made;
}

/** Draw a moment. @param {ReturnType<typeof drawSplit>} drawing @param {Data} data @param {import("../../../ui/live/timeline.js").Arrays} array @param {number} now */
export function paintSplit(drawing, data, array, now) {
    const { at, all, queries, heads, zoom } = drawing,
        step = Math.floor(now),
        next = Math.min(step + 1, data.layouts.length - 1),
        near = Math.round(now);
    const share = ease(progressBetween(now - step, 0.1, 0.9)),
        from = data.layouts[step],
        to = data.layouts[next],
        positions = array("positions").values;
    const folded = (/** @type {Layout} */ layout) => (layout === "blocks" || layout === "weights" ? 1 : 0);
    const half = lerp(folded(from), folded(to), share),
        looks = lerp(from === "weights" ? 1 : 0, to === "weights" ? 1 : 0, share);
    const middle = data.layouts.indexOf("weights"),
        mixed = now > middle;
    all.forEach(({ group, body, before, after, name, number }, position) => {
        const a = at.box(from, positions[step * all.length + position]),
            b = at.box(to, positions[next * all.length + position]);
        const wide = lerp(a.wide, b.wide, share),
            tall = lerp(a.tall, b.tall, share);
        const strength = data.followed && data.followed !== number ? PALE : 1;
        setAttributes(group, {
            transform: `translate(${lerp(a.x, b.x, share).toFixed(1)} ${lerp(a.y, b.y, share).toFixed(1)})`,
            opacity: ((1 - looks) * strength).toFixed(2),
            display: looks === 1 ? "none" : "inline",
        });
        setAttributes(body, { transform: `scale(${(wide / UNIT).toFixed(4)} ${(tall / UNIT).toFixed(4)})` });
        setAttributes(before, { display: mixed ? "none" : "inline" });
        setAttributes(after, { display: mixed ? "inline" : "none" });
        setAttributes(name, {
            x: (wide / 2).toFixed(1),
            y: (tall / 2 + 5 * zoom).toFixed(1),
            display: tall < NAMED * zoom ? "none" : "inline",
        });
    });
    setAttributes(drawing.maps, { opacity: looks.toFixed(2), display: looks ? "inline" : "none" });
    for (const board of drawing.boards) setAttributes(board, { opacity: half.toFixed(2) });
    drawing.headings.forEach((heading, sentence) => {
        const a = at.heading(from, sentence),
            b = at.heading(to, sentence);
        setAttributes(heading, { x: lerp(a.x, b.x, share).toFixed(1), y: lerp(a.y, b.y, share).toFixed(1) });
    });
    drawing.lengths.forEach((length, block) => {
        const [a, b] = [from, to].map((layout) => lengthAt(drawing, layout, block));
        setAttributes(length, { x: lerp(a.x, b.x, share).toFixed(1), y: lerp(a.y, b.y, share).toFixed(1) });
    });
    drawing.names.forEach((name, block) => {
        const layout = data.layouts[near],
            box = at.box(
                layout,
                layout === "parts" ? Math.floor(block / heads) * heads * queries + (block % heads) : block * queries,
            );
        const stack = layout === "heads",
            shown = layout !== "rows" && (data.swapped || layout === "parts") && Math.abs(now - near) < 0.2;
        const y = layout === "parts" ? box.y + at.whole + 16 * zoom : stack ? box.y + 2 * at.thin + 4 : box.y - 8;
        setAttributes(name, {
            x: (stack ? box.x + box.wide + 8 : box.x + box.wide / 2).toFixed(1),
            y: y.toFixed(1),
            class: stack ? "head" : "head mid",
            display: shown ? "inline" : "none",
        });
    });
    setText(drawing.size, data.shapes[near]);
    setText(drawing.axes, data.axes[near]);
    paintCode(drawing, data, near);
}

/** Place the length of a block: beside its sentence, or below the block. @param {ReturnType<typeof drawSplit>} drawing @param {Layout} layout
 * @param {number} block */
function lengthAt({ at, queries, heads, zoom }, layout, block) {
    if (layout === "blocks" || layout === "weights") {
        const { x, y } = at.box(layout, block * queries);
        return { x: x + 2, y: y + at.whole + 16 * zoom };
    }
    const { x, y } = at.heading(layout, Math.floor(block / heads));
    return { x: x + 92 * zoom, y };
}

/** @param {ReturnType<typeof drawSplit>} drawing @param {Data} data @param {number} step */
function paintCode({ code, at }, data, step) {
    const lit = data.runs[step].map(([part, line]) => `${part} ${line}`),
        open = data.runs[step][0]?.[0] ?? 0;
    code.forEach(({ group, lines }, part) => {
        setAttributes(group, { display: !at.phone || part === open ? "inline" : "none" });
        lines.forEach(({ lit: ground, made }, line) => {
            const runs = lit.includes(`${part} ${line}`);
            setAttributes(ground, { display: runs ? "inline" : "none" });
            setAttributes(made, { class: `run${line ? "" : " named"}${runs ? " runs" : ""}` });
        });
    });
}
