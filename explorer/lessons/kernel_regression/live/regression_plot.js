// Kernel regression under the pointer: query and width are dragged; curve, weights and the weighted sum follow.
import { element, screenReaderOnly, windowHeight } from "../../../ui/live/dom.js";
import { formatMessage, t } from "../../../ui/live/words.js";
import { setAttributes, svgElement, setText } from "../../../ui/live/drawing.js";
import { formatForSpread } from "../../../ui/live/numbers.js";
import { clamp } from "../../../ui/live/motion.js";
import { effective, kernelWeights, profile, weighted } from "../../../ui/live/closed_forms.js";
import { linePath, xAxis, linear, yAxis, ticks } from "../../../ui/live/axes.js";
import { makeDraggable } from "../../../ui/live/drag.js";
import { redrawOnResize } from "../../../ui/live/resize.js";
import { fitted } from "./fitted.js";

/** @typedef {import("./fitted.js").Sent} Sent */
/** @typedef {import("./fitted.js").Data} Data */

const ANY_WIDTH = /** @type {const} */ ([0, Infinity]);
const LEFT = 44,
    RIGHT = 16,
    TOP = 10,
    AXIS = 46,
    BELL = 74; // pixels
const LEAST_LINE = 0.25; // pixels: thinner lines to the answer are not drawn
const LINE = 34; // pixels of a line that has all the weight
const STEPS = Array.from({ length: 129 }, (_, place) => place / 16 - 4); // of the bell, in widths

/** A plot in an element of the class `regression`. @param {HTMLElement} root */
export function regression(root) {
    const legend = element("p", "legend"),
        answered = element("b", "sum");
    root.replaceChildren(legend);
    const table = screenReaderOnly(root, "output");
    const svg = svgElement("svg", { role: "group" }, root);

    /** @type {Data} */ let data;
    /** @type {ReturnType<typeof build>} */ let drawn;
    /** @type {import("../../../ui/live/dom.js").Changed} */ let tell;
    /** @type {number[]} */ let keys = [];
    /** @type {number[]} */ let values = [];
    let roving = 0; // the point that the Tab key comes to
    let query = 0,
        width = 1,
        stale = true,
        wide = 0; // `stale`: the curve is of another width, or of other points

    /** Draw what stands still, and make what will move. */
    function build() {
        wide = root.clientWidth;
        const tall = clamp(Math.min(windowHeight(root) - 316, 1.15 * wide), 330, 640),
            [low, high] = data.domain,
            values = [...data.y, ...(data.truth ?? [])];
        const spread = Math.max(...values) - Math.min(...values) || 1;
        const [bottom, top] = [Math.min(...values) - 0.06 * spread, Math.max(...values) + 0.06 * spread];
        const floor = tall - AXIS,
            plain = floor - BELL - 14;
        const across = [LEFT, wide - RIGHT],
            x = linear(data.domain, across),
            back = linear(across, data.domain);
        const y = linear([bottom, top], [plain, TOP]),
            up = linear([plain, TOP], [bottom, top]);
        svg.replaceChildren();
        setAttributes(svg, { viewBox: `0 0 ${wide} ${tall}`, width: wide, height: tall });
        yAxis(svg, ticks(bottom, top, plain / 50), y, [LEFT, wide - RIGHT]);
        xAxis(svg, ticks(low, high, wide / 90), x, floor, [LEFT, wide - RIGHT]);
        setText(
            svgElement("text", { class: "tick", x: wide - RIGHT, y: floor + 40, "text-anchor": "end" }, svg),
            t("x (keys and query)"),
        );
        setText(
            svgElement("text", { class: "stick", x: LEFT, y: floor + 40 }, svg),
            t("blue: the weight of each point"),
        );
        const ground = svgElement("path", { class: "ground" }, svg),
            average = data.ground ? null : svgElement("path", { class: "average" }, svg);
        if (data.truth) svgElement("path", { class: "truth", d: linePath(data.at, data.truth, x, y) }, svg);
        const say = {
            x: (/** @type {number} */ value) => formatForSpread(value, high - low),
            y: (/** @type {number} */ value) => formatForSpread(value, spread),
        };
        const bell = svgElement("path", { class: "bell" }, svg),
            bars = svgElement("path", { class: "bars" }, svg);
        const pulls = svgElement("path", { class: "pulls" }, svg),
            fitted = svgElement("path", { class: "curve" }, svg);
        roving = Math.min(roving, data.x.length - 1);
        const points = data.x.map((_, at) =>
            pointed(
                at,
                (/** @type {number} */ across, /** @type {number} */ down) => [back(across), up(down)],
                [low, high],
                [bottom, top],
            ),
        );
        const dots = points.map((each) => svgElement("circle", { class: "point" }, each));
        const down = svgElement("line", { class: "down", y1: TOP, y2: floor }, svg),
            answer = svgElement("circle", { class: "answer", r: 8 }, svg);
        const handle = (/** @type {string} */ name, /** @type {string} */ label) => {
            const made = svgElement(
                "g",
                { class: `grip ${name}`, tabindex: 0, role: "slider", "aria-label": label },
                svg,
            );
            svgElement("circle", { class: "target", r: 20 }, made);
            return made;
        };
        const asks = handle("query", t("query")),
            wider = data.widths && handle("width", t("width")),
            said = svgElement("text", { class: "said width" }, svg);
        svgElement("circle", { class: "knob", r: 13 }, asks);
        setText(svgElement("text", { class: "letter", y: 5, "text-anchor": "middle" }, asks), "q");
        setAttributes(asks, { "aria-valuemin": low, "aria-valuemax": high });
        makeDraggable(
            asks,
            svg,
            (across) => move(back(across), width),
            (right, up) => move(query + (right + up) * data.step, width),
            told,
        );
        if (data.widths && wider) {
            const [least, most] = data.widths;
            svgElement("path", { class: "knob", d: "M-10 0l7-7v14zM10 0l-7-7v14z" }, wider);
            setAttributes(wider, { "aria-valuemin": least, "aria-valuemax": most });
            makeDraggable(
                wider,
                svg,
                (across) => move(query, Math.abs(back(across) - query)),
                (right, up) => move(query, width + (right + up) * least),
                told,
            );
        }
        /** @type {[number, number][]} */ const positions = []; // where each point is drawn
        return {
            x,
            y,
            say,
            positions,
            floor,
            ground,
            average,
            bell,
            bars,
            pulls,
            fitted,
            points,
            dots,
            down,
            answer,
            asks,
            wider,
            said,
        };
    }

    /** Make a point that can be dragged. @param {number} at @param {(across: number, down: number) => number[]} back
     * @param {[number, number]} across @param {[number, number]} tall */
    function pointed(at, back, across, tall) {
        const made = svgElement(
            "g",
            {
                class: "grip one",
                tabindex: at === roving ? 0 : -1,
                role: "slider",
                "aria-label": t("point {number}: arrow keys move it, Page Up and Page Down go to the others", {
                    number: data.numbers[at] + 1,
                }),
                "aria-valuemin": across[0],
                "aria-valuemax": across[1],
            },
            svg,
        );
        svgElement("circle", { class: "target", r: 12 }, made);
        const set = (/** @type {number[]} */ [x, y]) => {
            [keys[at], values[at]] = [clamp(x, ...across), clamp(y, ...tall)];
            stale = true;
            paint();
        };
        made.onfocus = () => {
            drawn.points[roving].setAttribute("tabindex", "-1");
            made.setAttribute("tabindex", "0");
            roving = at;
        };
        const go = (/** @type {number} */ by) =>
            drawn.points[(at + by + keys.length) % keys.length].focus({ preventScroll: true });
        makeDraggable(
            made,
            svg,
            (x, y) => set(back(x, y)),
            (right, up) =>
                Math.abs(up) > 1
                    ? go(-Math.sign(up))
                    : set([keys[at] + right * data.step, values[at] + (up * (tall[1] - tall[0])) / 100]),
            () => {
                if (keys[at] !== data.x[at] || values[at] !== data.y[at])
                    tell({ point: { number: data.numbers[at], x: keys[at], y: values[at] } });
            },
        );
        return made;
    }

    /** @param {number} q @param {number} h */
    function move(q, h) {
        const before = width;
        query = clamp(q, ...data.domain);
        width = clamp(h, ...(data.widths ?? ANY_WIDTH));
        stale ||= width !== before;
        paint();
    }

    /** Round to what the sliders can say, and tell. */
    function told() {
        const [low] = data.domain,
            least = data.widths?.[0];
        move(
            low + Math.round((query - low) / data.step) * data.step,
            least ? Math.round(width / least) * least : width,
        );
        tell({ query, width });
    }

    /** Draw what no query changes: curve, truth's distance, average. */
    function fit() {
        const { x, y } = drawn,
            curved = data.at.map((at) => weighted(kernelWeights(data.kernel, keys, width, at), values));
        const mean = y(values.reduce((sum, each) => sum + each, 0) / values.length);
        if (drawn.average) setAttributes(drawn.average, { d: `M${x(data.domain[0])} ${mean}H${x(data.domain[1])}` });
        setAttributes(drawn.fitted, { d: linePath(data.at, curved, x, y) });
        if (data.ground && data.truth && !curved.some(Number.isNaN)) {
            setAttributes(drawn.ground, {
                d: `${linePath([...data.at, ...[...data.at].reverse()], [...curved, ...[...data.truth].reverse()], x, y)}z`,
            });
        } else setAttributes(drawn.ground, { d: "" });
        stale = false;
    }

    /** Draw what depends on query, width and points: a function of them. */
    function paint() {
        if (stale) fit();
        const { x, y, say, floor } = drawn,
            weights = kernelWeights(data.kernel, keys, width, query),
            most = Math.max(...weights) || 1;
        const output = weighted(weights, values),
            known = !Number.isNaN(output);
        const [first, last] = [data.at[0], data.at[data.at.length - 1]];
        const near = STEPS.map((step) => query + step * width).filter((at) => at > first && at < last); // a narrow one is a bell, too
        const hill = [...data.at, ...near]
            .sort((one, other) => one - other)
            .map(
                (at) =>
                    `${x(at).toFixed(1)} ${(floor - BELL * 0.9 * profile(data.kernel, (at - query) / width)).toFixed(1)}`,
            );
        setAttributes(drawn.bell, { d: `M${x(first).toFixed(1)} ${floor}L${hill.join("L")}V${floor}z` });
        let bars = "",
            pulls = "";
        const [toX, toY] = [x(query), known ? y(output) : 0];
        weights.forEach((weight, at) => {
            const [atX, atY] = [x(keys[at]), y(values[at])],
                share = weight / most,
                thick = weight * LINE;
            bars += `M${atX.toFixed(1)} ${floor}v${(-Math.max(3, share * BELL * 0.82)).toFixed(1)}`;
            if (known && thick > LEAST_LINE) pulls += wedge(atX, atY, toX, toY, thick);
            setAttributes(drawn.dots[at], {
                r: (4 + 3.5 * Math.sqrt(share)).toFixed(1),
                opacity: (0.35 + 0.65 * share).toFixed(2),
            });
            if (drawn.positions[at]?.[0] === keys[at] && drawn.positions[at][1] === values[at]) return; // nearly all of them stay
            drawn.positions[at] = [keys[at], values[at]];
            setAttributes(drawn.points[at], {
                transform: `translate(${atX.toFixed(1)} ${atY.toFixed(1)})`,
                "aria-valuenow": keys[at].toFixed(4),
                "aria-valuetext": t("x {x}, y {y}", { x: say.x(keys[at]), y: say.y(values[at]) }),
            });
        });
        setAttributes(drawn.bars, { d: bars, "stroke-width": data.x.length > 120 ? 1.3 : 3 });
        setAttributes(drawn.pulls, { d: pulls });
        setAttributes(drawn.down, { x1: toX, x2: toX });
        setAttributes(drawn.answer, { cx: toX, cy: toY, display: known ? "inline" : "none" });
        setAttributes(drawn.asks, { transform: `translate(${toX.toFixed(1)} ${floor})` });
        const [asked, h] = [t("query {query}", { query: say.x(query) }), t("width {width}", { width: say.x(width) })];
        setAttributes(drawn.asks, { "aria-valuenow": query.toFixed(4), "aria-valuetext": asked });
        if (drawn.wider) {
            const side = query + width <= data.domain[1] ? 1 : -1,
                edge = clamp(query + side * width, ...data.domain),
                high = floor - BELL * 0.55;
            setText(drawn.said, h);
            const room = 18 + drawn.said.getComputedTextLength(), // beside the bell, if there is any
                end = x(edge) > room && (side < 0 || x(edge) + room > wide);
            setAttributes(drawn.wider, {
                transform: `translate(${x(edge).toFixed(1)} ${high.toFixed(1)})`,
                "aria-valuenow": width.toFixed(4),
                "aria-valuetext": h,
            });
            setAttributes(drawn.said, {
                x: x(edge) + (end ? -18 : 18),
                y: high + 5,
                "text-anchor": end ? "end" : "start",
            });
        }
        const sum = known
            ? t("query {query}: {answer}, the mean of about {count} of {n} points")
            : t("query {query}: no key within reach");
        setText(
            answered,
            formatMessage(sum, {
                query: say.x(query),
                answer: say.y(output),
                count: Math.max(1, Math.round(effective(weights))),
                n: data.x.length,
            }),
        );
        setText(table, [query, width, output, ...weights].map((each) => each.toFixed(6)).join(" "));
    }

    const shown = redrawOnResize(
        root,
        () => {
            drawn = build();
            stale = true;
        },
        paint,
    );
    svg.addEventListener("pointerdown", (event) => {
        // anywhere on the plot means the query; the press goes on at its grip
        if (event.button || event.pointerType !== "mouse") return;
        drawn.asks.dispatchEvent(new PointerEvent("pointerdown", event));
    });
    return {
        /** @param {Sent} sent @param {import("../../../ui/live/dom.js").Changed} told */
        take(sent, told) {
            const now = fitted(sent);
            const { query: asked, width: chosen, ...rest } = now;
            [tell, data, query, width, keys, values, stale] = [told, now, asked, chosen, [...now.x], [...now.y], true];
            shown.take(rest, () => {
                legend.replaceChildren(
                    ...Object.entries({
                        curve: t("prediction"),
                        ...(now.truth && { truth: t("truth") }),
                        ...(now.truth && now.ground && { ground: t("error against the truth") }),
                        ...(!now.ground && { average: t("average pooling") }),
                        point: t("training points"),
                    }).map(([name, text]) => element("span", name, text)),
                    ...(now.ground ? [] : [answered]), // of a width that is learned, no single answer is the subject
                );
                svg.ariaLabel = t("The fit, and what one query attends to");
                /** @type {[string, (value: number) => void][]} */ const moves = [
                    [now.keys.query, (value) => move(value, width)],
                    [now.keys.width, (value) => move(query, value)],
                ];
                return moves.filter(([key]) => key);
            });
        },
        /** Show another width. @param {number} h */
        show: (h) => move(query, h),
        end: shown.end,
    };
}

/** A line of a thickness, as a closed path: all of them are one path. @param {number} x @param {number} y
 * @param {number} toX @param {number} toY @param {number} thick */
function wedge(x, y, toX, toY, thick) {
    const long = Math.hypot(toX - x, toY - y) || 1,
        [dx, dy] = [((toY - y) / long) * (thick / 2), ((x - toX) / long) * (thick / 2)];
    const place = (/** @type {number} */ a, /** @type {number} */ b) => `${a.toFixed(1)} ${b.toFixed(1)}`;
    return `M${place(x + dx, y + dy)}L${place(toX + dx, toY + dy)}L${place(toX - dx, toY - dy)}L${place(x - dx, y - dy)}z`;
}
