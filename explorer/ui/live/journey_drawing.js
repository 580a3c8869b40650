// One query's journey on paper: what never moves, and what each moment changes.
import { t } from "./words.js";
import { nameColumns } from "./journey_words.js";
import { bars, setAttributes, ribbon, svgElement, vectorBars, setText } from "./drawing.js";
import { number, percent } from "./numbers.js";
import { clamp, ease, progressBetween, lerp } from "./motion.js";
import { layout } from "./journey_moment.js";

const SHIFT = 0.24; // of a row: from its middle down to the line of query and key, and up to that of the products
const REACH = 0.23; // of a row: the longest bar
const PAIR = 50; // pixels across that the numbers of a query and a key need beside each other
const CUT = 0.985; // of all numbers without names: longer bars are cut, or one number would flatten all others

/**
 * @typedef {object} Vectors
 * @property {string[]} words @property {string[]} features names of the numbers, if they have any
 * @property {string} asker what asks, if it is none of the words
 * @property {boolean} divided whether a sum is divided by √d @property {number} d numbers of query and key @property {number} wide numbers of a value
 * @property {Float32Array} mixer v of an additive score; empty where query and key are multiplied @property {number} root what a sum is
 *   divided by @property {number} others how many words the last row stands for: it has no products
 * @property {Float32Array} query @property {Float32Array} key @property {Float32Array} value rows of words
 * @property {Float32Array} scores @property {Float32Array} weights @property {Float32Array} output
 * @typedef {{query: number[], scores: number[], weights: number[], output: number[]}} Asker numbers of the word that asks
 * @typedef {ReturnType<typeof draw>} Drawing
 */

/** A row of a matrix. @param {Float32Array} matrix @param {number} at @param {number} width */
export const row = (matrix, at, width) => [...matrix.subarray(at * width, (at + 1) * width)];

/** How much longer than a line a number would be that is drawn whole. @param {Vectors} data */
function largest(data) {
    const of = (/** @type {number[]} */ numbers) => {
        const sorted = numbers.map(Math.abs).sort((a, b) => a - b);
        return Math.max(1e-9, sorted[Math.floor((sorted.length - 1) * (data.features.length ? 1 : CUT))]);
    };
    const products = (data.asker ? [data.asker] : data.words).flatMap((_, asks) =>
        data.words.flatMap((_, asked) => terms(data, row(data.query, asks, data.d), asked)),
    );
    const [query, key, value, scores] = [data.query, data.key, data.value, data.scores].map((each) => of([...each]));
    return { query, key, value, scores, product: of(products) };
}

/** What a score is the sum of, number by number: query times key, or v tanh(query + key); nothing of a row that stands for several.
 * @param {Vectors} data @param {number[]} query @param {number} at the key */
function terms({ key, d, mixer, others, words }, query, at) {
    if (others && at === words.length - 1) return query.map(() => 0);
    return query.map((q, i) => (mixer.length ? mixer[i] * Math.tanh(q + key[at * d + i]) : q * key[at * d + i]));
}

/** Draw what stands still, and make what will move. @param {SVGSVGElement} svg @param {Vectors} data
 * @param {number} width @param {number} room */
export function draw(svg, data, width, room) {
    const { words, features, d } = data,
        n = words.length,
        position = layout(width, room, n, d, data.wide, features.length > 0);
    const most = largest(data);
    svg.replaceChildren();
    setAttributes(svg, { viewBox: `0 0 ${width} ${position.height}`, height: position.height, width });
    svg.classList.toggle("fine", position.strip.slot < 9);
    const heads = headings(svg, position, nameColumns(data));
    const band = svgElement(
        "rect",
        { class: "band", x: 0, width: position.x.river, height: position.row - 2, rx: 6 },
        svg,
    );
    if (!data.asker)
        setText(
            svgElement(
                "text",
                { class: "role q", x: position.word - 9, y: position.y(-1) + 5, "text-anchor": "end" },
                svg,
            ),
            t("query"),
        );
    if (features.length)
        setText(
            svgElement(
                "text",
                { class: "number", x: position.small ? position.x.weight : position.x.score, y: position.y(-1) + 5 },
                svg,
            ),
            t("hollow: below zero"),
        );
    const river = svgElement("g", { class: "river" }, svg);
    const rows = words.map((_, at) => drawRow(svg, river, data, position, most, at));
    const out = svgElement("g", {}, svg),
        { x, y, width: wide, tall } = position.out;
    svgElement("rect", { class: "out", x, y: y - tall / 2, width: wide, height: tall, rx: 8 }, out);
    svgElement(
        "line",
        { x1: position.out.from, x2: position.out.from + data.wide * position.out.slot, y1: y, y2: y },
        out,
    );
    const output = vectorBars(out, "o");
    const totals = names(svg, features, position, out);
    const flying = svgElement("g", {}, svg),
        flights = words.map(() => vectorBars(flying, "v"));
    const cart = svgElement("g", { class: "cart" }, svg);
    svgElement(
        "rect",
        { x: position.strip.from - 17, y: 0, width: position.strip.width - 4, height: position.row * 0.5 - 1, rx: 6 },
        cart,
    );
    setText(
        svgElement(
            "text",
            { class: "role", x: position.strip.from - 9, y: position.row * SHIFT + 5, "text-anchor": "middle" },
            cart,
        ),
        "q",
    );
    const asks = vectorBars(cart, "q"),
        lens = features.length ? null : drawLens(svg, position, d);
    return { position, most, heads, band, rows, output, totals, flights, cart, asks, lens };
}

/** Name the columns. @param {SVGSVGElement} svg @param {ReturnType<typeof layout>} position
 * @param {ReturnType<typeof nameColumns>} names */
function headings(svg, position, names) {
    const { x, small } = position;
    /** @type {Record<string, number>} */
    const middle = {
        strip: x.strip + position.strip.width / 2,
        score: x.score + position.score / 2,
        weight: x.weight + position.weight / 2,
        value: x.value + position.value / 2,
        out: x.out + position.out.width / 2,
    };
    const titles = {
        strip: names.comparing,
        score: small ? "" : names.scoring,
        weight: names.weight,
        value: names.value,
        out: names.output,
    };
    if (!small) {
        const below = { class: "name", x: middle.score, y: 30, "text-anchor": "middle" };
        setText(svgElement("text", below, svg), names.summed);
    }
    return Object.entries(titles).map(([column, title]) => {
        const beside = small &&
            column === "out" && { x: position.out.x - 9, y: position.out.y + 5, "text-anchor": "end" };
        const made = svgElement(
            "text",
            { class: `head ${column}`, ...(beside || { x: middle[column], y: 13, "text-anchor": "middle" }) },
            svg,
        );
        for (const part of title.split(/(\{query\}|\{key\})/)) {
            const role = part === "{query}" ? "query" : part === "{key}" ? "key" : null;
            setText(svgElement("tspan", { class: role ?? "" }, made), role ? names[role] : part);
        }
        return { column, made };
    });
}

/** Name the numbers above the keys, and write those of the output. @param {SVGSVGElement} svg @param {string[]} features
 * @param {ReturnType<typeof layout>} position @param {Element} out */
function names(svg, features, position, out) {
    const { strip: lane, out: box, small } = position;
    return features.map((name, i) => {
        const x = lane.from + (i + 0.5) * lane.slot,
            over = box.from + (i + 0.5) * box.slot;
        const step = (/** @type {number} */ slot) => (slot < 28 ? i : slot < 58 ? i % 2 : 0) * 13;
        setText(svgElement("text", { class: "name", x, y: 27 + step(lane.slot), "text-anchor": "middle" }, svg), name);
        const above = { class: "name", x: over, y: box.y - box.tall / 2 - 6 - step(box.slot), "text-anchor": "middle" };
        if (!small) setText(svgElement("text", above, out), name);
        return svgElement(
            "text",
            { class: "name total", x: over, y: box.y + box.tall / 2 - 5, "text-anchor": "middle" },
            out,
        );
    });
}

/** Draw a word's key and value, and make what the journey adds. @param {SVGSVGElement} svg @param {Element} river
 * @param {Vectors} data @param {ReturnType<typeof layout>} position @param {ReturnType<typeof largest>} most @param {number} at */
function drawRow(svg, river, data, position, most, at) {
    const { x, row: tall, strip: lane, values: held, small } = position,
        { d, features, wide } = data;
    const group = svgElement("g", {}, svg),
        y = position.y(at),
        reach = tall * REACH;
    const line = (/** @type {number} */ from, /** @type {number} */ to, /** @type {number} */ height) =>
        svgElement("line", { x1: from, x2: to, y1: height, y2: height }, group);
    line(0, x.river, y + tall / 2);
    line(lane.from, lane.from + lane.slot * d, y + tall * SHIFT);
    const key = {
        x: lane.from,
        y: y + tall * SHIFT,
        slot: lane.slot,
        offset: lane.slot / 2 - lane.bar,
        width: lane.bar,
    };
    const cut = (/** @type {number[]} */ numbers, /** @type {number} */ end) =>
        numbers.map((each) => clamp(each, -end, end));
    const echo = vectorBars(group, "q echo"),
        keys = row(data.key, at, d),
        zoom = zoomOf(svg);
    bars(vectorBars(group, "k"), cut(keys, most.key), { ...key, scale: reach / most.key });
    const pairs = features.map((_, i) => {
        const write = (/** @type {string} */ role, /** @type {number} */ side) =>
            svgElement(
                "text",
                {
                    class: `number ${role}`,
                    x: lane.from + (i + 0.5) * lane.slot + side,
                    "text-anchor": side < 0 ? "end" : "start",
                },
                group,
            );
        return lane.slot < PAIR * zoom ? null : { query: write("q", 2), key: write("k", -2) };
    });
    const say = (/** @type {Element} */ text, /** @type {number} */ value) => {
        setText(text, value ? number(value) : "");
        setAttributes(text, { y: y + tall * SHIFT + (value < 0 ? -4 : 13 * zoom) });
    };
    pairs.forEach((pair, i) => pair && say(pair.key, keys[i]));
    const above = line(lane.from, lane.from + lane.slot * d, y - tall * SHIFT),
        products = vectorBars(group, "p");
    const numbers = features.map((_, i) =>
        lane.slot < 44
            ? null
            : svgElement(
                  "text",
                  {
                      class: "number",
                      x: lane.from + (i + 0.5) * lane.slot + lane.bar / 2 + 3,
                      y: y - tall * SHIFT - 1,
                  },
                  group,
              ),
    );
    if (!small)
        svgElement(
            "line",
            {
                x1: x.score + position.score / 2,
                x2: x.score + position.score / 2,
                y1: y - tall * 0.3,
                y2: y + tall * 0.3,
            },
            group,
        );
    const bar = (/** @type {number} */ height) =>
        svgElement("rect", { class: "bar", y: y - height / 2, height, width: 0, rx: 2 }, group);
    const score = small ? null : { bar: bar(10), text: svgElement("text", { class: "number", y: y + 5 }, group) };
    const weight = {
        bar: bar(14),
        text: svgElement("text", { class: "number strong", y: small ? y + 21 : y + 5 }, group),
    };
    weight.text.append(weight.text.ownerDocument.createElementNS(weight.text.namespaceURI, "tspan"));
    const value = svgElement("g", {}, group),
        across = { x: held.from, y, slot: held.slot, offset: held.slot * 0.14, width: held.slot * 0.72 };
    svgElement("line", { x1: held.from, x2: held.from + held.slot * wide, y1: y, y2: y }, value);
    bars(vectorBars(value, "v"), cut(row(data.value, at, wide), most.value), {
        ...across,
        scale: (tall * 0.36) / most.value,
    });
    return {
        above,
        echo: (/** @type {number[]} */ query) => {
            bars(echo, cut(query, most.query), { ...key, offset: lane.slot / 2, scale: reach / most.query });
            pairs.forEach((pair, i) => pair && say(pair.query, query[i] ?? 0));
        },
        products,
        numbers,
        score,
        weight,
        value,
        ribbon: svgElement("path", {}, river),
        power: svgElement("tspan", { dy: -5 }, weight.text),
    };
}

/** Make the lens: query, key and products of the present row, large. @param {SVGSVGElement} svg
 * @param {ReturnType<typeof layout>} position @param {number} d */
function drawLens(svg, position, d) {
    const { small, x, width, head, row: tall } = position,
        rows = position.height - head;
    const left = small ? 0 : x.weight + 8,
        top = small ? position.out.y - 44 : head + rows * 0.16;
    const box = { left, top, wide: width - left - 1, tall: small ? 88 : Math.min(250, Math.max(5 * tall, rows * 0.6)) };
    const slot = (box.wide - 110) / d,
        from = left + 24,
        lane = box.tall / 3;
    const group = svgElement("g", { class: "lens" }, svg);
    svgElement("rect", { class: "glass", x: left, y: top, width: box.wide, height: box.tall, rx: 10 }, group);
    const mark = svgElement("rect", { class: "band", y: top + 3, height: box.tall - 6, width: slot, rx: 3 }, group);
    const lanes = ["q", "k", "p"].map((role, at) => {
        const y = top + lane * (at + 0.5);
        setText(
            svgElement("text", { class: `role ${role}`, x: left + 12, y: y + 5, "text-anchor": "middle" }, group),
            role === "p" ? "=" : role,
        );
        svgElement("line", { x1: from, x2: from + slot * d, y1: y, y2: y }, group);
        const said = svgElement(
            "text",
            { class: `role ${role}`, x: left + box.wide - 9, y: y + 5, "text-anchor": "end" },
            group,
        );
        return { y, strip: vectorBars(group, role), said };
    });
    return { group, mark, lanes, from, slot, lane };
}

/** How much larger type is than usual. @param {Element} node */
const zoomOf = (node) => Number(getComputedStyle(node).getPropertyValue("--zoom")) || 1;

/** Draw one moment. @param {Drawing} drawing @param {Vectors} data @param {Asker} asker @param {number} asking
 * @param {import("./journey_moment.js").Moment} now */
export function paint(drawing, data, asker, asking, now) {
    const { position, lens, band } = drawing,
        comparing = now.step === 1;
    const through = Boolean(lens && comparing && now.row >= 0);
    setAttributes(band, { y: position.y(Math.max(now.row, 0)) - position.row / 2 + 1, opacity: comparing ? 1 : 0 });
    const hot = ["", "strip score", "weight", "out", "out"][now.step];
    for (const { column, made } of drawing.heads) made.classList.toggle("hot", hot.split(" ").includes(column));
    paintQuery(drawing, asker, now);
    if (lens) {
        setAttributes(lens.group, { display: through ? "inline" : "none" });
        if (through) paintLens(drawing, data, asker, asking, now);
    }
    let stacked = 0;
    const sum = new Array(data.wide).fill(0),
        highest = Math.max(...asker.scores);
    drawing.rows.forEach((each, at) => {
        if (data.features.length) each.echo(now.met[at] ? asker.query : []); // so that each product can be read off
        paintComparison(drawing, data, asker, now, at);
        paintWeight(position, each, asker, now, at, Math.exp(asker.scores[at] - highest));
        setAttributes(each.value, {
            opacity: through ? 0.08 : lerp(0.6, asker.weights[at] > 0.03 ? 1 : 0.35, now.divided),
        });
        stacked += paintRibbon(position, each, asker.weights[at], at, stacked, now.flow);
        paintFlight(drawing, data, asker.weights[at], at, now.flow, sum);
    });
    const output = now.flow === 1 ? asker.output : sum,
        { x, y, tall } = { ...position.out, x: position.out.from };
    const scale = (tall / 2 - (data.features.length ? 16 : 5)) / drawing.most.value;
    bars(
        drawing.output,
        output.map((each) => clamp(each, -drawing.most.value, drawing.most.value)),
        {
            x,
            y,
            slot: position.out.slot,
            offset: position.out.slot * 0.14,
            width: position.out.slot * 0.72,
            scale,
        },
    );
    drawing.totals.forEach((text, i) => setText(text, now.flow > 0.4 ? number(output[i]) : ""));
}

/** Draw the query where it is: in its row above the words, past every key, home again. @param {Drawing} drawing
 * @param {Asker} asker @param {import("./journey_moment.js").Moment} now */
function paintQuery({ position, most, cart, asks }, asker, now) {
    const home = -1; // its row, above the words
    const to = now.row < 0 ? lerp(home, 0, now.climbed) : lerp(Math.max(now.row - 1, 0), now.row, now.fallen);
    const y = position.y(lerp(to, home, now.home)),
        slide = (position.strip.from - position.word) * 0.8 * (now.born - 1);
    setAttributes(cart, {
        transform: `translate(${slide.toFixed(1)} ${y.toFixed(1)})`,
        opacity: lerp(now.born, 0.45, now.home),
    });
    const lane = position.strip,
        scale = (position.row * REACH * now.born) / most.query;
    const at = {
        x: lane.from,
        y: position.row * SHIFT,
        slot: lane.slot,
        offset: lane.slot / 2,
        width: lane.bar,
        scale,
    };
    bars(
        asks,
        asker.query.map((each) => clamp(each, -most.query, most.query)),
        at,
    );
}

/** The products of one key that are done, and their sum so far. @param {Vectors} data @param {Asker} asker
 * @param {import("./journey_moment.js").Moment} now @param {number} at */
export function compared(data, asker, now, at) {
    const lit = Math.round(now.lit[at] * data.d),
        products = terms(data, asker.query, at);
    const sum = products.slice(0, lit).reduce((all, each) => all + each, 0) / data.root;
    const joined = data.others > 0 && at === data.words.length - 1;
    return { lit, products, score: joined || lit === data.d ? asker.scores[at] : sum };
}

/** Draw the products of one row, and the score they add up to. @param {Drawing} drawing @param {Vectors} data
 * @param {Asker} asker @param {import("./journey_moment.js").Moment} now @param {number} at */
function paintComparison({ position, most, rows }, data, asker, now, at) {
    const each = rows[at],
        { lit, products, score } = compared(data, asker, now, at),
        lane = position.strip;
    const spot = {
        x: lane.from,
        y: position.y(at) - position.row * SHIFT,
        slot: lane.slot,
        offset: (lane.slot - lane.bar) / 2,
        width: lane.bar,
        scale: (position.row * REACH) / most.product,
    };
    bars(
        each.products,
        products.map((p) => clamp(p, -most.product, most.product)),
        spot,
        lit,
    );
    setAttributes(each.above, { opacity: now.met[at] ? 0.8 : 0 });
    each.numbers.forEach(
        (text, i) => text && setText(text, i < lit && Math.abs(products[i]) > 0.04 ? number(products[i]) : ""),
    );
    const shown = each.score ?? (now.grown === 0 ? each.weight : null);
    if (!shown) return;
    const half = (each.score ? position.score : position.weight) / 2,
        zero = (each.score ? position.x.score : position.x.weight) + half;
    const long = (Math.abs(score) / most.scores) * (half - (each.score ? 32 : 4)),
        said = lit ? number(score) : "";
    setAttributes(shown.bar, {
        x: score < 0 ? zero - long : zero,
        width: now.met[at] ? long : 0,
        class: score < 0 ? "bar below" : "bar",
    });
    const beside = each.score
        ? score < 0
            ? { x: zero - long - 5, "text-anchor": "end" }
            : { x: zero + long + 5, "text-anchor": "start" }
        : { x: zero, "text-anchor": "middle" };
    setAttributes(shown.text, beside);
    const text = /** @type {Element} */ (each.score ? shown.text : shown.text.firstElementChild);
    setText(text, said);
}

/** Draw e^score, and then its share of the sum. @param {ReturnType<typeof layout>} position
 * @param {Drawing["rows"][number]} each @param {Asker} asker @param {import("./journey_moment.js").Moment} now
 * @param {number} at @param {number} power of the largest score it is 1 */
function paintWeight(position, each, asker, now, at, power) {
    const { bar, text } = each.weight,
        weight = asker.weights[at],
        word = /** @type {Element} */ (text.firstElementChild);
    if (now.grown === 0) {
        if (!position.small) {
            setAttributes(bar, { width: 0 });
            setText(word, "");
        }
        setText(each.power, "");
        return;
    }
    const long = now.grown * lerp(power, weight, now.divided) * (position.weight - (position.small ? 8 : 48)),
        x = position.x.weight + 2;
    setAttributes(bar, { x, width: Math.max(long, 0.8), class: "bar" });
    setAttributes(text, { x: position.small ? x : x + long + 6, "text-anchor": "start" });
    setText(word, now.divided < 0.5 ? "e" : percent(weight));
    setText(each.power, now.divided < 0.5 ? number(asker.scores[at]) : "");
}

/** Draw the ribbon of one value, as thick as its weight; ribbons are stacked where they arrive. Returns the thickness.
 * @param {ReturnType<typeof layout>} position @param {Drawing["rows"][number]} each @param {number} weight
 * @param {number} at @param {number} stacked @param {number} flow */
function paintRibbon(position, each, weight, at, stacked, flow) {
    const whole = position.small ? 30 : position.whole,
        thick = weight * whole,
        y = position.y(at),
        part = ease(clamp(flow * 1.6));
    const to = position.out.y - whole / 2 + stacked + thick / 2;
    let path = "";
    if (flow > 0 && position.small) {
        const x = position.width - 36 + stacked + thick / 2,
            turn = Math.min(12, position.row / 3);
        const [left, right, start, end] = [x - turn, x, y + turn, to - turn].map((each) => each.toFixed(1));
        path = `M${position.x.river.toFixed(1)} ${y.toFixed(1)}H${left}Q${right} ${y.toFixed(1)} ${right} ${start}V${end}Q${right} ${to.toFixed(1)} ${left} ${to.toFixed(1)}H${(position.out.x + position.out.width).toFixed(1)}`;
    } else if (flow > 0) path = ribbon(position.x.river, y, position.out.x, to);
    setAttributes(each.ribbon, {
        d: path,
        "stroke-width": Math.max(thick, 0.7).toFixed(2),
        pathLength: 1,
        "stroke-dasharray": `${part} 2`,
    });
    return thick;
}

/** Draw one value on its way, scaled by its weight, and add to `sum` what has arrived. @param {Drawing} drawing
 * @param {Vectors} data @param {number} weight @param {number} at @param {number} flow @param {number[]} sum */
function paintFlight({ position, most, flights }, data, weight, at, flow, sum) {
    const { values, out, row: tall } = position,
        begin = (at / data.words.length) * 0.45,
        way = ease(progressBetween(flow, begin, begin + 0.5));
    const value = row(data.value, at, data.wide),
        flying = way > 0 && way < 1 && weight > 0.004;
    const slot = lerp(values.slot, out.slot, way),
        shrunk = lerp(1, weight, clamp(way * 1.6));
    const x = lerp(values.from, out.from, way),
        y = lerp(position.y(at), out.y, way * ease(way));
    bars(
        flights[at],
        value.map((each) => clamp(each, -most.value, most.value)),
        {
            x,
            y,
            slot,
            offset: slot * 0.14,
            width: slot * 0.72,
            scale: ((tall * 0.36) / most.value) * shrunk,
        },
        flying ? data.wide : 0,
    );
    const arrived = progressBetween(way, 0.85, 1);
    value.forEach((each, i) => {
        sum[i] += arrived * weight * each;
    });
}

/** Draw query, key and the products that are done in the lens. @param {Drawing} drawing @param {Vectors} data
 * @param {Asker} asker @param {number} asking @param {import("./journey_moment.js").Moment} now */
function paintLens({ lens, most }, data, asker, asking, now) {
    if (!lens) return;
    const { lit, products, score } = compared(data, asker, now, now.row),
        { from, slot, lane } = lens;
    const shown = [
        { numbers: asker.query, end: most.query, count: data.d, said: data.asker || data.words[asking] },
        { numbers: row(data.key, now.row, data.d), end: most.key, count: data.d, said: data.words[now.row] },
        { numbers: products, end: most.product, count: lit, said: lit ? number(score) : "" },
    ];
    shown.forEach(({ numbers, end, count, said }, at) => {
        const position = {
            x: from,
            y: lens.lanes[at].y,
            slot,
            offset: slot * 0.12,
            width: slot * 0.76,
            scale: (lane * 0.44) / end,
        };
        bars(
            lens.lanes[at].strip,
            numbers.map((each) => clamp(each, -end, end)),
            position,
            count,
        );
        setText(lens.lanes[at].said, said);
    });
    setAttributes(lens.mark, { x: from + (lit - 1) * slot, opacity: lit && lit < data.d ? 1 : 0 });
}
