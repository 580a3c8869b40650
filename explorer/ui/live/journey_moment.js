// One query's journey in time: what has happened at a moment, and where the columns stand.
import { clamp, ease, progressBetween } from "./motion.js";

const SLOW = 2; // keys that are compared slowly enough to follow every product
const SMALL = 560; // pixels of width below which score and weight share a column and the output stands below

/**
 * @typedef {{ask: number, rows: [number, number][], share: [number, number], gather: [number, number], stops: number[]}} Times
 * @typedef {object} Moment
 * @property {number} step 0 ask, 1 compare, 2 share, 3 gather, 4 answer
 * @property {number} row the key that is compared; -1 before the first
 * @property {number[]} lit of each key, how much of its products is done
 * @property {boolean[]} met of each key, whether the query has come to it
 * @property {number} born how much of the query has grown out of its word
 * @property {number} climbed how far it has come to the first key
 * @property {number} fallen how far it has come from the last key to this one
 * @property {number} home how far it has come home
 * @property {number} grown how much of e^score is drawn
 * @property {number} divided how much of it has become a share
 * @property {number} flow how much of the values has arrived
 */

/** When each step of a journey past `n` keys begins and ends, in seconds. @param {number} n @returns {Times} */
export function times(n) {
    /** @type {[number, number][]} */ const rows = [];
    let t = 1.3;
    for (let key = 0; key < n; key += 1) rows.push([t, (t += key < SLOW ? 2.4 : 0.75)]);
    const share = /** @type {[number, number]} */ ([t + 0.2, t + 2.6]);
    const gather = /** @type {[number, number]} */ ([t + 2.8, t + 5.6]);
    const stops = [0, 1.3, ...rows.map(([, end]) => end), (share[0] + share[1]) / 2, share[1], gather[1] + 0.3];
    return { ask: 1.3, rows, share, gather, stops };
}

/** What has happened at a moment. @param {number} t @param {Times} when @returns {Moment} */
export function moment(t, { ask, rows, share, gather }) {
    const compared = rows[rows.length - 1][1];
    const row = rows.reduce((last, [begin], at) => (t > begin ? at : last), -1);
    const travel = (/** @type {[number, number]} */ [from, to]) => from + (to - from) * 0.28;
    return {
        step: t <= ask ? 0 : t <= compared ? 1 : t <= share[1] ? 2 : t < gather[1] ? 3 : 4,
        row,
        lit: rows.map(([from, to]) => progressBetween(t, from + (to - from) * 0.3, from + (to - from) * 0.85)),
        met: rows.map(([from]) => t > from),
        born: t > 0 ? ease(progressBetween(t, 0.1, 0.7)) : 1, // who waits shows what will be asked
        climbed: ease(progressBetween(t, 0.75, ask)),
        fallen: row > 0 ? ease(progressBetween(t, rows[row][0], travel(rows[row]))) : 1,
        home: ease(progressBetween(t, compared, compared + 0.8)),
        grown: ease(progressBetween(t, share[0], share[0] + 1.1)),
        divided: ease(progressBetween(t, share[0] + 1.25, share[1])),
        flow: progressBetween(t, gather[0], gather[1]),
    };
}

/**
 * Where columns and rows stand; words run down, steps run across.
 * @param {number} width @param {number} room pixels of height that are left for the rows
 * @param {number} n @param {number} d numbers of a key @param {number} wide numbers of a value @param {boolean} named whether the numbers have names; the query has a row above the words
 */
export function layout(width, room, n, d, wide, named) {
    const small = width < SMALL,
        titles = named && small ? 70 : 44,
        below = small ? 92 : 8;
    const row = clamp((room - titles - below) / (n + 1), small ? 36 : 28, named ? 84 : 56);
    const head = titles + row;
    const word = small ? 64 : clamp(width * 0.09, 78, 110),
        river = small ? 40 : clamp(width * 0.12, 60, 150);
    const score = small ? 0 : clamp(width * 0.11, 78, 125),
        weight = small ? 60 : clamp(width * 0.12, 84, 140);
    const rest = width - word - score - weight - river - (small ? 20 : 44);
    const held = small ? 70 : rest * 0.25,
        out = small ? 0 : rest * 0.26,
        strip = rest - held - out;
    const gap = small ? 5 : 9;
    const x = { word: 0, strip: word + gap, score: 0, weight: 0, value: 0, river: 0, out: 0 };
    x.score = x.strip + strip + (small ? 0 : gap);
    x.weight = x.score + score + gap;
    x.value = x.weight + weight + gap;
    x.river = x.value + held;
    x.out = small ? 84 : x.river + river;
    const outWidth = small ? width - 84 - 58 : out,
        tall = small ? 60 : Math.min(160, n * row * 0.42);
    const middle = small ? head + n * row + 48 : head + (n * row) / 2;
    return {
        small,
        width,
        head,
        row,
        x,
        word,
        score,
        weight,
        value: held,
        river,
        height: head + n * row + below,
        y: (/** @type {number} */ at) => head + (at + 0.5) * row,
        strip: {
            from: x.strip + 18,
            slot: (strip - 24) / d,
            bar: Math.min(((strip - 24) / d) * 0.4, 15),
            width: strip,
        },
        values: { from: x.value + 4, slot: (held - 10) / wide },
        out: { x: x.out, y: middle, width: outWidth, tall, from: x.out + 7, slot: (outWidth - 14) / wide },
        whole: row - 6, // thickness of a ribbon that has all the weight
    };
}
