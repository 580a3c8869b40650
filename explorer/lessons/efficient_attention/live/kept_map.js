// What one head keeps and loses: its exact weights where the pattern computes them, in another colour where it does not. Masks at
// every stop of the pattern's sliders came from Python: what is moved selects one of them before it is let go.
import { element, live, placeOn, updateTableWhenIdle, screenReaderOnly } from "../../../ui/live/dom.js";
import { t } from "../../../ui/live/words.js";
import { setText } from "../../../ui/live/drawing.js";
import { clamp } from "../../../ui/live/motion.js";
import { onHoverOrTap } from "../../../ui/live/drag.js";
import { redrawOnResize } from "../../../ui/live/resize.js";
import { inks } from "../../../ui/live/weights.js";

/**
 * @typedef {import("../../../ui/live/unpack.js").Packed} Packed
 * @typedef {{bits: Packed, shares: string[], first: number}} Stops a mask's bits, for each stop a whole number of bytes; in words
 *   what share of the cells is computed; what the slider says at the first stop
 * @typedef {object} Data @property {Packed} exact weights of the cells that exact attention uses, row by row; so have the masks
 * @property {string[]} labels of the positions @property {boolean} causal whether rows end at the diagonal
 * @property {[number, string][]} scale colours of weights @property {[number, string][]} losing colours of what is lost
 * @property {string} hatch its colour @property {number} ground place on the scale of a cell that is computed and holds nothing
 * @property {number} seen weight from which a lost cell is drawn @property {number} most weight that has its full colour
 * @property {Stops} now the mask that Python computed @property {Record<string, Stops>} sliders by their keys
 */

export default (/** @type {import("../../../ui/live/dom.js").Component} */ component) =>
    live(component, "kept_map", keptMap);

/** @param {HTMLElement} root */
function keptMap(root) {
    const room = element("div", "room"),
        board = element("div", "board"),
        map = element("canvas", "map"),
        legend = element("p", "legend");
    const asks = element("p", "asks"),
        asked = element("p", "asked"),
        line = element("p", "line");
    map.role = "img";
    board.append(asks, map, legend, asked);
    room.append(board, line);
    root.replaceChildren(room);
    const table = screenReaderOnly(root, "table"),
        pen = /** @type {CanvasRenderingContext2D} */ (map.getContext("2d"));

    /** @type {Data} */ let data;
    /** @type {Float32Array} */ let weights;
    /** @type {ArrayLike<number>} */ let mask;
    /** @type {{weights: Uint32Array, losing: Uint32Array}} */ let colours;
    let share = "",
        resting = ""; // what is said of the mask, and while nothing is pointed at
    const until = (/** @type {number} */ row) => (data.causal ? row + 1 : data.labels.length);
    const place = (/** @type {number} */ row, /** @type {number} */ column) =>
        (data.causal ? (row * (row + 1)) / 2 : row * data.labels.length) + column;
    const computed = (/** @type {number} */ cell) => (mask[cell >> 3] & (128 >> (cell & 7))) !== 0;

    /** Take the mask of one stop. @param {Stops} stops @param {number} at */
    function choose(stops, at) {
        [mask, share] = [stops.bits.rows[at], stops.shares[at]];
        resting = share === data.now.shares[0] ? "" : share;
    }

    function build() {
        const { scale, losing, labels, causal } = data,
            named = [
                [scale[5][1], "■", t("kept")],
                ["var(--output)", "■", t("lost")],
                ["var(--muted)", "□", t("left out, little there")],
                ["var(--hatch)", "▨", t("not yet written")],
            ];
        root.style.setProperty("--hatch", data.hatch);
        [map.width, map.height, legend.hidden] = [labels.length, labels.length, !causal];
        colours = { weights: inks(scale), losing: inks(losing) };
        setText(asks, t("who asks: query"));
        setText(asked, t("who is asked: key"));
        legend.replaceChildren(
            ...named.map(([colour, sign, name]) => {
                const row = element("span", ""),
                    mark = element("b", "", sign);
                mark.style.color = colour;
                row.append(mark, ` ${name}`);
                return row;
            }),
        );
    }

    function paint() {
        const { labels, ground, seen, most } = data,
            n = labels.length,
            image = pen.createImageData(n, n),
            pixels = new Uint32Array(image.data.buffer);
        const ink = (/** @type {Uint32Array} */ scale, /** @type {number} */ at) =>
            scale[Math.round(clamp(at, 0, 1) * (scale.length - 1))];
        let count = 0;
        for (let row = 0, cell = 0; row < n; row += 1) {
            for (let column = 0; column < until(row); column += 1, cell += 1) {
                const weight = weights[cell],
                    there = computed(cell);
                count += Number(there);
                pixels[row * n + column] = there
                    ? ink(colours.weights, (weight - ground) / (1 - ground))
                    : weight > seen
                      ? ink(colours.losing, weight / most)
                      : colours.weights[0];
            }
        }
        pen.putImageData(image, 0, 0);
        map.dataset.computed = String(count);
        map.ariaLabel = `${t("What this head keeps")}. ${share}`;
        setText(line, resting);
        updateTableWhenIdle(table, t("What this head keeps"), () => [
            [t("who asks: query"), t("kept"), t("lost")],
            ...labels.map((label, row) => {
                const sums = [0, 0];
                for (let column = 0; column < until(row); column += 1)
                    sums[computed(place(row, column)) ? 0 : 1] += weights[place(row, column)];
                return [label, ...sums.map((each) => each.toFixed(4))];
            }),
        ]);
    }

    onHoverOrTap(
        map,
        (event) => {
            const { labels, seen } = data,
                n = labels.length,
                [column, row] = placeOn(event, map).map((at) => Math.floor((at / map.clientWidth) * n));
            if (row < 0 || column < 0 || row >= n || column >= until(row)) return setText(line, resting);
            const weight = weights[place(row, column)],
                name = computed(place(row, column))
                    ? t("kept")
                    : weight > seen
                      ? t("lost")
                      : t("left out, little there");
            setText(
                line,
                t("{name}: {said}", {
                    name,
                    said: t("“{query}” attends to “{key}”: {weight}", {
                        query: labels[row],
                        key: labels[column],
                        weight: weight.toFixed(3),
                    }),
                }),
            );
        },
        () => setText(line, resting),
    );
    const shown = redrawOnResize(root, build, paint);
    return {
        /** @param {Data} sent */
        take(sent) {
            const { exact, now, sliders, ...still } = sent;
            [data, weights] = [sent, exact.values];
            choose(now, 0);
            shown.take({ ...still, keys: Object.keys(sliders) }, () =>
                Object.keys(sliders).map((key) => [
                    key,
                    (to) => {
                        const stops = data.sliders[key];
                        choose(stops, clamp(Math.round(to) - stops.first, 0, stops.shares.length - 1));
                        paint();
                    },
                ]),
            );
        },
        end: shown.end,
    };
}
