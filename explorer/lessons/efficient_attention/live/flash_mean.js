// What one row of flash attention keeps: an answer that moves with each tile, and to scale what is never stored.
import { formatMessage, t } from "../../../ui/live/words.js";
import { fitText, setAttributes, svgElement, setText } from "../../../ui/live/drawing.js";
import { number, percent } from "../../../ui/live/numbers.js";
import { clamp, ease, progressBetween, lerp } from "../../../ui/live/motion.js";

/** @typedef {import("./flash.js").Data} Data @typedef {import("./flash.js").Kept} Kept */

// Pixels: above the plot, right of it for a number, the largest disc, the smallest one.
const TOP = 30,
    RIGHT = 58,
    LARGE = 15,
    SMALL = 1.3;

/** Make what a row keeps. @param {SVGSVGElement} svg @param {Data} data
 * @param {{from: number, wide: number, top: number, tall: number, zoom: number}} box */
export function drawMean(svg, data, box) {
    const { keysToATile, labels } = data,
        group = svgElement("g", { transform: `translate(${box.from} ${box.top})` }, svg),
        wide = box.wide - RIGHT * box.zoom,
        plot = { top: TOP * box.zoom, bottom: 0.53 * box.tall },
        each = wide / labels.length;
    const text = (/** @type {string} */ name, /** @type {object} */ at, words = "") => {
        const made = svgElement("text", { class: name, ...at }, group);
        setText(made, words);
        return made;
    };
    text("head", { x: 0, y: 17 * box.zoom }, t("The answer so far"));
    text("note", { x: box.wide, y: 17 * box.zoom }, t("height: a value; area: its weight"));
    const bands = [];
    for (let key = 0; key < labels.length; key += keysToATile) {
        const across = Math.min(keysToATile, labels.length - key) * each;
        bands.push({
            from: key,
            band: svgElement(
                "rect",
                { x: key * each + 1, y: plot.top, width: across - 2, height: plot.bottom - plot.top },
                group,
            ),
            word: text("band", { x: key * each + across / 2, y: plot.top + 17 * box.zoom }),
            fits: across > 68 * box.zoom,
        });
    }
    const zero = svgElement("line", { x1: 0, x2: wide }, group),
        discs = labels.map((_, key) => svgElement("circle", { r: 0, cx: (key + 0.5) * each }, group));
    const was = svgElement("line", { class: "answer was", x1: 0, x2: wide }, group),
        line = svgElement("line", { class: "answer", x1: 0, x2: wide }, group),
        marker = svgElement("path", { class: "marker" }, group),
        told = text("said output", { x: wide + 12 });
    const bar = { y: plot.bottom + 34 * box.zoom, tall: 0.065 * box.tall };
    text("title", { x: 0, y: bar.y - 9 }, t("What the answer is made of"));
    const [before, tile] = ["before", "tile"].map((name) => ({
        rect: svgElement("rect", { class: name, x: 0, y: bar.y, height: bar.tall }, group),
        word: text("in-bar", { y: bar.y + bar.tall / 2 + 5 * box.zoom }),
    }));
    const factor = text("muted", { x: 0, y: bar.y + bar.tall + 18 * box.zoom });
    toScale(group, data, bar.y + bar.tall + 32 * box.zoom, box, text);
    return { box, wide, plot, bands, zero, discs, was, line, marker, told, before, tile, factor };
}

/** Draw the map of a long text beside one tile of it and what all its rows keep, to scale.
 * @param {SVGGElement} group @param {Data} data @param {number} top @param {{wide: number, tall: number, zoom: number}} box
 * @param {(name: string, at: object, words?: string) => SVGTextElement} text */
function toScale(group, { long: { shares, sizes } }, top, box, text) {
    const y = top + 20 * box.zoom,
        side = Math.max(box.tall - y - 4, 40),
        from = side + 16;
    text("title", { x: 0, y: top + 8 * box.zoom }, t("To scale: a text of {n} tokens", { n: sizes.text }));
    svgElement("rect", { class: "never", x: 0, y, width: side, height: side }, group);
    const entry = (
        /** @type {string} */ name,
        /** @type {number} */ share,
        /** @type {number} */ at,
        /** @type {string} */ words,
    ) => {
        const each = Math.max(side * Math.sqrt(share), 2);
        if (share < 1)
            svgElement(
                "rect",
                { class: name, x: from + (16 - each) / 2, y: at - each / 2, width: each, height: each },
                group,
            );
        const x = share < 1 ? from + 24 : from;
        fitText(text("cells", { x, y: at + 5 * box.zoom }, words), box.wide - x);
    };
    entry("", 1, y + side * 0.17, t("its map, {n} scores: never stored", { n: sizes.map }));
    entry("one", shares.tile, y + side * 0.5, t("one tile, {n} scores", { n: sizes.tile }));
    entry("rows", shares.rows, y + side * 0.83, t("all that its rows keep, {n} numbers", { n: sizes.rows }));
}

/** The row at a moment: scores are met, what was summed shrinks, the answer moves.
 * @param {ReturnType<typeof drawMean>} panel @param {Data} data @param {{scores: Float32Array, values: Float32Array, width: number}} numbers
 * @param {number} step @param {number} share @param {number} row @param {(step: number, row: number) => Kept} keeps */
export function paintMean(panel, data, { scores, values, width }, step, share, row, keeps) {
    const { wide, plot, box } = panel,
        n = data.labels.length,
        [q, , k, toK] = data.tiles[step],
        query = q + row,
        first = k === 0,
        now = keeps(step, row);
    const value = (/** @type {number} */ key) => values[key * width + data.moves[query]],
        score = (/** @type {number} */ key) => scores[query * n + key],
        seen = (/** @type {number} */ key) => Number.isFinite(score(key));
    const every = data.labels.map((_, key) => value(key)),
        low = Math.min(0, ...every),
        high = Math.max(0, ...every);
    const y = (/** @type {number} */ at) =>
        lerp(plot.bottom - LARGE, plot.top + 24 * box.zoom + LARGE, (at - low) / (high - low || 1));
    const mean = (/** @type {number} */ to) => {
        let sum = 0,
            all = 0;
        for (let key = 0; key < to; key += 1) {
            const weight = seen(key) ? Math.exp(score(key) - now.now) : 0;
            sum += weight * value(key);
            all += weight;
        }
        return all ? sum / all : 0;
    };
    const met = progressBetween(share, 0.2, 0.4),
        scaled = ease(progressBetween(share, 0.4, 0.7)),
        added = ease(progressBetween(share, 0.7, 1)),
        largest = lerp(Number.isFinite(now.before) ? now.before : now.now, now.now, scaled);
    setAttributes(panel.zero, { y1: y(0), y2: y(0) });
    panel.discs.forEach((disc, key) => {
        const shown = key < toK && seen(key),
            size = shown ? Math.max(LARGE * Math.sqrt(Math.exp(Math.min(score(key) - largest, 0))), SMALL) : 0;
        setAttributes(disc, { class: key >= k ? "here" : "past", cy: y(value(key)), r: key >= k ? size * met : size });
    });
    panel.bands.forEach(({ from, band, word, fits }) => {
        const name = from === k ? "now" : from < k ? "past" : "later";
        setAttributes(band, { class: `band ${name}` });
        setAttributes(word, { class: `band ${name}` });
        setText(word, fits && name !== "later" ? (name === "now" ? t("in memory") : t("forgotten")) : "");
    });
    const [answerBefore, answer] = [mean(k), mean(toK)],
        at = y(first ? answer : lerp(answerBefore, answer, added)),
        visible = first ? added : 1;
    setAttributes(panel.line, { y1: at, y2: at, opacity: visible });
    setAttributes(panel.marker, { d: `M${wide} ${at - 6}l10 6l-10 6z`, opacity: visible });
    setAttributes(panel.was, { y1: y(answerBefore), y2: y(answerBefore), opacity: first ? 0 : 1 });
    setAttributes(panel.told, { y: at + 5 * box.zoom, opacity: visible });
    setText(panel.told, number(first ? answer : lerp(answerBefore, answer, added), 2));

    const kept = first || !now.sum ? 0 : clamp((now.sumBefore * now.factor) / now.sum),
        part = first ? 0 : lerp(1, kept, added),
        whole = first ? added : 1;
    setAttributes(panel.before.rect, { width: box.wide * part });
    setAttributes(panel.tile.rect, { x: box.wide * part, width: box.wide * (whole - part) });
    for (const [each, from, long, words, amount] of /** @type {const} */ ([
        [panel.before, 0, part, t("the answer before {share}"), kept],
        [panel.tile, part, whole - part, t("this tile {share}"), 1 - kept],
    ])) {
        setAttributes(each.word, { x: box.wide * from + 8, opacity: box.wide * long > 150 * box.zoom ? 1 : 0 });
        setText(each.word, formatMessage(words, { share: percent(amount) }));
    }
    setText(
        panel.factor,
        first
            ? ""
            : now.factor < 0.995
              ? t("A larger score came: all that was summed is multiplied by {factor}.", {
                    factor: Number(now.factor.toPrecision(2)),
                })
              : t("No larger score came: what was summed stays as it is."),
    );
}
