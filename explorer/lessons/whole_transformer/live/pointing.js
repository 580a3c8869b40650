// What is under the pointer, and what pointer and keyboard do.
import { placeOn } from "../../../ui/live/dom.js";
import { t } from "../../../ui/live/words.js";
import { clamp } from "../../../ui/live/motion.js";
import { opened } from "./lane.js";
import { BOX, HIGH, PANE, SMALL, WIDE } from "./world.js";

/** @typedef {import("./lane.js").Picture} Picture */
/** @typedef {{go: (to: object, lasts?: number) => void, touch: () => void, tell: () => void, play: () => void, travel: () => void}} Acts */
/** @typedef {{word?: import("./scene.js").Word, layer?: import("./world.js").Layer, part?: string, net?: boolean, head?: number, row?: number, column?: number, inside?: boolean, cell?: [number, number]}} Hit
 * cell: row and column in the map of a head, open or not */

/** @param {Picture} picture @param {number} X @param {number} Y @returns {Hit} */
function hit(picture, X, Y) {
    const { scene, camera } = picture,
        { world } = scene,
        x = camera.wx(X),
        y = camera.wy(Y);
    /** @type {Hit} */ const found = {};
    for (const stack of /** @type {const} */ (["enc", "dec"])) {
        const { pitch } = world.decks[stack],
            row = Math.round((y - world.lane(stack, 0)) / pitch);
        if (row >= 0 && row < world.counts[stack] && Math.abs(y - world.lane(stack, row)) <= pitch / 2)
            found.word = { stack, row };
    }
    found.layer = world.layers.find(
        ({ left, right, stack: each }) =>
            // its title above and the names of its parts below belong to it
            x >= left - 2 && x <= right + 2 && Y > camera.sy(BOX[each][0]) - 18 && Y < camera.sy(BOX[each][1]) + 15,
    );
    if (!found.layer || opened(picture, found.layer) < 0.5) return found;
    for (const part of found.layer.parts) {
        if (part.kind === "net") {
            if (x > part.norm - 2 && x < part.plus && found.word)
                Object.assign(found, { net: true, part: found.layer.parts[0].name });
            continue;
        }
        for (let head = 0; head < world.sizes.heads; head++) {
            const [left, top, wide, high] = world.tile(part, head);
            if (x < left || x > left + wide || y < top || y > top + high) continue;
            Object.assign(found, { head, part: part.name, word: undefined });
            const [u, v] = [((x - left) / wide) * WIDE, ((y - top) / high) * HIGH];
            if (wide * camera.kx() > camera.wide * 0.5) within(found, part, u, v, world.shape(part));
            else found.cell = inMap(u, v, world.shape(part));
        }
    }
    return found;
}

/** Row and column in an open head. @param {Hit} found @param {import("./world.js").Part} part @param {number} u @param {number} v @param {number[]} shape */
function within(found, part, u, v, [rows, columns]) {
    found.inside = true;
    const row = Math.floor(((v - PANE.rows[0]) / (PANE.rows[1] - PANE.rows[0])) * rows);
    if (row < 0 || row >= rows) return;
    found.row = row;
    for (const [left, right] of [PANE.scores, PANE.weights]) {
        const column = Math.floor(((u - left) / (right - left)) * columns);
        if (column >= 0 && column < columns && !(part.stack === "dec" && part.kind === "self" && column > row))
            found.column = column;
    }
    if (found.column !== undefined) found.cell = [row, found.column];
}

/** Row and column in the map of a head that is not open. @param {number} u @param {number} v @param {number[]} shape @returns {[number, number] | undefined} */
function inMap(u, v, [rows, columns]) {
    const row = Math.floor(((v - SMALL.rows[0]) / (SMALL.rows[1] - SMALL.rows[0])) * rows),
        column = Math.floor(((u - SMALL.columns[0]) / (SMALL.columns[1] - SMALL.columns[0])) * columns);
    return row < 0 || row >= rows || column < 0 || column >= columns ? undefined : [row, column];
}

/** What the cell under the pointer says; nothing where there is none, or where nobody may look.
 * @param {import("./scene.js").Scene} scene @param {Hit} found */
function told(scene, { part: name, head, cell }) {
    if (!cell || !name || head === undefined) return "";
    const part = scene.world.part(name),
        [row, column] = cell,
        [, columns] = scene.world.shape(part);
    if (scene.causal(part) && column > row) return "";
    const weight = scene.weights(name, head)[row * columns + column].toFixed(3);
    const values = { query: scene.asks(part.stack)[row], key: scene.asked(part)[column], weight };
    return t("“{query}” attends to “{key}”: {weight}", values);
}

/** @param {HTMLCanvasElement} canvas @param {Picture} picture @param {Acts} acts */
export function follow(canvas, picture, acts) {
    const { scene, camera } = picture;
    /** @type {{X: number, Y: number, at: number[], moved: boolean} | null} */ let press = null;
    let before = "";
    const place = (/** @type {MouseEvent} */ event) => {
        const [X, Y] = placeOn(event, canvas);
        return camera.swapped ? [Y, X] : [X, Y];
    };
    canvas.onpointermove = (event) => {
        if (!event.buttons) press = null; // let go outside the picture
        const [X, Y] = place(event);
        if (press && scene.selected.level && Math.hypot(X - press.X, Y - press.Y) > 4) {
            press.moved = true;
            camera.at[0] = clamp(press.at[0] - (X - press.X) / camera.kx(), -camera.at[2] / 2, WIDE - camera.at[2] / 2);
            camera.at[1] = clamp(press.at[1] - (Y - press.Y) / camera.ky(), -camera.at[3] / 2, HIGH - camera.at[3] / 2);
            return acts.touch();
        }
        const found = hit(picture, X, Y),
            { selected } = scene,
            now = JSON.stringify([found.word, found.part, found.head, found.row, found.column, found.layer?.left]);
        canvas.dataset.says = told(scene, found);
        if (now === before) return;
        before = now;
        scene.hovered = (selected.level < 2 && found.word) || null;
        scene.nearHead = selected.level === 1 && found.head !== undefined ? `${found.part} ${found.head}` : "";
        if (selected.level === 2 && !selected.net && found.row !== undefined && found.row !== selected.row) {
            selected.row = found.row;
            acts.tell();
        }
        canvas.style.cursor = found.layer || found.word ? "pointer" : "default";
        acts.touch();
    };
    canvas.onpointerleave = () => {
        [scene.hovered, scene.nearHead, before] = [null, "", ""];
        acts.touch();
    };
    canvas.onpointerdown = (event) => {
        if (event.button) return; // another button opens the browser's menu
        const [X, Y] = place(event);
        press = { X, Y, at: [...camera.at], moved: false };
    };
    canvas.onpointercancel = () => {
        press = null;
    };
    canvas.onpointerup = (event) => {
        const was = press,
            { selected } = scene;
        press = null;
        if (!was || was.moved) return;
        const found = hit(picture, .../** @type {[number, number]} */ (place(event)));
        if (selected.level >= 2 && !selected.net) {
            if (found.inside && found.column !== undefined)
                acts.go({ level: selected.level === 3 ? 2 : 3, row: found.row, column: found.column });
        } else if (found.head !== undefined) {
            const pinned = scene.pinned,
                part = scene.world.part(/** @type {string} */ (found.part));
            acts.go({
                level: 2,
                net: false,
                part: found.part,
                head: found.head,
                row: pinned?.stack === part.stack ? pinned.row : Math.min(selected.row, scene.world.shape(part)[0] - 1),
            });
        } else if (found.net)
            acts.go(
                selected.net
                    ? { level: 1, net: false }
                    : { level: 2, net: true, part: found.part, row: found.word?.row },
            );
        else if (found.layer && !selected.level) acts.go({ level: 1, net: false, part: found.layer.parts[0].name });
        else if (found.word) {
            const same = scene.pinned?.stack === found.word.stack && scene.pinned.row === found.word.row;
            scene.pinned = same ? null : found.word;
            acts.touch();
        }
    };
    canvas.onwheel = (event) => {
        if (!event.ctrlKey) return;
        event.preventDefault();
        const [X, Y] = place(event),
            factor = Math.exp(clamp(event.deltaY, -80, 80) * 0.004),
            [x, y] = [camera.wx(X), camera.wy(Y)];
        camera.stop();
        if (camera.at[2] * factor > WIDE) return acts.go({ level: 0, net: false });
        camera.at = [
            x - (x - camera.at[0]) * factor,
            y - (y - camera.at[1]) * factor,
            camera.at[2] * factor,
            camera.at[3] * factor,
        ];
        acts.touch();
    };
    canvas.onkeydown = (event) => {
        if (!event.altKey && !event.metaKey && !event.ctrlKey && pressed(picture, acts, event.key))
            event.preventDefault();
    };
}

/** Do what a key means; tell whether it means anything. @param {Picture} picture @param {Acts} acts @param {string} named */
function pressed({ scene }, acts, named) {
    const key = named.length === 1 ? named.toLowerCase() : named;
    const { selected, world } = scene,
        part = world.part(selected.part),
        [rows, columns] = world.shape(part);
    const across = { ArrowLeft: -1, ArrowRight: 1 }[key],
        down = { ArrowUp: -1, ArrowDown: 1 }[key];
    const turned = (/** @type {number} */ at, /** @type {number} */ by, /** @type {number} */ count) =>
        (at + by + count) % count;
    const layer = (/** @type {number} */ by) => {
        const now = world.layers.indexOf(world.layerOf(selected.part)),
            to = world.layers[turned(now, by, world.layers.length)];
        return { part: to.parts[0].name, row: Math.min(selected.row, world.counts[to.stack] - 1) };
    };
    if (across) {
        if (!selected.level)
            acts.go({ level: 1, net: false, part: world.layers.at(across > 0 ? 0 : -1)?.parts[0].name, row: 0 });
        else if (selected.level === 1 || selected.net) acts.go(layer(across));
        else if (selected.level === 2) acts.go({ head: turned(selected.head, across, world.sizes.heads) }, 500);
        else acts.go({ column: turned(selected.column, across, scene.causal(part) ? selected.row + 1 : columns) }, 400);
    } else if (down) {
        if (!selected.level && !scene.pinned) scene.pinned = { stack: part.stack, row: selected.row };
        else {
            selected.row = turned(selected.row, down, selected.net ? world.counts[part.stack] : rows);
            scene.pinned = { stack: part.stack, row: selected.row };
        }
        if (selected.level === 3 || selected.net) acts.go({}, 400);
        else {
            acts.tell();
            acts.touch();
        }
    } else if (key === "Enter") {
        const word = scene.hovered ?? scene.pinned,
            row = word?.stack === part.stack && selected.level < 2 ? word.row : selected.row;
        if (!selected.net) acts.go({ level: Math.min(3, selected.level + 1), row });
    } else if (key === "Escape" && selected.level) acts.go({ level: selected.level - 1, net: false });
    else if (key === "Escape") {
        scene.pinned = null;
        acts.tell();
        acts.touch();
    } else if (key === "0") acts.go({ level: 0, net: false });
    else if (key === " ") acts.play();
    else if (key === "t") acts.travel();
    else if (key === "f" && selected.level) acts.go({ level: 2, net: true });
    else if (key === "c" && selected.level && part.stack === "dec")
        acts.go({
            net: false,
            column: 0,
            part: selected.part.replace(/self|cross/, (each) => (each === "self" ? "cross" : "self")),
        });
    else return false;
    return true;
}
