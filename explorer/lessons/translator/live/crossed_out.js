// A translation that is interfered with. A source word is clicked, and nobody may look at it; a cell is clicked, and that
// word must look there alone. Beside each word of the old translation: how many times less likely it has become.
import { element, live, MOVES, formatWeight, screenReaderOnly, weightTable } from "../../../ui/live/dom.js";
import { t } from "../../../ui/live/words.js";
import { liveRegion } from "../../../ui/live/live_region.js";
import { hex, onInk, ramp } from "../../../ui/live/weights.js";

/**
 * @typedef {object} Data
 * @property {string[]} asked source words @property {string[]} asks words of the old translation
 * @property {[boolean[], boolean[]]} rests which of the words that ask, and that are asked, are no words
 * @property {number[]} crossed places of source words that nobody may look at
 * @property {[number, number] | null} forced the row that is overwritten, and the column that gets all of it
 * @property {import("../../../ui/live/unpack.js").Packed} weights rows by columns; missing where nobody may look
 * @property {import("../../../ui/live/unpack.js").Packed} lost change of each word's log-probability, nats
 * @property {string[]} factors what is left of each word’s probability, such as “1/8”; empty where it is about as likely
 * @property {boolean} changed whether anything is changed
 * @property {[number, string][]} scale colours of the weights
 */

const LEAST_SAID = 0.05, // of a weight: what is less has no number
    FULL = Math.log(1000), // nats: 1,000 times less likely is as long as a bar is
    MUCH = Math.log(3), // nats
    MOST_NUMBERED = 16; // columns: cells of more have no room for a number

export default (/** @type {import("../../../ui/live/dom.js").Component} */ component) =>
    live(component, "crossed_out", crossedOut);

/** @param {HTMLElement} root */
function crossedOut(root) {
    const words = element("div", "source"),
        grid = element("div", "looks scroll");
    const lead = element("p", "lead"),
        heads = element("p", "heads");
    root.append(lead, words, heads, grid);
    const table = screenReaderOnly(root, "table");
    /** @type {Data} */ let data;
    /** @type {import("../../../ui/live/dom.js").Changed} */ let tell;
    let held = "0 0"; // the cell that the keyboard has

    /** A source word: a click crosses it out, or takes it back. @param {string} word @param {number} position */
    function source(word, position) {
        const made = element("button", "word", word),
            crossed = data.crossed.includes(position);
        made.type = "button";
        made.classList.toggle("rest", data.rests[1][position]);
        made.ariaPressed = String(crossed);
        if (crossed) made.dataset.says = t("“{word}” is crossed out", { word });
        made.onclick = () => tell({ word: { word: position } });
        return made;
    }

    /** @param {number} row @param {number} column @param {Uint8ClampedArray} colours */
    function cell(row, column, colours) {
        const made = element("button", "cell target"),
            weight = data.weights.rows[row][column],
            hidden = Number.isNaN(weight);
        const forced = data.forced?.[0] === row && data.forced[1] === column;
        made.type = "button";
        made.classList.toggle("barred", hidden);
        made.classList.toggle("forced", forced);
        made.ariaPressed = String(forced);
        made.dataset.at = `${row} ${column}`;
        made.tabIndex = made.dataset.at === held ? 0 : -1;
        const state = hidden ? t("hidden") : forced ? t("forced") : weight.toFixed(3);
        const values = { query: data.asks[row], key: data.asked[column], weight: state };
        made.dataset.says = made.ariaLabel = t("writing “{query}”, weight on “{key}”: {weight}", values);
        if (!hidden) {
            made.style.background = hex(colours, weight);
            made.style.color = onInk(hex(colours, weight));
            if (weight >= LEAST_SAID && data.asked.length <= MOST_NUMBERED) made.textContent = formatWeight(weight);
        }
        made.onclick = () => {
            held = made.dataset.at ?? held;
            tell({ cell: { row, word: column } });
        };
        made.onkeydown = (event) => move(event, row, column);
        return made;
    }

    /** @param {KeyboardEvent} event @param {number} row @param {number} column */
    function move(event, row, column) {
        const step = MOVES[event.key];
        if (!step) return;
        event.preventDefault();
        const to = /** @type {HTMLElement | null} */ (
            grid.querySelector(`[data-at="${row + step[0]} ${column + step[1]}"]`)
        );
        if (!to) return;
        /** @type {HTMLElement} */ (event.target).tabIndex = -1;
        held = to.dataset.at ?? held;
        to.tabIndex = 0;
        to.focus();
    }

    /** How much less likely a word of the old translation is. @param {number} row */
    function bar(row) {
        const made = element("span", "loss"),
            lost = -data.lost.list[row];
        if (!data.factors[row]) return made;
        const length = element("i", lost < MUCH ? "" : "much");
        length.style.width = `${Math.min(lost / FULL, 1) * 62}%`;
        made.append(length, element("b", "", data.factors[row]));
        return made;
    }

    function draw() {
        const colours = ramp(data.scale);
        grid.style.setProperty("--columns", String(data.asked.length));
        grid.style.setProperty("--rows", String(data.asks.length));
        grid.classList.toggle("many", data.asked.length > MOST_NUMBERED);
        lead.textContent = t("Click a word to cross it out: nobody may look at it");
        words.replaceChildren(...data.asked.map(source));
        heads.replaceChildren(
            element("b", "", t("Where each word looks")),
            element("span", "", t("click a cell to force it")),
        );
        const top = data.asked.map((word, column) => {
            const made = element("span", "name key", word);
            made.classList.toggle("crossed", data.crossed.includes(column));
            return made;
        });
        const rows = data.asks.map((word, row) => [
            element("span", data.rests[0][row] ? "name query rest" : "name query", word),
            ...data.asked.map((_, column) => cell(row, column, colours)),
            bar(row),
        ]);
        const had = grid.contains(/** @type {ShadowRoot} */ (root.getRootNode()).activeElement);
        const less = element("span", "name less", data.changed ? t("How much less likely?") : "");
        grid.replaceChildren(element("span", ""), ...top, less, ...rows.flat());
        if (!grid.querySelector('[tabindex="0"]')) grid.querySelector(".cell")?.setAttribute("tabindex", "0");
        if (had) /** @type {HTMLElement | null} */ (grid.querySelector('[tabindex="0"]'))?.focus();
        weightTable(table, data.asks, data.asked, (row, column) => data.weights.rows[row][column]);
        liveRegion(root);
    }

    return {
        /** @param {Data} now @param {import("../../../ui/live/dom.js").Changed} told */
        take(now, told) {
            [data, tell] = [now, told];
            draw();
        },
        end() {},
    };
}
