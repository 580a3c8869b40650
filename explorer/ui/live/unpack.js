// Reads what Python packed with `pack.pack`: length of the head, the head as JSON, the arrays.

/** @type {Record<string, any>} */ const ARRAY_TYPES = {
    float32: Float32Array,
    float64: Float64Array,
    int32: Int32Array,
    uint8: Uint8Array,
};

/** An array: its sizes, and its numbers row by row, read when they are first asked for. */
class Numbers {
    /** @type {Float32Array | null} */ #read = null;

    /** @param {string} kind @param {ArrayBuffer} buffer @param {number} start @param {number[]} shape */
    constructor(kind, buffer, start, shape) {
        this.shape = shape;
        this.kind = kind;
        this.buffer = buffer;
        this.start = start;
    }

    /** The numbers; of float64 a Float64Array and so on, which reads alike. @returns {Float32Array} */
    get values() {
        const count = this.shape.reduce((a, b) => a * b, 1);
        this.#read ??=
            this.kind === "float16"
                ? Float32Array.from(new Uint16Array(this.buffer, this.start, count), half)
                : new ARRAY_TYPES[this.kind](this.buffer, this.start, count);
        return /** @type {Float32Array} */ (this.#read);
    }

    /** The numbers as a list. */
    get list() {
        return Array.from(this.values);
    }

    /** The numbers of each row. */
    get rows() {
        const [count, long] = this.shape;
        return Array.from({ length: count }, (_, row) => this.values.subarray(row * long, (row + 1) * long));
    }

    /** What compares two pictures: sizes, and a fingerprint of the numbers. */
    toJSON() {
        const size = this.kind === "float16" ? 2 : ARRAY_TYPES[this.kind].BYTES_PER_ELEMENT,
            count = this.shape.reduce((a, b) => a * b, size);
        return [this.shape, this.kind, fingerprint(new Uint8Array(this.buffer, this.start, count))];
    }
}

/**
 * Read what was packed, and its language: arrays stand in their places, each is read when it is asked for.
 * @param {Uint8Array} bytes @returns {{data: any, language: string}}
 */
export function unpack(bytes) {
    const aligned = bytes.byteOffset % 8 ? bytes.slice() : bytes,
        buffer = /** @type {ArrayBuffer} */ (aligned.buffer);
    const length = new DataView(buffer, aligned.byteOffset, 4).getUint32(0, true);
    const [data, positions, language] = JSON.parse(new TextDecoder().decode(aligned.subarray(4, 4 + length)));
    const start = aligned.byteOffset + Math.ceil((4 + length) / 8) * 8;
    const whole = { data };
    for (const [path, kind, offset, shape] of positions) {
        let /** @type {any} */ at = whole,
            name = "data";
        for (const next of path) [at, name] = [at[name], next];
        at[name] = new Numbers(kind, buffer, start + offset, shape);
    }
    return { ...whole, language };
}

/** @typedef {Numbers} Packed */

/** The numbers of arrays, by their names. @param {Record<string, Packed>} arrays */
export const valuesOf = (arrays) =>
    Object.fromEntries(Object.entries(arrays).map(([name, { values }]) => [name, values]));

/** Tell bytes from others: two hashes of 32 bits, as FNV-1a (Fowler, Noll & Vo 1991) makes them, by two factors.
 * @param {Uint8Array} bytes */
function fingerprint(bytes) {
    let [one, other] = [0x811c9dc5, 0x050c5d1f];
    for (const each of bytes) {
        one = Math.imul(one ^ each, 0x01000193);
        other = Math.imul(other ^ each, 0x85ebca6b);
    }
    return [one, other];
}

/** Read a float16 (IEEE 754). @param {number} bits */
function half(bits) {
    const sign = bits & 0x8000 ? -1 : 1,
        exponent = (bits >> 10) & 31,
        fraction = bits & 1023;
    if (exponent === 31) return fraction ? NaN : sign * Infinity;
    return sign * (exponent ? 2 ** (exponent - 15) * (1 + fraction / 1024) : 2 ** -14 * (fraction / 1024));
}
