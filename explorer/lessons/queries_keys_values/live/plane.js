// The plane of queries: query and keys are dragged, and every place takes the colour of the answer given there.
import { element, live, placeOn, windowHeight } from "../../../ui/live/dom.js";
import { formatMessage, t } from "../../../ui/live/words.js";
import { setAttributes, svgElement, setText } from "../../../ui/live/drawing.js";
import { number } from "../../../ui/live/numbers.js";
import { clamp } from "../../../ui/live/motion.js";
import { ticks } from "../../../ui/live/axes.js";
import { answered, digits, rgb } from "./looked_up.js";
import { makeDraggable, onHoverOrTap } from "../../../ui/live/drag.js";
import { redrawOnResize } from "../../../ui/live/resize.js";

/**
 * @typedef {object} Own
 * @property {number} reach of the plane, from its middle
 * @typedef {import("./looked_up.js").Dictionary & Own} Data
 */

const EDGE = 30,
    MARGIN = 0.35,
    PIXELS = 65,
    ROUND = 20,
    CROWDED = 6; // places to a unit; keys whose weights have room

export default (/** @type {import("../../../ui/live/dom.js").Component} */ component) =>
    live(component, "plane", plane);

/** An answer as it is written: a number to four digits; of colours, the weights of the three keys that count most.
 * @param {Data} data @param {ReturnType<typeof answered>} answer */
function written({ entries }, { weights, mean }) {
    if (mean.length === 1) return digits(mean);
    const first = entries
        .map((_, at) => at)
        .sort((a, b) => weights[b] - weights[a])
        .slice(0, 3);
    return first.map((at) => `${entries[at].name} ${number(weights[at], 2)}`).join(" · ");
}

/** @param {HTMLElement} root */
function plane(root) {
    const canvas = element("canvas", "answers"),
        line = element("p", "line"),
        stage = element("div", "stage");
    const table = element("output", "unseen");
    stage.append(canvas);
    const svg = svgElement("svg", { role: "group" }, stage);
    root.replaceChildren(stage, line, table);
    canvas.width = canvas.height = PIXELS;

    /** @type {Data} */ let data;
    /** @type {import("../../../ui/live/dom.js").Changed} */ let tell;
    /** @type {number[][]} */ let keys = [];
    /** @type {number[]} */ let query = [0, 0];
    /** @type {ReturnType<typeof build>} */ let drawn;

    /** Make the axes, a grip for every key and one for the query. */
    function build() {
        const side = Math.max(220, Math.min(root.clientWidth - EDGE, windowHeight(root) - 330)),
            most = data.reach + MARGIN;
        const x = (/** @type {number} */ value) => EDGE + ((value + most) / (2 * most)) * side;
        const y = (/** @type {number} */ value) => ((most - value) / (2 * most)) * side;
        const back = (/** @type {number} */ across, /** @type {number} */ down) => [
            ((across - EDGE) / side) * 2 * most - most,
            most - (down / side) * 2 * most,
        ];
        svg.replaceChildren();
        setAttributes(svg, { viewBox: `0 0 ${side + EDGE} ${side + EDGE}`, width: side + EDGE, height: side + EDGE });
        canvas.style.cssText = `left:${EDGE}px;width:${side}px;height:${side}px`;
        for (const value of ticks(-data.reach, data.reach, side / 60)) {
            setText(
                svgElement("text", { class: "tick", x: x(value), y: side + 20, "text-anchor": "middle" }, svg),
                number(value, 0),
            );
            setText(
                svgElement("text", { class: "tick", x: EDGE - 7, y: y(value) + 5, "text-anchor": "end" }, svg),
                number(value, 0),
            );
        }
        const rays = data.entries.map(() => svgElement("line", { class: "ray" }, svg));
        const points = data.entries.map((entry, at) => {
            const made = handle(
                "key",
                entry.name,
                (to) => {
                    keys[at] = to;
                },
                () => keys[at],
                { number: at },
                back,
            );
            setAttributes(svgElement("circle", { r: 12 }, made), { fill: `rgb(${rgb(data, entry.value)})` });
            return { made, name: svgElement("text", { class: "name", "text-anchor": "middle" }, made) };
        });
        const asks = handle(
            "query",
            t("query"),
            (to) => {
                query = to;
            },
            () => query,
            {},
            back,
        );
        const diamond = svgElement("path", { d: "M0-15L15 0L0 15L-15 0z" }, asks);
        return { x, y, back, rays, points, asks, diamond };
    }

    /** Make a grip. @param {string} role @param {string} label @param {(to: number[]) => void} set @param {() => number[]} get
     * @param {object} own what is told beside the place @param {(across: number, down: number) => number[]} back */
    function handle(role, label, set, get, own, back) {
        const made = svgElement(
            "g",
            {
                class: `grip ${role}`,
                tabindex: 0,
                role: "slider",
                "aria-label": label,
                "aria-valuemin": -data.reach,
                "aria-valuemax": data.reach,
            },
            svg,
        );
        svgElement("circle", { class: "target", r: 20 }, made);
        const move = (/** @type {number[]} */ to) => {
            set(to.map((each) => clamp(each, -data.reach, data.reach)));
            paint();
        };
        const told = () => {
            move(get().map((each) => Math.round(each * ROUND) / ROUND));
            tell({ [role]: { ...own, x: get()[0], y: get()[1] } });
        };
        makeDraggable(
            made,
            svg,
            (across, down) => move(back(across, down)),
            (right, up) => move([get()[0] + right / ROUND, get()[1] + up / ROUND]),
            told,
        );
        return made;
    }

    /** Draw what depends on query and keys: a function of both. */
    function paint() {
        const { x, y } = drawn,
            answer = answered(data, keys, query),
            { weights, mean } = answer;
        const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")),
            image = pen.createImageData(PIXELS, PIXELS);
        const most = data.reach + MARGIN,
            coordinate = (/** @type {number} */ at) => ((at + 0.5) / PIXELS) * 2 * most - most;
        for (let row = 0, at = 0; row < PIXELS; row += 1) {
            for (let column = 0; column < PIXELS; column += 1, at += 4) {
                image.data.set(
                    [...rgb(data, answered(data, keys, [coordinate(column), -coordinate(row)]).mean), 255],
                    at,
                );
            }
        }
        pen.putImageData(image, 0, 0);
        keys.forEach(([a, b], at) => {
            setAttributes(drawn.rays[at], {
                x1: x(query[0]),
                y1: y(query[1]),
                x2: x(a),
                y2: y(b),
                "stroke-width": (14 * weights[at]).toFixed(2),
            });
            const { made, name } = drawn.points[at],
                share = number(weights[at], 2);
            setAttributes(made, {
                transform: `translate(${x(a).toFixed(1)} ${y(b).toFixed(1)})`,
                "aria-valuenow": a.toFixed(2),
                "aria-valuetext": said(t("({x}, {y})"), keys[at]),
            });
            setAttributes(name, { y: b > data.reach - 1 ? 31 : -19 });
            setText(name, keys.length > CROWDED ? data.entries[at].name : `${data.entries[at].name} ${share}`);
        });
        setAttributes(drawn.asks, {
            transform: `translate(${x(query[0]).toFixed(1)} ${y(query[1]).toFixed(1)})`,
            "aria-valuenow": query[0].toFixed(2),
            "aria-valuetext": said(t("({x}, {y})"), query),
        });
        setAttributes(drawn.diamond, { fill: `rgb(${rgb(data, mean)})` });
        setText(line, said(t("query ({x}, {y}): answer {answer}"), query, written(data, answer)));
        setText(table, [...weights].map((each) => each.toFixed(6)).join(" "));
    }

    /** @param {string} text @param {number[]} position @param {string} [answer] */
    const said = (text, position, answer = "") =>
        formatMessage(text, { x: number(position[0], 2), y: number(position[1], 2), answer });

    onHoverOrTap(
        svg,
        (event) => {
            const position = drawn.back(...placeOn(event, svg));
            if (position.every((each) => Math.abs(each) <= data.reach))
                setText(
                    line,
                    said(
                        t("query ({x}, {y}): answer {answer}"),
                        position,
                        written(data, answered(data, keys, position)),
                    ),
                );
        },
        () =>
            setText(
                line,
                said(t("query ({x}, {y}): answer {answer}"), query, written(data, answered(data, keys, query))),
            ),
    );
    const shown = redrawOnResize(root, () => (drawn = build()), paint);
    return {
        /** @param {Data} now @param {import("../../../ui/live/dom.js").Changed} told */
        take(now, told) {
            const { query: asked, entries, ...rest } = now;
            [tell, data, query, keys] = [told, now, [...asked], entries.map(({ x, y }) => [x, y])];
            shown.take([rest, entries.map(({ name, value }) => [name, value])], () => {
                svg.ariaLabel = t("The plane of queries");
                return [
                    [now.keys.temperature, shown.slide((to) => (data = { ...data, temperature: now.choices[to] }))],
                    [now.keys.x, shown.slide((to) => (query[0] = to))],
                    [now.keys.y, shown.slide((to) => (query[1] = to))],
                ];
            });
        },
        end: shown.end,
    };
}
