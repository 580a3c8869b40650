// Where a model looks in a frame of its training: a map, a drawing, or how sure it is; and small maps of some moments.
import { formatMessage, t } from "../../../ui/live/words.js";
import { percent } from "../../../ui/live/numbers.js";
import { clamp } from "../../../ui/live/motion.js";
import { onInk } from "../../../ui/live/weights.js";
import { box, drawingWeights, frame, heading, ink, places, rowsOf, safe, type, weight, wide } from "./film_frames.js";

/** @typedef {import("./film_frames.js").Film} Film @typedef {import("./film_frames.js").Area} Area */

const LEAST_NUMBER = 0.3,
    LEAST_CELL = 27,
    LEAST_INK = 0.02,
    MOMENTS = 8; // weights; pixels; small maps
const LEAST = 14, // pixels of type
    LONGEST = 3,
    MANY = 26,
    LETTERS = 10; // a word that must be turned, from so many columns on all of them; drawn of a word

/** The first letters of a word. @param {string} word */
const cut = (word) => [...word].slice(0, LETTERS).join("");

/** Return the attribute that a cell says when it is pointed at. @param {string} sentence @param {Record<string, unknown>} values */
const cellSaying = (sentence, values) => `data-says="${safe(formatMessage(sentence, values))}"`;

/** What a token is called. @param {string} label */
const nameToken = (label) => ({ "<s>": t("start"), "</s>": t("end") })[label] ?? label;

/** Draw where the model looks. @param {Film} film */
export function mapOf(film) {
    const area = places(film).map,
        { columns, right } = film.data;
    if (!columns.length) return sureOf(film, area);
    if (film.data.ink) return drawingOf(film, area, film.data.ink);
    const rows = rowsOf(film, frame(film)),
        n = columns.length;
    const turned = Math.max(...columns.map((each) => nameToken(each).length)) > LONGEST || n > MANY;
    const names = rows.map((each) => nameToken(each));
    const side = 16 + Math.max(...names.map((each) => Math.max(9 * Math.min(8, each.length), LEAST * wide(cut(each))))),
        head = turned ? 92 : 52;
    const cell = Math.max(5, Math.min((area.w - side - 4) / n, (area.h - head - 6) / rows.length, 68));
    const [left, top] = [area.x + side, area.y + head],
        size = clamp(cell * 0.62, 9, 18);
    let made = heading(
        film,
        area,
        t("Where it looks"),
        film.data.readsAnswer
            ? t("rows: the right answer; columns: what is read")
            : t("a row is written, a column is read"),
    );
    columns.forEach((each, position) => {
        const x = left + (position + 0.5) * cell,
            word = nameToken(each),
            fits = (0.95 * cell) / wide(word);
        made +=
            turned || (fits < LEAST && cell > LEAST)
                ? type(
                      x + size / 3,
                      top - 6,
                      cut(word),
                      "key",
                      `style="font-size:${size}px" transform="rotate(-60 ${x + size / 3} ${top - 6})"`,
                  )
                : type(x, top - 8, word, "key mid", `style="font-size:${Math.min(size, fits)}px"`);
    });
    rows.forEach((each, row) => {
        const word = nameToken(each),
            fits = (side - 12) / wide(cut(word));
        made += type(
            left - 9,
            top + (row + 0.5) * cell + size / 3,
            cut(word),
            "query end",
            `style="font-size:${Math.min(size, fits)}px"`,
        );
        columns.forEach((_, column) => {
            const share = weight(film, row, column),
                colour = ink(film, share);
            made += box(
                left + column * cell,
                top + row * cell,
                cell,
                cell,
                `fill="${colour}" class="cell" ${cellSaying(t("“{query}” attends to “{key}”: {weight}"), { query: nameToken(each), key: nameToken(columns[column]), weight: share.toFixed(3) })}`,
            );
            if (share >= LEAST_NUMBER && cell > LEAST_CELL)
                made += type(
                    left + (column + 0.5) * cell,
                    top + (row + 0.5) * cell + 5,
                    share > 0.994 ? "1" : share.toFixed(2).slice(1),
                    "mid number",
                    `style="fill:${onInk(colour)}"`,
                );
        });
    });
    for (const position of right) {
        const [row, column] = [Math.floor(position / n), position % n];
        if (row < rows.length)
            made += box(left + column * cell + 1.5, top + row * cell + 1.5, cell - 3, cell - 3, 'class="right"');
    }
    return made;
}

/** How sure a model without attention is of each token. @param {Film} film @param {Area} area */
function sureOf(film, area) {
    const position = frame(film),
        rows = rowsOf(film, position);
    const high = Math.min(44, (area.h - 60) / rows.length),
        left = area.x + 52,
        wide = area.w - 120;
    return (
        heading(film, area, t("No map: it cannot look back"), t("how sure it is of each right token")) +
        rows
            .map((each, row) => {
                const y = area.y + 44 + row * high,
                    share = film.sure[film.starts[position] + row];
                return (
                    type(left - 10, y + high / 2 + 5, nameToken(each), "query end", 'style="font-size:16px"') +
                    box(left, y + 4, wide, high - 8, 'class="empty" rx="4"') +
                    box(left, y + 4, wide * share, high - 8, 'class="sure" rx="4"') +
                    type(left + wide + 8, y + high / 2 + 5, percent(share), "muted")
                );
            })
            .join("")
    );
}

/** A drawing, and beside it where the model looks while it names it. @param {Film} film @param {Area} area @param {number[]} inked */
function drawingOf(film, area, inked) {
    const { side, shares } = drawingWeights(film),
        cell = Math.min((area.w - 24) / (2 * side), (area.h - 60) / side);
    return (
        heading(film, area, t("Where it looks")) +
        [t("the drawing"), t("weight, ink framed")]
            .map((said, half) => {
                const left = area.x + half * (side * cell + 24),
                    top = area.y + 58;
                return (
                    type(left, top - 8, said, "muted") +
                    shares
                        .map((share, position) => {
                            const x = left + (position % side) * cell,
                                y = top + Math.floor(position / side) * cell;
                            if (!half)
                                return box(x, y, cell, cell, `class="pen" style="fill-opacity:${inked[position]}"`);
                            const where = {
                                row: Math.floor(position / side) + 1,
                                column: (position % side) + 1,
                                weight: weight(film, 0, position).toFixed(3),
                            };
                            return (
                                box(
                                    x,
                                    y,
                                    cell,
                                    cell,
                                    `fill="${ink(film, share)}" class="cell" ${cellSaying(t("row {row}, column {column}: {weight}"), where)}`,
                                ) + (inked[position] > 0 ? box(x + 1, y + 1, cell - 2, cell - 2, 'class="stroke"') : "")
                            );
                        })
                        .join("")
                );
            })
            .join("")
    );
}

/** The frames of the small maps, evenly spread. @param {Film} film */
function moments({ data: { steps } }) {
    const n = Math.min(MOMENTS, steps.length);
    return Array.from({ length: n }, (_, at) => Math.round((at * (steps.length - 1)) / Math.max(1, n - 1)));
}

/** Which of the moments is shown, if one is. @param {Film} film */
export const momentOf = (film) => moments(film).find((position) => position === frame(film));

/** Draw small maps of the moments, which can be clicked. @param {Film} film */
export function momentsOf(film) {
    const { data, width, phone } = film;
    if (phone || !data.columns.length || data.steps.length < 2) return "";
    const {
            strip: { y, size },
        } = places(film),
        all = moments(film),
        on = momentOf(film),
        gap = (width - MOMENTS * size) / (MOMENTS - 1);
    return all
        .map((position, at) => {
            const left = at * (size + gap),
                top = y + 10,
                drawing = data.ink && drawingWeights(film, position);
            const n = drawing ? drawing.side : data.columns.length,
                rows = drawing ? n : rowsOf(film, position).length,
                cell = size / Math.max(n, rows);
            const cells = Array.from({ length: rows * n }, (_, each) => {
                const [row, column] = [Math.floor(each / n), each % n],
                    share = drawing ? drawing.shares[each] : weight(film, row, column, position);
                return share > LEAST_INK
                    ? box(left + column * cell, top + row * cell, cell + 0.4, cell + 0.4, `fill="${ink(film, share)}"`)
                    : "";
            });
            return (
                cells.join("") +
                box(
                    left - 2,
                    top - 2,
                    size + 4,
                    size + 4,
                    `rx="5" class="moment ${position === on ? "on" : ""}" data-position="${position}"`,
                ) +
                type(
                    left + size / 2,
                    top + size + 19,
                    t("step {step}", { step: data.steps[position] }),
                    `mid tick ${position === on ? "on" : ""}`,
                )
            );
        })
        .join("");
}

/** The numbers of the frame that is shown: a row for each of the map's. @param {Film} film @returns {string[][]} */
export function tableOf(film) {
    const { columns, ink: inked } = film.data,
        rows = rowsOf(film, frame(film));
    if (!columns.length)
        return [
            ["", t("how sure it is of each right token")],
            ...rows.map((each, row) => [nameToken(each), film.sure[film.starts[frame(film)] + row].toFixed(4)]),
        ];
    const { side } = drawingWeights(film),
        places = [...Array(side).keys()],
        line = (/** @type {string} */ name, /** @type {number} */ row, /** @type {number[]} */ across) => [
            name,
            ...across.map((column) => weight(film, row, column).toFixed(4)),
        ];
    if (inked)
        return [
            ["", ...places.map((column) => String(column + 1))],
            ...places.map((row) =>
                line(
                    String(row + 1),
                    0,
                    places.map((column) => row * side + column),
                ),
            ),
        ];
    return [
        ["", ...columns.map(nameToken)],
        ...rows.map((each, row) => line(nameToken(each), row, [...columns.keys()])),
    ];
}
