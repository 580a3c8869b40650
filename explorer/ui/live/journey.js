// One query's journey: it meets every key, the products add up to scores, scores become weights, and values flow
// by their weights into the output. Rows are words, columns are steps; pointing at a word lets it ask.
import { element, live, screenReaderOnly, windowHeight } from "./dom.js";
import { formatMessage, t } from "./words.js";
import { nameMoments, nameSteps } from "./journey_words.js";
import { svgElement } from "./drawing.js";
import { number, percent } from "./numbers.js";
import { ease, lerp, tween } from "./motion.js";
import { button, player } from "./player.js";
import { moment, times } from "./journey_moment.js";
import { say as onPage } from "./reading.js";
import { compared, draw, paint, row } from "./journey_drawing.js";

/**
 * @typedef {object} Data
 * @property {string[]} words @property {string[]} features names of the numbers, if they have any
 * @property {string} asker what asks, if it is none of the words; else empty
 * @property {number} others how many words the last row stands for
 * @property {Record<"query" | "key" | "value" | "scores" | "weights" | "output" | "mixer", import("./unpack.js").Packed>} packed
 * @property {boolean} divided whether a sum is divided by √d
 * @property {number} ask word that asks until another one is pointed at
 * @property {boolean} begun whether the answer may be seen: else the query waits in its word
 */

const SWAP_MS = 180;

export default (/** @type {import("./dom.js").Component} */ component) => live(component, "journey", journey);

/** The sentence of one moment; **strong**, and ~q~ for a role.
 * @param {import("./journey_drawing.js").Vectors} data @param {import("./journey_drawing.js").Asker} asker
 * @param {number} asking @param {import("./journey_moment.js").Moment} now @param {boolean} waits */
function sentence(data, asker, asking, now, waits) {
    const known = data.others ? asker.weights.slice(0, -1) : asker.weights,
        best = known.indexOf(Math.max(...known)),
        named = data.features.length > 0;
    /** @type {Record<string, string>} */
    const words = {
        word: data.asker || data.words[asking],
        best: data.words[best],
        weight: percent(asker.weights[best]),
        d: String(data.d),
    };
    words.others = String(data.others);
    words.together = percent(asker.weights[data.words.length - 1]);
    /** @type {keyof ReturnType<typeof nameMoments>} */
    let name = waits
        ? "wait"
        : /** @type {const} */ ([
              "ask",
              "met",
              now.divided > 0 ? "shared" : "raised",
              "gathered",
              data.others ? "most" : "answered",
          ])[now.step];
    if (now.step === 1) {
        const { lit, products, score } = compared(data, asker, now, now.row),
            i = lit - 1;
        words.key = data.words[now.row];
        words.score = number(score, 2);
        words.n = String(lit);
        if (data.others && now.row === data.words.length - 1) name = "others";
        else if (lit === 0) name = "meets";
        else if (named && lit < data.d) {
            name = "product";
            Object.assign(words, {
                feature: data.features[i],
                q: number(asker.query[i]),
                k: number(data.key[now.row * data.d + i]),
                p: number(products[i]),
            });
        } else if (named) {
            name = "sum";
            words.sum = products
                .map((each) => number(each))
                .join(" + ")
                .replaceAll("+ −", "− ");
            words.total = number(products.reduce((all, each) => all + each, 0));
        } else if (lit < data.d) name = "adding";
    }
    return formatMessage(nameMoments(data)[name], words);
}

/** @param {HTMLElement} root */
function journey(root) {
    const stage = element("div", "stage"),
        askers = element("div", "askers");
    askers.role = "radiogroup";
    const time = player(show);
    root.replaceChildren(stage, time.foot, time.line);
    const table = screenReaderOnly(root, "table");
    const svg = svgElement("svg", { "aria-hidden": "true" }, stage);
    stage.append(askers);

    /** @type {Data} */ let data;
    /** @type {import("./journey_drawing.js").Vectors} */ let vectors;
    /** @type {import("./journey_drawing.js").Drawing} */ let drawing;
    /** @type {import("./journey_drawing.js").Asker} */ let asker;
    /** @type {ReturnType<typeof times>} */ let when;
    /** @type {import("./dom.js").Changed} */ let tell;
    let asking = 0,
        pinned = 0,
        given = "",
        width = 0,
        halt = () => {};

    /** Draw one moment. @param {number} at */
    function show(at) {
        if (!drawing) return;
        const now = moment(at, when);
        paint(drawing, vectors, asker, asking, now);
        const step = `${now.step + 1} ${nameSteps()[now.step]}`;
        time.line.classList.toggle("press", at === 0);
        time.say(step, sentence(vectors, asker, asking, now, at === 0));
        const rests = at >= time.end() && asking === pinned; // what Python wrote of this word is its whole answer
        time.line.hidden = onPage(root, rests ? [] : [...time.line.childNodes]);
    }

    /** Let a word ask; at the same moment its numbers take the place of the last one's. @param {number} at */
    function ask(at) {
        if (at === asking) return;
        const from = asker,
            to = numbers(at);
        asking = at;
        mark();
        halt();
        halt = tween(SWAP_MS, (share) => {
            const mixed = (/** @type {keyof typeof to} */ name) =>
                to[name].map((each, i) => lerp(from[name][i], each, ease(share)));
            asker =
                share < 1
                    ? {
                          query: mixed("query"),
                          scores: mixed("scores"),
                          weights: mixed("weights"),
                          output: mixed("output"),
                      }
                    : to;
            time.again();
        });
    }

    /** @param {number} at */
    function pin(at) {
        pinned = at;
        ask(at);
        mark();
        time.at(0);
        time.play();
        tell({ asks: at });
    }

    /** @param {number} at @returns {import("./journey_drawing.js").Asker} */
    const numbers = (at) => ({
        query: row(vectors.query, at, vectors.d),
        scores: row(vectors.scores, at, vectors.words.length),
        weights: row(vectors.weights, at, vectors.words.length),
        output: row(vectors.output, at, vectors.wide),
    });

    /** Show which word asks, and write its numbers for screen readers. */
    function mark() {
        [...askers.querySelectorAll("button")].forEach((each, at) => {
            each.classList.toggle("asking", at === asking);
            each.setAttribute("aria-checked", String(at === pinned));
            each.tabIndex = at === pinned ? 0 : -1;
        });
        const { scores, weights, output } = numbers(asking);
        const line = (/** @type {string} */ name, /** @type {string[]} */ cells) => {
            const made = element("tr", ""),
                head = element(name ? "th" : "td", "", name);
            if (name) head.setAttribute("scope", "row");
            made.append(head, ...cells.map((cell) => element("td", "", cell)));
            return made;
        };
        table.replaceChildren(
            element(
                "caption",
                "",
                t("“{word}” asks: score and weight of every word, and the output", {
                    word: data.asker || data.words[asking],
                }),
            ),
            line("", [t("score"), t("weight")]),
            ...data.words.map((word, at) => line(word, [scores[at].toFixed(4), weights[at].toFixed(4)])),
            line(
                t("output"),
                output.map((each) => each.toFixed(4)),
            ),
        );
    }

    /** Make a button for each word that may ask. */
    function fill() {
        const point = (/** @type {number} */ at) => (/** @type {PointerEvent} */ event) => {
            if (event.pointerType === "mouse") ask(at < 0 ? pinned : at);
        };
        askers.ariaLabel = t("Which word asks?");
        const asks = data.asker ? [data.asker] : data.words;
        askers.replaceChildren(
            ...asks.map((word, at) => {
                const made = button(word);
                made.role = "radio";
                made.classList.toggle("apart", Boolean(data.asker));
                made.onpointerenter = point(at);
                made.onpointerleave = point(-1);
                made.onclick = () => pin(at);
                made.onkeydown = (event) => {
                    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
                    if (!step) return;
                    event.preventDefault();
                    const to = (at + step + asks.length) % asks.length;
                    /** @type {HTMLElement} */ (askers.children[to]).focus();
                    pin(to);
                };
                return made;
            }),
            ...(data.asker ? data.words.map((word) => element("span", "word", word)) : []),
        );
        time.named(t("Moment of the journey"));
    }

    function build() {
        width = root.clientWidth;
        if (!width) return;
        const high = windowHeight(root),
            room = high - (high < 800 ? 320 : 340);
        drawing = draw(svg, vectors, width, room);
        const { position } = drawing;
        askers.style.cssText = `top:${position.head - (data.asker ? position.row : 0)}px;width:${position.word}px;grid-auto-rows:${position.row}px`;
        time.again();
    }

    const resized = new ResizeObserver(() => {
        if (data && root.clientWidth !== width) build();
    });
    resized.observe(root);
    return {
        /** @param {Data} now @param {import("./dom.js").Changed} told */
        take(now, told) {
            tell = told;
            const { ask: wanted, begun, ...rest } = now,
                all = JSON.stringify(rest);
            if (all === given) {
                const revealed = begun && !data.begun;
                data = now;
                pinned = wanted;
                ask(wanted);
                mark();
                if (revealed && !time.running()) time.play();
                if (!begun) time.at(0);
                return;
            }
            [given, data] = [all, now];
            const unpacked = Object.fromEntries(Object.entries(now.packed).map(([name, { values }]) => [name, values]));
            const [d, wide] = [unpacked.key, unpacked.value].map(({ length }) => length / now.words.length);
            vectors = /** @type {any} */ ({ ...now, ...unpacked, d, wide, root: now.divided ? Math.sqrt(d) : 1 });
            [when, asking, pinned] = [times(now.words.length), wanted, wanted];
            time.stops(when.stops);
            asker = numbers(asking);
            fill();
            mark();
            width = 0;
            build();
            time.at(begun ? time.end() : 0);
        },
        end() {
            time.close();
            halt();
            resized.disconnect();
        },
    };
}
