// Weights as Python codes them, a byte each (255 √w), and what is left of them beside the places where heads rest.

/** The weight of each byte. */
const WEIGHT = Float32Array.from({ length: 256 }, (_, byte) => (byte / 255) ** 2);
/** A row with a larger share on the resting place only rests. */
const ONLY_RESTS = 0.98;

/** How a part of a model attends: its words, where it rests, whether it looks backwards only.
 * @typedef {{asks: string[], asked: string[], rest: boolean[], causal: boolean, itself: boolean}} Part */
/** A map: its weights row by row, NaN where a mask or the reader hides them. @typedef {{rows: number, columns: number,
 *   weights: Float32Array}} Weights */

/**
 * Read a map.
 * @param {ArrayLike<number>} bytes @param {number} rows @param {number} columns @param {Part} part
 * @param {boolean} hide whether the resting places are left out @returns {Weights}
 */
export function read(bytes, rows, columns, part, hide) {
    const weights = new Float32Array(rows * columns),
        whole = columns === part.asked.length,
        rest = whole ? part.rest : blocks(part.rest, columns);
    for (let row = 0; row < rows; row += 1) {
        const seen = part.causal ? row + 1 : columns;
        let rests = 0;
        for (let column = 0; column < columns; column += 1) {
            const weight = WEIGHT[bytes[row * columns + column]];
            if (rest[column]) rests += weight;
            weights[row * columns + column] = column < seen ? weight : NaN;
        }
        if (hide) leaveOut(weights.subarray(row * columns, (row + 1) * columns), rest, whole ? rests : 0);
    }
    return { rows, columns, weights };
}

/** Leave the resting places of a row out; what is left becomes the whole. @param {Float32Array} row
 * @param {ArrayLike<boolean>} rest @param {number} rests */
function leaveOut(row, rest, rests) {
    const silent = rests > ONLY_RESTS;
    row.forEach((weight, column) => {
        row[column] = rest[column] || silent ? NaN : weight / (1 - rests);
    });
}

/** Which blocks of words, of which a summary keeps the largest weight, hold a resting place. @param {boolean[]} rest
 * @param {number} columns */
function blocks(rest, columns) {
    const found = new Array(columns).fill(false);
    rest.forEach((each, position) => {
        if (each) found[Math.floor((position * columns) / rest.length)] = true;
    });
    return found;
}

/** The row whose largest weight beside the resting places and itself is largest. @param {Weights} map @param {Part} part */
export function telling({ rows, columns, weights }, part) {
    let [best, found] = [0, rows - 1];
    for (let row = 0; row < rows; row += 1)
        for (let column = 0; column < columns; column += 1) {
            const weight = weights[row * columns + column];
            if (weight > best && !part.rest[column] && !(part.itself && (part.rest[row] || column === row)))
                [best, found] = [weight, row];
        }
    return found;
}

/** The column that a row looks at most; -1 where nothing is left of it. @param {Weights} map @param {number} row */
export function strongest({ columns, weights }, row) {
    let [best, found] = [0, -1];
    for (let column = 0; column < columns; column += 1) {
        const weight = weights[row * columns + column];
        if (weight > best) [best, found] = [weight, column];
    }
    return found;
}

/** Write a share of weight. @param {number} part */
export const share = (part) => (part > 0 && part < 0.01 ? "< 1%" : `${Math.round(100 * part)}%`);
