// A head as a map on a canvas: ink means weight, what a mask hides is hatched.
import { presentZoom } from "./dom.js";

const STEPS = 1024; // colours between weight 0 and weight 1
const HATCH = 5; // pixels from stroke to stroke

/** Colours of the scale as red, green and blue, linear between its stops. @param {[number, string][]} scale */
export function ramp(scale) {
    const rgb = scale.map(([, colour]) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)));
    const colours = new Uint8ClampedArray(3 * (STEPS + 1));
    for (let step = 0, after = 1; step <= STEPS; step += 1) {
        while (scale[after][0] < step / STEPS) after += 1;
        const [low, high] = [scale[after - 1][0], scale[after][0]],
            share = (step / STEPS - low) / (high - low);
        for (let c = 0; c < 3; c += 1)
            colours[3 * step + c] = rgb[after - 1][c] + share * (rgb[after][c] - rgb[after - 1][c]);
    }
    return colours;
}

/** The same as pixels of a canvas, as `ImageData` holds them. @param {[number, string][]} scale */
export function inks(scale) {
    const colours = ramp(scale),
        bytes = new Uint8ClampedArray(4 * (STEPS + 1)).fill(255);
    for (let step = 0; step <= STEPS; step += 1) bytes.set(colours.subarray(3 * step, 3 * step + 3), 4 * step);
    return new Uint32Array(bytes.buffer);
}

/** The colour of a weight, for SVG. @param {Uint8ClampedArray} colours @param {number} weight */
export function hex(colours, weight) {
    const at = 3 * Math.round(STEPS * Math.min(Math.max(weight, 0), 1));
    return `#${[0, 1, 2].map((c) => colours[at + c].toString(16).padStart(2, "0")).join("")}`;
}

/** White or black, whichever can be read on a colour (WCAG's relative luminance). @param {string} colour */
export function onInk(colour) {
    const [r, g, b] = [1, 3, 5]
        .map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
        .map((each) => (each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? "#000000" : "#ffffff";
}

/**
 * Draw one head: a cell for each weight, hatched where it is missing.
 * @param {HTMLCanvasElement} canvas @param {Float32Array} weights @param {{queries: number, keys: number}} layer
 * @param {Uint8ClampedArray} colours @param {[string, string]} masked
 */
export function paint(canvas, weights, { queries, keys }, colours, [ground, hatch]) {
    const density = Math.max(1, Math.round(devicePixelRatio * presentZoom(canvas))),
        side = Math.max(1, Math.round(canvas.clientWidth * density));
    const edge = (/** @type {number} */ at, /** @type {number} */ count) => Math.round((at * side) / count);
    const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    canvas.width = canvas.height = side;
    const hidden = new Path2D();
    for (let row = 0; row < queries; row += 1) {
        for (let column = 0; column < keys; column += 1) {
            const weight = weights[row * keys + column],
                x = edge(column, keys),
                y = edge(row, queries);
            const [width, height] = [edge(column + 1, keys) - x, edge(row + 1, queries) - y];
            if (Number.isNaN(weight)) hidden.rect(x, y, width, height);
            else {
                const at = 3 * Math.round(STEPS * Math.min(Math.max(weight, 0), 1));
                pen.fillStyle = `rgb(${colours[at]},${colours[at + 1]},${colours[at + 2]})`;
                pen.fillRect(x, y, width, height);
            }
        }
    }
    pen.clip(hidden);
    pen.fillStyle = ground;
    pen.fillRect(0, 0, side, side);
    pen.strokeStyle = hatch;
    pen.lineWidth = density;
    pen.beginPath();
    for (let at = 0; at < 2 * side; at += HATCH * density) {
        pen.moveTo(at, 0);
        pen.lineTo(at - side, side);
    }
    pen.stroke();
}
