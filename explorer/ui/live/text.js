// Attention over text: one or two words ask, in full colour, and all others are pale. Pointing asks and a click pins, and
// nobody asks the server; Python is told which word is pinned, which heads are shown, and which head is switched off.
import { svgElement } from "./drawing.js";
import { MOVES, boxesOn, element, live, formatWeight, screenReaderOnly, weightTable } from "./dom.js";
import { t } from "./words.js";
import { speak } from "./reading.js";
import { inLines, stream } from "./text_drawing.js";
import { paint, ramp } from "./weights.js";

/**
 * @typedef {object} Data
 * @property {string[]} asks words that ask @property {string[]} asked words that are asked
 * @property {[boolean[], boolean[]]} rests which of both are no words
 * @property {string[]} colours of the heads @property {string[]} kinds what each head does, in a word
 * @property {import("./unpack.js").Packed} weights [heads, words that ask, words that are asked]; missing where a mask hides
 * @property {number[]} off heads that are switched off
 * @property {number[]} start one or two words that ask first
 * @property {number} pinned the word that asks until it is clicked again; -1 if none
 * @property {number[]} shown heads that are drawn until the reader chooses others
 * @property {boolean} keeps whether Python is told which heads these are
 * @property {boolean} waits whether the ribbons of the words that ask first are not shown yet
 * @property {[number, string][]} scale colours of weights @property {[string, string]} masked ground and hatch
 */

const TYPE = [19, 28],
    WIDE = 0.56,
    BESIDE = 16,
    GAP = 5; // pixels of a letter, its width in its height, pixels beside a word, and between words
const PHONE = 600,
    ACROSS = 2.5; // pixels; up to so many widths of a phone a sentence scrolls in one line, and a longer one is wrapped
const LEAST_SAID = 0.05; // of a weight: what is less has no number
const ASKERS = 2; // so many words ask at once: more ribbons cannot be told apart
const SETTLED = 350; // milliseconds after the last click on a tile, until Python is told: a double click is two
const POWER = "M12 3v9M6.5 6.5a8 8 0 1 0 11 0";

export default (/** @type {import("./dom.js").Component} */ component) => live(component, "text", make);

/** @param {HTMLElement} root */
function make(root) {
    const tiles = element("div", "tiles"),
        reach = element("div", "reach"),
        sentence = element("div", "sentence");
    const asked = element("div", "words asked"),
        asks = element("div", "words asks");
    const line = element("p", "line"),
        hint = element("p", "hint press");
    const flow = svgElement("svg", { class: "flow", "aria-hidden": "true" }, sentence);
    sentence.append(asked, element("div", "gap"), asks);
    reach.append(sentence);
    root.replaceChildren(tiles, reach, line, hint);
    const table = screenReaderOnly(root, "table");
    line.ariaLive = "polite";

    /** @type {Data} */ let data;
    /** @type {Float32Array} */ let weights;
    /** @type {import("./dom.js").Changed} */ let tell;
    /** @type {Float32Array} */ let mean; // over the heads that are drawn
    /** @type {Set<number>} */ let shown = new Set();
    /** @type {number[]} */ let drawn = [];
    let pointed = { row: -1, column: -1 };
    /** @type {number[]} */ let held = [];
    /** @type {import("./text_drawing.js").End[][]} */ let ends = [[], []];
    let preview = -1,
        given = "",
        telling = 0;
    const rows = () => data.asks.length,
        columns = () => data.asked.length;
    const weight = (/** @type {number} */ head, /** @type {number} */ row, /** @type {number} */ column) =>
        weights[(head * rows() + row) * columns() + column];
    const share = (/** @type {number} */ row, /** @type {number} */ column) => mean[row * columns() + column];

    /** Take other heads: those that are chosen, or the one that is pointed at alone. */
    function choose() {
        drawn = preview >= 0 ? [preview] : [...shown].filter((head) => !data.off.includes(head)).sort((a, b) => a - b);
        mean = new Float32Array(rows() * columns());
        for (const head of drawn) {
            for (let cell = 0; cell < mean.length; cell += 1)
                mean[cell] += weights[head * mean.length + cell] / drawn.length;
        }
        [...tiles.children].forEach((box, head) =>
            box.firstElementChild?.setAttribute("aria-pressed", String(shown.has(head))),
        );
        if (!drawn.length) table.replaceChildren();
        else if (preview < 0) weightTable(table, data.asks, data.asked, share);
        light();
    }

    /** Show other heads, and tell Python once the reader has settled. @param {Iterable<number>} heads */
    function show(heads) {
        shown = new Set(heads);
        choose();
        clearTimeout(telling);
        if (data.keeps)
            telling = setTimeout(() => tell({ shown: { heads: [...shown].sort((a, b) => a - b) } }), SETTLED);
    }

    /** Point at a word that asks, or at one that is asked. @param {number} row @param {number} column */
    function point(row, column) {
        if (row === pointed.row && column === pointed.column) return;
        pointed = { row, column };
        light();
    }

    /** Pin a word that asks, or let it go; of two that ask already, the older one goes. @param {number} row */
    function pin(row) {
        pointed = { row: -1, column: -1 };
        held = held.includes(row) ? held.filter((each) => each !== row) : [...held, row].slice(-ASKERS);
        if (!held.length) pointed.row = row;
        light();
        if (held.includes(row)) tell({ pinned: { row } });
    }

    /** Which words ask: those that are pinned, and beside one of them what is pointed at. @returns {number[]} */
    function asking() {
        const { row, column } = pointed;
        if (held.length) return row < 0 || held.length === ASKERS || held.includes(row) ? held : [...held, row];
        return row >= 0 ? [row] : column >= 0 ? [] : data.start;
    }

    /** Show in words, ribbons and sentence who asks. */
    function light() {
        const rows = asking(),
            column = rows.length ? -1 : pointed.column,
            waits = data.waits && rows === data.start;
        const mark = (
            /** @type {Element} */ list,
            /** @type {(place: number) => number[]} */ of,
            /** @type {(place: number) => number} */ own,
        ) =>
            [...list.children].forEach((word, position) => {
                const parts = of(position),
                    part = Math.max(0, ...parts),
                    number = /** @type {HTMLElement} */ (word.lastElementChild);
                word.classList.toggle("pointed", own(position) >= 0);
                word.classList.toggle("second", own(position) === 1);
                word.classList.toggle("lit", part >= LEAST_SAID && own(position) < 0);
                word.classList.toggle("barred", parts.some(Number.isNaN));
                number.replaceChildren(
                    ...parts.flatMap((each, asker) =>
                        each >= LEAST_SAID ? [element("i", asker ? "second" : "", formatWeight(each))] : [],
                    ),
                );
                word.setAttribute("aria-pressed", String(list === asks && held.includes(position)));
            });
        mark(
            asks,
            (position) => (column < 0 ? [] : [share(position, column)]),
            (position) => rows.indexOf(position),
        );
        mark(
            asked,
            (position) => (waits ? [] : rows.map((row) => share(row, position))),
            (position) => (position === column ? 0 : -1),
        );
        const heads = drawn.map((head) => ({
            head,
            colour: data.colours[head],
            weight: (/** @type {number} */ from, /** @type {number} */ to) => weight(head, from, to),
        }));
        const ribbons = waits
            ? (/** @type {number} */ row, /** @type {number} */ to) => (rows.includes(row) ? 0 : share(row, to))
            : share;
        stream(flow, { rows, column }, heads, ribbons, ends, data.rests[1]);
        if (!waits) say(rows, column);
    }

    const largest = (/** @type {number[]} */ all) =>
        all.reduce((best, part, position) => (part > all[best] || Number.isNaN(all[best]) ? position : best), 0);
    const favourite = (/** @type {number} */ row) => largest(data.asked.map((_, position) => share(row, position)));

    /** Say who looks where. @param {number[]} rows that ask @param {number} column that is asked by all, if none of them asks */
    function say(rows, column) {
        if (!drawn.length) return speak(root, line, "", {});
        const [first, last] = [...rows].sort((a, b) => a - b),
            row = rows.length ? first : largest(data.asks.map((_, position) => share(position, column)));
        const to = column < 0 ? favourite(row) : column,
            part = share(row, to);
        const words = { query: data.asks[row], key: data.asked[to], share: `${Math.round(100 * part)}%` };
        if (rows.length < ASKERS)
            return speak(
                root,
                line,
                column >= 0
                    ? t("{key} is looked at most by {query}: {share} of its weight.")
                    : data.rests[1][to]
                      ? t("{query} rests on {key} with {share} of its weight.")
                      : t("{query} looks most at {key}: {share} of its weight."),
                words,
            );
        const there = favourite(last),
            way =
                to > there
                    ? t("The two ribbons cross: {query} looks at {key}, {second} at {other}.")
                    : to < there
                      ? t("The two ribbons run side by side: {query} looks at {key}, {second} at {other}.")
                      : t("Both {query} and {second} look most at {key}.");
        speak(root, line, way, { ...words, second: data.asks[last], other: data.asked[there] });
    }

    /** Measure where the words stand: once, not at each move. */
    function measure() {
        ends = [asks, asked].map((list) =>
            boxesOn(list.children, sentence).map(({ left, right, ...rest }) => ({ x: (left + right) / 2, ...rest })),
        );
    }

    /** How long the words of one side are in one line, in pixels. @param {HTMLElement} list */
    const lengthOf = (list) =>
        [...list.children].reduce((sum, word) => sum + /** @type {HTMLElement} */ (word).offsetWidth + GAP, GAP);

    /** Make the words of one side; the arrow keys go from word to word. @param {HTMLElement} list @param {string[]} words
     * @param {boolean[]} rests @param {(place: number) => void} at @param {(place: number) => void} pressed */
    function write(list, words, rests, at, pressed) {
        list.role = "group";
        list.replaceChildren(
            ...words.map((word, number) => {
                const made = element("button", rests[number] ? "word rest" : "word", word);
                made.type = "button";
                made.tabIndex = number ? -1 : 0;
                made.append(element("span", "weight"));
                made.onpointerenter = () => at(number);
                made.onfocus = () => {
                    if (made.matches(":focus-visible")) at(number);
                };
                made.onclick = () => pressed(number);
                made.onkeydown = (event) => {
                    const step = MOVES[event.key];
                    if (!step) return;
                    event.preventDefault();
                    const next = /** @type {HTMLElement | undefined} */ (list.children[number + step[0] + step[1]]);
                    if (next) [made.tabIndex, next.tabIndex] = [-1, 0];
                    next?.focus();
                };
                return made;
            }),
        );
    }

    function build() {
        preview = -1;
        const read = (/** @type {number} */ column) => {
            if (!held.length) point(-1, column);
        };
        write(asks, data.asks, data.rests[0], (row) => point(row, -1), pin);
        write(asked, data.asked, data.rests[1], read, read);
        [asks.ariaLabel, asked.ariaLabel, tiles.ariaLabel] = [
            t("Words that ask"),
            t("Words that are asked"),
            t("heads"),
        ];
        hint.textContent = t("Point at a word; click two of them to compare. A tile shows or hides its head.");
        tiles.role = "group";
        tiles.replaceChildren(
            ...data.colours.map((colour, head) => {
                const box = element("div", "head"),
                    tile = element("button", "tile"),
                    name = element("span", "called", t("Head {head}", { head })),
                    small = element("canvas", "");
                const only = () => show([head]);
                box.style.setProperty("--head", colour);
                tile.type = "button";
                tile.title = tile.ariaLabel = t("Head {head}: show or hide; double click or Shift shows it alone", {
                    head,
                });
                name.append(element("small", "", data.kinds[head]));
                tile.append(small, name);
                tile.onpointerenter = (event) => {
                    if (event.pointerType === "mouse") {
                        preview = head;
                        choose();
                    }
                };
                tile.onpointerleave = () => {
                    if (preview >= 0) {
                        preview = -1;
                        choose();
                    }
                };
                tile.ondblclick = only;
                tile.onclick = (event) => {
                    if (event.shiftKey) return only();
                    if (!shown.delete(head)) shown.add(head);
                    show(shown.size ? shown : data.colours.keys());
                };
                box.append(tile);
                const power = element("button", "power served"),
                    icon = svgElement("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, power);
                svgElement("path", { d: POWER }, icon);
                power.type = "button";
                power.onclick = () => tell({ switched: { head } });
                box.append(power);
                return box;
            }),
        );
    }

    /** Mark the heads that are switched off. */
    function mark() {
        [...tiles.children].forEach((box, head) => {
            const off = data.off.includes(head),
                power = /** @type {HTMLElement} */ (box.lastElementChild);
            box.classList.toggle("off", off);
            power.ariaPressed = String(off);
            power.title = power.ariaLabel = t("Head {head}: switch off in the model, or on again", { head });
        });
    }

    root.addEventListener("keydown", (event) => {
        if (event.key === "Escape" && held.length) {
            held = [];
            light();
        }
    });

    function draw() {
        const colours = ramp(data.scale),
            size = { queries: rows(), keys: columns() },
            cells = rows() * columns();
        const longest = [data.asks, data.asked].map(
            (words) => (reach.clientWidth - BESIDE * words.length) / (WIDE * Math.max(words.join("").length, 1)),
        );
        root.classList.add("level");
        sentence.style.minWidth = "";
        reach.classList.remove("scrolls");
        for (let size = Math.min(Math.floor(Math.min(...longest)), TYPE[1]); ; size -= 1) {
            root.style.setProperty("--type", `${Math.max(size, TYPE[0])}px`);
            measure();
            if (inLines(ends) || size <= TYPE[0]) break; // other fonts are wider than was reckoned
        }
        if (!inLines(ends)) {
            const wide = Math.max(...[asks, asked].map(lengthOf)),
                scrolls = reach.clientWidth < PHONE && wide <= ACROSS * reach.clientWidth;
            root.classList.toggle("level", scrolls);
            reach.classList.toggle("scrolls", scrolls);
            if (scrolls) sentence.style.minWidth = `${wide}px`;
            measure();
        }
        [...tiles.querySelectorAll("canvas")].forEach((small, head) =>
            paint(small, weights.subarray(head * cells, (head + 1) * cells), size, colours, data.masked),
        );
        choose();
    }
    const resized = new ResizeObserver(() => data && draw());
    resized.observe(reach);
    document.fonts?.ready.then(() => data && draw());
    return {
        /** @param {Data} now @param {import("./dom.js").Changed} told */
        take(now, told) {
            const words = JSON.stringify([now.asks, now.asked, now.colours, now.kinds]);
            const first = given !== words,
                moved = first || now.pinned !== data.pinned;
            const other = first || String(now.shown) !== String(data.shown),
                began = first || String(now.start) !== String(data.start);
            [given, data, weights, tell] = [words, now, now.weights.values, told];
            if (other) shown = new Set(data.shown);
            if (began) pointed = { row: -1, column: -1 };
            if (first) build();
            if (moved && !held.includes(data.pinned)) held = data.pinned >= 0 ? [data.pinned] : [];
            mark();
            draw();
            const asker = /** @type {HTMLElement | undefined} */ (asks.children[asking()[0]]);
            if ((began || moved) && asker) reach.scrollLeft = asker.offsetLeft - reach.clientWidth / 3;
        },
        end() {
            clearTimeout(telling);
            resized.disconnect();
        },
    };
}
