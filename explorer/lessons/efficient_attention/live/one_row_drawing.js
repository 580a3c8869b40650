// One row on paper: its keys in tiles, below them their values as discs, and the answer so far as a line that moves.
import { formatMessage, t } from "../../../ui/live/words.js";
import { fitText, setAttributes, svgElement, setText } from "../../../ui/live/drawing.js";
import { number, percent } from "../../../ui/live/numbers.js";
import { clamp, ease, progressBetween, lerp } from "../../../ui/live/motion.js";

/** @typedef {import("./one_row.js").Data} Data @typedef {import("../../../ui/live/timeline.js").Arrays} Arrays */

/** That a row keeps of a tile. */
export const NUMBERS = 6;
const PHONE = 620,
    PHONE_TALL = 400,
    RIGHT = 112, // pixels right of the plot, for the answer
    LARGE = 17, // of the largest disc, and of the smallest one
    SMALL = 1.3,
    LETTER = 13; // pixels of a key in which it can be written; else the tile is, as text

/** Draw what stands still. @param {SVGSVGElement} svg @param {Data} data @param {Arrays} _ @param {number} width @param {number} room */
export function draw(svg, data, _, width, room) {
    const { labels, tiles, query } = data,
        phone = width < PHONE,
        zoom = phone ? 1 : data.zoom,
        tall = phone ? PHONE_TALL : Math.max(room, 300);
    setAttributes(svg, { viewBox: `0 0 ${width} ${tall}`, width, height: tall, style: `--zoom:${zoom}` });
    const wide = width - (phone ? 64 : RIGHT * zoom),
        from = 18,
        each = (wide - from) / tiles[tiles.length - 1][1],
        left = (/** @type {number} */ key) => from + key * each;
    const text = (/** @type {string} */ name, /** @type {object} */ at, words = "") => {
        const made = svgElement("text", { class: name, ...at }, svg);
        setText(made, words);
        return made;
    };
    const asks = t("“{letter}” (number {n}) asks these keys, a tile at a time", {
        letter: labels[query],
        n: query + 1,
    });
    fitText(text("head", { x: from, y: 17 * zoom }, asks), width - from);
    const keys = { top: 28 * zoom, tall: 36 * zoom },
        plot = { top: keys.top + keys.tall, bottom: tall - 88 * zoom };
    const bands = tiles.map(([first, last]) => {
        const across = (last - first) * each,
            position = { x: left(first) + 1, width: across - 2 };
        const made = {
            first,
            tile: svgElement("rect", { class: "tile", ...position, y: keys.top, height: keys.tall }, svg),
            band: svgElement("rect", { class: "band", ...position, y: plot.top, height: plot.bottom - plot.top }, svg),
            word: text("band", { x: left(first) + across / 2, y: plot.top + 18 * zoom }),
            fits: across > 74 * zoom,
            /** @type {SVGTextElement[]} */ letters: [],
        };
        const y = keys.top + keys.tall / 2 + 6 * zoom,
            short = labels.every((label) => [...label].length === 1);
        if (each * zoom >= (short ? LETTER : 3 * LETTER))
            for (let key = first; key < last; key += 1)
                made.letters.push(text("letter", { x: left(key + 0.5), y }, labels[key]));
        else {
            const said = labels
                .slice(first, last)
                .join(short ? "" : " ")
                .replaceAll("␣", " ");
            made.letters.push(text("letter", { x: left(first) + across / 2, y }, said));
        }
        for (const letter of made.letters)
            fitText(letter, made.letters.length > 1 ? each - 2 : Math.max(across - 6, 10));
        return made;
    });
    const legend = phone
        ? t("disc: a key’s value, area: its weight")
        : t("Each disc is a key: its height is its value, its area its weight");
    text("note", { x: from, y: plot.bottom + 18 * zoom }, legend);
    const axis = t("value");
    text("axis", { x: 0, y: 0, transform: `translate(${12} ${(plot.top + plot.bottom) / 2}) rotate(-90)` }, axis);
    const zero = svgElement("line", { x1: from, x2: wide }, svg),
        discs = labels.map((_, key) => svgElement("circle", { r: 0, cx: left(key + 0.5) }, svg)),
        was = svgElement("line", { class: "answer was", x1: from, x2: wide }, svg),
        line = svgElement("line", { class: "answer", x1: from, x2: wide }, svg),
        marker = svgElement("path", { class: "marker" }, svg);
    const named = text("output", { x: wide + 14 }, phone ? "" : t("answer so far")),
        told = text("said output", { x: wide + 14 });
    const bar = { y: plot.bottom + 30 * zoom, tall: 30 * zoom };
    const [before, tile] = ["before", "this"].map((name) => ({
        rect: svgElement("rect", { class: name, x: from, y: bar.y, height: bar.tall }, svg),
        word: text("in-bar", { y: bar.y + bar.tall / 2 + 5 * zoom }),
    }));
    const factor = text("muted", { x: from, y: bar.y + bar.tall + 20 * zoom });
    return { zoom, from, wide, width, plot, bands, zero, discs, was, line, marker, named, told, before, tile, factor };
}

/** The row at a moment: keys are met, what was summed shrinks, the answer moves.
 * @param {ReturnType<typeof draw>} drawing @param {Data} data @param {Arrays} array @param {number} moment */
export function paint(drawing, data, array, moment) {
    const step = Math.ceil(moment),
        share = step === 0 ? 1 : 1 - (step - moment),
        scores = array("scores").values,
        { values, shape } = array("values");
    const { from, wide, width, plot, zoom } = drawing,
        [k, toK] = data.tiles[step],
        first = k === 0;
    const [before, largestNow, sumBefore, sum, multiplied] = array("kept").values.subarray(
        NUMBERS * step,
        NUMBERS * (step + 1),
    );
    const value = (/** @type {number} */ key) => values[key * shape[1] + data.number],
        seen = (/** @type {number} */ key) => Number.isFinite(scores[key]);
    const every = data.labels.map((_, key) => value(key)),
        low = Math.min(0, ...every),
        high = Math.max(0, ...every);
    const y = (/** @type {number} */ at) =>
        lerp(plot.bottom - LARGE, plot.top + 24 * zoom + LARGE, (at - low) / (high - low || 1));
    const mean = (/** @type {number} */ to) => {
        let total = 0,
            all = 0;
        for (let key = 0; key < to; key += 1) {
            const weight = seen(key) ? Math.exp(scores[key] - largestNow) : 0;
            total += weight * value(key);
            all += weight;
        }
        return all ? total / all : 0;
    };
    const met = progressBetween(share, 0.2, 0.4),
        scaled = ease(progressBetween(share, 0.4, 0.7)),
        added = ease(progressBetween(share, 0.7, 1)),
        largest = lerp(Number.isFinite(before) ? before : largestNow, largestNow, scaled);
    setAttributes(drawing.zero, { y1: y(0), y2: y(0) });
    drawing.discs.forEach((disc, key) => {
        const shown = key < toK && seen(key),
            size = shown ? Math.max(LARGE * Math.sqrt(Math.exp(Math.min(scores[key] - largest, 0))), SMALL) : 0;
        setAttributes(disc, { class: key >= k ? "here" : "past", cy: y(value(key)), r: key >= k ? size * met : size });
    });
    for (const each of drawing.bands) {
        const name = each.first === k ? "now" : each.first < k ? "past" : "later";
        setAttributes(each.tile, { class: `tile ${name}` });
        setAttributes(each.band, { class: `band ${name}` });
        setAttributes(each.word, { class: `band ${name}` });
        for (const letter of each.letters) setAttributes(letter, { class: `letter ${name}` });
        const words = { now: t("in memory"), past: t("forgotten"), later: t("not read yet") };
        setText(each.word, each.fits ? words[name] : "");
    }
    const [answerBefore, answer] = [mean(k), mean(toK)],
        shown = first ? answer : lerp(answerBefore, answer, added),
        at = y(shown),
        visible = first ? added : 1;
    setAttributes(drawing.line, { y1: at, y2: at, opacity: visible });
    setAttributes(drawing.marker, { d: `M${wide} ${at - 6}l10 6l-10 6z`, opacity: visible });
    setAttributes(drawing.was, { y1: y(answerBefore), y2: y(answerBefore), opacity: first ? 0 : 1 });
    setAttributes(drawing.named, { y: at - 14 * zoom, opacity: visible });
    setAttributes(drawing.told, { y: at + 6 * zoom, opacity: visible });
    setText(drawing.told, number(shown, 2));

    const kept = first || !sum ? 0 : clamp((sumBefore * multiplied) / sum),
        part = first ? 0 : lerp(1, kept, added),
        whole = first ? added : 1,
        long = width - from;
    setAttributes(drawing.before.rect, { width: long * part });
    setAttributes(drawing.tile.rect, { x: from + long * part, width: long * (whole - part) });
    for (const [each, start, covers, words, amount] of /** @type {const} */ ([
        [drawing.before, 0, part, t("{share} of the answer: what came before"), kept],
        [drawing.tile, part, whole - part, t("{share} of the answer: this tile"), 1 - kept],
    ])) {
        setText(each.word, formatMessage(words, { share: percent(amount) }));
        const fits = long * covers > each.word.getComputedTextLength() + 12;
        setAttributes(each.word, { x: from + long * start + 8, opacity: fits ? 1 : 0 });
    }
    const words =
        multiplied < 0.995
            ? t("A larger score came: all that was summed is multiplied by {factor}.", {
                  factor: Number(multiplied.toPrecision(2)),
              })
            : t("No larger score came: what was summed stays as it is.");
    setText(drawing.factor, first ? "" : words);
    fitText(drawing.factor, long);
}
