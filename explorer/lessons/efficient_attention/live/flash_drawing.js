// Flash attention on paper: what stands still, and what each moment changes.
import { t } from "../../../ui/live/words.js";
import { fitText, setAttributes, svgElement, setText } from "../../../ui/live/drawing.js";
import { ease, progressBetween, lerp } from "../../../ui/live/motion.js";
import { hex, ramp } from "../../../ui/live/weights.js";

const PHONE = 620,
    MOST_LETTERS = 40,
    EVERY = 8,
    CLOSE = 12.5, // pixels of a cell in which a letter can be written
    NAMED = 4;

/** Draw what stands still. @param {SVGSVGElement} svg @param {import("./flash.js").Data} data @param {number} width @param {number} room */
export function draw(svg, data, width, room) {
    const { labels, tiles } = data,
        n = labels.length,
        phone = width < PHONE,
        zoom = phone ? 1 : data.zoom;
    const side = Math.max(phone ? width - 26 : Math.min(width * 0.53 - 26, room - 46), 200),
        cell = side / n;
    const position = { left: 22, top: phone ? 44 : 46, side, cell, n };
    const tall = position.top + side + 3,
        from = phone ? 0 : position.left + side + 44;
    const panel = {
        from,
        wide: width - from - 2,
        top: phone ? tall + 14 : 0,
        tall: phone ? 260 : Math.min(tall, 330),
        zoom,
    };
    svg.replaceChildren();
    const whole = phone ? panel.top + panel.tall : tall;
    setAttributes(svg, { viewBox: `0 0 ${width} ${whole}`, width, height: whole, style: `--zoom:${zoom}` });
    const map = svgElement("g", { class: "map", transform: `translate(${position.left} ${position.top})` }, svg);
    setText(svgElement("text", { class: "head", x: 0, y: 17 }, svg), t("The map that is never whole"));
    if (data.causal) future(map, data, cell);
    const boxes = tiles.map(([q, toQ, k, toK]) => {
        const box = svgElement(
            "rect",
            { x: k * cell, y: q * cell, width: (toK - k) * cell, height: (toQ - q) * cell },
            map,
        );
        const wide = (toK - k) * cell > 70 && (toQ - q) * NAMED >= n;
        const word = wide ? svgElement("text", { class: "gone", x: ((k + toK) / 2) * cell }, map) : null;
        if (word) setText(word, t("forgotten"));
        return { box, word };
    });
    const tile = svgElement("g", {}, map),
        other = svgElement("g", {}, map);
    const frame = svgElement("rect", { class: "frame" }, map),
        line = svgElement("rect", { class: "frame row" }, map);
    const every = n <= MOST_LETTERS && cell > CLOSE / 2 ? (cell > CLOSE ? 1 : 2) : EVERY,
        size = 14;
    const letters = labels.map((label, at) =>
        at % every
            ? null
            : [
                  svgElement(
                      "text",
                      { class: "letter", x: (at + 0.5) * cell, y: -5, style: `font-size:${size}px` },
                      map,
                  ),
                  svgElement(
                      "text",
                      { class: "letter", x: -9, y: (at + 0.5) * cell + size / 3, style: `font-size:${size}px` },
                      map,
                  ),
              ].map((made) => (setText(made, label), made)),
    );
    const colours = ramp(data.scale);
    toScale(svg, data, panel);
    return {
        position,
        boxes,
        cells: [
            { group: tile, at: -1 },
            { group: other, at: -1 },
        ],
        frame,
        line,
        letters,
        colours,
    };
}

/** Draw the map of a long text beside one tile of it and what all its rows keep, to scale.
 * @param {SVGSVGElement} svg @param {import("./flash.js").Data} data
 * @param {{from: number, wide: number, top: number, tall: number, zoom: number}} box */
function toScale(svg, { long: { shares, sizes } }, box) {
    const group = svgElement("g", { transform: `translate(${box.from} ${box.top})` }, svg),
        y = 30 * box.zoom,
        side = Math.min(Math.max(box.tall - y - 84 * box.zoom, 40), box.wide);
    const text = (/** @type {string} */ name, /** @type {number} */ x, /** @type {number} */ at, words = "") => {
        const made = svgElement("text", { class: name, x, y: at }, group);
        setText(made, words);
        fitText(made, box.wide - x);
    };
    text("head", 0, 17 * box.zoom, t("To scale: a text of {n} tokens", { n: sizes.text }));
    svgElement("rect", { class: "never", x: 0, y, width: side, height: side }, group);
    text("cells", 0, y + side + 20 * box.zoom, t("its map, {n} scores: never stored", { n: sizes.map }));
    const entry = (
        /** @type {string} */ name,
        /** @type {number} */ share,
        /** @type {number} */ at,
        /** @type {string} */ words,
    ) => {
        const each = Math.max(side * Math.sqrt(share), 2);
        svgElement("rect", { class: name, x: (24 - each) / 2, y: at - each / 2, width: each, height: each }, group);
        text("cells", 32, at + 5 * box.zoom, words);
    };
    entry("one", shares.tile, y + side + 42 * box.zoom, t("one tile, {n} scores", { n: sizes.tile }));
    entry("rows", shares.rows, y + side + 66 * box.zoom, t("all that its rows keep, {n} numbers", { n: sizes.rows }));
}

/** Hatch what lies after each query. @param {Element} map @param {import("./flash.js").Data} data @param {number} cell */
function future(map, data, cell) {
    const n = data.labels.length,
        at = (/** @type {number} */ x) => (x * cell).toFixed(1);
    const stairs = Array.from({ length: n - 1 }, (_, row) => `V${at(row + 1)}H${at(row + 2)}`).join("");
    const id = "flash-future",
        clip = svgElement("clipPath", { id }, map),
        path = `M${at(1)} 0${stairs}V0Z`;
    svgElement("path", { d: path }, clip);
    svgElement("path", { d: path, fill: data.masked[0] }, map);
    const strokes = Array.from(
        { length: 44 },
        (_, each) => `M${at((2 * n * each) / 44)} 0L0 ${at((2 * n * each) / 44)}`,
    ).join("");
    svgElement("path", { d: strokes, stroke: data.masked[1], "clip-path": `url(#${id})` }, map);
}

/** The map at a moment: the tile before fades, the frame moves on, the scores of this one appear.
 * @param {ReturnType<typeof draw>} drawing @param {import("./flash.js").Data} data @param {Float32Array} scores @param {number} step
 * @param {number} share @param {(step: number) => number} rowOf */
export function paintMap({ position, boxes, cells, frame, line, letters, colours }, data, scores, step, share, rowOf) {
    const { cell, n } = position,
        last = Math.max(step - 1, 0),
        moved = ease(progressBetween(share, 0.05, 0.35));
    const asks = lerp(data.tiles[last][0] + rowOf(last), data.tiles[step][0] + rowOf(step), moved);
    boxes.forEach(({ box, word }, at) => {
        const past = at < step - 1 || (at === step - 1 && share > 0.25),
            [q, toQ] = data.tiles[at];
        const crossed = asks + 1 > q && asks < toQ,
            high = crossed ? (asks + 0.5 < (q + toQ) / 2 ? 0.75 : 0.25) : 0.5; // beside the frame of the row
        setAttributes(box, { class: past ? "past" : at > step ? "later" : "" });
        if (word) setAttributes(word, { opacity: past ? 1 : 0, y: lerp(q, toQ, high) * cell + 5 });
    });
    const fill = (
        /** @type {{group: SVGGElement, at: number}} */ made,
        /** @type {number} */ at,
        /** @type {number} */ opacity,
    ) => {
        setAttributes(made.group, { opacity });
        if (opacity > 0 && made.at === at) return;
        made.at = opacity > 0 ? at : -1;
        made.group.replaceChildren();
        if (opacity === 0) return;
        const [q, toQ, k, toK] = data.tiles[at],
            [low, high] = data.strong;
        for (let y = q; y < toQ; y += 1)
            for (let x = k; x < toK; x += 1) {
                const score = scores[y * n + x];
                if (!Number.isFinite(score)) continue;
                const says = t("score of “{query}” and “{key}”: {score}", {
                    query: data.labels[y],
                    key: data.labels[x],
                    score: score.toFixed(2),
                });
                svgElement(
                    "rect",
                    {
                        class: "cell",
                        "data-says": says,
                        x: x * cell,
                        y: y * cell,
                        width: cell + 0.3,
                        height: cell + 0.3,
                        fill: hex(colours, (score - low) / (high - low || 1)),
                    },
                    made.group,
                );
            }
    };
    fill(cells[step % 2], step, share === 1 ? 1 : progressBetween(share, 0.2, 0.45));
    fill(cells[(step + 1) % 2], last, last === step ? 0 : 1 - progressBetween(share, 0, 0.25));
    const [q, toQ, k, toK] = data.tiles[step].map((each, side) => lerp(data.tiles[last][side], each, moved));
    setAttributes(frame, { x: k * cell, y: q * cell, width: (toK - k) * cell, height: (toQ - q) * cell });
    setAttributes(line, { x: 0, y: asks * cell, width: toK * cell, height: cell });
    const at = data.tiles[moved < 0.5 ? last : step];
    letters.forEach((pair, each) => {
        if (!pair) return;
        setAttributes(pair[0], { class: each >= at[2] && each < at[3] ? "letter key" : "letter" });
        setAttributes(pair[1], { class: each >= at[0] && each < at[1] ? "letter query" : "letter" });
    });
}
