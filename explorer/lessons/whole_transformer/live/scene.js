// What is shown now: the selection, the word that is pointed at, how far the translation is written; and what follows
// from it for every word: how far its line is computed, how strongly it is drawn.
import { fade } from "./camera.js";
import { clamp } from "../../../ui/live/motion.js";
import { OUT, START } from "./world.js";

const UNWRITTEN = 0.05,
    UNREAD = 0.13; // how faint a line is that is not yet computed
const CROSSING = 1020; // world units that the encoder's front covers

/** @typedef {import("./world.js").Stack} Stack */
/** @typedef {import("./world.js").Part} Part */
/** @typedef {{stack: Stack, row: number, auto?: boolean}} Word */

/**
 * @param {any} head words, sizes and colours from Python
 * @param {(name: string) => {shape: number[], values: Float32Array}} array
 * @param {import("./world.js").World} world
 */
export function makeScene(head, array, world) {
    /** @type {Map<string, Float32Array>} */ const means = new Map();
    const scene = {
        head,
        array,
        world,
        /** @type {import("./world.js").Selected} */ selected: { ...head.start },
        /** @type {Word | null} */ hovered: null,
        /** @type {Word | null} */ pinned: null,
        shown: head.shown, // head whose ribbons are drawn; -1 for the mean
        nearHead: "", // its part and number
        clock: 1 + head.read.length, // 0…1: the encoder reads; then 1 for each word that is written
        end: 1 + head.read.length,
        playing: false,
        speed: 1,
        arrived: 0, // when the open head begins its journey
        /** @type {{stack: Stack, row: number, x: number} | null} */ travel: null,
        /** Weights of a head, or the mean over the heads. @param {string} name @param {number} which */
        weights(name, which) {
            const {
                    shape: [heads, rows, columns],
                    values,
                } = array(`${name}.weights`),
                each = rows * columns;
            if (which >= 0) return values.subarray(which * each, (which + 1) * each);
            let mean = means.get(name);
            if (!mean) {
                mean = new Float32Array(each);
                for (let position = 0; position < values.length; position++)
                    mean[position % each] += values[position] / heads;
                means.set(name, mean);
            }
            return mean;
        },
        asks: (/** @type {Stack} */ stack) => /** @type {string[]} */ (stack === "enc" ? head.source : head.read),
        asked: (/** @type {Part} */ part) =>
            /** @type {string[]} */ (part.kind === "cross" ? head.source : scene.asks(part.stack)),
        causal: (/** @type {Part} */ part) => part.stack === "dec" && part.kind === "self",
        /** Length of a row of an array. @param {string} name @param {number} row */
        length(name, row) {
            const {
                shape: [, size],
                values,
            } = array(name);
            return Math.hypot(...values.subarray(row * size, (row + 1) * size));
        },
        /** Units of a net that are above 0 at a word. @param {string} name @param {number} row */
        awake(name, row) {
            const {
                shape: [, size],
                values,
            } = array(`${name}.units`);
            return values.subarray(row * size, (row + 1) * size).filter((each) => each > 0).length;
        },
        /** What a part adds, as a share of the length of the stream. @param {Part} part @param {number} row */
        share: (part, row) => scene.length(`${part.name}.added`, row) / scene.length(part.before, row),
        /** Keys that a row looks at most. @param {string} name @param {number} which @param {number} row @param {number} count */
        most(name, which, row, count) {
            const {
                shape: [, , columns],
            } = array(`${name}.weights`);
            return [...scene.weights(name, which).subarray(row * columns, (row + 1) * columns)]
                .map((weight, column) => ({ weight, column }))
                .filter(({ column }) => !scene.causal(world.part(name)) || column <= row)
                .sort((a, b) => b.weight - a.weight)
                .slice(0, count);
        },
        /** The word that is being written. */
        step: () => clamp(Math.floor(scene.clock - 1 - 1e-9), 0, head.read.length - 1),
        /** How far a line is computed, in world units. @param {Stack} stack @param {number} row */
        front(stack, row) {
            if (stack === "enc") return 50 + scene.clock * CROSSING;
            const since = scene.clock - 1 - row;
            return since <= 0 ? -1e3 : since >= 1 ? 1e4 : 50 + clamp(since / 0.8) * 960;
        },
        /** How strongly something at x is drawn. @param {Stack} stack @param {number} row @param {number} x */
        reveal(stack, row, x) {
            const least = stack === "enc" ? UNREAD : UNWRITTEN;
            return least + (1 - least) * fade(scene.front(stack, row) - x, 0, 14);
        },
        /** The word that is followed, if any. @returns {Word | null} */
        focus() {
            if (scene.selected.level > 1)
                return scene.selected.net
                    ? { stack: world.part(scene.selected.part).stack, row: scene.selected.row }
                    : null;
            const writing = scene.playing && scene.clock > 1.3 && scene.clock < scene.end;
            return scene.hovered || scene.pinned || (writing ? { stack: "dec", row: scene.step(), auto: true } : null);
        },
        /** Largest share that a written word takes from a source word, over the layers. @param {number} row @param {number} column */
        link: (row, column) =>
            Math.max(
                ...world.layers
                    .filter((each) => each.stack === "dec")
                    .map((each) => scene.weights(`dec.${each.layer}.cross`, -1)[row * head.source.length + column]),
            ),
        /** How strongly a line is drawn beside the word that is followed. @param {Stack} stack @param {number} row */
        dim(stack, row) {
            const focus = scene.focus();
            if (!focus || (focus.stack === stack && focus.row === row)) return 1;
            const linked = stack === "enc" ? scene.link(focus.row, row) : scene.link(row, focus.row);
            const beside = focus.stack === stack ? 0.34 : 0.25 + 0.75 * fade(linked, 0.08, 0.3);
            if (!focus.auto) return beside;
            return stack === "dec" ? 1 : 0.45 + 0.55 * beside;
        },
        /** Tell whether a written word may be read already. @param {number} row */
        written: (row) => scene.front("dec", row) > OUT + START,
    };
    return scene;
}

/** @typedef {ReturnType<typeof makeScene>} Scene */
