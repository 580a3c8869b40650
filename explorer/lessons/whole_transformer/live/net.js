// The feed-forward net of a layer: the same at every position. At one position: its units, what it adds.
import { number } from "../../../ui/live/numbers.js";
import { t } from "../../../ui/live/words.js";
import { fade } from "./camera.js";
import { norm, sum, vector } from "./lane.js";

const ACROSS = 64; // units beside each other

/** @typedef {import("./lane.js").Picture} Picture */
/** @typedef {import("./world.js").Part} Part */

/** @param {Picture} picture @param {Part} part @param {number} open */
export function drawNet(picture, part, open) {
    const { scene, camera, pen } = picture,
        { world } = scene,
        { stack } = part;
    const [left, right] = part.tiles.map(camera.sx),
        high = camera.ky() * world.decks[stack].pitch * 0.34;
    for (let row = 0; row < world.counts[stack]; row++) {
        const y = camera.sy(world.lane(stack, row));
        if (y < -camera.high || y > 2 * camera.high) continue;
        norm(picture, part, row);
        pen.alpha(scene.reveal(stack, row, part.tiles[1]) * scene.dim(stack, row), () => {
            units(picture, part, row, left, y - high, right, y + high);
            pen.box(left, y - high, right, y + high, { stroke: pen.colours.net, round: 3 });
            const focus = scene.focus();
            if (open <= 0.3 || camera.swapped || focus?.stack !== stack || focus.row !== row) return; // where one points
            const said = t("{awake} active", { awake: scene.awake(part.name, row) });
            pen.alpha(open, () =>
                pen.text(said, (left + right) / 2, y + high + 9, {
                    align: "center",
                    colour: pen.colours.net,
                }),
            );
        });
        sum(picture, part, row, open);
        vector(picture, `${part.name}.after`, stack, stack, row, part.patch);
    }
    if (scene.selected.net && camera.ky() > 9) pen.alpha(fade(camera.ky(), 9, 16), () => onePosition(picture, part));
}

/** @param {Picture} picture @param {Part} part @param {number} row @param {number} x0 @param {number} y0 @param {number} x1 @param {number} y1 */
function units({ scene, pen }, part, row, x0, y0, x1, y1) {
    const rows = scene.head.sizes.units / ACROSS,
        bitmap = pen.vectors(`${part.name}.units`, "net", rows);
    pen.image(bitmap, [0, row * rows, ACROSS, rows], x0, y0, x1, y1);
}

/** @param {Picture} picture @param {Part} part */
function onePosition({ scene, camera, pen }, part) {
    const {
            world,
            selected: { row },
            head: { sizes },
        } = scene,
        { stack } = part,
        heads = sizes.heads;
    const at = (/** @type {number} */ y) => camera.sy(world.lane(stack, row) + y),
        x = camera.sx,
        [left, right] = part.tiles;
    const before = pen.vectors(part.before, stack, heads),
        added = pen.vectors(`${part.name}.added`, "net", heads);
    pen.image(
        before,
        [0, row * heads, before.width, heads],
        x(part.norm - (left - part.norm) * 0.9),
        at(-4),
        x(part.norm) - 5,
        at(4),
    );
    pen.image(added, [0, row * heads, added.width, heads], x(right + 1), at(-4), x(part.plus - 1.6), at(4));
    const put = (
        /** @type {string} */ said,
        /** @type {number} */ where,
        /** @type {number} */ y,
        /** @type {object} */ style,
    ) => pen.text(said, x(where), at(y), { align: "center", ground: true, ...style });
    const [mean, scale] = ["mean", "scale"].map((each) => scene.array(`${part.name}.${each}`).values[row]);
    put("x", part.norm - (left - part.norm) * 0.45, -5.4, { colour: pen.colours[stack], bold: true });
    put(`μ ${number(mean, 2)} · σ ${scale.toFixed(2)}`, part.norm, 5.4, { colour: pen.colours.muted });
    put(
        t("{d} numbers become {units}; below 0 becomes 0", { d: sizes.d, units: sizes.units.toLocaleString("en") }),
        (left + right) / 2,
        -8.2,
        { colour: pen.colours.net, bold: true },
    );
    put(t("added"), (right + part.plus) / 2, -5.4, { colour: pen.colours.net });
    put(t("the same net at every position"), (left + right) / 2, 9.4, { colour: pen.colours.muted });
    const { values } = scene.array(`${part.name}.units`),
        all = values.subarray(row * sizes.units, (row + 1) * sizes.units);
    const high = world.decks[stack].pitch * 0.34,
        rows = sizes.units / ACROSS;
    const best = [...all]
        .map((value, unit) => ({ value, unit }))
        .sort((a, b) => b.value - a.value)
        .slice(0, 3);
    for (const { value, unit } of best) {
        const across = left + (((unit % ACROSS) + 0.5) / ACROSS) * (right - left),
            down = -high + ((Math.floor(unit / ACROSS) + 0.5) / rows) * 2 * high;
        put(t("unit {unit}: {value}", { unit, value: value.toFixed(1) }), across, down - 0.8, {});
    }
}
