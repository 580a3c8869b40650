// A signal on its way through four networks: each row is a layer, a line is a connection, the way glows as far as it is gone.
import { setAttributes, svgElement, setText } from "../../../ui/live/drawing.js";
import { clamp, ease, progressBetween, lerp } from "../../../ui/live/motion.js";
import { screened } from "../../../ui/live/timeline.js";
import { t } from "../../../ui/live/words.js";

/** @typedef {import("../../../ui/live/timeline.js").Arrays} Arrays
 * @typedef {{name: "attention" | "recurrence" | "dilated" | "convolution", title: string, rows: number, waits: number | null}} Network arrays, by its name:
 *   `edges` [edges, 4], from row and position to row and position; `nodes` and `path` [nodes, 3], row, position, and the step
 *   after which they are computed
 * @typedef {{words: string[], source: number, target: number, networks: Network[], zoom: number}} Data */

const SHARES = { attention: 1, recurrence: 0.75, dilated: 1.25, convolution: 3 }; // of the height
const HEAD = 28,
    UPRIGHT = 44,
    CROWDED = 60,
    APART = 8,
    COUNT = 96,
    PHONE = 520; // pixels; below the second a word stands upright

/** Let words that would touch another stand on a second line; the two ends stay. @param {{text: SVGTextElement, group: SVGGElement, end: string}[]} words
 * @param {(at: number) => number} x @param {number} by pixels */
function lower(words, x, by) {
    const half = words.map(({ text, end }) => text.getComputedTextLength() / 2 + (end ? 5 : 0) + APART / 2),
        upper = words.flatMap(({ end }, at) => (end ? [at] : []));
    words.forEach(({ group, end }, at) => {
        if (end) return;
        if (upper.some((other) => Math.abs(x(other) - x(at)) < half[other] + half[at]))
            setAttributes(group, { transform: `translate(${x(at).toFixed(1)} ${21 + by})` });
        else upper.push(at);
    });
}

/** What is peculiar to each, in a few words. */
const aboutNetworks = () => ({
    attention: t("every word reads every word, all at once"),
    recurrence: t("each word waits for the one before"),
    dilated: t("only back, with growing gaps"),
    convolution: t("a layer reads neighbouring words"),
});

const words = () => ({
    where: t("Step"),
    position: t("Step {n} of {m}"),
    alt: t("Four networks, and the way of a signal from one word to another"),
});

/** @param {import("../../../ui/live/dom.js").Component} component */
export default function (component) {
    return screened(component, "paths", { words, beside: 310, draw, paint, rows });
}

/** @param {SVGSVGElement} svg @param {Data} data @param {Arrays} array @param {number} width @param {number} room */
function draw(svg, data, array, width, room) {
    const n = data.words.length,
        small = width < PHONE,
        slot = (width - (small ? 62 : COUNT * data.zoom)) / n;
    const x = (/** @type {number} */ at) => (at + 0.5) * slot,
        upright = slot < UPRIGHT * data.zoom,
        crowded = !upright && slot < CROWDED * data.zoom,
        above = upright ? 76 : crowded ? 56 : 36;
    const tall = clamp(room, 430, 700),
        free = tall - above - 4 * HEAD * data.zoom - 10;
    const all = Object.values(SHARES).reduce((sum, each) => sum + each, 0);
    setAttributes(svg, { width, height: tall, viewBox: `0 0 ${width} ${tall}` });
    const texts = data.words.map((word, at) => {
        const end = at === data.source ? " source" : at === data.target ? " target" : "";
        const group = svgElement(
            "g",
            {
                class: `word${end}`,
                transform: `translate(${x(at).toFixed(1)} ${upright ? above - 12 : 21})${upright ? " rotate(-90)" : ""}`,
            },
            svg,
        );
        const ground = end ? svgElement("rect", { rx: 4 }, group) : null,
            text = svgElement("text", { "text-anchor": upright ? "start" : "middle", y: upright ? 5 : 0 }, group);
        setText(text, word);
        const box = ground && text.getBBox();
        const thick = box ? Math.min(box.height + 6, upright ? slot : Infinity) : 0; // an upright word leaves its neighbours their places
        if (ground && box)
            setAttributes(ground, {
                x: box.x - 5,
                y: box.y + (box.height - thick) / 2,
                width: box.width + 10,
                height: thick,
            });
        return { text, group, end };
    });
    if (crowded) lower(texts, x, 20 * data.zoom);
    let top = above;
    return data.networks.map((network) => {
        const share = SHARES[network.name],
            inner = (free * share) / all,
            from = top + HEAD * data.zoom;
        const y = (/** @type {number} */ row) => from + 6 + (row / (network.rows - 1)) * (inner - 18);
        const title = svgElement("text", { class: "head", x: 0, y: top + 17 * data.zoom }, svg);
        setText(svgElement("tspan", {}, title), network.title);
        if (!small) setText(svgElement("tspan", { class: "about", dx: 8 }, title), aboutNetworks()[network.name]);
        svgElement(
            "path",
            {
                class: "edges",
                d: triples(array(`${network.name}_edges`), 4)
                    .map(
                        ([row, at, to, there]) =>
                            `M${x(at).toFixed(1)} ${y(row).toFixed(1)}L${x(there).toFixed(1)} ${y(to).toFixed(1)}`,
                    )
                    .join(""),
            },
            svg,
        );
        const size = Math.min(3.6, (inner - 18) / (network.rows - 1) / 3.2);
        const nodes = triples(array(`${network.name}_nodes`), 3).map(([row, at, when]) => ({
            when,
            dot: svgElement("circle", { cx: x(at).toFixed(1), cy: y(row).toFixed(1), r: size.toFixed(1) }, svg),
        }));
        const path = triples(array(`${network.name}_path`), 3).map(([row, at, when]) => ({
            x: x(at),
            y: y(row),
            when,
        }));
        const way = svgElement("path", { class: "way" }, svg),
            stops = path.map((each) =>
                svgElement("circle", { class: "stop", cx: each.x, cy: each.y, r: size + 3.4 }, svg),
            );
        const head = svgElement("circle", { class: "stop", r: size + 4.4 }, svg),
            middle = from + inner / 2 - 2;
        const count = svgElement(
            "text",
            {
                class: "count",
                x: width - (small ? 28 : COUNT * data.zoom - 34),
                y: middle,
                "text-anchor": small ? "middle" : "start",
            },
            svg,
        );
        const under = svgElement(
            "text",
            {
                class: "under",
                x: width - (small ? 28 : COUNT * data.zoom - 34),
                y: middle + 20 * data.zoom,
                "text-anchor": small ? "middle" : "start",
            },
            svg,
        );
        top = from + inner;
        return { network, nodes, path, way, stops, head, count, under };
    });
}

/** @param {ReturnType<typeof draw>} drawing @param {Data} data @param {Arrays} _ @param {number} done */
function paint(drawing, data, _, done) {
    for (const { network, nodes, path, way, stops, head, count, under } of drawing) {
        for (const { when, dot } of nodes) setAttributes(dot, { class: when <= done ? "node done" : "node" });
        const reached = path.filter(({ when }) => when <= done),
            next = path[reached.length],
            last = reached[reached.length - 1];
        const share = next && last ? ease(progressBetween(done, Math.max(last.when, next.when - 1), next.when)) : 0;
        const tip = last && next ? { x: lerp(last.x, next.x, share), y: lerp(last.y, next.y, share) } : last;
        setAttributes(way, {
            d: [...reached, ...(tip ? [tip] : [])]
                .map((each, at) => `${at ? "L" : "M"}${each.x.toFixed(1)} ${each.y.toFixed(1)}`)
                .join(""),
        });
        stops.forEach((stop, at) => setAttributes(stop, { display: at < reached.length ? "inline" : "none" }));
        setAttributes(
            head,
            tip ? { cx: tip.x.toFixed(1), cy: tip.y.toFixed(1), display: "inline" } : { display: "none" },
        );
        const waits = network.waits,
            there = waits !== null && waits <= done;
        setAttributes(count, { class: there ? "count there" : "count" });
        setText(count, waits === null ? "–" : done < 1 ? "–" : String(Math.min(Math.floor(done), waits)));
        setText(under, waits === null ? t("no way back") : there ? t("arrived") : t("not yet"));
    }
}

/** Where the signal is after a step: row and word, from 1. @param {Data} data @param {Arrays} array @param {number} step */
function rows(data, array, step) {
    return [
        ["", t("row"), t("word")],
        ...data.networks.map(({ name, title }) => {
            const last = triples(array(`${name}_path`), 3)
                .filter(([, , when]) => when <= step)
                .pop();
            return [title, ...(last ? [String(last[0]), String(last[1] + 1)] : ["–", "–"])];
        }),
    ];
}

/** @param {import("../../../ui/live/unpack.js").Packed} packed @param {number} width @returns {number[][]} */
const triples = ({ values }, width) =>
    Array.from({ length: values.length / width }, (_, at) => [...values.subarray(at * width, (at + 1) * width)]);
