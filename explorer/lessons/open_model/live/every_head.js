// Every head of a model: squares, a legend that counts and filters, the chosen head large, and one of its rows over the text. All in
// the browser while the squares are whole maps; of longer texts Python sends the chosen head's.
import { clamp } from "../../../ui/live/motion.js";
import {
    MOVES,
    element,
    live,
    screenReaderOnly,
    updateTableWhenIdle,
    weightTable,
    windowHeight,
} from "../../../ui/live/dom.js";
import { t } from "../../../ui/live/words.js";
import { headMap } from "./head_map.js";
import { legend } from "./legend.js";
import { squares } from "./squares.js";
import { stepper } from "./stepper.js";
import { read, share, strongest, telling } from "./weights.js";
import { say, worded } from "./worded.js";

const BESIDE = 0.66,
    SMALLEST = 130,
    LARGEST = 330,
    NAMES = 112,
    LINE = 17,
    TEXT = 150,
    FEW = 60; // of the width; pixels, the last two of a line of type and of what stands below; words that are written

export default (/** @type {import("../../../ui/live/dom.js").Component} */ component) =>
    live(component, "every_head", make);

/** @param {HTMLElement} root */
function make(root) {
    const upper = element("div", "upper"),
        lower = element("div", "lower"),
        grid = element("div", "squares"),
        kinds = element("div", "legend"),
        large = element("div", "large"),
        title = element("div", "title"),
        map = element("div", "one"),
        right = element("div", "right"),
        text = element("div", "words"),
        line = element("p", "line"),
        hint = element("p", "hint"),
        is = element("span", "rule");
    large.append(title, map);
    right.append(text, line, hint);
    root.replaceChildren(upper, kinds, lower);
    line.ariaLive = "polite";
    const [weights, heads] = [screenReaderOnly(root, "table"), screenReaderOnly(root, "table")];

    /** @type {any} */ let data;
    /** @type {import("../../../ui/live/dom.js").Changed} */ let tell;
    /** @type {import("./weights.js").Weights} */ let shown;
    /** @type {[number, number]} */ let chosen = [0, 0];
    let [turn, kept, only, pinned, pointed, usual, wide] = [-1, -1, -1, -1, -1, 0, 0];
    const part = () => data.parts[data.sites[chosen[0]].part];
    const drawn = squares(grid, choose, preview);
    const big = headMap(map, pointAt, pin);
    const row = worded(text, pointAt, pin);
    const layer = stepper((by) => choose(chosen[0] + by, chosen[1])),
        head = stepper((by) => choose(chosen[0], chosen[1] + by));
    const list = legend(kinds, (rule) => {
        only = only === rule ? -1 : rule;
        mark();
        drawn.draw(only);
    });
    title.append(layer.node, head.node, is);

    /** The map of a head, whole where it is known. @param {boolean} hide whether the resting places are left out */
    function whole(hide) {
        const [site, number] = chosen,
            tiles = data.tiles[site],
            [, rows, columns] = tiles.shape,
            one = data.one && String(chosen) === String(data.head.slice(0, 2)) ? data.one : null;
        if (one) return read(one.values, one.shape[0], one.shape[1], part(), hide);
        const from = number * rows * columns;
        return read(tiles.values.subarray(from, from + rows * columns), rows, columns, part(), hide);
    }

    /** Choose a head; numbers beyond the ends begin anew at the other. @param {number} site @param {number} number */
    function choose(site, number) {
        const count = data.sites.length,
            at = (site + count) % count,
            many = data.sites[at].heads;
        const next = number < 0 ? many - 1 : number >= many ? (site === chosen[0] ? 0 : many - 1) : number;
        chosen = [at, next];
        take();
        const before = data.sites
            .slice(0, at)
            .reduce((/** @type {number} */ sum, /** @type {any} */ each) => sum + each.heads, 0);
        tell({ head: { position: before + next } });
    }

    /** Say of the head under the pointer what it does. @param {number} site @param {number} number */
    function preview(site, number) {
        const [at, of] = site < 0 ? chosen : [site, number],
            { rules, rest } = data.sites[at];
        is.textContent =
            site < 0
                ? `${data.rules[rules[of]].sign} ${data.rules[rules[of]].name}`
                : t("layer {layer}, head {head}: {rule}, rests {rest}", {
                      layer: named(at),
                      head: of,
                      rule: data.rules[rules[of]].name,
                      rest: share(rest[of]),
                  });
    }

    const several = () => Object.keys(data.parts).length > 1;
    const named = (/** @type {number} */ site) =>
        several() ? `${data.sites[site].layer} ${data.sites[site].name}` : String(data.sites[site].layer);

    /** Show the chosen head. */
    function take() {
        shown = whole(data.hide);
        usual = Math.ceil((telling(whole(false), part()) * part().asks.length) / shown.rows);
        layer.show(t("Layer"), named(chosen[0]));
        head.show(t("Head"), String(chosen[1]));
        preview(-1, -1);
        drawn.frame(chosen);
        const below = windowHeight(root) - kinds.offsetHeight - (windowHeight(root) < 760 ? 290 : 330);
        const room = root.classList.contains("beside")
            ? Math.min(
                  // as high as the squares, or as a line for each word needs
                  Math.max(parseFloat(grid.style.height) - 60, Math.min(LINE * shown.rows, below - TEXT)),
                  root.clientWidth - parseFloat(grid.style.width) - NAMES - 30,
              )
            : Math.min(below - upper.offsetHeight, large.clientWidth - NAMES);
        big.draw(shown, part(), data, clamp(Math.floor(room), SMALLEST, LARGEST));
        if (part().asked.length <= FEW) row.write(part().asked, t("Words that are asked"));
        right.classList.toggle("brief", part().asked.length > FEW);
        if (shown.columns <= FEW) weightTable(weights, part().asks, part().asked, at);
        else weights.replaceChildren(); // of a long text, Python has the numbers
        light();
    }
    const at = (/** @type {number} */ one, /** @type {number} */ other) =>
        shown.weights[one * shown.columns + other] ?? NaN;

    /** Show the word that asks: the one under the pointer, the one that was kept, or the row that looks hardest. */
    function light() {
        const asking = clamp(pointed >= 0 ? pointed : pinned >= 0 ? pinned : usual, 0, part().asks.length - 1),
            number = clamp(Math.floor((asking * shown.rows) / part().asks.length), 0, shown.rows - 1),
            most = strongest(shown, number);
        big.ask(asking);
        if (part().asked.length <= FEW)
            row.light(
                part().itself ? asking : -1,
                shown.weights.subarray(number * shown.columns, (number + 1) * shown.columns),
            );
        const words = {
            query: part().asks[asking],
            key: part().asked[Math.ceil((most * part().asked.length) / shown.columns)] ?? "",
            share: most < 0 ? "" : share(at(number, most)),
        };
        const sentence = data.hide
            ? t("Beside where it rests, {query} looks most at {key}: {share} of what is left.")
            : t("{query} looks most at {key}: {share} of its weight.");
        say(line, most < 0 ? t("{query} only rests.") : sentence, words);
    }

    /** @param {number} word */
    function pointAt(word) {
        if (word === pointed) return;
        pointed = word;
        light();
    }

    /** @param {number} word */
    function pin(word) {
        pinned = pinned === word ? -1 : word;
        light();
        tell({ word: { position: pinned + 1 } });
    }

    function mark() {
        const counts = data.rules.map(() => 0);
        for (const site of data.sites) for (const each of site.rules) counts[each] += 1;
        kinds.hidden = drawn.drawsMaps();
        list(data.rules, counts, only, t("Show the heads that keep this rule"));
    }

    /** Take the room that there is: the large map stands beside squares that leave room for it, else below them. */
    function draw() {
        wide = root.clientWidth;
        if (!wide) return;
        const needed = drawn.arrange(data, wide),
            beside = wide > 700 && needed < BESIDE * wide;
        root.classList.toggle("beside", beside);
        if (beside) {
            upper.replaceChildren(grid, large);
            lower.replaceChildren(right);
        } else {
            upper.replaceChildren(grid);
            lower.replaceChildren(large, right);
        }
        mark();
        drawn.draw(only);
        take();
    }

    grid.tabIndex = 0;
    grid.role = "group";
    grid.addEventListener("keydown", (event) => {
        const step = MOVES[event.key];
        if (!step) return;
        event.preventDefault();
        const [down, right] = step;
        choose(
            ...(drawn.across()
                ? /** @type {[number, number]} */ ([chosen[0] + right, chosen[1] + down])
                : /** @type {[number, number]} */ ([chosen[0] + down, chosen[1] + right])),
        );
    });
    const resized = new ResizeObserver(() => data && root.clientWidth !== wide && draw());
    resized.observe(root);
    return {
        /** @param {any} sent @param {import("../../../ui/live/dom.js").Changed} told */
        take(sent, told) {
            [data, tell] = [sent, told];
            const [site, number, times] = data.head;
            if (times !== turn) [chosen, turn] = [[site, number], times];
            if (data.word[1] !== kept) [pinned, kept] = data.word;
            chosen[0] = Math.min(chosen[0], data.sites.length - 1);
            chosen[1] = Math.min(chosen[1], data.sites[chosen[0]].heads - 1);
            if (!data.sites.some((/** @type {any} */ each) => each.rules.includes(only))) only = -1;
            grid.ariaLabel = t("Every head; arrow keys go from one to the next");
            hint.textContent = t("Point at a word or a row; a click keeps it.");
            updateTableWhenIdle(heads, t("What each head does: a row for each layer"), () => [
                [
                    t("Layer"),
                    ...Array.from(
                        { length: Math.max(...data.sites.map((/** @type {any} */ each) => each.heads)) },
                        (_, each) => `${t("Head")} ${each}`,
                    ),
                ],
                ...data.sites.map((/** @type {any} */ each, /** @type {number} */ position) => [
                    named(position),
                    ...each.rules.map((/** @type {number} */ rule) => data.rules[rule].name),
                ]),
            ]);
            draw();
        },
        end: () => resized.disconnect(),
    };
}
