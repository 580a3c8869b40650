// The map of the ride: both languages as lines, the rider's one large, who is heard as ribbons, the memory as one cable.
import { standsAlone } from "../../../ui/live/dom.js";
import { t } from "../../../ui/live/words.js";
import { setAttributes, svgElement } from "../../../ui/live/drawing.js";
import { clamp, ease, lerp, progressBetween } from "../../../ui/live/motion.js";
import { percent } from "../../../ui/live/numbers.js";
import { chip, hue, net, pressable, sum, vector, word, write, nameStop } from "./ride_kit.js";

/** @typedef {import("./ride.js").Data} Data @typedef {import("./ride.js").Arrays} Arrays @typedef {import("./ride_kit.js").Stack} Stack */

const LEAST = 0.003, // of a weight: what is less is no ribbon
    LEAVES = 0.4, // of the time at a stop: then the dot goes on
    NARROW = 900; // a map on a phone is as wide, and follows the dot

/** Where the lines and layers stand. Until the ride reaches the French lines, the English ones have all the room.
 * @param {Data} data @param {number} width @param {number} room @param {boolean} both */
function places(data, width, room, both) {
    const { type, counts } = data,
        memory = data.stops.findIndex(({ kind }) => kind === "memory");
    const rows = { enc: data.stops[0].row, dec: data.stops[memory + 1].row };
    const lines = { enc: data.source.length, dec: rows.dec + 1 };
    const head = 24 * type,
        foot = 24 * type,
        cable = 30 * type;
    const free = room - 2 * (head + foot) - cable,
        big = clamp(free * 0.16, 40, 66),
        row = clamp((free - 2 * big) / (lines.enc + lines.dec - 2), 18 * type, 28 * type),
        tall = 2 * (head + foot + big) + cable + (lines.enc + lines.dec - 2) * row;
    const size = both
        ? { big, row }
        : { big: 1.5 * big, row: (tall - head - foot - cable - 1.5 * big) / Math.max(1, lines.enc - 1) };
    let y = head;
    const stand = (/** @type {Stack} */ stack) =>
        Array.from({ length: lines[stack] }, (_, at) => {
            const high = at === rows[stack] ? size.big : size.row;
            y += high;
            return y - high / 2;
        });
    const enc = { top: 0, lanes: stand("enc"), end: y };
    const bus = y + foot + cable / 2;
    y += foot + cable + head;
    const top = y - head;
    const dec = both ? { top, lanes: stand("dec"), end: y } : { top, lanes: [], end: y };
    const names = [...data.source, ...data.read.slice(0, lines.dec)],
        label = clamp(Math.max(...names.map((each) => each.length)) * 9 * type + 16, 62 * type, 130 * type);
    const side = size.big - 8,
        first = label + 12 + side / 2,
        second = first + Math.max(side + 22, 66 * type),
        layers = second + Math.max(side / 2 + 12, 40 * type);
    return {
        ...{ rows, memory, enc, dec, bus, label, side, first, second, layers, head, foot, tall },
        wide: { enc: (width - layers - side - 34) / counts.enc, dec: (width - layers - 140 * type) / counts.dec },
    };
}

/** @param {SVGGElement} svg @param {Data} data @param {Arrays} array @param {number} shown width @param {number} room
 * @param {boolean} both whether the French lines are drawn too @param {(picked: object) => void} pick */
export function drawMap(svg, data, array, shown, room, both, pick) {
    svg.replaceChildren();
    const width = shown < 620 ? NARROW : shown,
        at = places(data, width, room, both),
        { colours } = data;
    const map = svgElement("g", {}, svg);
    const boards = svgElement("g", {}, map);
    const stacks = /** @type {Stack[]} */ (both ? ["enc", "dec"] : ["enc"]);
    for (const stack of stacks) {
        const { top, lanes, end } = at[stack];
        for (let layer = 0; layer < data.counts[stack]; layer++) {
            const x = at.layers + layer * at.wide[stack] + 2,
                wide = at.wide[stack] - 6;
            svgElement(
                "rect",
                { x, y: top + at.head - 3, width: wide, height: end - top - at.head + 6, rx: 8, class: "board" },
                boards,
            );
            write(map, x + 6, top + at.head / 2, data.layers[stack][layer], { class: "title", fill: colours[stack] });
        }
        const right = stack === "enc" ? width - 10 : width - 130 * data.type;
        lanes.forEach((y, row) => {
            const rides = row === at.rows[stack];
            if (!rides) svgElement("path", { d: `M${at.label + 8} ${y}H${right}`, class: "pale" }, boards);
        });
    }
    /** @type {SVGGElement[]} */ const groups = [];
    /** @type {number[][]} */ const way = [];
    const group = (/** @type {number} */ stop) => (groups[stop] ??= svgElement("g", { class: "stop" }, map));
    const line = (/** @type {number} */ stop, /** @type {string} */ d, /** @type {string} */ colour, strong = 3.5) =>
        svgElement("path", { d, stroke: colours[colour], "stroke-width": strong, fill: "none" }, group(stop));
    const foot = (
        /** @type {number} */ x,
        /** @type {Stack} */ stack,
        /** @type {string} */ text,
        /** @type {string} */ colour,
    ) => write(map, x, at[stack].end + at.foot / 2 + 3, text, { class: "mid", fill: colours[colour] });
    let nets = 0,
        before = 0;
    data.stops.slice(0, both ? undefined : at.memory + 1).forEach((stop, step) => {
        const { stack, kind } = stop,
            y = at[stack].lanes[stop.row],
            own = group(step),
            layerStops = stack === "enc" ? 2 : 3,
            start = stack === "enc" ? 0 : at.memory + 1,
            layer = Math.floor((step - start - 2) / layerStops);
        const left = at.layers + layer * at.wide[stack] + 4,
            wide = at.wide[stack],
            side = Math.min(at.side, wide * (stack === "enc" ? 0.22 : 0.15)),
            gap = stack === "enc" ? 10 : 6;
        const values = vector(array("after"), step);
        if (kind === "word" || kind === "position") {
            const x = kind === "word" ? at.first : at.second;
            if (kind === "position") {
                line(step, `M${before} ${y}H${x - at.side / 2}`, stack);
                sum(own, (at.first + at.second) / 2, y, colours.position);
            }
            chip(own, values, x, y, at.side, stack, colours);
            foot(x, stack, kind === "word" ? t("word") : t("position"), kind === "word" ? "muted" : "position");
            before = x + at.side / 2;
            way.push([x, y]);
        } else if (kind === "mix" || kind === "look") {
            const begin = kind === "mix" ? left : before + 6,
                meet = begin + wide * (stack === "enc" ? 0.34 : 0.135),
                x = meet + gap + side / 2;
            line(step, `M${before} ${y}H${x - side / 2}`, stack);
            const spread = Math.min(9, (wide * 0.2) / stop.weights.length);
            stop.weights.forEach((weight, other) => {
                if (weight < LEAST || (kind === "mix" && other === stop.row)) return;
                const from = at[stack].lanes[other],
                    drop = begin + other * spread;
                const d =
                    kind === "mix"
                        ? `M${begin} ${from}C${(begin + meet) / 2 + 6} ${from} ${begin + 6} ${y} ${meet} ${y}`
                        : `M${drop} ${at.bus}V${at.dec.top + at.head}C${drop} ${y - 6} ${drop + 6} ${y} ${meet} ${y}`;
                line(step, d, hue(stop), Math.max(0.8, weight * 24)).classList.add("ribbon");
            });
            if (kind === "look") {
                const most = stop.weights.indexOf(Math.max(...stop.weights));
                const tag = `${data.source[most]} ${percent(stop.weights[most])}`;
                write(own, begin + wide * 0.12, (at.bus + at.dec.top) / 2 + at.head * 0.85, tag, {
                    class: "tag",
                    fill: colours.enc,
                });
            }
            sum(own, meet, y, colours[hue(stop)]);
            chip(own, values, x, y, side, stack, colours);
            foot(kind === "mix" ? meet : (begin + meet) / 2 + 4, stack, nameStop(kind), hue(stop));
            before = x + side / 2;
            way.push([x, y]);
        } else if (kind === "alone") {
            const box = before + gap - 4,
                broad = wide * (stack === "enc" ? 0.11 : 0.08),
                x = box + broad + gap + side / 2;
            line(step, `M${before} ${y}H${x - side / 2}`, stack);
            const across = 16,
                units = vector(array("units"), nets++);
            svgElement(
                "rect",
                { x: box, y: y - at.side / 2, width: broad, height: at.side, rx: 5, class: "net", stroke: colours.net },
                own,
            );
            net(own, units, box + 3, y - at.side / 2 + 3, (broad - 6) / across, across, colours, at.side - 6);
            chip(own, values, x, y, side, stack, colours);
            foot(box + broad / 2 + 2, stack, t("alone"), "net");
            before = x + side / 2;
            way.push([x, y]);
        } else if (kind === "memory") {
            const x = width - at.side / 2 - 8;
            line(step, `M${before} ${y}H${x - at.side / 2}`, stack);
            chip(own, values, x, y, at.side, stack, colours);
            line(
                step,
                `M${x} ${y + at.side / 2}V${at.bus - 10}Q${x} ${at.bus} ${x - 10} ${at.bus}H${at.layers}`,
                "enc",
                8,
            );
            write(map, at.layers - 10, at.bus, t("the memory"), { class: "end memory", fill: colours.enc });
            way.push([x, y]);
        } else {
            const x = width - 122 * data.type;
            line(step, `M${before} ${y}H${x - 8}`, stack);
            svgElement("path", { d: `M${x - 10} ${y - 7}l10 7l-10 7z`, fill: colours.dec }, own);
            const end = word(own, x + 60 * data.type, y, data.chosen, data, {
                colour: "dec",
                middle: true,
                large: true,
            });
            end.classList.add("large");
            foot(x + 60 * data.type, "dec", t("chosen"), "dec");
            way.push([x + 60 * data.type, y + 24]);
        }
    });
    const labels = svgElement("g", { class: "labels" }, svg);
    if (width > shown)
        svgElement("rect", { x: 0, y: 0, width: at.label + 6, height: at.tall, class: "ground" }, labels);
    for (const stack of stacks)
        at[stack].lanes.forEach((y, row) => {
            const rides = row === at.rows[stack],
                text = (stack === "enc" ? data.source : data.read)[row];
            const made = word(labels, at.label, y, text, data, { colour: rides ? stack : "muted", large: rides });
            if (stack === "enc" && !standsAlone(svg))
                pressable(made, t("Ride with “{word}”", { word: text }), () => pick({ word: row }));
        });
    const dot = svgElement("g", { class: "dot" }, map);
    svgElement("circle", { r: 13, class: "halo" }, dot);
    svgElement("circle", { r: 6.5 }, dot);
    return { map, groups, way, dot, width, shown, label: at.label, tall: at.tall };
}

/** @param {ReturnType<typeof drawMap>} drawn @param {number} now */
export function moveMap({ map, groups, way, dot, width, shown, label }, now) {
    const step = Math.floor(now),
        next = Math.min(way.length - 1, step + 1),
        share = ease(progressBetween(now - step, LEAVES, 1 - LEAVES)); // between, it rests on the stop that is told
    const crosses = way[next][1] !== way[step][1] && share > 0.5;
    const [x, y] =
        way[next][1] === way[step][1]
            ? [lerp(way[step][0], way[next][0], share), way[step][1]]
            : crosses
              ? way[next]
              : way[step]; // from a line to another it jumps
    setAttributes(dot, { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` });
    groups.forEach((group, at) => {
        const near = progressBetween(now - at, LEAVES - 1, -LEAVES);
        setAttributes(group, { opacity: (0.1 + 0.9 * near).toFixed(2) });
        group.classList.toggle("later", near < 0.3);
        group.classList.toggle("current", at === Math.round(now) && at < groups.length - 1);
    });
    if (width <= shown) return;
    const left = clamp(x - label - (shown - label) / 2, 0, width - shown);
    setAttributes(map, {
        transform: `translate(${(-left).toFixed(1)} 0)`,
        "clip-path": `inset(0 ${(width - shown - left).toFixed(1)}px 0 ${left.toFixed(1)}px)`,
    });
}
