// One part of a decoder's step in rows: scores and weights as bars, or vectors as strips of all their numbers.
import { element, formatWeight } from "../../../ui/live/dom.js";
import { number } from "../../../ui/live/numbers.js";
import { ease, lerp } from "../../../ui/live/motion.js";
import { t } from "../../../ui/live/words.js";

/** @typedef {import("./step.js").Data} Data @typedef {import("./step.js").Arrays} Arrays */

/** Draw a moment between two steps. @param {HTMLElement} rows @param {Data} data @param {Arrays} array
 * @param {number} from @param {number} to @param {number} share @param {number} near the step whose words are told */
export function paintRows(rows, data, array, from, to, share, near) {
    rows.className = `rows ${data.shown}`;
    if (data.shown === "scores" && data.looks) paintScores(rows, data, array, from, to, ease(share));
    else if (data.shown === "state") paintStrips(rows, data, array, from, to, ease(share), near);
    else paintStrips(rows, data, array, near, near, 0, near);
}

/** @param {HTMLElement} rows @param {Data} data @param {Arrays} array @param {number} from @param {number} to @param {number} way */
function paintScores(rows, data, array, from, to, way) {
    const scores = array("scores").values,
        n = data.words.length;
    const most = scores.reduce((all, each) => Math.max(all, Math.abs(each)), 1e-9);
    if (rows.childElementCount !== 3 * (n + 1)) {
        rows.replaceChildren(
            element("span", ""),
            element("b", "key", t("score")),
            element("b", "query", t("weight")),
            ...data.words.flatMap((word) => {
                const bars = ["score", "weight"].map((name) => {
                    const made = element("span", `track ${name}`);
                    made.append(element("i", ""), element("span", "number"));
                    return made;
                });
                return [element("span", "name", word), ...bars];
            }),
        );
    }
    data.words.forEach((_, at) => {
        const of = (/** @type {Float32Array} */ values) => lerp(values[from * n + at], values[to * n + at], way);
        const [score, weight] = [of(scores), of(array("shares").values)],
            all = rows.children,
            position = 3 * (at + 1);
        const draw = (
            /** @type {Element} */ track,
            /** @type {number} */ left,
            /** @type {number} */ long,
            /** @type {string} */ text,
        ) => {
            const [bar, word] = /** @type {HTMLElement[]} */ ([...track.children]);
            bar.style.cssText = `left:${left}%;width:${long}%`;
            word.style.left = `calc(${left + long}% + 6px)`;
            word.textContent = text;
        };
        const long = (40 * Math.abs(score)) / most;
        draw(all[position + 1], score < 0 ? 42 - long : 42, long, number(score, 2));
        draw(all[position + 2], 0, 80 * weight, formatWeight(weight));
    });
}

/** @param {HTMLElement} rows @param {Data} data @param {Arrays} array @param {number} from @param {number} to
 * @param {number} way @param {number} near */
function paintStrips(rows, data, array, from, to, way, near) {
    const {
            values,
            shape: [, count, d],
        } = array("strips"),
        names = data.rows[near];
    const inks = data.inks.map((ink) => [1, 3, 5].map((at) => parseInt(ink.slice(at, at + 2), 16)));
    const most = values.reduce((all, each) => Math.max(all, Math.abs(each) || 0), 1e-9);
    if (rows.childElementCount !== 2 * names.length)
        rows.replaceChildren(...names.flatMap(() => [element("span", "name"), element("canvas", "strip")]));
    names.forEach((name, at) => {
        const [word, canvas] = [rows.children[2 * at], /** @type {HTMLCanvasElement} */ (rows.children[2 * at + 1])];
        const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
        word.textContent = name;
        for (const each of [word, canvas])
            each.classList.toggle("ruled", at > 0 && at === (data.ruled + names.length) % names.length);
        if (canvas.width !== d) [canvas.width, canvas.height] = [d, 1];
        const drawn = pen.createImageData(d, 1);
        for (let each = 0; each < d; each += 1) {
            const value =
                lerp(values[(from * count + at) * d + each], values[(to * count + at) * d + each], way) / most;
            const ink = value < 0 ? inks[0] : inks[2];
            for (let c = 0; c < 3; c += 1) drawn.data[4 * each + c] = lerp(inks[1][c], ink[c], Math.abs(value));
            drawn.data[4 * each + 3] = 255;
        }
        pen.putImageData(drawn, 0, 0);
    });
}
