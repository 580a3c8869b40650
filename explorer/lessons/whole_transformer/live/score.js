// One score in its cell: the products of a query and a key, their sum, and what softmax makes of the row.
import { number } from "../../../ui/live/numbers.js";
import { formatMessage, t } from "../../../ui/live/words.js";
import { fade } from "./camera.js";
import { HIGH, WIDE } from "./world.js";

/** @typedef {import("./lane.js").Picture} Picture */

/** The numbers of one score. @param {import("./scene.js").Scene} scene @param {import("./world.js").Part} part @param {number} head @param {number} row @param {number} column */
export function products(scene, part, head, row, column) {
    const { d, heads } = scene.head.sizes,
        size = d / heads;
    const slice = (/** @type {string} */ name, /** @type {number} */ at) =>
        scene.array(`${part.name}.${name}`).values.subarray(at * d + head * size, at * d + (head + 1) * size);
    const query = slice("q", row),
        key = slice("k", column);
    return { query, key, product: query.map((each, position) => each * key[position]) };
}

/** @param {Picture} picture @param {import("./head.js").Pane} pane */
export function drawScore(picture, pane) {
    const { scene, camera, pen } = picture,
        { part, head } = pane,
        { row, column } = scene.selected;
    const [x, y, w, h] = scene.world.cell(part, head, row, column);
    if (!camera.seen(x, y, x + w, y + h)) return;
    const sides = [camera.sx(x), camera.sx(x + w), camera.sy(y), camera.sy(y + h)];
    if (!camera.swapped) return bars(picture, pane, sides, camera.wide);
    pen.g.save();
    pen.g.transform(0, 1, 1, 0, 0, 0);
    camera.swapped = false;
    bars(picture, pane, [sides[2], sides[3], sides[0], sides[1]], camera.high);
    camera.swapped = true;
    pen.g.restore();
}

/** @param {Picture} picture @param {import("./head.js").Pane} pane @param {number[]} sides @param {number} full width of the stage */
function bars({ scene, pen }, pane, [left, right, top, bottom], full) {
    const { part, head, asks, asked, weights, scores } = pane,
        { row, column } = scene.selected,
        hues = pen.colours;
    const wide = right - left,
        slim = full < 620,
        X = (/** @type {number} */ u) => left + (u / WIDE) * wide,
        Y = (/** @type {number} */ u) => top + (u / HIGH) * (bottom - top);
    if (wide < full * 0.3) return;
    pen.box(left, top, right, bottom, { fill: hues.paper, stroke: hues.query, width: 2, round: 6 });
    const { query, key, product } = products(scene, part, head, row, column),
        count = product.length,
        causal = scene.causal(part);
    const start = slim ? 40 : 176,
        step = (slim ? 1020 : 720) / count,
        stop = start + step * count,
        end = slim ? start : stop + 18;
    const put = (
        /** @type {string} */ said,
        /** @type {number} */ x,
        /** @type {number} */ y,
        /** @type {object} */ style = {},
    ) => wide > full * 0.8 && pen.text(said, X(x), Y(y), style);
    const name = (/** @type {string} */ said, /** @type {number} */ y, hue = "text") =>
        slim
            ? put(said, start, y - 54, { size: 12, bold: true, colour: hues[hue] })
            : put(said, start - 12, y, { size: 13.5, bold: true, align: "right", colour: hues[hue] });
    const fill = (/** @type {string} */ said) => formatMessage(said, { query: asks[row], key: asked[column], count });
    pen.alpha(fade(wide, full * 0.5, full * 0.85), () => {
        put(fill(t("“{query}” asks “{key}”: {count} products, one sum")), 24, 26, { size: slim ? 13 : 16, bold: true });
        const most = Math.max(...query.map(Math.abs), ...key.map(Math.abs)),
            largest = Math.max(...product.map(Math.abs));
        const lanes = /** @type {const} */ ([
            [t("q of {query}"), 100, query, most, "query"],
            [t("k of {key}"), 195, key, most, "key"],
            [t("q · k, pair by pair"), 300, product, largest, "text"],
        ]);
        for (const [said, middle, values, tallest, hue] of lanes) {
            name(fill(said), middle, hue);
            pen.line(
                [
                    [X(start), Y(middle)],
                    [X(stop), Y(middle)],
                ],
                hues.line,
            );
            values.forEach((value, position) => {
                const tall = (value / tallest) * 42,
                    [high, low] = value > 0 ? [middle - tall, middle] : [middle, middle - tall];
                const colour = hue === "text" ? hues[value > 0 ? "query" : "key"] : hues[hue];
                const sides = /** @type {const} */ ([
                    X(start + position * step + 3),
                    Y(high),
                    X(start + (position + 1) * step - 3),
                    Y(low),
                ]);
                value > 0 || hue === "text"
                    ? pen.box(...sides, { fill: colour, round: 2 })
                    : pen.box(...sides, { stroke: colour, width: 1.2, round: 2 });
                if (hue === "text" && Math.abs(value) > largest * 0.42)
                    put(signed(value, 1), start + (position + 0.5) * step, middle - tall + (value > 0 ? -10 : 10), {
                        size: 11.5,
                        align: "center",
                        colour,
                    });
            });
        }
        const run = [0];
        for (const each of product) run.push(run[run.length - 1] + each);
        const [low, high] = [Math.min(...run), Math.max(...run)],
            at = (/** @type {number} */ value) => 432 - ((value - low) / (high - low || 1)) * 72;
        name(t("added up"), slim ? 406 : 396);
        pen.line(
            [
                [X(start), Y(at(0))],
                [X(stop), Y(at(0))],
            ],
            hues.line,
        );
        pen.line(
            run.map((value, position) => [X(start + position * step), Y(at(value))]),
            hues.text,
            2,
        );
        pen.plus(X(stop), Y(at(run[count])), 5, hues.text);
        const position = row * asked.length + column;
        put(`${t("sum")} ${signed(run[count], 2)}`, end, slim ? 456 : 372, { size: 15, bold: true });
        put(`÷ √${count} = ${Math.sqrt(count).toFixed(2)}`, slim ? 400 : end, slim ? 456 : 396, {
            size: 13,
            colour: hues.muted,
        });
        put(`${t("score")} ${signed(scores[position], 2)}`, slim ? 740 : end, slim ? 456 : 420, {
            size: 15,
            bold: true,
            colour: hues.query,
        });
        name("softmax", slim ? 536 : 540);
        const each = (stop - start) / asked.length;
        asked.forEach((word, other) => {
            const weight = weights[row * asked.length + other],
                hidden = causal && other > row,
                chosen = other === column;
            const [from, to] = [start + other * each, start + (other + 1) * each];
            pen.box(X(from + 5), Y(572 - weight * 80), X(to - 5), Y(572), {
                fill: chosen ? hues.query : hues.muted,
                round: 2,
            });
            const small = asked.length > 14;
            put(word, (from + to) / 2, 586 + (small && other % 2 ? 12 : 0), {
                size: slim || small ? 9.5 : 12,
                align: "center",
                bold: chosen,
                colour: chosen ? hues.query : hues.text,
            });
            if (!small)
                put(hidden ? t("hidden") : signed(scores[row * asked.length + other], 1), (from + to) / 2, 606, {
                    size: slim ? 9 : 11,
                    align: "center",
                    colour: hues.muted,
                });
        });
        put(`${t("weight")} ${(weights[position] * 100).toFixed(1)}%`, slim ? 640 : end, slim ? 482 : 540, {
            size: 15,
            bold: true,
            colour: hues.query,
        });
    });
}

/** @param {number} value @param {number} digits */
const signed = (value, digits) => `${digits === 1 && value >= 0.05 ? "+" : ""}${number(value, digits)}`;
