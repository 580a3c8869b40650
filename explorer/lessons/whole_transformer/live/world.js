// Where everything stands, in units of the overview. Nothing is drawn here: layers hold parts, parts hold heads, a head
// holds its scores, all in one system of coordinates, so that a flight of the camera opens them.

export const WIDE = 1100,
    HIGH = 640;
/** Columns of the overview: where the lines begin, what enters the layers, the memory, the end of the decoder, the words that come out. */
export const START = 74,
    SUM = [138, 164],
    MEMORY = [1006, 1032],
    OUT = 896,
    WRITTEN = 1018;
/** Sizes inside a head, which fills `WIDE` × `HIGH` when it is open. */
export const PANE = {
    q: [80, 240],
    keys: [290, 566],
    keysY: [52, 182],
    scores: [290, 566],
    weights: [610, 814],
    v: [862, 1022],
    vY: [46, 232],
    o: [862, 1022],
    rows: [238, 610],
};
/** Where the map lies in a head that is not open. */
export const SMALL = { columns: [330, 1080], rows: [20, 620] };
const BAND = { enc: [40, 262], dec: [364, 598] };
/** Edges of the boxes around layers. */
export const BOX = { enc: [30, 262], dec: [355, 598] };
/** How wide a layer is, and where the columns of its parts stand in it. */
const LAYER = { enc: 208, dec: 240 };
/** @type {Record<string, number[]>} */
const PARTS = {
    encSelf: [4, 9, 22, 27, 59, 63, 75, 82, 89, 115],
    encNet: [121, 126, 158, 167, 175, 201],
    decSelf: [3, 7, 15, 18, 40, 43, 51, 56, 61, 80],
    decCross: [92, 95, 102, 118, 136, 142, 148, 152, 157, 179], // before the tiles: room for words
    decNet: [182, 186, 206, 211, 216, 236],
};

/** @typedef {"enc" | "dec"} Stack */
/**
 * @typedef {object} Part an attention or a net: its columns from norm to the stream after it
 * @property {"self" | "cross" | "net"} kind
 * @property {Stack} stack
 * @property {number} layer
 * @property {string} name of its arrays
 * @property {string} before array of the stream that it reads
 * @property {number} norm
 * @property {number[]} qkv
 * @property {number[]} tiles of the heads; of a net, its box
 * @property {number[]} joined
 * @property {number} plus
 * @property {number[]} patch of the stream after it
 */
/** @typedef {{stack: Stack, layer: number, left: number, right: number, parts: Part[]}} Layer */
/** @typedef {{level: number, part: string, net: boolean, head: number, row: number, column: number}} Selected */

/** @param {{encoder: number, decoder: number, heads: number}} sizes @param {{enc: number, dec: number}} counts */
export function makeWorld(sizes, counts) {
    const deck = (/** @type {Stack} */ stack) => {
        const [top, bottom] = stack === "enc" ? [44, 249] : [368, 584];
        const pitch = Math.min(40, (bottom - top) / Math.max(1, counts[stack] - 1));
        return { pitch, first: (top + bottom) / 2 - (pitch * (counts[stack] - 1)) / 2 };
    };
    const decks = { enc: deck("enc"), dec: deck("dec") };
    const lane = (/** @type {Stack} */ stack, /** @type {number} */ row) =>
        decks[stack].first + decks[stack].pitch * row;

    /** @type {Layer[]} */ const layers = [];
    for (const stack of /** @type {Stack[]} */ (["enc", "dec"])) {
        const many = stack === "enc" ? sizes.encoder : sizes.decoder,
            usual = LAYER[stack];
        const width = stack === "enc" ? 832 / many : 720 / many;
        for (let layer = 0; layer < many; layer++) {
            const left = 172 + layer * width,
                at = (/** @type {number} */ x) => left + (x * width) / usual;
            let before = layer ? `${stack}.${layer - 1}.net.after` : `${stack}.x`;
            /** @type {Part[]} */ const parts = [];
            for (const kind of /** @type {const} */ (["self", "cross", "net"])) {
                if (kind === "cross" && stack === "enc") continue;
                const name = `${stack}.${layer}.${kind}`;
                const x = PARTS[stack + kind[0].toUpperCase() + kind.slice(1)].map(at);
                const [qkv, tiles, joined] =
                    kind === "net"
                        ? [[], [x[1], x[2]], []]
                        : [
                              [x[1], x[2]],
                              [x[3], x[4]],
                              [x[5], x[6]],
                          ];
                const [plus, ...patch] = kind === "net" ? x.slice(3) : x.slice(7);
                parts.push({ kind, stack, layer, name, before, norm: x[0], qkv, tiles, joined, plus, patch });
                before = `${name}.after`;
            }
            layers.push({ stack, layer, left, right: left + width * 0.98, parts });
        }
    }
    const parts = new Map(layers.flatMap((each) => each.parts).map((each) => [each.name, each]));
    const part = (/** @type {string} */ name) => /** @type {Part} */ (parts.get(name));
    const layerOf = (/** @type {string} */ name) =>
        /** @type {Layer} */ (layers.find((each) => name.startsWith(`${each.stack}.${each.layer}.`)));

    /** Place of a head: x, y, width, height. @param {Part} of @param {number} head */
    const tile = (of, head) => {
        const [top, bottom] = BAND[of.stack],
            high = (bottom - top) / sizes.heads;
        return [of.tiles[0], top + head * high + 1, of.tiles[1] - of.tiles[0], high - 2];
    };
    /** Rows and columns of the weights of an attention. @param {Part} of */
    const shape = (of) => [counts[of.stack], counts[of.kind === "cross" ? "enc" : of.stack]];
    /** Place of a score. @param {Part} of @param {number} head @param {number} row @param {number} column */
    const cell = (of, head, row, column) => {
        const [x, y, w, h] = tile(of, head),
            [rows, columns] = shape(of);
        const wide = (PANE.scores[1] - PANE.scores[0]) / columns,
            high = (PANE.rows[1] - PANE.rows[0]) / rows;
        return [
            x + ((PANE.scores[0] + column * wide) / WIDE) * w,
            y + ((PANE.rows[0] + row * high) / HIGH) * h,
            (wide / WIDE) * w,
            (high / HIGH) * h,
        ];
    };
    /** What the camera looks at. @param {Selected} selected */
    const frame = (selected) => {
        if (!selected.level) return [0, 0, WIDE, HIGH];
        const layer = layerOf(selected.part),
            of = part(selected.part);
        const margin = layer.stack === "enc" ? 52 : 50;
        if (selected.level === 1)
            return [layer.left - margin, BOX[layer.stack][0] - 46, layer.right - layer.left + margin + 5, 293];
        if (selected.net) {
            const net = /** @type {Part} */ (layer.parts.at(-1));
            const left = net.norm - (net.patch[1] - net.norm) * 0.16;
            return [left, lane(layer.stack, selected.row) - 14.5, net.patch[1] + 3 - left, 30];
        }
        return selected.level === 2 ? tile(of, selected.head) : cell(of, selected.head, selected.row, selected.column);
    };
    const gap = {
        bus: Math.min(1.2, 12 / counts.enc), // one cable
        corner: Math.min(1, 10 / counts.enc),
        trunk: Math.min(0.72, 8.4 / counts.enc),
    };
    return {
        sizes,
        counts,
        decks,
        lane,
        layers,
        part,
        layerOf,
        tile,
        shape,
        cell,
        frame,
        /** Height of a line of the memory between the decks. @param {number} row */
        bus: (row) => 326 - row * gap.bus,
        /** Where such a line turns down. @param {number} row */
        corner: (row) => MEMORY[1] + 6 + (counts.enc - 1 - row) * gap.corner,
        /** Where it leaves for a cross-attention. @param {Part} of @param {number} row */
        trunk: (of, row) => of.norm - 1.6 - row * gap.trunk,
        /** Height at which a source word stands beside the lanes of the decoder. @param {number} row */
        tick: (row) => {
            const [top, bottom] = [BOX.dec[0] + 6, BOX.dec[1] - 10];
            return top + ((row + 0.5) * (bottom - top)) / counts.enc;
        },
    };
}

/** @typedef {ReturnType<typeof makeWorld>} World */
