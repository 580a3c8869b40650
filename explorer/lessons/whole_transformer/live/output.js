// The end of the decoder: the likeliest tokens, the word that is written, its way back; and the words at the edges.
import { fade } from "./camera.js";
import { clamp } from "../../../ui/live/motion.js";
import { vector } from "./lane.js";
import { OUT, SUM, WRITTEN } from "./world.js";
import { t } from "../../../ui/live/words.js";

/** @typedef {import("./lane.js").Picture} Picture */

/** @param {Picture} picture */
export function drawOutput(picture) {
    const { scene, camera, pen } = picture,
        { world, head } = scene,
        focus = scene.focus(),
        count = head.read.length;
    if (camera.sx(OUT - 10) > camera.wide) return;
    const followed = scene.clock >= scene.end && focus && focus.stack === "dec",
        step = followed ? focus.row : scene.step();
    const every = skipped(picture, "dec");
    for (let row = 0; row < count; row++) {
        const y = camera.sy(world.lane("dec", row));
        pen.alpha(scene.reveal("dec", row, OUT + 2), () =>
            pen.box(camera.sx(OUT + 3) - 1.5, y - 5, camera.sx(OUT + 3) + 1.5, y + 5, {
                fill: pen.colours.muted,
                round: 1.5,
            }),
        );
        vector(picture, "dec.end", "dec", "dec", row, [OUT + 10, OUT + 36]);
        if (scene.written(row) && (row % every === 0 || row === step))
            pen.alpha(scene.dim("dec", row), () =>
                pen.text(head.written[row], camera.sx(WRITTEN), y, {
                    bold: row === step,
                    colour: pen.colours.dec,
                    ground: true,
                    along: true,
                }),
            );
    }
    if (scene.clock <= 1) return;
    const since = scene.clock - 1 - step;
    if (!camera.swapped) pen.alpha(fade(since, 0.66, 0.76), () => best(picture, step));
    wayBack(picture, step, since);
}

/** Of how many words of a stack one is named, where they stand too close. @param {Picture} picture @param {"enc" | "dec"} stack */
const skipped = ({ scene, camera, pen }, stack) =>
    Math.ceil((16 * pen.zoom) / (camera.ky() * scene.world.decks[stack].pitch));

/** The likeliest tokens beside the line. @param {Picture} picture @param {number} step */
function best({ scene, camera, pen }, step) {
    const { world, head } = scene,
        y = camera.sy(world.lane("dec", step)),
        each = 20 * pen.zoom;
    const high = each * (head.likeliest[step].length + 1) + 6;
    const top = clamp(y - high / 2, camera.sy(352), camera.sy(612) - high);
    const [left, right] = [camera.sx(OUT + 48), camera.sx(OUT + 116)];
    pen.alpha(0.16, () => {
        const g = pen.g;
        g.fillStyle = pen.colours.dec;
        g.beginPath();
        for (const [x, at] of [
            [OUT + 36, y - 7],
            [OUT + 48, top],
            [OUT + 48, top + high],
            [OUT + 36, y + 7],
        ])
            g.lineTo(camera.sx(x), at);
        g.fill();
    });
    pen.box(left, top, right, top + high, { fill: pen.colours.paper, stroke: pen.colours.dec, round: 5 });
    pen.text(t("best, %"), (left + right) / 2, top + each * 0.7, {
        align: "center",
        colour: pen.colours.muted,
    });
    head.likeliest[step].forEach((/** @type {[string, number]} */ [word, share], /** @type {number} */ position) => {
        const at = top + each * (position + 1.6);
        pen.alpha(0.35, () =>
            pen.box(left + 3, at - each * 0.42, left + 3 + share * (right - left - 6), at + each * 0.42, {
                fill: pen.colours.dec,
                round: 2,
            }),
        );
        pen.text(word, left + 6, at, { bold: position === head.chosen[step] });
        pen.text(String(Math.round(share * 100)), right - 5, at, { align: "right", colour: pen.colours.muted });
    });
}

/** The word goes back in, as the next line. @param {Picture} picture @param {number} step @param {number} since */
function wayBack({ scene, camera, pen }, step, since) {
    const { world, head } = scene,
        last = head.read.length - 1;
    if (step >= last) [step, since] = [last - 1, 1]; // the end goes nowhere
    if (step < 0) return;
    const y = world.lane("dec", step),
        next = world.lane("dec", Math.min(last, step + 1));
    const way = [
        [1072, y],
        [1086, y],
        [1086, 624],
        [6, 624],
        [6, next],
        [14, next],
    ];
    const seen = way.map(([a, b]) => [camera.sx(a), camera.sy(b)]),
        tip = seen[5];
    pen.alpha(0.4 + 0.55 * fade(since, 0.75, 0.85) * (since < 1 ? 1 : 0), () => {
        pen.line(seen, pen.colours.dec, 1.6, [5, 4]);
        pen.line([[tip[0] - 5, tip[1] - 4], tip, [tip[0] - 5, tip[1] + 4]], pen.colours.dec, 1.6);
    });
    if (camera.kx() < 1.8 && !camera.swapped && camera.wide > 700)
        pen.text(t("back in, as the next line"), camera.sx(1080), camera.sy(624), {
            align: "right",
            colour: pen.colours.dec,
            ground: true,
        });
    const gone = fade(since, 0.8, 1);
    if (gone < 0.05 || gone >= 1) return;
    const legs = seen.slice(1).map(([a, b], position) => Math.hypot(a - seen[position][0], b - seen[position][1]));
    let left = gone * legs.reduce((a, b) => a + b, 0),
        leg = 0;
    while (leg < legs.length - 1 && left > legs[leg]) left -= legs[leg++];
    const [x, at] = [0, 1].map(
        (axis) => seen[leg][axis] + ((seen[leg + 1][axis] - seen[leg][axis]) * left) / legs[leg],
    );
    pen.text(head.written[step], x, at, {
        size: 15,
        bold: true,
        align: "center",
        colour: pen.colours.dec,
        ground: true,
    });
}

/** The words at the beginning of the lines; at the edge of the stage, where that has left the view. @param {Picture} picture */
export function drawWords({ scene, camera, pen }) {
    const { world, head } = scene,
        focus = scene.focus(),
        pinned = camera.sx(70) < 60,
        whole = scene.selected.level === 0 && !camera.flying();
    if (scene.selected.level > 1 && !scene.selected.net && !camera.flying()) return;
    const near = camera.ky() < 9 || scene.selected.net;
    if (pinned && near) {
        const { selected } = scene,
            layer = world.layerOf(selected.part),
            last = world.layers[world.layers.indexOf(layer) - 1];
        const edge = layer.layer ? /** @type {import("./world.js").Part} */ (last.parts.at(-1)).patch[0] : SUM[0];
        const wide = selected.level === 1 && !camera.flying() ? camera.sx(edge) - 4 : 0;
        pen.g.fillStyle = pen.colours.paper;
        pen.g.fillRect(0, 0, Math.max(camera.swapped ? 60 : 74, wide), camera.high);
    }
    for (const stack of /** @type {const} */ (["enc", "dec"]))
        scene.asks(stack).forEach((/** @type {string} */ word, /** @type {number} */ row) => {
            const y = camera.sy(world.lane(stack, row)),
                there = stack === "enc" || row === 0 || scene.front("dec", row - 1) > 1e3;
            if (y < 4 || y > camera.high - 4 || !near || (stack === "enc" && y > camera.sy(262))) return;
            const own = focus?.stack === stack && focus.row === row;
            if (row % skipped({ scene, camera, pen }, stack) && !own) return;
            pen.alpha(there ? Math.max(0.4, scene.dim(stack, row)) : 0, () =>
                pen.text(word, pinned ? (camera.swapped ? 56 : 68) : camera.sx(69), y, {
                    align: "right",
                    bold: own,
                    colour: pen.colours[stack],
                    ground: pinned && !whole,
                    along: true,
                }),
            );
        });
    if (head.read.length && camera.kx() < 1.8 && camera.wide > 700 && !camera.swapped) titles({ scene, camera, pen });
}

/** @param {Picture} picture */
function titles({ camera, pen }) {
    const { enc, dec } = pen.colours,
        x = camera.sx(4);
    const put = (
        /** @type {string} */ said,
        /** @type {number} */ at,
        /** @type {number} */ y,
        /** @type {object} */ style,
    ) => pen.text(said, at, camera.sy(y), style);
    pen.text(t("English in"), x, Math.max(9, camera.sy(10)), { size: 15, colour: enc, bold: true });
    put(t("the memory"), camera.sx(1019), 20, { align: "center", colour: enc, bold: true });
    put(t("French out"), x, 334, { size: 15, colour: dec, bold: true });
}
