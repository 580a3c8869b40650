// What a training film reads of its frames, where its parts stand, and the SVG that they are written in.
import { clamp, lerp } from "../../../ui/live/motion.js";
import { hex, ramp } from "../../../ui/live/weights.js";

/**
 * @typedef {object} Data
 * @property {string} id another one is another film
 * @property {string} title of the answer
 * @property {string | null} expected the right answer
 * @property {boolean} byWords whether its parts are words, not characters
 * @property {string[]} columns what is read; none for a model without attention
 * @property {number[]} steps of the frames
 * @property {string[]} sentences what is said of each of them
 * @property {string[]} outputs what the model writes, a frame each
 * @property {string[][]} rows what is read or written, a frame each, or once for all
 * @property {import("../../../ui/live/unpack.js").Packed} weights one for each cell of each frame
 * @property {import("../../../ui/live/unpack.js").Packed} sure one for each row of each frame
 * @property {number[]} right cells that should be looked at, row * columns + column
 * @property {(number | null)[]} onRight weight on them, a frame each; empty while it is not told
 * @property {[number, number, number, number][]} points step, share exact, loss, loss of held-out examples
 * @property {{name: string, points: [number, number][]} | null} other another training to compare with
 * @property {number} total where the axis of steps ends
 * @property {number | null} at step that is looked at; null for the newest
 * @property {boolean} live whether more frames will come
 * @property {number[] | null} ink of a drawing of 8 × 8
 * @property {[number, string][]} stops scale of weights
 * @property {number} zoom of type
 * @property {number} above pixels that something else takes
 * @property {string} model what it is called @property {boolean} known whether right tokens are known @property {boolean} readsAnswer whether the
 *   rows are the right answer, which the model reads @property {boolean} own @property {number | null} after the training's last step, where the film ends before it
 * @typedef {object} Film
 * @property {Data} data @property {Float32Array} weights @property {Float32Array} sure @property {number[]} starts of each frame in the rows
 * @property {Uint8ClampedArray} colours of weights
 * @property {number} now place among the frames, between two of them while it plays
 * @property {number} width @property {number} height @property {boolean} phone whether the parts stand below each other
 * @typedef {{x: number, y: number, w: number, h: number}} Area
 */

const SIDE = 8,
    PHONE = 620,
    MAP = 330; // pixels; the last: of a map on a phone, at most

/** Read what Python sent, for the same size. @param {Data} data @param {Film | null} before @returns {Film} */
export function read(data, before) {
    const starts = [0];
    const { now = 0, width = 0, height = 0, phone = false } = before ?? {};
    const film = {
        data,
        weights: data.weights.values,
        sure: data.sure.values,
        starts,
        colours: ramp(data.stops),
        now,
        width,
        height,
        phone,
    };
    data.steps.forEach((_, position) => starts.push(starts[position] + rowsOf(film, position).length));
    return film;
}

/** How tall the map is on a phone: no taller than its rows, of cells as wide as there is room for.
 * @param {Film} film @param {number} width */
function tall({ data: { columns, rows, ink } }, width) {
    if (!columns.length || ink) return MAP;
    const cell = Math.min((width - 30) / columns.length, 68);
    return Math.min(MAP, 96 + cell * Math.max(...rows.map((each) => each.length)));
}

/** Fit the parts into a width. @param {Film} film @param {number} width @param {number} high of the window */
export function fit(film, width, high) {
    const phone = width < PHONE,
        height = phone ? 376 + tall(film, width) : clamp(high - 284 - film.data.above, 394, 640);
    Object.assign(film, { width, height, phone });
}

/** The frame that is shown. @param {Film} film */
export const frame = ({ now }) => Math.floor(now + 1e-6);
/** What its rows say. @param {Film} film @param {number} position */
export const rowsOf = ({ data: { rows } }, position) => rows[rows.length > 1 ? position : 0];
/** The training step of the frame that is shown. @param {Film} film */
export const stepOf = (film) => film.data.steps[frame(film)];
/** How far the training has come, between two frames too. @param {Film} film */
export function goneOf(film) {
    const { steps } = film.data,
        position = frame(film);
    return lerp(steps[position], steps[position + 1] ?? steps[position], film.now - position);
}
/** The last frame up to a step. @param {Film} film @param {number} wanted */
export const placeOf = ({ data: { steps } }, wanted) =>
    Math.max(
        steps.findLastIndex((step) => step <= wanted),
        0,
    );

/** A weight at a place between two frames. @param {Film} film @param {number} row @param {number} column @param {number} [at] */
export function weight(film, row, column, at = film.now) {
    const { data, weights, starts } = film,
        position = Math.floor(at + 1e-6),
        n = data.columns.length;
    const one = weights[(starts[position] + row) * n + column];
    const same =
        position + 1 < data.steps.length && rowsOf(film, position).length === rowsOf(film, position + 1).length;
    return same ? lerp(one, weights[(starts[position + 1] + row) * n + column], at - position) : one;
}

/** The weights of a drawing's cells, as shares of the largest. @param {Film} film @param {number} [at] */
export function drawingWeights(film, at = film.now) {
    const all = Array.from({ length: SIDE * SIDE }, (_, cell) => weight(film, 0, cell, at)),
        most = Math.max(...all, 1e-6);
    return { side: SIDE, shares: all.map((each) => each / most) };
}

/** Where everything stands. @param {Film} film */
export function places(film) {
    const { data, width, height, phone } = film,
        { zoom } = data;
    const map = phone ? tall(film, width) : 0;
    const foot = phone ? 0 : height < 560 ? 104 : 142,
        half = phone ? width : Math.round(width * 0.48);
    const x = phone ? 0 : half + 44,
        w = phone ? width : width - x,
        low = 112 * Math.min(zoom, 1.2);
    return {
        map: { x: 0, y: phone ? 104 : 0, w: half, h: phone ? map : height - foot },
        answer: { x, y: 0, w, h: low },
        curve: { x, y: phone ? 116 + map : low, w, h: phone ? 250 : height - foot - low },
        strip: { y: height - foot, size: height < 560 ? 58 : 88 },
    };
}

/** Where a step stands on the axis of the curves. @param {Film} film */
export function along(film) {
    const { curve } = places(film),
        left = curve.x + 44,
        right = curve.x + curve.w - 8;
    return { left, right, x: (/** @type {number} */ at) => lerp(left, right, at / film.data.total) };
}

/** How wide a bold word is, in heights of its type. @param {string} word */
export const wide = (word) => [...word].reduce((sum, each) => sum + (each > "\u2e80" ? 1 : 0.62), 0);

export const safe = (/** @type {unknown} */ text) =>
    String(text).replace(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`);
/** Type with a place, a class and more attributes. @param {number} x @param {number} y @param {unknown} text */
export const type = (x, y, text, name = "", more = "") =>
    `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" class="${name}" translate="no" ${more}>${safe(text)}</text>`;
/** @param {number} x @param {number} y @param {number} w @param {number} h */
export const box = (x, y, w, h, more = "") =>
    `<rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${Math.max(0, w).toFixed(1)}" height="${Math.max(0, h).toFixed(1)}" ${more}/>`;
/** @param {number} x @param {number} y @param {number} toX @param {number} toY @param {string} name */
export const rule = (x, y, toX, toY, name) =>
    `<line x1="${x.toFixed(1)}" y1="${y.toFixed(1)}" x2="${toX.toFixed(1)}" y2="${toY.toFixed(1)}" class="${name}"/>`;
/** The heading of a part. @param {Film} film @param {{x: number, y: number}} area @param {string} words @param {string} [note] */
export const heading = ({ phone }, { x, y }, words, note = "") =>
    `<text x="${x}" y="${y + 17}" class="head" translate="no">${safe(words)}<tspan class="note" dx="10">${phone ? "" : safe(note)}</tspan></text>`;
/** The colour of a weight. @param {Film} film @param {number} share */
export const ink = ({ colours }, share) => hex(colours, share);
