// Who looks at whom: each word that asks is joined to the words it looks at by ribbons as wide as the weights.
// Pointing or focusing asks, a click pins (and Python is told), and without either the words ask one after the other.
import { svgElement } from "./drawing.js";
import { boxesOn, element, live, formatWeight, screenReaderOnly, weightTable } from "./dom.js";
import { speak } from "./reading.js";
import { t } from "./words.js";

/**
 * @typedef {object} Data
 * @property {string[]} asks words that ask, in the order in which they were written
 * @property {string[]} asked words that are looked at
 * @property {[boolean[], boolean[]]} rests which of both are no words
 * @property {import("./unpack.js").Packed} weights a row for each word that asks; missing where a mask forbids to look
 * @property {string} sentence what is said below; {query}, {key} and {weight} are filled in
 * @property {string} hint what can be done
 * @property {string} play label of the button
 * @property {string} pause label of the button
 * @property {string} hidden what a masked cell of the table says
 * @property {string} caption of the table that screen readers find
 * @property {number[]} tour words that ask by themselves, in turn
 * @property {number} start which word asks first
 * @property {"" | "each" | "asking"} heaviest whether the heaviest ribbon alone is drawn: of each word, or of the one that asks
 * @property {number} pinned word that asks until another one is pointed at; -1 if none
 */

const STEP_MS = 1700;
const LEAST_DRAWN = 0.04; // of a weight: what is less is no ribbon
const LEAST_SAID = 0.05; // of a weight: what is less has no number
const LARGEST = 28,
    SMALLEST = 15; // size of the words in pixels; what does not fit then stands upright
const MOST_UPRIGHT = 20; // words below each other; those of a longer sentence wrap like text
const SVG = "http://www.w3.org/2000/svg";

export default (/** @type {import("./dom.js").Component} */ component) => live(component, "ribbons", make);

/** @param {HTMLElement} root */
function make(root) {
    const asked = element("div", "words asked"),
        gap = element("div", "gap"),
        asks = element("div", "words asks");
    const foot = element("div", "foot"),
        line = element("p", "line"),
        hint = element("p", "hint"),
        button = element("button", "play");
    const svg = svgElement("svg", { "aria-hidden": "true" }, root);
    button.type = "button";
    foot.append(line, hint, button);
    root.replaceChildren(svg, asked, gap, asks, foot);
    const table = screenReaderOnly(root, "table");

    /** @type {Data} */ let data;
    /** @type {Float32Array} */ let weights;
    /** @type {import("./dom.js").Changed} */ let tell;
    let asking = 0,
        pinned = -1,
        playing = false,
        given = "";
    let timer = 0;
    const weight = (/** @type {number} */ row, /** @type {number} */ column) =>
        weights[row * data.asked.length + column];

    const tick = () => {
        clearTimeout(timer);
        if (playing)
            timer = window.setTimeout(() => {
                ask(data.tour[(data.tour.indexOf(asking) + 1) % data.tour.length]);
                tick();
            }, STEP_MS);
    };
    const run = (/** @type {boolean} */ on) => {
        playing = on;
        button.textContent = on ? t("Pause") : t("Play");
        tick();
    };
    button.onclick = () => {
        pinned = -1;
        ask(asking);
        run(!playing);
    };

    /** The word that a word looks at most. @param {number} row */
    function heaviest(row) {
        let most = 0;
        data.asked.forEach((_, column) => {
            if (weight(row, column) > weight(row, most) || Number.isNaN(weight(row, most))) most = column;
        });
        return most;
    }

    /** Light one word, its ribbons and the words it looks at. @param {number} row */
    function ask(row) {
        asking = row;
        [...asks.children].forEach((word, position) => {
            word.classList.toggle("asking", position === row);
            word.setAttribute("aria-pressed", String(position === pinned));
        });
        if (root.classList.contains("wrapped")) svg.replaceChildren(...ribbons(row));
        for (const path of svg.children) path.classList.toggle("asking", Number(path.getAttribute("data-row")) === row);
        root.classList.toggle("alone", data.heaviest === "asking");
        const most = heaviest(row);
        [...asked.children].forEach((word, column) => {
            const share = weight(row, column);
            word.classList.toggle("barred", Number.isNaN(share));
            const said = share >= LEAST_SAID && (!data.heaviest || column === most);
            word.classList.toggle("faint", !said);
            word.classList.toggle("most", column === most);
            const number = /** @type {HTMLElement} */ (word.lastElementChild);
            number.textContent = said ? formatWeight(share) : "";
        });
        speak(root, line, data.sentence, {
            query: data.asks[row],
            key: data.asked[most],
            weight: `${Math.round(100 * weight(row, most))}%`,
        });
    }

    /** Words as large as fit; upright where even small ones do not, and wrapped like text where those would be too many. */
    function arrange() {
        root.classList.remove("upright", "wrapped");
        let size = LARGEST;
        const fits = () => [asks, asked].every((row) => row.scrollWidth <= row.clientWidth + 1);
        root.style.setProperty("--size", `${size}px`);
        while (size > SMALLEST && !fits()) root.style.setProperty("--size", `${(size -= 1)}px`);
        if (!fits()) {
            const many = Math.max(data.asks.length, data.asked.length) > MOST_UPRIGHT;
            root.classList.add(many ? "wrapped" : "upright");
            root.style.setProperty("--size", "17px");
        }
        if (!root.classList.contains("wrapped")) svg.replaceChildren(...data.asks.flatMap((_, row) => ribbons(row)));
        ask(asking);
    }

    /** The ribbons of one word that asks. @param {number} row */
    function ribbons(row) {
        const upright = root.classList.contains("upright");
        const ends = (/** @type {Iterable<Element>} */ words, /** @type {boolean} */ far) =>
            boxesOn(words, root).map((at) =>
                upright
                    ? { x: far ? at.left : at.right, y: (at.top + at.bottom) / 2 }
                    : { x: (at.left + at.right) / 2, y: far ? at.bottom : at.top },
            );
        const [from] = ends([asks.children[row]], false),
            reached = ends(asked.children, true);
        /** @type {SVGPathElement[]} */ const paths = [];
        data.asked.forEach((_, column) => {
            const share = weight(row, column);
            if (!(share >= LEAST_DRAWN) || (data.heaviest && column !== heaviest(row))) return;
            const to = reached[column],
                path = document.createElementNS(SVG, "path");
            const [x, y] = [(from.x + to.x) / 2, (from.y + to.y) / 2];
            path.setAttribute(
                "d",
                upright
                    ? `M${from.x},${from.y}C${x},${from.y} ${x},${to.y} ${to.x},${to.y}`
                    : `M${from.x},${from.y}C${from.x},${y} ${to.x},${y} ${to.x},${to.y}`,
            );
            path.style.strokeWidth = `${1 + (upright ? 12 : 17) * share}px`;
            path.setAttribute("data-row", String(row));
            path.classList.toggle("rest", data.rests[1][column]);
            paths.push(path);
        });
        return paths;
    }

    function fill() {
        asked.replaceChildren(
            ...data.asked.map((word, column) => {
                const made = element("span", data.rests[1][column] ? "word rest" : "word", word);
                made.append(element("span", "weight"));
                return made;
            }),
        );
        asks.replaceChildren(
            ...data.asks.map((word, row) => {
                const made = element("button", data.rests[0][row] ? "word rest" : "word", word);
                made.type = "button";
                made.onpointerenter = () => {
                    if (pinned < 0) {
                        clearTimeout(timer);
                        ask(row);
                    }
                };
                made.onpointerleave = () => tick();
                made.onfocus = () => {
                    if (made.matches(":focus-visible")) {
                        run(false);
                        ask(row);
                    }
                };
                made.onclick = () => {
                    pinned = pinned === row ? -1 : row;
                    run(false);
                    ask(row);
                    if (pinned === row) tell({ pinned: { row } });
                };
                return made;
            }),
        );
        hint.textContent = data.hint;
        weightTable(table, data.asks, data.asked, weight);
    }

    const resized = new ResizeObserver(() => data && arrange());
    resized.observe(root);
    document.fonts?.ready.then(() => data && arrange());
    return {
        /** @param {Data} now @param {import("./dom.js").Changed} told */
        take(now, told) {
            tell = told;
            const all = JSON.stringify(now);
            if (all === given) return;
            const first = !given,
                moved = first || now.pinned !== data.pinned;
            [given, data, weights] = [all, now, now.weights.values];
            if (first || asking >= data.asks.length) asking = data.start;
            if (moved) pinned = data.pinned;
            if (pinned >= data.asks.length) pinned = -1;
            if (pinned >= 0) asking = pinned;
            fill();
            arrange();
            if (first) run(pinned < 0 && !matchMedia("(prefers-reduced-motion: reduce)").matches);
            else run(playing && pinned < 0);
        },
        end() {
            clearTimeout(timer);
            resized.disconnect();
        },
    };
}
