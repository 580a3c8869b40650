// @ts-check
// A field of scores on a canvas: bands of ink with lines between them, or a thumbnail in few pixels.

/** @typedef {(x: number, y: number) => number} Field */

const PLACES = 75, BANDS = 12; // at which the field is computed along each side; steps of ink
const DARKEST = 0.5; // so that letters stay legible on the ink

/** The field row by row from above, and its ends, apart even where it is even everywhere.
 * @param {Field} field @param {number} span half the width @param {number} places along each side */
function sampled(field, span, places) {
  const values = new Float64Array(places * places), at = (/** @type {number} */ i) => ((2 * i) / (places - 1) - 1) * span;
  let low = Infinity, high = -Infinity;
  for (let row = 0; row < places; row += 1) {
    for (let column = 0; column < places; column += 1) {
      const value = (values[row * places + column] = field(at(column), -at(row)));
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  return high > low ? { values, low, high } : { values, low: low - 1, high: high + 1 };
}

/** Draw the field in bands: linear between its places, with a line where one band ends.
 * @param {HTMLCanvasElement} canvas square @param {Field} field @param {number} span @param {Uint8ClampedArray} colours of `ramp`
 * @param {string} paper colour of the lines */
export function contours(canvas, field, span, colours, paper) {
  const { values, low, high } = sampled(field, span, PLACES), side = canvas.width, steps = colours.length / 3 - 1;
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")), image = pen.createImageData(side, side), pixels = image.data;
  const ground = [1, 3, 5].map((at) => parseInt(paper.slice(at, at + 2), 16)), density = (PLACES - 1) / (side - 1);
  for (let i = 0; i < values.length; i += 1) values[i] = ((values[i] - low) / (high - low)) * BANDS;
  for (let down = 0, at = 0; down < side; down += 1) {
    const row = Math.min(PLACES - 2, Math.floor(down * density)), y = down * density - row;
    for (let across = 0; across < side; across += 1, at += 4) {
      const column = Math.min(PLACES - 2, Math.floor(across * density)), x = across * density - column, here = row * PLACES + column;
      const a = values[here], b = values[here + 1], c = values[here + PLACES], d = values[here + PLACES + 1];
      const value = (a + (b - a) * x) * (1 - y) + (c + (d - c) * x) * y, band = Math.min(BANDS - 1, Math.floor(value)), beyond = value - band;
      const right = (b - a) * (1 - y) + (d - c) * y, below = (c - a) * (1 - x) + (d - b) * x;
      const pixelsOff = Math.min(band ? beyond : 1, band < BANDS - 1 ? 1 - beyond : 1) / (Math.sqrt(right * right + below * below) * density + 1e-9);
      const ink = 3 * Math.round(((band + 0.5) / BANDS) * DARKEST * steps), edge = pixelsOff < 1 ? 1 - pixelsOff : 0;
      for (let part = 0; part < 3; part += 1) pixels[at + part] = colours[ink + part] + (ground[part] - colours[ink + part]) * edge;
      pixels[at + 3] = 255;
    }
  }
  pen.putImageData(image, 0, 0);
}

/** Draw the field in the canvas's few pixels. @param {HTMLCanvasElement} canvas square @param {Field} field @param {number} span
 * @param {Uint8ClampedArray} colours of `ramp` */
export function thumbnail(canvas, field, span, colours) {
  const side = canvas.width, { values, low, high } = sampled(field, span, side), steps = colours.length / 3 - 1;
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")), image = pen.createImageData(side, side);
  values.forEach((value, at) => {
    const ink = 3 * Math.round(((value - low) / (high - low)) * DARKEST * steps);
    image.data.set([colours[ink], colours[ink + 1], colours[ink + 2], 255], 4 * at);
  });
  pen.putImageData(image, 0, 0);
}
