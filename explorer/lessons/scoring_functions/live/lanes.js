// Scores as they are and divided by √d, on one axis: their heap, the weights of one query, and, once the length is moved, how
// much of the gradient is left. Length, query and temperature follow their sliders; the length is dragged along the curve too.
import { element, live, updateTableWhenIdle, screenReaderOnly, windowHeight } from "../../../ui/live/dom.js";
import { t } from "../../../ui/live/words.js";
import { setAttributes, svgElement, setText } from "../../../ui/live/drawing.js";
import { number } from "../../../ui/live/numbers.js";
import { clamp } from "../../../ui/live/motion.js";
import { saturation, softmax } from "../../../ui/live/closed_forms.js";
import { linePath, xAxis, linear, logarithmic, yAxis } from "../../../ui/live/axes.js";
import { makeDraggable } from "../../../ui/live/drag.js";
import { redrawOnResize } from "../../../ui/live/resize.js";
import { hex, ramp } from "../../../ui/live/weights.js";

/**
 * @typedef {object} Data what Python sends
 * @property {import("../../../ui/live/unpack.js").Packed} scores [lengths, queries, keys], as they are
 * @property {number[]} lengths d of each @property {number} position the length shown @property {number} which query, from 0
 * @property {number} temperature @property {number} limit above which weight on one key a query counts as frozen
 * @property {number} usual length of the first view, which has no curve @property {boolean} whole whether the curves are drawn to the longest d @property {string[]} lanes how they are written
 * @property {Record<string, string>} keys of the sliders for `position`, `which` and `temperature`
 * @property {[number, string][]} scale colours of weights
 */

const SHORT = 64,
    NEAR = 24,
    FAR = 72,
    BINS = 144,
    STICK = 0.62; // scores are drawn from −NEAR to NEAR up to this d, then to FAR, divided or not; height of a stick
const LEFT = 46,
    HEAD = 24,
    FOOT = 30,
    ROOM = 34,
    TALL = 230,
    NARROW = 560; // pixels; ROOM for a number above a bar
const LEAST = 0.05,
    PALEST = 0.25,
    LOW = 0.25; // weights that are written; colour of the least; a share low on the curve

export default (/** @type {import("../../../ui/live/dom.js").Component} */ component) =>
    live(component, "lanes", lanes);

/** @param {HTMLElement} root */
function lanes(root) {
    const legend = element("p", "legend");
    root.append(legend);
    const svg = svgElement("svg", { role: "group" }, root),
        table = screenReaderOnly(root, "table");

    /** @type {Data} */ let data;
    /** @type {import("../../../ui/live/unpack.js").Packed} */ let scores;
    /** @type {import("../../../ui/live/dom.js").Changed} */ let tell;
    /** @type {ReturnType<typeof build>} */ let drawn;
    /** @type {ReturnType<typeof saturation>} */ let found; // at the temperature `heated`
    let position = 0,
        which = 0,
        temperature = 1,
        heated = NaN,
        wide = 0,
        curved = false; // whether the curve is drawn: at first there is one thought

    /** The score of a key in a lane. @param {number} lane @param {number} query @param {number} key */
    const score = (lane, query, key) => {
        const [, queries, keys] = scores.shape;
        return (
            scores.values[(position * queries + query) * keys + key] / (lane ? Math.sqrt(data.lengths[position]) : 1)
        );
    };

    /** Make the panels and what moves in them. */
    function build() {
        wide = root.clientWidth;
        const tall = clamp(windowHeight(root) - 268, 420, 640),
            row = curved ? (tall - 2 * FOOT) / 3.1 : Math.min((tall - FOOT) / 2, TALL),
            split = Math.round(0.58 * wide),
            n = scores.shape[2];
        const [heapRight, barLeft, right] = [split - 20, split + 24, wide - 8],
            slot = (right - barLeft) / n;
        svg.replaceChildren();
        const full = curved ? tall : 2 * row;
        setAttributes(svg, { width: wide, height: full, viewBox: `0 0 ${wide} ${full}` });
        const rows = data.lanes.map((name, lane) => {
            const top = lane * row,
                floor = top + row - FOOT,
                y = linear([0, 1], [floor, top + HEAD + 20]);
            const head = svgElement("text", { class: `head lane${lane}`, x: 8, y: top + 17 }, svg);
            setText(svgElement("tspan", { class: "strong" }, head), name);
            const note = svgElement("tspan", { dx: 6 }, head);
            const title = svgElement("text", { class: "head", x: barLeft, y: top + 17 }, svg);
            const axis = svgElement("g", {}, svg);
            yAxis(svg, [0, 1], y, [barLeft, right]);
            const heap = svgElement("path", { class: "heap" }, svg),
                others = svgElement("path", { class: "stick" }, svg),
                top1 = svgElement("path", { class: "stick most" }, svg);
            const bars = Array.from({ length: n }, (_, key) => {
                const middle = barLeft + (key + 0.5) * slot,
                    bar = svgElement("rect", { class: "bar", x: middle - 0.43 * slot, width: 0.86 * slot }, svg);
                if (slot > 22)
                    setText(
                        svgElement("text", { class: "tick", x: middle, y: floor + 20, "text-anchor": "middle" }, svg),
                        `k${key + 1}`,
                    );
                return { bar, text: svgElement("text", { class: "share", x: middle, "text-anchor": "middle" }, svg) };
            });
            return { note, title, axis, y, floor, heap, others, top1, bars };
        });
        const lower = curved ? buildCurve(row, tall, right) : null;
        return { slot, rows, heapRight, reach: NaN, lower, colours: ramp(data.scale) };
    }

    /** Make the curve. @param {number} row @param {number} tall @param {number} right */
    function buildCurve(row, tall, right) {
        const top = 2 * row + 6,
            floor = tall - FOOT - 18,
            first = data.lengths[0],
            last = data.lengths[data.lengths.length - 1];
        const along = logarithmic([first, last], [LEFT + 26, right - 26]),
            narrow = wide < NARROW;
        const share = linear([0, 1], [floor, top + HEAD + (narrow ? 40 : 22)]);
        const title = svgElement("text", { class: "head", x: 8, y: top + 15 }, svg);
        setText(
            svgElement("tspan", {}, title),
            `${t("how much a score still changes the weights")} ${t("(100%: the most)")}  `,
        );
        if (!narrow)
            data.lanes.forEach((name, lane) =>
                setText(svgElement("tspan", { class: `strong lane${lane}`, dx: 10 }, title), name),
            );
        const frozen = svgElement(
            "text",
            {
                class: "head lane0",
                x: narrow ? 8 : right,
                y: top + (narrow ? 34 : 15),
                "text-anchor": narrow ? "start" : "end",
            },
            svg,
        );
        yAxis(svg, [0, 0.5, 1], share, [LEFT, right], (level) => `${100 * level}%`);
        xAxis(svg, data.lengths, along, floor, [LEFT, right]);
        setText(
            svgElement("text", { class: "tick", x: right, y: floor + 40, "text-anchor": "end" }, svg),
            t("d, how many numbers a vector has"),
        );
        const curves = [0, 1].map((lane) => svgElement("path", { class: `curve lane${lane}` }, svg));
        const asks = svgElement(
            "g",
            {
                class: "grip",
                tabindex: 0,
                role: "slider",
                "aria-label": t("d, how many numbers a vector has"),
                "aria-valuemin": first,
                "aria-valuemax": last,
            },
            svg,
        );
        svgElement(
            "rect",
            { class: "target", x: -16, y: share(1) - 12, width: 32, height: floor - share(1) + 24, rx: 8 },
            asks,
        );
        svgElement("line", { class: "here", y1: share(1.1), y2: floor }, asks);
        const dots = [0, 1].map((lane) => ({
            dot: svgElement("circle", { class: `dot lane${lane}`, r: 7 }, asks),
            text: svgElement("text", { class: `strong lane${lane}` }, asks),
        }));
        const nearest = (/** @type {number} */ pixel) =>
            data.lengths.reduce(
                (best, d, at) => (Math.abs(along(d) - pixel) < Math.abs(along(data.lengths[best]) - pixel) ? at : best),
                0,
            );
        makeDraggable(
            asks,
            svg,
            (across) => move(nearest(across)),
            (right, up) => move(position + Math.sign(right + up)),
            () => tell({ position }),
        );
        return { along, share, frozen, curves, asks, dots };
    }

    /** @param {number} to */
    function move(to) {
        position = clamp(to, 0, data.lengths.length - 1);
        paint();
    }

    /** Heap, sticks and bars of a lane; returns the weights. @param {number} lane @param {number} query */
    function paintLane(lane, query) {
        const { slot, colours, heapRight, reach } = drawn,
            { note, title, y, floor, heap, others, top1, bars } = drawn.rows[lane],
            x = linear([-reach, reach], [12, heapRight]),
            [, queries, keys] = scores.shape;
        const count = new Float64Array(BINS),
            bin = (2 * reach) / BINS;
        let squares = 0;
        for (let at = 0; at < queries; at += 1) {
            for (let key = 0; key < keys; key += 1) {
                const each = score(lane, at, key);
                squares += each * each;
                count[clamp(Math.floor((each + reach) / bin), 0, BINS - 1)] += 1;
            }
        }
        const most = Math.max(...count),
            steps = [...count].map(
                (each, at) => `V${y(each / most).toFixed(1)}H${x((at + 1) * bin - reach).toFixed(1)}`,
            );
        setAttributes(heap, { d: `M${x(-reach)} ${floor}${steps.join("")}V${floor}z` });
        const own = Array.from({ length: keys }, (_, key) => score(lane, query, key)),
            weights = softmax(own, temperature),
            best = own.indexOf(Math.max(...own));
        const stick = (/** @type {number} */ at) =>
            `M${x(clamp(own[at], -reach, reach)).toFixed(1)} ${floor}V${y(STICK).toFixed(1)}`;
        setAttributes(others, { d: own.map((_, at) => (at === best ? "" : stick(at))).join("") });
        setAttributes(top1, { d: stick(best) });
        weights.forEach((weight, at) => {
            const { bar, text } = bars[at],
                height = floor - y(weight);
            setAttributes(bar, {
                y: (floor - height).toFixed(1),
                height: height.toFixed(1),
                fill: hex(colours, Math.max(weight, PALEST)),
                class: at === best ? "bar most" : "bar",
            });
            setAttributes(text, { y: (floor - height - 6).toFixed(1) });
            setText(text, weight >= LEAST && (slot > ROOM || at === best) ? `${Math.round(100 * weight)}%` : "");
        });
        setText(
            title,
            temperature === 1
                ? t("weights of its keys")
                : t("weights, T = {temperature}", { temperature: String(temperature) }),
        );
        const spread = number(Math.sqrt(squares / (queries * keys)), 1), // their mean is 0
            root = number(Math.sqrt(data.lengths[position]), 1);
        setText(
            note,
            lane
                ? t("divided by {root}: spread {spread}", { root, spread })
                : t("as they are: spread {spread}", { spread }),
        );
        return weights;
    }

    /** Draw both axes of scores anew where the length asks for another reach. */
    function reach() {
        const far = data.lengths[position] > SHORT ? FAR : NEAR,
            step = far / (wide < NARROW ? 2 : 4);
        if (far === drawn.reach) return;
        drawn.reach = far;
        const x = linear([-far, far], [12, drawn.heapRight]),
            marks = Array.from({ length: 9 }, (_, at) => (at - 4) * step).filter((mark) => Math.abs(mark) <= far);
        drawn.rows.forEach(({ axis, floor }) => {
            axis.replaceChildren();
            xAxis(axis, marks, x, floor, [8, drawn.heapRight + 4]);
        });
    }

    /** Draw what depends on length, query and temperature: a function of the three. */
    function paint() {
        const { lengths } = data;
        if (!curved && (data.whole || position !== data.usual)) {
            curved = true;
            drawn = build();
        }
        reach();
        if (heated !== temperature)
            found = saturation(scores.values, scores.shape, lengths, (heated = temperature), data.limit);
        const weights = data.lanes.map((_, lane) => paintLane(lane, found.usual[which]));
        const exact = (/** @type {ArrayLike<number>} */ all) => Array.from(all, (each) => each.toFixed(6));
        updateTableWhenIdle(table, t("Scores, weights, gradient"), () => [
            [
                `d = ${lengths[position]}`,
                t("how much a score still changes the weights"),
                ...Array.from(weights[0], (_, at) => `k${at + 1}`),
            ],
            ...data.lanes.map((name, lane) => [name, ...exact([found.left[lane][position], ...weights[lane]])]),
        ]);
        if (drawn.lower) paintCurve(drawn.lower);
    }

    /** The curve up to the length. @param {ReturnType<typeof buildCurve>} lower */
    function paintCurve({ along, share, curves, asks, dots, frozen }) {
        const { lengths } = data;
        const count = data.whole ? lengths.length : position + 1,
            d = lengths[position],
            here = found.left.map((lane) => lane[position]);
        const beside = along(d) > wide / 2 ? { x: -12, "text-anchor": "end" } : { x: 12, "text-anchor": "start" }; // the line crosses no number
        setAttributes(asks, {
            transform: `translate(${along(d).toFixed(1)} 0)`,
            "aria-valuenow": d,
            "aria-valuetext": `d = ${d}`,
        });
        here.forEach((each, lane) => {
            setAttributes(curves[lane], { d: linePath(lengths, found.left[lane], along, share, count) });
            setAttributes(dots[lane].dot, { cy: share(each).toFixed(1) });
            const higher = lane ? each >= here[0] : each > here[1];
            setAttributes(dots[lane].text, {
                ...beside,
                y: (share(each) + (higher || each < LOW ? -14 : 26)).toFixed(1),
            });
            setText(dots[lane].text, `${Math.round(100 * each)}%`);
        });
        setText(
            frozen,
            t("one key takes over 99% in {share} of the queries", {
                share: `${Math.round(100 * found.frozen[0][position])}%`,
            }),
        );
    }

    const shown = redrawOnResize(root, () => (drawn = build()), paint);
    return {
        /** @param {Data} sent @param {import("../../../ui/live/dom.js").Changed} told */
        take(sent, told) {
            const { position: at, which: asked, temperature: heat, whole, scores: every, ...rest } = sent;
            [tell, data, scores] = [told, sent, every];
            [position, which, temperature, heated] = [at, asked, heat, NaN];
            shown.take(rest, () => {
                svg.ariaLabel = t("Scores, weights, gradient");
                setText(legend, t("grey: the scores of all queries; sticks: those of one query, the largest orange"));
                return [
                    [sent.keys.position, move],
                    [sent.keys.which, shown.slide((to) => (which = to - 1))],
                    [sent.keys.temperature, shown.slide((to) => (temperature = to))],
                ];
            });
        },
        end: shown.end,
    };
}
