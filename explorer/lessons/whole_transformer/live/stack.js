// Encoder and decoder: a line for each word, the parts that it runs through, the memory between the two.
import { fade } from "./camera.js";
import { clamp } from "../../../ui/live/motion.js";
import { drawHead } from "./head.js";
import { aside, norm, opened, sum, vector } from "./lane.js";
import { drawNet } from "./net.js";
import { BOX, MEMORY, OUT, START, SUM } from "./world.js";
import { t } from "../../../ui/live/words.js";

const LEAST = 0.05; // of a weight: what is less is no ribbon

/** @typedef {import("./lane.js").Picture} Picture */
/** @typedef {import("./world.js").Part} Part */
/** @typedef {import("./world.js").Stack} Stack */

/** Ribbons as wide as the weights, in the colour of the words that are read. @param {Picture} picture @param {Part} part */
function web({ scene, camera, pen }, part) {
    const { world } = scene,
        { stack, kind } = part,
        cross = kind === "cross",
        from = cross ? "enc" : stack;
    const weights = scene.weights(part.name, scene.shown),
        [rows, columns] = world.shape(part),
        focus = scene.focus();
    const [left, right] = [cross ? part.tiles[0] - 2 : part.norm + 4, part.joined[1]];
    const widest = Math.min(camera.ky() * world.decks[stack].pitch * 0.62, 16);
    for (let row = 0; row < rows; row++) {
        const revealed = scene.reveal(stack, row, right);
        if (revealed <= 0.06 && stack === "dec") continue;
        const moment =
            scene.clock > 1 && scene.clock < scene.end && stack === "dec" ? (row === scene.step() ? 1.9 : 0.35) : 1;
        for (let column = 0; column < columns; column++) {
            const weight = weights[row * columns + column];
            if (weight < LEAST) continue;
            const asks = focus && focus.stack === stack && focus.row === row;
            const asked = focus && cross && focus.stack === "enc" && focus.row === column;
            const strength = focus && !focus.auto ? (asks || asked ? 0.85 : 0.05) : 0.36 * moment;
            const start = cross ? world.tick(column) : world.lane(stack, column),
                end = world.lane(stack, row);
            pen.alpha(revealed * strength, () =>
                pen.ribbon(
                    camera.sx(left),
                    camera.sy(start),
                    camera.sx(right),
                    camera.sy(end),
                    Math.max(0.6, weight * widest),
                    pen.colours[from],
                ),
            );
            const t = (scene.front(stack, row) - left) / (right - left);
            if (t <= 0 || t >= 1 || scene.clock >= scene.end) continue;
            const u = 1 - t,
                near = u ** 3 + 3 * u * u * t,
                far = t ** 3 + 3 * t * t * u,
                middle = (left + right) / 2;
            const x = left * u ** 3 + 3 * middle * u * t + right * t ** 3;
            pen.dot(camera.sx(x), camera.sy(start * near + end * far), 1.2 + weight * 4.5, pen.colours[from]);
        }
    }
}

/** The memory's lines leave for a cross-attention and stand as a column of keys. @param {Picture} picture @param {Part} part */
function memoryColumn({ scene, camera, pen }, part) {
    const { world, head } = scene,
        focus = scene.focus(),
        right = camera.sx(part.tiles[0] - 2),
        ready = fade(scene.clock, 0.9, 1.05);
    head.source.forEach((/** @type {string} */ _, /** @type {number} */ row) => {
        const x = camera.sx(world.trunk(part, row)),
            y = camera.sy(world.tick(row));
        const on =
            focus &&
            (focus.stack === "enc"
                ? focus.row === row
                : scene.weights(part.name, -1)[focus.row * head.source.length + row] > 0.1 &&
                  scene.front("dec", focus.row) > part.norm);
        pen.alpha((0.12 + 0.34 * ready) * (focus ? (on ? 2 : 0.3) : 1), () => {
            pen.line(
                [
                    [x, camera.sy(world.bus(row))],
                    [x, y],
                    [right, y],
                ],
                pen.colours.enc,
                on ? 2.4 : 1,
            );
        });
        pen.alpha(ready, () => pen.box(right - 2, y - 2, right + 2, y + 2, { fill: pen.colours.enc, round: 1 }));
    });
}

/** The words of the memory beside its keys, over the ribbons of the queries. @param {Picture} picture @param {Part} part */
function memoryWords({ scene, camera, pen }, part) {
    const { world, head } = scene;
    if (camera.kx() < 2.5 || camera.ky() * world.decks.dec.pitch < 22) return;
    const right = camera.sx(part.tiles[0] - 2) - 4,
        style = {
            size: 14,
            align: /** @type {const} */ ("right"),
            colour: pen.colours.enc,
            ground: true,
            along: true,
        };
    head.source.forEach((/** @type {string} */ word, /** @type {number} */ row) =>
        pen.text(word, right, camera.sy(world.tick(row)), style),
    );
}

/** Queries, keys and values of a word, split into heads and joined again. @param {Picture} picture @param {Part} part @param {number} row */
function split({ scene, camera, pen }, part, row) {
    const { world } = scene,
        { heads } = world.sizes,
        { stack } = part,
        y = camera.sy(world.lane(stack, row));
    const high = camera.ky() * world.decks[stack].pitch * 0.29,
        [left, right] = part.qkv.map(camera.sx),
        ends = part.joined.map(camera.sx);
    const roles = part.kind === "cross" ? ["q"] : ["q", "k", "v"];
    /** @type {Record<string, string>} */
    const hues = { q: "query", k: "key", v: "value" };
    roles.forEach((role, position) => {
        const bitmap = pen.vectors(`${part.name}.${role}`, hues[role], heads),
            each = (2 * high) / roles.length,
            top = y - high + position * each;
        pen.image(
            bitmap,
            [0, row * heads, bitmap.width, heads],
            left,
            top,
            right,
            top + each * (roles.length > 1 ? 0.9 : 1),
        );
        if (roles.length > 1 && !camera.swapped && each > 14)
            pen.text(role, left - 4, top + each * 0.45, {
                size: 11,
                align: "right",
                colour: pen.colours[hues[role]],
                bold: true,
            });
    });
    const joined = pen.vectors(`${part.name}.joined`, "output", heads),
        focus = scene.focus();
    pen.image(joined, [0, row * heads, joined.width, heads], ends[0], y - high, ends[1], y + high);
    const near = focus && focus.stack === stack && focus.row === row;
    for (let head = 0; head < heads; head++) {
        const [x, top, wide, tall] = world.tile(part, head),
            middle = camera.sy(top + tall / 2),
            own = y - high + ((head + 0.5) * 2 * high) / heads;
        pen.alpha(near ? 0.9 : 0.13, () => {
            pen.ribbon(right, own, camera.sx(x), middle, near ? 1.6 : 0.7, pen.colours.query);
            pen.ribbon(camera.sx(x + wide), middle, ends[0], own, near ? 1.6 : 0.7, pen.colours.output);
        });
    }
}

/** @param {Picture} picture @param {Part} part @param {number} open */
function drawAttention(picture, part, open) {
    const { scene, pen } = picture,
        { stack } = part,
        [rows] = scene.world.shape(part);
    if (part.kind === "cross") memoryColumn(picture, part);
    pen.alpha(1 - open * 0.93, () => web(picture, part));
    for (let row = 0; row < rows; row++) {
        norm(picture, part, row);
        pen.alpha(open * scene.reveal(stack, row, part.joined[1]) * scene.dim(stack, row), () =>
            split(picture, part, row),
        );
        sum(picture, part, row, open);
        vector(picture, `${part.name}.after`, stack, stack, row, part.patch);
    }
    if (part.kind === "cross") pen.alpha(open, () => memoryWords(picture, part));
    if (open > 0.03)
        pen.alpha(open, () => {
            for (let head = 0; head < scene.world.sizes.heads; head++) drawHead(picture, part, head);
        });
}

/** What every arrow carries. @param {Picture} picture @param {import("./world.js").Layer} layer @param {number} open */
function headings(picture, layer, open) {
    const { scene, camera, pen } = picture,
        { stack } = layer,
        middle = camera.sy((BOX[stack][0] + BOX[stack][1]) / 2);
    if (open < 0.4 || camera.ky() > 9 || middle < 0 || middle > camera.high) return;
    const above = camera.sy(BOX[stack][0] - 1) + 4,
        line = 17 * pen.zoom;
    const put = (/** @type {number} */ x, /** @type {string} */ name, /** @type {string} */ hue, lines = 1) => {
        const y = camera.swapped ? Math.max(46, above - 14) : above - lines * line;
        pen.text(name, x, y, { align: "center", bold: lines === 1, colour: pen.colours[hue], ground: true });
    };
    const middleOf = (/** @type {number[]} */ [left, right]) => camera.sx((left + right) / 2);
    pen.alpha(open, () => {
        if (aside(picture, layer)) return;
        for (const part of layer.parts) {
            put(middleOf(part.patch), "x", stack);
            if (part.kind === "net") {
                put(middleOf(part.tiles), t("feed-forward"), "net");
                continue;
            }
            const cross = part.kind === "cross";
            put(middleOf(part.qkv), cross ? "q" : "q, k, v", "query");
            put(middleOf(part.tiles), t("{count} heads", { count: scene.head.sizes.heads }), "text");
            put(middleOf(part.joined), t("joined"), "output");
            if (camera.swapped) continue;
            const x = camera.sx((part.norm + part.joined[1]) / 2 + (cross ? 6 : 0));
            put(
                x,
                cross
                    ? t("cross-attention: looks at English")
                    : stack === "enc"
                      ? t("self-attention: all words")
                      : t("self-attention: earlier words only"),
                "muted",
                2.2,
            );
        }
    });
}

/** @param {Picture} picture */
export function drawLines({ scene, camera, pen }) {
    const focus = scene.focus();
    for (const stack of /** @type {Stack[]} */ (["enc", "dec"]))
        for (let row = 0; row < scene.world.counts[stack]; row++) {
            const y = camera.sy(scene.world.lane(stack, row)),
                end = stack === "enc" ? MEMORY[0] : OUT + 12,
                now = Math.min(end, scene.front(stack, row));
            const followed = focus && focus.stack === stack && focus.row === row;
            pen.alpha(0.23, () =>
                pen.line(
                    [
                        [camera.sx(START), y],
                        [camera.sx(end), y],
                    ],
                    pen.colours[stack],
                    1.5,
                ),
            );
            if (now > START)
                pen.alpha(scene.dim(stack, row), () =>
                    pen.line(
                        [
                            [camera.sx(START), y],
                            [camera.sx(now), y],
                        ],
                        pen.colours[stack],
                        followed ? 3 : clamp(camera.kx(), 1.3, 2.2),
                    ),
                );
        }
}

/** Words become vectors: the token's, the place's, their sum. @param {Picture} picture */
export function drawEmbedding(picture) {
    const { scene, camera, pen } = picture;
    if (camera.sx(170) < 0) return;
    for (const stack of /** @type {Stack[]} */ (["enc", "dec"]))
        for (let row = 0; row < scene.world.counts[stack]; row++) {
            vector(picture, `${stack}.embed`, stack, stack, row, [START, 98]);
            pen.alpha(scene.reveal(stack, row, 100) * scene.dim(stack, row), () =>
                pen.plus(camera.sx(104), camera.sy(scene.world.lane(stack, row)), 4, pen.colours.text),
            );
            vector(picture, `${stack}.place`, "position", stack, row, [110, 128]);
            vector(picture, `${stack}.x`, stack, stack, row, SUM);
        }
}

/** What the encoder made of each word, and the way of it to the decoder. @param {Picture} picture */
export function drawMemory(picture) {
    const { scene, camera, pen } = picture,
        { world } = scene,
        focus = scene.focus();
    const first = world.part("dec.0.cross"),
        far = scene.selected.level ? 1 - opened(picture, world.layerOf(scene.selected.part)) : 1;
    for (let row = 0; row < world.counts.enc; row++) {
        const y = camera.sy(world.lane("enc", row)),
            x = camera.sx(world.corner(row)),
            bus = camera.sy(world.bus(row));
        const on =
            focus &&
            (focus.stack === "enc"
                ? focus.row === row
                : scene.link(focus.row, row) > 0.15 && scene.front("dec", focus.row) > first.norm);
        vector(picture, "enc.end", "enc", "enc", row, MEMORY);
        pen.alpha(far * (0.15 + 0.35 * fade(scene.clock, 0.88, 1)) * (on ? 2 : 1) * (focus && !on ? 0.3 : 1), () =>
            pen.line(
                [
                    [camera.sx(MEMORY[1]), y],
                    [x, y],
                    [x, bus],
                    [camera.sx(world.trunk(first, row)), bus],
                ],
                pen.colours.enc,
                on ? 2.8 : 1.2,
            ),
        );
    }
}

/** @param {Picture} picture */
export function drawLayers(picture) {
    const { scene, camera, pen } = picture;
    for (const layer of scene.world.layers) {
        const { stack, left, right } = layer,
            [top, bottom] = BOX[stack];
        if (!camera.seen(left, stack === "enc" ? 0 : 260, right, stack === "enc" ? 340 : 620)) continue;
        const open = opened(picture, layer),
            title = scene.head.layers[stack][layer.layer];
        pen.alpha(1 - open, () => {
            pen.box(camera.sx(left), camera.sy(top), camera.sx(right), camera.sy(bottom), {
                stroke: pen.colours.line,
                round: 8,
            });
            if (camera.swapped)
                pen.text(`${layer.layer}`, (camera.sx(left) + camera.sx(right)) / 2, camera.sy(top) - 7, {
                    size: 12,
                    bold: true,
                    colour: pen.colours[stack],
                    along: true,
                });
            else
                pen.text(title, camera.sx(left) + 2, camera.sy(top) - 10, {
                    bold: true,
                    colour: pen.colours[stack],
                });
        });
        for (const part of layer.parts)
            part.kind === "net" ? drawNet(picture, part, open) : drawAttention(picture, part, open);
        headings(picture, layer, open);
        if (camera.kx() >= 1.8 || camera.wide < 700 || camera.swapped) continue;
        pen.alpha(1 - open, () => {
            for (const part of layer.parts) {
                const x = camera.sx(
                    part.kind === "net" ? (part.tiles[0] + part.tiles[1]) / 2 : (part.norm + part.joined[1]) / 2,
                );
                const [said, hue] = {
                    net: [t("alone"), "net"],
                    cross: [t("look at English"), "enc"],
                    self: [t("mix"), stack],
                }[part.kind];
                pen.text(said, x, camera.sy(bottom) + 11, {
                    align: "center",
                    colour: pen.colours[hue],
                    ground: true,
                });
            }
        });
    }
}

/** How far each line is computed. @param {Picture} picture */
export function drawFronts({ scene, camera, pen }) {
    for (const stack of /** @type {Stack[]} */ (["enc", "dec"]))
        for (let row = 0; row < scene.world.counts[stack]; row++) {
            const x = scene.front(stack, row);
            if (x > START && x < (stack === "enc" ? MEMORY[0] : OUT + 46))
                pen.dot(
                    camera.sx(x),
                    camera.sy(scene.world.lane(stack, row)),
                    stack === "enc" ? 3.5 : 5,
                    pen.colours.query,
                );
        }
    const { travel } = scene;
    if (travel)
        pen.dot(camera.sx(travel.x), camera.sy(scene.world.lane(travel.stack, travel.row)), 7, pen.colours.query);
}
