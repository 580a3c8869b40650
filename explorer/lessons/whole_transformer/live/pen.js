// Everything that is drawn: words, lines, ribbons, boxes, and vectors as strips of cells.
import { clamp } from "../../../ui/live/motion.js";

/** @typedef {{size?: number, align?: CanvasTextAlign, colour?: string, bold?: boolean, ground?: boolean, along?: boolean}} Style */

const channels = (/** @type {string} */ colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));

const LEAST = 14; // pixels of type

/** A colour between two others. @param {string} from @param {string} to @param {number} share */
export function mixed(from, to, share) {
    const end = channels(to);
    return `rgb(${channels(from).map((each, position) => Math.round(each + (end[position] - each) * share))})`;
}

/** The colour of a weight on the app's scale. @param {[number, string][]} scale @param {number} weight */
function weighed(scale, weight) {
    const after = Math.max(
        1,
        scale.findIndex(([stop]) => stop >= clamp(weight)),
    );
    const [[low, from], [high, to]] = [scale[after - 1], scale[after]];
    return mixed(from, to, clamp((weight - low) / (high - low)));
}

/** @param {import("./camera.js").Camera} camera @param {(name: string) => {shape: number[], values: Float32Array}} array */
export function makePen(camera, array) {
    /** @type {Map<string, HTMLCanvasElement>} */ const bitmaps = new Map();
    const pen = {
        g: /** @type {CanvasRenderingContext2D} */ (/** @type {unknown} */ (null)),
        colours: /** @type {Record<string, string> & {weights: [number, string][]}} */ ({}),
        font: "sans-serif",
        zoom: 1, // of type, before a room
        /** Draw more faintly. @param {number} share @param {() => void} draw */
        alpha(share, draw) {
            if (share <= 0.01) return;
            const before = pen.g.globalAlpha;
            pen.g.globalAlpha = before * Math.min(1, share);
            draw();
            pen.g.globalAlpha = before;
        },
        /** Write; in a transposed picture upright, or along the lane. @param {string} said @param {number} x @param {number} y @param {Style} style */
        text(said, x, y, { size = 12, align = "left", colour, bold = false, ground = false, along = false } = {}) {
            const g = pen.g;
            size = Math.max(LEAST, size) * pen.zoom;
            g.save();
            g.translate(x, y);
            if (camera.swapped) {
                g.transform(0, 1, 1, 0, 0, 0);
                if (along) {
                    g.rotate(-Math.PI / 2);
                    align = align === "left" ? "right" : align === "right" ? "left" : align;
                } else align = "center";
            }
            g.font = `${bold ? 650 : 400} ${size}px ${pen.font}`;
            [g.textAlign, g.textBaseline] = [align, "middle"];
            if (ground) {
                const wide = g.measureText(said).width,
                    left = align === "left" ? 0 : align === "right" ? -wide : -wide / 2;
                pen.alpha(0.85, () => {
                    g.fillStyle = pen.colours.paper;
                    const high = size * (along ? 1 : 1.4); // words of lanes stand close above each other
                    g.fillRect(left - 3, -high / 2, wide + 6, high);
                });
            }
            g.fillStyle = colour ?? pen.colours.text;
            g.fillText(said, 0, 0);
            g.restore();
        },
        /** @param {number[][]} points @param {string} colour @param {number[]} dash */
        line(points, colour, width = 1, dash = []) {
            const g = pen.g;
            [g.strokeStyle, g.lineWidth, g.lineJoin] = [colour, width, "round"];
            g.setLineDash(dash);
            g.beginPath();
            points.forEach(([x, y], position) => (position ? g.lineTo(x, y) : g.moveTo(x, y)));
            g.stroke();
            g.setLineDash([]);
        },
        /** @param {number} x0 @param {number} y0 @param {number} x1 @param {number} y1 @param {number} width @param {string} colour */
        ribbon(x0, y0, x1, y1, width, colour) {
            const g = pen.g,
                middle = (x0 + x1) / 2;
            [g.strokeStyle, g.lineWidth] = [colour, width];
            g.beginPath();
            g.moveTo(x0, y0);
            g.bezierCurveTo(middle, y0, middle, y1, x1, y1);
            g.stroke();
        },
        /** @param {number} x0 @param {number} y0 @param {number} x1 @param {number} y1 @param {{fill?: string, stroke?: string, width?: number, round?: number}} style */
        box(x0, y0, x1, y1, { fill, stroke, width = 1, round = 4 } = {}) {
            const g = pen.g;
            g.beginPath();
            g.roundRect(
                x0,
                y0,
                Math.max(0, x1 - x0),
                Math.max(0, y1 - y0),
                Math.max(0, Math.min(round, (y1 - y0) / 2, (x1 - x0) / 2)),
            );
            if (fill) {
                g.fillStyle = fill;
                g.fill();
            }
            if (stroke) {
                [g.strokeStyle, g.lineWidth] = [stroke, width];
                g.stroke();
            }
        },
        /** @param {number} x @param {number} y @param {number} radius @param {string} colour */
        dot(x, y, radius, colour) {
            pen.g.beginPath();
            pen.g.arc(x, y, radius, 0, 7);
            pen.g.fillStyle = colour;
            pen.g.fill();
        },
        /** The sign of a sum. @param {number} x @param {number} y @param {number} radius @param {string} colour */
        plus(x, y, radius, colour) {
            pen.dot(x, y, radius, pen.colours.paper);
            [pen.g.strokeStyle, pen.g.lineWidth] = [colour, 1];
            pen.g.stroke();
            const arm = radius * 0.6;
            pen.line(
                [
                    [x - arm, y],
                    [x + arm, y],
                ],
                colour,
            );
            pen.line(
                [
                    [x, y - arm],
                    [x, y + arm],
                ],
                colour,
            );
        },
        /** Part of a bitmap. @param {HTMLCanvasElement} from @param {number[]} part x, y, width, height @param {number} x0 @param {number} y0 @param {number} x1 @param {number} y1 */
        image(from, [left, top, wide, high], x0, y0, x1, y1) {
            pen.g.imageSmoothingEnabled = x1 - x0 < wide * 0.9;
            pen.g.drawImage(from, left, top, wide, high, x0, y0, x1 - x0, y1 - y0);
        },
        /**
         * Vectors below each other, each folded into rows: positive numbers in a colour, negative grey, 0 is the board.
         * Each has a scale of its own, by the median of its sizes.
         * @param {string} name @param {string} hue @param {number} rows
         */
        vectors(name, hue, rows) {
            const key = name + hue;
            const known = bitmaps.get(key);
            if (known) return known;
            const {
                    shape: [count, length],
                    values,
                } = array(name),
                wide = length / rows,
                made = document.createElement("canvas");
            [made.width, made.height] = [wide, rows * count];
            const g = /** @type {CanvasRenderingContext2D} */ (made.getContext("2d")),
                image = g.createImageData(wide, rows * count);
            const [up, down, zero] = [hue, "negative", "board"].map((each) => channels(pen.colours[each]));
            for (let row = 0; row < count; row++) {
                const top = scale(values.subarray(row * length, (row + 1) * length));
                for (let position = row * length; position < (row + 1) * length; position++) {
                    const value = clamp(values[position] / top, -1, 1),
                        to = value > 0 ? up : down;
                    for (let c = 0; c < 3; c++)
                        image.data[position * 4 + c] = zero[c] + (to[c] - zero[c]) * Math.abs(value);
                    image.data[position * 4 + 3] = 255;
                }
            }
            g.putImageData(image, 0, 0);
            bitmaps.set(key, made);
            return made;
        },
        /** A map of weights. @param {string} key @param {Float32Array} weights @param {number} columns */
        map(key, weights, columns) {
            const known = bitmaps.get(key);
            if (known) return known;
            const made = document.createElement("canvas"),
                rows = weights.length / columns;
            [made.width, made.height] = [columns, rows];
            const g = /** @type {CanvasRenderingContext2D} */ (made.getContext("2d"));
            weights.forEach((weight, position) => {
                g.fillStyle = weighed(pen.colours.weights, weight);
                g.fillRect(position % columns, Math.floor(position / columns), 1, 1);
            });
            bitmaps.set(key, made);
            return made;
        },
    };
    return pen;
}

/** 3.5 times the median of what is not 0; of units, most of which are 0, what nine in ten of the others do not exceed. @param {Float32Array} values */
function scale(values) {
    const sizes = values
        .filter((each) => each !== 0)
        .map(Math.abs)
        .sort();
    if (!sizes.length) return 1;
    return sizes.length < values.length / 2 ? sizes[Math.floor(sizes.length * 0.9)] : 3.5 * sizes[sizes.length >> 1];
}

/** @typedef {ReturnType<typeof makePen>} Pen */
