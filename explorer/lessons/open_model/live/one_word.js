// Attention over a long text: one word asks, the others are tinted by their weight; arcs to those that get most, and a strip of
// the whole text below. All heads of one layer are here: to choose another asks nobody.
import { setAttributes, svgElement } from "../../../ui/live/drawing.js";
import { clamp } from "../../../ui/live/motion.js";
import { boxesOn, element, live, updateTableWhenIdle, screenReaderOnly, windowHeight } from "../../../ui/live/dom.js";
import { formatMessage, t } from "../../../ui/live/words.js";
import { ruleIcon } from "./legend.js";
import { read, share, strongest, telling } from "./weights.js";
import { say, worded } from "./worded.js";

const TYPE = [15, 22],
    AROUND = 320,
    STRIP = 46; // pixels: of a letter, of all that is not text, of the strip

export default (/** @type {import("../../../ui/live/dom.js").Component} */ component) =>
    live(component, "one_word", make);

/** @param {HTMLElement} root */
function make(root) {
    const chips = element("div", "chips"),
        page = element("div", "page"),
        text = element("div", "words"),
        line = element("p", "line"),
        strip = svgElement("svg", { class: "strip", "aria-hidden": "true" }, root),
        arcs = svgElement("svg", { class: "arcs", "aria-hidden": "true" }, page);
    page.append(text);
    root.replaceChildren(chips, page, line, strip);
    line.ariaLive = "polite";
    chips.role = "group";
    const table = screenReaderOnly(root, "table");
    const row = worded(text, point, pin);

    /** @type {any} */ let data;
    /** @type {import("../../../ui/live/dom.js").Changed} */ let tell;
    /** @type {import("./weights.js").Weights} */ let map;
    let [head, turn, kept, asked, pointed, usual, wide] = [0, -1, -1, -1, -1, 0, 0],
        made = "";

    /** The map of a head with its resting places, or without them. @param {boolean} hide */
    function mapOf(hide) {
        const [, rows, columns] = data.maps.shape,
            from = head * rows * columns;
        return read(data.maps.values.subarray(from, from + rows * columns), rows, columns, data.part, hide);
    }

    /** Show another head. */
    function take() {
        map = mapOf(data.away);
        usual = telling(mapOf(false), data.part);
        [...chips.children].forEach((chip, number) => chip.setAttribute("aria-pressed", String(number === head)));
        light();
        const shown = map;
        updateTableWhenIdle(table, t("What each word looks at most"), () => [
            [t("asks"), t("is asked"), t("weight")],
            ...data.part.asks.map((/** @type {string} */ word, /** @type {number} */ at) => {
                const most = strongest(shown, at);
                if (most < 0) return [word, "–", "–"]; // all that it may look at rests
                return [word, data.part.asked[most], shown.weights[at * shown.columns + most].toFixed(4)];
            }),
        ]);
    }

    /** Show the word that asks: the one under the pointer, the one that was kept, or the row that looks hardest. */
    function light() {
        const asking = clamp(pointed >= 0 ? pointed : kept >= 0 ? kept : usual, 0, map.rows - 1),
            weights = map.weights.subarray(asking * map.columns, (asking + 1) * map.columns),
            top = row.light(data.part.itself ? asking : -1, weights);
        draw(asking, weights, top);
        const whole = mapOf(false).weights.subarray(asking * map.columns, (asking + 1) * map.columns);
        let rests = 0;
        whole.forEach((weight, at) => {
            if (data.part.rest[at]) rests += weight || 0;
        });
        tellOf(asking, weights, share(rests));
    }

    /** @param {number} asking @param {Float32Array} weights @param {string} rests */
    function tellOf(asking, weights, rests) {
        const most = strongest(map, asking),
            back = asking - most,
            near =
                !data.part.itself || !back
                    ? t("{query} looks most at {key}: {share} of {whole}.")
                    : back > 0
                      ? t("{query} looks most at {key}: {share} of {whole}, {count} back.")
                      : t("{query} looks most at {key}: {share} of {whole}, {count} ahead.");
        const words = {
            query: data.part.asks[asking],
            key: data.part.asked[most] ?? "",
            share: share(weights[most] || 0),
        };
        const pattern = (most < 0 ? t("{query} only rests.") : near).replace(
            "{whole}",
            data.away ? t("what is left") : t("its weight"),
        );
        say(line, pattern, { ...words, count: String(Math.abs(back)) });
        if (Array.from(data.part.rest).some(Boolean))
            line.append(
                " ",
                element(
                    "span",
                    "hint",
                    formatMessage(
                        data.away
                            ? t("{share} of its weight rests, and is left out.")
                            : t("{share} of its weight rests."),
                        { share: rests },
                    ),
                ),
            );
    }

    /** Draw arcs and strip. @param {number} asking @param {Float32Array} weights @param {number[]} top */
    function draw(asking, weights, top) {
        const boxes = boxesOn(row.words(), page),
            from = data.part.itself ? boxes[asking] : null;
        arcs.replaceChildren();
        for (const position of from ? top : []) {
            const to = boxes[position],
                made = svgElement("path", { d: arc(/** @type {any} */ (from), to) }, arcs);
            made.style.strokeWidth = `${1.5 + 11 * weights[position]}px`;
        }
        const count = map.columns,
            step = strip.clientWidth / count;
        setAttributes(strip, { viewBox: `0 0 ${strip.clientWidth || 1} ${STRIP}` });
        strip.replaceChildren();
        svgElement("line", { x1: 0, x2: strip.clientWidth, y1: STRIP - 8, y2: STRIP - 8 }, strip);
        weights.forEach((weight, position) => {
            const own = data.part.itself && position === asking,
                tall = own ? STRIP - 10 : (STRIP - 10) * Math.sqrt(weight || 0);
            if (tall < 0.5) return;
            const box = { x: position * step, y: STRIP - 8 - tall, width: Math.max(1.5, step - 1), height: tall };
            svgElement("rect", { class: own ? "asking" : "asked", ...box }, strip);
        });
    }

    /** @param {number} position */
    function point(position) {
        if (position === pointed) return;
        pointed = position;
        light();
    }

    /** @param {number} position */
    function pin(position) {
        kept = kept === position ? -1 : position;
        light();
        tell({ asks: { position: kept + 1 } });
    }

    /** Make a button for each head, and one for their mean. */
    function choose() {
        const now = JSON.stringify(data.heads);
        if (now === made) return; // what has the focus keeps it
        made = now;
        chips.ariaLabel = t("Heads");
        chips.replaceChildren(
            ...Array.from({ length: data.heads.length + 1 }, (_, number) => {
                const made = element("button", "kind chip"),
                    rule = data.rules[data.heads[number]];
                made.type = "button";
                if (rule) {
                    made.title = made.ariaLabel = t("head {head}: {rule}", { head: number, rule: rule.name });
                    made.append(ruleIcon(rule));
                }
                made.append(element("b", "", number < data.heads.length ? String(number) : t("mean of all")));
                made.onclick = () => {
                    head = number;
                    take();
                    tell({ head: { position: head } });
                };
                return made;
            }),
        );
    }

    /** Write the words as large as the room allows. */
    function write() {
        wide = root.clientWidth;
        if (!wide) return;
        row.write(data.part.asked, t("The text: a word that is clicked asks"));
        const room = windowHeight(root) - AROUND;
        let [low, high] = TYPE;
        root.style.setProperty("--type", `${high}px`);
        while (high - low > 0.4 && text.offsetHeight > room) {
            const middle = (low + high) / 2;
            root.style.setProperty("--type", `${middle}px`);
            if (text.offsetHeight > room) high = middle;
            else low = middle;
        }
        if (text.offsetHeight > room) root.style.setProperty("--type", `${low}px`);
        take();
    }

    const resized = new ResizeObserver(() => data && root.clientWidth !== wide && write());
    resized.observe(root);
    return {
        /** @param {any} sent @param {import("../../../ui/live/dom.js").Changed} told */
        take(sent, told) {
            [data, tell] = [sent, told];
            if (data.head[1] !== turn) [head, turn] = data.head;
            if (data.word[1] !== asked) [kept, asked] = data.word;
            head = Math.min(head, data.heads.length);
            choose();
            write();
        },
        end: () => resized.disconnect(),
    };
}

/** An arc from a word to another one: over both on one line, else from the edge of one to the edge of the other.
 * @param {DOMRectReadOnly | {left: number, right: number, top: number, bottom: number}} from
 * @param {{left: number, right: number, top: number, bottom: number}} to */
function arc(from, to) {
    const [x, end] = [(from.left + from.right) / 2, (to.left + to.right) / 2],
        up = to.top <= from.top,
        bend = (26 + 0.3 * Math.abs(from.top - to.top)) * (up ? -1 : 1);
    if (Math.abs(to.top - from.top) < 8)
        return `M${x},${from.top + 3}C${x},${from.top - 24} ${end},${to.top - 24} ${end},${to.top + 3}`;
    const [start, stop] = up ? [from.top + 3, to.bottom - 3] : [from.bottom - 3, to.top + 3];
    return `M${x},${start}C${x},${start + bend} ${end},${stop - bend} ${end},${stop}`;
}
