// The only arithmetic of live pictures: what must follow the pointer. A test compares every function with PyTorch.

/** @typedef {{readonly length: number, readonly [at: number]: number, reduce(add: (sum: number, each: number) => number, from: number): number}} Numbers */

/** Profiles of the kernels with an end, by the distance in widths. @type {Record<string, (u: number) => number>} */
const PROFILES = {
    boxcar: (u) => (Math.abs(u) <= 1 ? 1 : 0),
    triangular: (u) => Math.max(0, 1 - Math.abs(u)),
    epanechnikov: (u) => Math.max(0, 1 - u * u),
};

/** How much a key counts at a distance of `u` widths, at most 1. @param {string} kernel @param {number} u */
export const profile = (kernel, u) => (PROFILES[kernel] ? PROFILES[kernel](u) : Math.exp((-u * u) / 2));

/** Softmax of scores divided by a temperature. @param {Numbers} scores @param {number} [temperature] */
export function softmax(scores, temperature = 1) {
    const made = new Float64Array(scores.length);
    let highest = -Infinity,
        sum = 0;
    for (let i = 0; i < made.length; i += 1) highest = Math.max(highest, scores[i]);
    for (let i = 0; i < made.length; i += 1) sum += made[i] = Math.exp((scores[i] - highest) / temperature);
    for (let i = 0; i < made.length; i += 1) made[i] /= sum;
    return made;
}

/** What each number adds to a dot product. @param {Numbers} query @param {Numbers} key */
export const products = (query, key) => Array.from(query, (each, at) => each * key[at]);

/** The sum. @param {Numbers} numbers */
export const total = (numbers) => numbers.reduce((sum, each) => sum + each, 0);

/** Softmax over the keys that are not hidden; all 0 where every key is. @param {Float32Array} scores @param {Uint8Array} hidden */
export function maskedSoftmax(scores, hidden) {
    const made = new Float64Array(scores.length),
        seen = [...scores.keys()].filter((at) => !hidden[at]);
    softmax(seen.map((at) => scores[at])).forEach((weight, i) => {
        made[seen[i]] = weight;
    });
    return made;
}

/** Weights of kernel regression for one query; all 0 where no key is within reach.
 * @param {string} kernel @param {Numbers} keys @param {number} width @param {number} query */
export function kernelWeights(kernel, keys, width, query) {
    const made = new Float64Array(keys.length),
        ends = kernel in PROFILES;
    let sum = 0;
    for (let i = 0; i < made.length; i += 1) {
        const u = query / width - keys[i] / width;
        sum += made[i] = ends ? profile(kernel, u) : -0.5 * u * u;
    }
    if (!ends) return softmax(made);
    if (sum) for (let i = 0; i < made.length; i += 1) made[i] /= sum;
    return made;
}

/** The weighted sum of values; missing where every weight is 0. @param {Numbers} weights @param {Numbers} values */
export function weighted(weights, values) {
    let sum = 0,
        whole = 0;
    for (let i = 0; i < weights.length; i += 1) {
        sum += weights[i] * values[i];
        whole += weights[i];
    }
    return whole ? sum : NaN;
}

/** Over how many keys a query averages, 1 / Σ w². @param {Numbers} weights */
export const effective = (weights) => 1 / weights.reduce((all, each) => all + each * each, 0);

/** Weights of the learned formulas, row by row. @typedef {Record<string, ArrayLike<number>>} Learned */

/** How a formula scores keys for a query in the plane: a function of the key's place. @param {string} name
 * @param {number[]} query @param {Learned} [learned] @returns {(x: number, y: number) => number} */
export function scorer(name, [a, b], learned = {}) {
    if (name === "dot") return (x, y) => a * x + b * y;
    if (name === "scaled_dot") return (x, y) => (a * x + b * y) / Math.SQRT2;
    if (name === "cosine") return (x, y) => (a * x + b * y) / (Math.hypot(a, b) * Math.hypot(x, y) || 1);
    if (name === "gaussian" || name === "distance") return (x, y) => -0.5 * ((a - x) ** 2 + (b - y) ** 2);
    if (name === "sum") return (x, y) => a + b + x + y;
    const { general, query_weight: asks, key_weight: offers, v, bias } = learned;
    if (name === "general")
        return (x, y) => (a * general[0] + b * general[2]) * x + (a * general[1] + b * general[3]) * y;
    const asked = Float64Array.from(v, (_, i) => asks[2 * i] * a + asks[2 * i + 1] * b + bias[i]);
    return (x, y) => {
        let sum = 0;
        for (let i = 0; i < asked.length; i += 1)
            sum += v[i] * Math.tanh(asked[i] + offers[2 * i] * x + offers[2 * i + 1] * y);
        return sum;
    };
}

/** Scores of one query in the plane. @param {string} how as of `scorer` @param {number[]} query
 * @param {number[][]} keys */
export function planeScores(how, query, keys) {
    const score = scorer(how, query);
    return keys.map(([x, y]) => score(x, y));
}

/** The gradient that a row of weights lets through: the Frobenius norm of its softmax's Jacobian. @param {Numbers} weights */
function gradientSize(weights) {
    let squares = 0,
        sum = 0;
    for (let i = 0; i < weights.length; i += 1) squares += weights[i] * weights[i];
    for (let i = 0; i < weights.length; i += 1) {
        const square = weights[i] * weights[i];
        sum += square * ((1 - weights[i]) ** 2 + squares - square);
    }
    return Math.sqrt(sum);
}

/** What a temperature makes of scores at every length, as they are and divided by √d: the share of the gradient that is
 * left, that of frozen queries, and the queries in the order of how usual they are.
 * @param {ArrayLike<number>} scores row by row @param {number[]} shape lengths, queries, keys @param {number[]} lengths d of each
 * @param {number} temperature @param {number} limit above which weight on one key a query counts as frozen */
export function saturation(scores, [, queries, keys], lengths, temperature, limit) {
    const left = [0, 1].map(() => lengths.map(() => 0)),
        frozen = [0, 1].map(() => lengths.map(() => 0));
    const largest = new Float64Array(queries),
        row = new Float64Array(keys);
    for (let lane = 0; lane < 2; lane += 1) {
        lengths.forEach((d, position) => {
            for (let query = 0; query < queries; query += 1) {
                for (let key = 0; key < keys; key += 1)
                    row[key] = scores[(position * queries + query) * keys + key] / (lane ? Math.sqrt(d) : 1);
                const weights = softmax(row, temperature),
                    most = Math.max(...weights);
                left[lane][position] += gradientSize(weights) / queries;
                if (most > limit) frozen[lane][position] += 1 / queries;
                if (!lane) largest[query] += most / lengths.length;
            }
        });
    }
    const whole = Math.max(...left.flat()),
        mean = largest.reduce((a, b) => a + b, 0) / queries;
    const apart = largest.map((each) => Math.abs(each - mean)),
        usual = [...apart.keys()].sort((a, b) => apart[a] - apart[b]);
    return { left: left.map((lane) => lane.map((each) => each / whole)), frozen, usual };
}
