// One head, drawn in its tile at any size: its weights; opened, also queries, keys, scores and values.
import { formatWeight } from "../../../ui/live/dom.js";
import { fade } from "./camera.js";
import { clamp } from "../../../ui/live/motion.js";
import { number } from "../../../ui/live/numbers.js";
import { drawScore } from "./score.js";
import { mixed } from "./pen.js";
import { HIGH, PANE, SMALL, WIDE } from "./world.js";
import { t } from "../../../ui/live/words.js";

const JOURNEY = 2600; // milliseconds: the query meets the keys, shares are made, values flow
const LARGEST = 8; // scores beyond this are drawn alike

/** @typedef {import("./lane.js").Picture} Picture */
/** @typedef {import("./world.js").Part} Part */
/**
 * @typedef {object} Pane an open head
 * @property {Part} part
 * @property {number} head
 * @property {(x: number) => number} X
 * @property {(y: number) => number} Y
 * @property {number} wide on the screen
 * @property {boolean} fine whether numbers can be read
 * @property {string[]} asks
 * @property {string[]} asked
 * @property {Float32Array} weights
 * @property {Float32Array} scores
 * @property {number} row that asks
 * @property {number} meet how many keys were met, 0…1
 * @property {number} share whether the shares are made, 0…1
 * @property {number} flow how far the values have flown, 0…1
 */

/** Tell whether the journey in the open head still runs. @param {import("./scene.js").Scene} scene */
export const journeying = (scene) => scene.selected.level === 2 && performance.now() - scene.arrived < JOURNEY + 100;

/** @param {Picture} picture @param {Part} part @param {number} head */
export function drawHead(picture, part, head) {
    const { scene, camera, pen } = picture,
        [x, y, w, h] = scene.world.tile(part, head);
    if (!camera.seen(x, y, x + w, y + h)) return;
    const X = (/** @type {number} */ u) => camera.sx(x + (u / WIDE) * w),
        Y = (/** @type {number} */ u) => camera.sy(y + (u / HIGH) * h);
    const wide = X(WIDE) - X(0),
        open = fade(wide, camera.wide * 0.22, camera.wide * 0.8),
        [rows, columns] = scene.world.shape(part);
    const weights = scene.weights(part.name, head),
        focus = scene.focus(),
        near = scene.nearHead === `${part.name} ${head}`;
    pen.box(X(0), Y(0), X(WIDE), Y(HIGH), {
        fill: pen.colours.paper,
        stroke: near ? pen.colours.query : pen.colours.line,
        width: near ? 2 : 1,
    });
    const glide = (/** @type {number} */ from, /** @type {number} */ to) => from + (to - from) * open;
    const [left, right] = [0, 1].map((end) => X(glide(SMALL.columns[end], PANE.weights[end])));
    const [top, bottom] = [0, 1].map((end) => glide(SMALL.rows[end], PANE.rows[end]));
    pen.image(pen.map(`${part.name}.${head}`, weights, columns), [0, 0, columns, rows], left, Y(top), right, Y(bottom));
    if (scene.causal(part)) hatched(picture, left, right, Y(top), Y(bottom), rows);
    pen.box(left, Y(top), right, Y(bottom), { stroke: pen.colours.line, round: 0 });
    if (focus && focus.stack === part.stack && open < 0.5) {
        const from = top + ((bottom - top) * focus.row) / rows;
        pen.box(left, Y(from), right, Y(from + (bottom - top) / rows), {
            stroke: pen.colours.query,
            width: 2,
            round: 1,
        });
    }
    pen.alpha(1 - fade(open, 0, 0.4), () =>
        pen.text(`${head}`, X(160), Y(320), { size: 15, bold: true, align: "center" }),
    );
    const shown = fade(open, 0.35, 0.9);
    if (shown <= 0) return;
    const time = clamp((performance.now() - scene.arrived) / JOURNEY);
    const pane = {
        part,
        head,
        X,
        Y,
        wide,
        fine: wide > camera.wide * 0.72,
        asks: scene.asks(part.stack),
        asked: scene.asked(part),
        weights,
        scores: scene.array(`${part.name}.scores`).values.subarray(head * rows * columns, (head + 1) * rows * columns),
        row: scene.selected.row,
        meet: clamp(time / 0.45),
        share: fade(time, 0.45, 0.6),
        flow: clamp((time - 0.6) / 0.4),
    };
    pen.alpha(shown, () => {
        strips(picture, pane);
        scores(picture, pane);
        if (!pane.fine) return;
        flow(picture, pane);
        if (wide < camera.wide * 3) labels(picture, pane);
    });
    const deep = fade(X(PANE.scores[1]) - X(PANE.scores[0]), camera.wide * 1.2, camera.wide * 3);
    if (deep > 0.02) pen.alpha(deep, () => drawScore(picture, pane));
}

/** Cells that a mask hides. @param {Picture} picture @param {number} left @param {number} right @param {number} top @param {number} bottom @param {number} count */
function hatched({ pen }, left, right, top, bottom, count) {
    const g = pen.g,
        wide = (right - left) / count,
        high = (bottom - top) / count;
    g.save();
    g.beginPath();
    for (let row = 0; row < count - 1; row++)
        g.rect(left + (row + 1) * wide, top + row * high, right - left - (row + 1) * wide, high);
    g.clip();
    g.fillStyle = pen.colours.board;
    g.fillRect(left, top, right - left, bottom - top);
    pen.alpha(0.5, () => {
        for (let x = left - (bottom - top); x < right; x += 7)
            pen.line(
                [
                    [x, bottom],
                    [x + bottom - top, top],
                ],
                pen.colours.hatch,
                0.8,
            );
    });
    g.restore();
}

/** Queries, keys turned, values, outputs. @param {Picture} picture @param {Pane} pane */
function strips({ scene, pen }, { part, head, X, Y, weights, row, asked }) {
    const heads = scene.world.sizes.heads,
        wide = scene.head.sizes.d / heads,
        columns = asked.length;
    const all = /** @type {const} */ ([
        ["q", "query", PANE.q, PANE.rows],
        ["k", "key", PANE.keys, PANE.keysY],
        ["v", "value", PANE.v, PANE.vY],
        ["joined", "output", PANE.o, PANE.rows],
    ]);
    for (const [name, hue, [x0, x1], [y0, y1]] of all) {
        const bitmap = pen.vectors(`${part.name}.${name}`, hue, heads),
            count = bitmap.height / heads,
            asks = name === "q" || name === "joined";
        for (let each = 0; each < count; each++) {
            const hot = asks ? each === row : weights[row * columns + each] > 0.15,
                from = [0, each * heads + head, wide, 1];
            if (name === "k") {
                const step = (x1 - x0) / count,
                    [left, right] = [X(x0 + each * step) + 1.5, X(x0 + (each + 1) * step) - 1.5],
                    g = pen.g;
                g.save();
                g.transform(0, Y(y1) - Y(y0), right - left, 0, left, Y(y0));
                g.imageSmoothingEnabled = false;
                g.drawImage(bitmap, from[0], from[1], from[2], from[3], 0, 0, 1, 1);
                g.restore();
                if (hot) pen.box(left, Y(y0), right, Y(y1), { stroke: pen.colours[hue], width: 1.5, round: 1 });
            } else {
                const step = (y1 - y0) / count,
                    [top, bottom] = [Y(y0 + (each + 0.12) * step), Y(y0 + (each + 0.88) * step)];
                pen.image(bitmap, from, X(x0), top, X(x1), bottom);
                if (hot) pen.box(X(x0), top, X(x1), bottom, { stroke: pen.colours[hue], width: 1.5, round: 1 });
            }
        }
    }
}

/** Scores where queries meet keys; the numbers of the row that asks. @param {Picture} picture @param {Pane} pane */
function scores(picture, { part, X, Y, wide, fine, asks, asked, weights, scores: all, row, meet, share }) {
    const { scene, camera, pen } = picture,
        [rows, columns] = [asks.length, asked.length],
        causal = scene.causal(part);
    const seen = causal ? row + 1 : columns; // keys that the row may meet
    const step = (PANE.scores[1] - PANE.scores[0]) / columns,
        own = (PANE.weights[1] - PANE.weights[0]) / columns,
        high = (PANE.rows[1] - PANE.rows[0]) / rows;
    const numbers = fine && wide < camera.wide * 4 && X(step) - X(0) > 34;
    for (let i = 0; i < rows; i++)
        for (let j = 0; j < columns; j++) {
            const [x0, y0, x1, y1] = [
                X(PANE.scores[0] + j * step),
                Y(PANE.rows[0] + i * high),
                X(PANE.scores[0] + (j + 1) * step),
                Y(PANE.rows[0] + (i + 1) * high),
            ];
            if (x1 < 0 || y1 < 0 || x0 > camera.wide || y0 > camera.high || (causal && j > i)) continue;
            const score = all[i * columns + j],
                weight = weights[i * columns + j];
            pen.g.fillStyle = mixed(
                pen.colours.board,
                pen.colours[score > 0 ? "query" : "key"],
                clamp(Math.abs(score) / LARGEST) * 0.8,
            );
            pen.g.fillRect(x0, y0, x1 - x0 + 0.3, y1 - y0 + 0.3);
            if (!numbers || i !== row) continue;
            const middle = (y0 + y1) / 2;
            if (j < meet * seen) pen.text(number(score), (x0 + x1) / 2, middle, { align: "center" });
            if (share > 0.5 && weight > 0.01)
                pen.text(formatWeight(weight), X(PANE.weights[0] + (j + 0.5) * own), middle, {
                    align: "center",
                    colour:
                        weight > 0.45 === !scene.head.dark ? "#ffffff" : weight > 0.45 ? "#000000" : pen.colours.text,
                });
        }
    if (causal) hatched(picture, X(PANE.scores[0]), X(PANE.scores[1]), Y(PANE.rows[0]), Y(PANE.rows[1]), rows);
    pen.box(X(PANE.scores[0]), Y(PANE.rows[0]), X(PANE.scores[1]), Y(PANE.rows[1]), {
        stroke: pen.colours.line,
        round: 0,
    });
    for (const [left, right] of [PANE.scores, PANE.weights])
        pen.box(X(left), Y(PANE.rows[0] + row * high), X(right), Y(PANE.rows[0] + (row + 1) * high), {
            stroke: pen.colours.query,
            width: 2,
            round: 2,
        });
    const middle = Y(PANE.rows[0] + (row + 0.5) * high);
    pen.line(
        [
            [X(PANE.q[1] + 3), middle],
            [X(PANE.scores[0] - 3), middle],
        ],
        pen.colours.query,
        1.5,
    );
    pen.line(
        [
            [X(PANE.scores[1] + 3), middle],
            [X(PANE.weights[0] - 3), middle],
        ],
        pen.colours.muted,
        1.5,
    );
    if (fine && meet < 1) {
        const j = Math.min(seen - 1, Math.floor(meet * seen));
        pen.box(
            X(PANE.keys[0] + j * step),
            Y(PANE.keysY[0] - 4),
            X(PANE.keys[0] + (j + 1) * step),
            Y(PANE.rows[0] + (row + 1) * high),
            { stroke: pen.colours.query, width: 2.5, round: 3 },
        );
    }
}

/** Values flow into the output, as wide as their weights. @param {Picture} picture @param {Pane} pane */
function flow({ pen }, { X, Y, asks, asked, weights, row, flow: far }) {
    const end = Y(PANE.rows[0] + ((row + 0.5) * (PANE.rows[1] - PANE.rows[0])) / asks.length),
        g = pen.g;
    asked.forEach((_, column) => {
        const weight = weights[row * asked.length + column],
            y = Y(PANE.vY[0] + ((column + 0.5) * (PANE.vY[1] - PANE.vY[0])) / asked.length);
        if (weight < 0.01) return;
        pen.alpha(0.55, () => {
            [g.strokeStyle, g.lineWidth] = [pen.colours.value, Math.max(0.8, weight * 16)];
            g.setLineDash(far < 1 ? [far * 560, 9999] : []);
            g.beginPath();
            g.moveTo(X(PANE.v[1] + 2), y);
            g.bezierCurveTo(X(PANE.v[1] + 62), y, X(PANE.v[1] + 62), end, X(PANE.o[1] + 3), end);
            g.stroke();
            g.setLineDash([]);
        });
    });
}

/** @param {Picture} picture @param {Pane} pane */
function labels({ camera, pen }, { X, Y, asks, asked, weights, row }) {
    const hues = pen.colours;
    const high = (PANE.rows[1] - PANE.rows[0]) / asks.length,
        each = (PANE.vY[1] - PANE.vY[0]) / asked.length,
        step = (PANE.keys[1] - PANE.keys[0]) / asked.length;
    const named = (/** @type {number} */ room, /** @type {number} */ position, /** @type {boolean} */ chosen) =>
        chosen || position % Math.ceil((16 * pen.zoom) / room) === 0;
    asks.forEach((word, position) => {
        if (!named(Y(high) - Y(0), position, position === row)) return;
        pen.text(word, X(PANE.q[0] - 6), Y(PANE.rows[0] + (position + 0.5) * high), {
            align: "right",
            bold: position === row,
            colour: position === row ? hues.query : hues.text,
            along: true,
        });
    });
    asked.forEach((word, position) => {
        const weight = weights[row * asked.length + position],
            g = pen.g;
        if (!named(Y(each) - Y(0), position, weight > 0.3)) return;
        pen.text(word, X(PANE.v[0] - 6), Y(PANE.vY[0] + (position + 0.5) * each), {
            align: "right",
            bold: weight > 0.3,
            colour: weight > 0.1 ? hues.value : hues.muted,
            along: true,
        });
        g.save();
        g.translate(
            X(PANE.keys[0] + (position + 0.4) * step),
            Y(camera.swapped ? PANE.keysY[1] + 26 : PANE.rows[0] - 6),
        );
        if (!camera.swapped) g.rotate(-0.75);
        pen.text(word, 0, 0, { colour: hues.key, bold: weight > 0.3 });
        g.restore();
    });
    const put = (
        /** @type {string} */ said,
        /** @type {readonly number[]} */ [x0, x1],
        /** @type {number} */ y,
        /** @type {string} */ hue,
    ) => {
        const beside = hue === "query" || hue === "key" ? 110 : y > 500 ? 440 : hue === "value" ? 30 : 110;
        const [x, at] = camera.swapped
            ? [X(hue === "query" ? (x0 + x1) / 2 : x0 - 13), Y(beside)]
            : [X((x0 + x1) / 2), Y(y)];
        pen.text(camera.swapped ? said.split(/[:：]/)[0] : said, x, at, {
            size: 14,
            bold: true,
            align: "center",
            colour: hues[hue],
            ground: true,
        });
    };
    // Numbered in the order in which they come about.
    put(`1 ${t("q: what each word asks")}`, [PANE.q[0] - 40, PANE.q[1] + 20], 172, "query");
    put(`2 ${t("k: what each word offers")}`, PANE.keys, 18, "key");
    put(`5 ${t("v: what each word says")}`, PANE.v, 18, "value");
    put("softmax", PANE.weights, 172, "text");
    put(`3 ${t("scores: q · k ÷ √d")}`, PANE.scores, PANE.rows[1] + 16, "text");
    put(`4 ${t("weights")}`, PANE.weights, PANE.rows[1] + 16, "text");
    put(`6 ${t("o: the mixture")}`, PANE.o, PANE.rows[1] + 16, "output");
}
