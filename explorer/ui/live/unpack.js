// @ts-check
// Reads what Python packed with `pack.pack`: length of the head, the head as JSON, the arrays.

/** Sizes and numbers of one array. @typedef {{shape: number[], values: Float32Array}} Packed */
/** What Python said, and its arrays. @typedef {{head: any, array: (name: string) => Packed}} Unpacked */

/**
 * Read the head at once, each array when it is asked for.
 * @param {Uint8Array} bytes @returns {Unpacked}
 */
export function unpack(bytes) {
  const aligned = bytes.byteOffset % 8 ? bytes.slice() : bytes;
  const length = new DataView(aligned.buffer, aligned.byteOffset, 4).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(aligned.subarray(4, 4 + length)));
  const start = aligned.byteOffset + Math.ceil((4 + length) / 8) * 8;
  /** @type {Map<string, Packed>} */ const read = new Map();
  return {
    head,
    array(name) {
      const known = read.get(name);
      if (known) return known;
      if (!(name in head.arrays)) throw new Error(`no array ${name}`);
      const [kind, offset, shape] = head.arrays[name];
      const count = shape.reduce((/** @type {number} */ a, /** @type {number} */ b) => a * b, 1);
      const values = kind === "float32"
        ? new Float32Array(aligned.buffer, start + offset, count)
        : Float32Array.from(new Uint16Array(aligned.buffer, start + offset, count), half);
      const made = { shape, values };
      read.set(name, made);
      return made;
    },
  };
}

/** Read a float16 (IEEE 754). @param {number} bits */
function half(bits) {
  const sign = bits & 0x8000 ? -1 : 1, exponent = (bits >> 10) & 31, fraction = bits & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent ? 2 ** (exponent - 15) * (1 + fraction / 1024) : 2 ** -14 * (fraction / 1024));
}
