// One word's line: its vectors, the bar of a layer norm, the sum with what a part adds.
import { fade } from "./camera.js";
import { clamp } from "../../../ui/live/motion.js";

/** @typedef {{scene: import("./scene.js").Scene, camera: import("./camera.js").Camera, pen: import("./pen.js").Pen}} Picture */
/** @typedef {import("./world.js").Part} Part */
/** @typedef {import("./world.js").Stack} Stack */

/** How far a layer is open: 0 in the overview, 1 where it fills the stage. @param {Picture} picture @param {import("./world.js").Layer} layer */
export const opened = ({ camera }, layer) =>
    fade(camera.sx(layer.right) - camera.sx(layer.left), camera.wide * 0.34, camera.wide * 0.7);

/** Whether something belongs to a neighbour of the layer that fills the stage: of it, only the edge is seen.
 * @param {Picture} picture @param {{stack: Stack, layer: number}} of */
export function aside({ scene: { selected, world }, camera }, { stack, layer }) {
    const own = world.layerOf(selected.part);
    return selected.level === 1 && !camera.flying() && (own.stack !== stack || own.layer !== layer);
}

/** One word's vector. @param {Picture} picture @param {string} name @param {string} hue @param {Stack} stack @param {number} row @param {number[]} columns */
export function vector({ scene, camera, pen }, name, hue, stack, row, [left, right]) {
    const { world } = scene,
        y = world.lane(stack, row),
        pitch = world.decks[stack].pitch;
    if (!camera.seen(left, y - pitch, right, y + pitch)) return;
    const [x0, x1, middle] = [camera.sx(left), camera.sx(right), camera.sy(y)],
        high = Math.min(camera.ky() * pitch * 0.36, 40);
    pen.alpha(scene.reveal(stack, row, left) * scene.dim(stack, row), () => {
        const heads = world.sizes.heads,
            bitmap = pen.vectors(name, hue, heads),
            near = fade(camera.kx(), 1.5, 2.6);
        pen.g.imageSmoothingEnabled = false;
        pen.alpha(1 - near, () => pen.g.drawImage(bitmap, 0, row * heads, 13, 1, x0, middle - high, x1 - x0, 2 * high));
        pen.alpha(near, () =>
            pen.image(bitmap, [0, row * heads, bitmap.width, heads], x0, middle - high, x1, middle + high),
        );
        if (camera.kx() > 2)
            pen.box(x0, middle - high, x1, middle + high, { stroke: pen.colours[hue], width: 0.8, round: 2 });
    });
}

/** The bar that stands for a layer norm. @param {Picture} picture @param {Part} part @param {number} row */
export function norm({ scene, camera, pen }, part, row) {
    const x = camera.sx(part.norm),
        y = camera.sy(scene.world.lane(part.stack, row));
    const high = Math.min(camera.ky() * scene.world.decks[part.stack].pitch * 0.3, 26);
    pen.alpha(scene.reveal(part.stack, row, part.norm) * scene.dim(part.stack, row), () =>
        pen.box(x - 1.5, y - high, x + 1.5, y + high, { fill: pen.colours.muted, round: 1.5 }),
    );
}

/** The sum, and how long what is added is beside the stream. @param {Picture} picture @param {Part} part @param {number} row @param {number} open */
export function sum(picture, part, row, open) {
    const { scene, camera, pen } = picture;
    const { stack } = part,
        x = camera.sx(part.plus),
        y = camera.sy(scene.world.lane(stack, row)),
        near = camera.kx() > 3;
    pen.alpha(scene.reveal(stack, row, part.plus) * scene.dim(stack, row), () => {
        pen.plus(x, y, clamp(2.4 + camera.kx(), 3.2, 8), near ? pen.colours.text : pen.colours.muted);
        const focus = scene.focus();
        if (open <= 0.3 || !near || aside(picture, part) || focus?.stack !== stack || focus.row !== row) return; // numbers where one points
        const said = `+${Math.round(scene.share(part, row) * 100)}%`,
            below = camera.ky() * scene.world.decks[stack].pitch * 0.4;
        pen.alpha(open, () =>
            pen.text(said, x, y + below, {
                align: "center",
                colour: pen.colours[part.kind === "net" ? "net" : "output"],
            }),
        );
    });
}
