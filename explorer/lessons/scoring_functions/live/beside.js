// Two scores of the same queries and keys. Each point is dragged; two ribbons and two rows of cells say whom both scores choose
// for the query that was touched last, dashes which key is right for it. Heat maps beside follow once the point is let go.
import { element, live, updateTableWhenIdle, screenReaderOnly, windowHeight } from "../../../ui/live/dom.js";
import { formatMessage, t } from "../../../ui/live/words.js";
import { setAttributes, svgElement, setText } from "../../../ui/live/drawing.js";
import { number, percent } from "../../../ui/live/numbers.js";
import { clamp } from "../../../ui/live/motion.js";
import { scorer, softmax } from "../../../ui/live/closed_forms.js";
import { valuesOf } from "../../../ui/live/unpack.js";
import { linear } from "../../../ui/live/axes.js";
import { makeDraggable } from "../../../ui/live/drag.js";
import { redrawOnResize } from "../../../ui/live/resize.js";

/**
 * @typedef {object} Data what Python sends
 * @property {Record<string, import("../../../ui/live/unpack.js").Packed>} learned the weights of both scores
 * @property {number[][]} queries @property {number[][]} keys @property {string} letters of the keys
 * @property {string[]} scores both, as of `scorer` @property {string[]} names of both
 * @property {number} asking number of the query that is followed at first @property {number[]} seen how many keys each query may see
 * @property {string} rule that says which key is right, as of `merit` @property {boolean} waits whether what both scores say of that query is not shown yet @property {boolean} alone whether the stage is this picture's
 * @property {{name: string, shares: number[], written: string[]}[]} costs what is measured of both
 * @property {number} reach of the plane, from its middle @property {number} step of the arrow keys
 * @property {number} digits behind the point that a place keeps @property {number} even weights that differ by less are equal
 */

const KINDS = ["one", "other"],
    THICK = 15,
    FAINT = 0.02,
    WRITTEN = 0.05,
    BELOW = 400, // pixels of a whole weight; weights not drawn, and not written; pixels
    BELOW_ALONE = 300,
    NARROW = 640,
    RING = 19,
    ALIKE = 1e-5; // pixels below the plane, from which rows stand beside it, of a ring; merits that differ by less are equal

export default (/** @type {import("../../../ui/live/dom.js").Component} */ component) =>
    live(component, "beside", beside);

/** What the dashes mean, by rule. @returns {Record<string, string>} */
const MEANT = () => ({
    ahead: t("dashed: straight ahead of {query}"),
    left: t("dashed: a quarter turn to the left of {query}"),
    nearest: t("dashed: the nearest to {query}"),
});

/** @param {HTMLElement} root */
function beside(root) {
    const stage = element("div", "stage"),
        meant = element("p", "meant"),
        side = element("div", "side"),
        costs = element("dl", "costs");
    const rows = KINDS.map((kind) => {
            const line = element("p", `line ${kind}`),
                cells = element("div", `cells ${kind}`);
            side.append(line, cells);
            return { line, cells };
        }),
        svg = svgElement("svg", { role: "group" }, stage);
    side.append(costs);
    stage.prepend(meant);
    root.replaceChildren(stage, side);
    const table = screenReaderOnly(root, "table");

    /** @type {Data} */ let data;
    /** @type {import("../../../ui/live/closed_forms.js").Learned} */ let learned;
    /** @type {import("../../../ui/live/dom.js").Changed} */ let tell;
    /** @type {ReturnType<typeof build>} */ let drawn;
    /** @type {number[][]} */ let queries = [];
    /** @type {number[][]} */ let keys = [];
    let asking = 0;

    /** Make the plane: a grip for every point, keys in reverse, so that of a pile the first is taken. */
    function build() {
        const wide = data.alone && root.clientWidth >= NARROW;
        root.classList.toggle("wide", wide);
        const below = data.alone ? BELOW_ALONE : BELOW,
            side = Math.round(clamp(Math.min(stage.clientWidth, windowHeight(root) - below), 220, 440)),
            most = data.reach + 0.3;
        const x = linear([-most, most], [0, side]),
            y = linear([-most, most], [side, 0]);
        const back = linear([0, side], [-most, most]),
            up = linear([side, 0], [-most, most]);
        svg.replaceChildren();
        setAttributes(svg, { width: side, height: side, viewBox: `0 0 ${side} ${side}` });
        svgElement("rect", { class: "ground", x: 0.5, y: 0.5, width: side - 1, height: side - 1, rx: 10 }, svg);
        svgElement("path", { class: "axis", d: `M8 ${side / 2}H${side - 8}M${side / 2} 8V${side - 8}` }, svg);
        const ray = svgElement("path", { class: "ray" }, svg);
        const flows = KINDS.map((kind) => keys.map(() => svgElement("line", { class: `flow ${kind}` }, svg)));
        const handle = (
            /** @type {"query" | "key"} */ role,
            /** @type {number} */ at,
            /** @type {string} */ letter,
        ) => {
            const points = role === "query" ? queries : keys;
            const made = svgElement("g", { class: role }, svg),
                arrow = role === "query" ? svgElement("line", { class: "arrow" }, made) : null;
            const held = svgElement(
                "g",
                {
                    class: `grip ${role}`,
                    tabindex: 0,
                    role: "slider",
                    "aria-valuemin": -data.reach,
                    "aria-valuemax": data.reach,
                    "aria-label": role === "query" ? t("query {letter}", { letter }) : t("key {letter}", { letter }),
                },
                made,
            );
            svgElement("circle", { class: "target", r: 20 }, held);
            if (arrow) svgElement("rect", { x: -12, y: -12, width: 24, height: 24, rx: 6 }, held);
            else svgElement("circle", { r: 13 }, held);
            setText(svgElement("text", { class: "letter", y: 5.5, "text-anchor": "middle" }, held), letter);
            const pile = svgElement("text", { class: "pile", y: -20, "text-anchor": "middle" }, made);
            const move = (/** @type {number[]} */ to) => {
                points[at] = to.map((each) => clamp(each, -data.reach, data.reach));
                paint();
            };
            const follow = () => {
                if (arrow && asking !== at) {
                    asking = at;
                    paint();
                }
            };
            held.addEventListener("pointerdown", follow, true);
            held.addEventListener("focus", follow);
            makeDraggable(
                held,
                svg,
                (across, down) => move([back(across), up(down)]),
                (right, upwards) => move([points[at][0] + right * data.step, points[at][1] + upwards * data.step]),
                () => {
                    move(points[at].map((each) => Number(each.toFixed(data.digits))));
                    tell({ points: { queries, keys } });
                },
            );
            return { made, held, arrow, pile };
        };
        const asked = [...keys.keys()]
            .reverse()
            .map((at) => handle("key", at, data.letters[at]))
            .reverse();
        const ring = svgElement("circle", { class: "ring", r: RING }, svg);
        const asks = queries.map((_, at) => handle("query", at, String(at + 1)));
        const cells = rows.map(({ cells }) => {
            cells.replaceChildren(
                ...[...data.letters].map((letter) => {
                    const cell = element("span", "cell");
                    cell.append(element("i", "", letter), element("b", ""), element("span", "share"));
                    return cell;
                }),
                element("em", "sign"),
            );
            return /** @type {HTMLElement[]} */ ([...cells.children]);
        });
        return { x, y, most, ray, ring, flows, asks, asked, cells };
    }

    /** Weights of a query by both scores, over the keys that it may see. @param {number} query */
    const weights = (query) =>
        data.scores.map((name) => {
            const score = scorer(name, queries[query], learned),
                seen = keys.slice(0, data.seen[query]);
            const found = softmax(seen.map(([a, b]) => score(a, b)));
            return keys.map((_, at) => found[at] ?? 0);
        });

    /** Draw what depends on the points. */
    function paint() {
        const { x, y, most, ray, ring, flows, asks, asked, cells } = drawn,
            both = weights(asking),
            waits = data.waits && asking === data.asking,
            from = queries[asking];
        const set = (
            /** @type {(typeof asks)[0]} */ { made, held, arrow, pile },
            /** @type {number[]} */ [a, b],
            /** @type {string} */ kind,
        ) => {
            const position = `translate(${x(a).toFixed(1)} ${y(b).toFixed(1)})`,
                value = { x: number(a, 2), y: number(b, 2) };
            setAttributes(held, {
                transform: position,
                class: `grip ${kind}`,
                "aria-valuenow": a.toFixed(2),
                "aria-valuetext": `${value.x}, ${value.y}`,
            });
            setAttributes(pile, { transform: position });
            if (arrow) setAttributes(arrow, { x1: x(0), y1: y(0), x2: x(a).toFixed(1), y2: y(b).toFixed(1) });
            made.classList.toggle("asking", arrow === asks[asking].arrow);
        };
        queries.forEach((position, at) => set(asks[at], position, "query"));
        keys.forEach((position, at) => {
            const here = keys.filter(([a, b]) => a === position[0] && b === position[1]).length,
                first = keys.findIndex(([a, b]) => a === position[0] && b === position[1]);
            set(asked[at], position, at < data.seen[asking] ? "key" : "key masked");
            setText(asked[at].pile, here > 1 && first === at ? t("{count} equal keys", { count: here }) : "");
            // Both ribbons run beside each other: across the way from the query to the key.
            const [dx, dy] = [x(position[0]) - x(from[0]), y(position[1]) - y(from[1])],
                far = Math.hypot(dx, dy) || 1;
            KINDS.forEach((_, score) => {
                const off = ((score ? 1 : -1) * THICK * both[1 - score][at]) / 2 / far,
                    [ox, oy] = [-dy * off, dx * off];
                setAttributes(flows[score][at], {
                    x1: (x(from[0]) + ox).toFixed(1),
                    y1: (y(from[1]) + oy).toFixed(1),
                    x2: (x(position[0]) + ox).toFixed(1),
                    y2: (y(position[1]) + oy).toFixed(1),
                    "stroke-width": waits || both[score][at] < FAINT ? 0 : (THICK * both[score][at]).toFixed(2),
                });
            });
        });
        const right = rightKey(from, keys.slice(0, data.seen[asking]));
        const [qx, qy] = data.rule === "left" ? [-from[1], from[0]] : from,
            far = (2 * most) / (Math.hypot(qx, qy) || 1);
        setAttributes(ray, {
            d:
                right < 0
                    ? ""
                    : data.rule === "nearest"
                      ? around(right)
                      : `M${x(0)} ${y(0)}L${x(far * qx)} ${y(far * qy)}`,
        });
        setText(meant, right < 0 ? "" : formatMessage(MEANT()[data.rule], { query: asking + 1 }));
        setAttributes(ring, { display: right < 0 ? "none" : "inline" });
        if (right >= 0) setAttributes(ring, { cx: x(keys[right][0]).toFixed(1), cy: y(keys[right][1]).toFixed(1) });
        rows.forEach(({ line, cells: box }, score) => {
            const row = both[score],
                top = Math.max(...row),
                first = row.indexOf(top);
            const alone = row.filter((each) => each >= top - data.even).length === 1;
            setText(line, waits ? `${data.names[score]}: ?` : said(score, row));
            box.hidden = !data.alone;
            cells[score].forEach((cell, at) => {
                if (at === row.length) {
                    setText(cell, waits || right < 0 ? "" : alone && first === right ? "✓" : "✗");
                    cell.className = alone && first === right ? "sign good" : "sign";
                    return;
                }
                cell.className = at === right ? "cell right" : "cell";
                cell.style.setProperty("--weight", waits ? "0" : row[at].toFixed(4));
                setText(
                    /** @type {Element} */ (cell.lastElementChild),
                    waits || row[at] < WRITTEN ? "" : percent(row[at]),
                );
            });
        });
        updateTableWhenIdle(table, t("Weights of both scores"), () => [
            ["", ...data.letters],
            ...queries.flatMap((_, at) =>
                weights(at).map((row, score) => [
                    `${data.names[score]} ${at + 1}`,
                    ...row.map((each) => each.toFixed(6)),
                ]),
            ),
        ]);
    }

    /** The key that the rule says is right; -1 without a rule, or where several are best. @param {number[]} query @param {number[][]} seen */
    function rightKey([a, b], seen) {
        const merits = seen.map(([x, y]) =>
            data.rule === "nearest"
                ? -Math.hypot(x - a, y - b)
                : (data.rule === "left" ? a * y - b * x : a * x + b * y) / (Math.hypot(x, y) || 1),
        );
        const best = Math.max(...merits);
        return data.rule in MEANT() && merits.filter((each) => each > best - ALIKE).length === 1
            ? merits.indexOf(best)
            : -1;
    }

    /** A circle round the query that asks, as far as a key. @param {number} key */
    function around(key) {
        const { x, y } = drawn,
            [[a, b], [c, d]] = [queries[asking], keys[key]],
            far = Math.hypot(x(c) - x(a), y(d) - y(b));
        return `M${x(a) - far} ${y(b)}a${far} ${far} 0 1 0 ${2 * far} 0a${far} ${far} 0 1 0 ${-2 * far} 0`;
    }

    /** Say whom a score chooses for the query that is followed. @param {number} score @param {number[]} row */
    function said(score, row) {
        const most = Math.max(...row),
            best = [...data.letters].filter((_, at) => row[at] >= most - data.even);
        const values = {
            name: data.names[score],
            query: asking + 1,
            key: best.join(", "),
            count: best.length,
            share: percent(most),
        };
        return formatMessage(
            !most
                ? t("{name}: query {query} may see no key")
                : best.length > 1
                  ? t("{name}: query {query} shares among {key}, {share} each")
                  : t("{name}: query {query} looks most at {key}, {share}"),
            values,
        );
    }

    const shown = redrawOnResize(root, () => (drawn = build()), paint);
    return {
        /** @param {Data} sent @param {import("../../../ui/live/dom.js").Changed} told */
        take(sent, told) {
            const { queries: asks, keys: asked, asking: first, ...rest } = sent;
            [tell, data] = [told, sent];
            if (JSON.stringify([asks, asked]) !== JSON.stringify([queries, keys])) asking = first; // not what was dragged here
            queries.splice(0, queries.length, ...asks); // the grips hold these lists
            keys.splice(0, keys.length, ...asked);
            learned = valuesOf(sent.learned);
            shown.take([rest, queries.length], () => {
                asking = first;
                svg.ariaLabel = t("Weights of both scores");
                costs.replaceChildren(
                    ...sent.costs.flatMap(({ name, shares, written }) => {
                        const both = element("dd", "");
                        both.append(
                            ...KINDS.map((kind, at) => {
                                const made = element("span", `cost ${kind}`, written[at]);
                                made.style.setProperty("--share", String(shares[at]));
                                return made;
                            }),
                        );
                        return [element("dt", "", name), both];
                    }),
                );
                return [];
            });
        },
        end: shown.end,
    };
}
