// A field of scores on a canvas: bands of ink with lines between them, or a thumbnail in few pixels.

/** @typedef {(x: number, y: number) => number} Field */

const PLACES = 75,
    BANDS = 12; // at which the field is computed along each side; steps of ink
const DARKEST = 0.5; // so that letters stay legible on the ink
const NEAR = 0.4; // of a band: farther from its end there is no line

/** The field row by row from above, and its ends, apart even where it is even everywhere.
 * @param {Field} field @param {number} span half the width @param {number} positions along each side */
function sampled(field, span, positions) {
    const values = new Float64Array(positions * positions),
        at = (/** @type {number} */ i) => ((2 * i) / (positions - 1) - 1) * span;
    let low = Infinity,
        high = -Infinity;
    for (let row = 0; row < positions; row += 1) {
        for (let column = 0; column < positions; column += 1) {
            const value = (values[row * positions + column] = field(at(column), -at(row)));
            low = Math.min(low, value);
            high = Math.max(high, value);
        }
    }
    return high > low ? { values, low, high } : { values, low: low - 1, high: high + 1 };
}

/** Draw the field in bands: linear between its places, with a line where one band ends.
 * @param {HTMLCanvasElement} canvas square @param {Field} field @param {number} span @param {Uint32Array} inks of weights
 * @param {string} paper colour of the lines */
export function contours(canvas, field, span, inks, paper) {
    const { values, low, high } = sampled(field, span, PLACES),
        side = canvas.width,
        density = (PLACES - 1) / (side - 1);
    const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true })),
        image = pen.createImageData(side, side);
    const pixels = new Uint32Array(image.data.buffer),
        ground = [1, 3, 5].map((at) => parseInt(paper.slice(at, at + 2), 16));
    const bands = Uint32Array.from(
        { length: BANDS },
        (_, band) => inks[Math.round(((band + 0.5) / BANDS) * DARKEST * (inks.length - 1))],
    );
    const columns = Uint8Array.from({ length: side }, (_, at) => Math.min(PLACES - 2, Math.floor(at * density)));
    const line = new Float64Array(PLACES),
        below = new Float64Array(PLACES);
    for (let i = 0; i < values.length; i += 1) values[i] = ((values[i] - low) / (high - low)) * BANDS;
    for (let down = 0, at = 0; down < side; down += 1) {
        const row = Math.min(PLACES - 2, Math.floor(down * density)),
            y = down * density - row;
        for (let i = 0; i < PLACES; i += 1) {
            below[i] = values[(row + 1) * PLACES + i] - values[row * PLACES + i];
            line[i] = values[row * PLACES + i] + below[i] * y;
        }
        for (let across = 0; across < side; across += 1, at += 1) {
            const column = columns[across],
                x = across * density - column,
                right = line[column + 1] - line[column];
            const value = line[column] + right * x,
                band = Math.min(BANDS - 1, Math.floor(value)),
                beyond = value - band;
            const off = Math.min(band ? beyond : 1, band < BANDS - 1 ? 1 - beyond : 1);
            pixels[at] = bands[band];
            if (off > NEAR) continue;
            const steep = below[column] + (below[column + 1] - below[column]) * x,
                edge = 1 - off / (Math.sqrt(right * right + steep * steep) * density + 1e-9);
            for (let part = 0; edge > 0 && part < 3; part += 1)
                image.data[4 * at + part] += (ground[part] - image.data[4 * at + part]) * edge;
        }
    }
    pen.putImageData(image, 0, 0);
}

/** Draw the field in the canvas's few pixels. @param {HTMLCanvasElement} canvas square @param {Field} field @param {number} span
 * @param {Uint32Array} inks of weights */
export function thumbnail(canvas, field, span, inks) {
    const side = canvas.width,
        { values, low, high } = sampled(field, span, side),
        darkest = DARKEST * (inks.length - 1);
    const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true })),
        image = pen.createImageData(side, side);
    const pixels = new Uint32Array(image.data.buffer);
    for (let at = 0; at < pixels.length; at += 1)
        pixels[at] = inks[Math.round(((values[at] - low) / (high - low)) * darkest)];
    pen.putImageData(image, 0, 0);
}
