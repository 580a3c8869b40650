// A text that can be asked: pointing at a character shows what could have stood there and where the model looked.
// While it is played, the text stands as far as it is written. While the temperature or top-p is moved, the draw at one
// place follows it, after the same text; Python writes the text anew once it is let go.
import { followRange, followSlider } from "../../../ui/live/drag.js";
import { percent } from "../../../ui/live/numbers.js";
import { element, live, updateTableWhenIdle, screenReaderOnly } from "../../../ui/live/dom.js";
import { t } from "../../../ui/live/words.js";

/**
 * @typedef {object} Step the writing of one character
 * @property {[string, number, number, boolean][]} bars name, model's probability, probability of the draw, can be drawn
 * @property {number | null} chosen which of the bars stands there
 * @property {[string, number, number][]} strip name and share of the draw from … to …
 * @property {number} die where the die fell, 0…1
 * @property {[number, number, number]} ranks place of what stands there among all, how many there are, how many are cut
 * @typedef {object} Data
 * @property {string[]} labels the first is the unseen start, the last what is still to come
 * @property {number} given how many were there before the model wrote
 * @property {number[]} surprise nats of each; -1 where there is no number
 * @property {import("../../../ui/live/unpack.js").Packed} weights for each character after the first, and the one to come, a
 *   weight for each character before it, row after row @property {unknown[]} whose the model, layer and head whose they are
 * @property {string} steps a `Step` for each character after the first, as JSON: made once, and sent at every run
 * @property {number} moved the place whose draw follows the sliders @property {Record<string, number[]>} stops of each of them
 * @property {string} drawn for each of them a `Step` for each of its stops, as JSON
 * @property {"watch" | "surprise" | "attention"} mode what the colour says
 * @property {number} dense share of the colour from which a letter on it is as the paper
 * @property {number} position which character asks first
 * @property {string} from words of Python: the same text keeps its place
 * @property {Record<string, string>} words
 */

const STEP_MS = 520,
    MOST_NATS = 6,
    LEAST_NAMED = 0.045,
    LEAST_SAID = 0.095,
    FEW = 90;
/** How much larger a short text may be, the least width in pixels on which two digits fit, and pixels below a place. */
const MOST_GROWN = 1.5,
    LEAST_SHRUNK = 0.85,
    LEAST_WIDE = 13,
    EDGE = 8;

export default (/** @type {import("../../../ui/live/dom.js").Component} */ component) =>
    live(component, "live_text", make);

/** @param {HTMLElement} root */
function make(root) {
    const text = element("div", "text"),
        side = element("div", "side"),
        foot = element("div", "foot");
    text.tabIndex = 0; // it scrolls: the keyboard must reach it
    const named = element("p", "named"),
        bars = element("div", "bars"),
        legend = element("p", "legend");
    const strip = element("div", "strip"),
        die = element("div", "die", "▲"),
        dieName = element("p", "named");
    const line = element("p", "line"),
        range = element("input", "range"),
        count = element("span", "count");
    const play = element("button", "play"),
        back = element("button", "step", "◀"),
        on = element("button", "step", "▶");
    range.type = "range";
    for (const each of [play, back, on]) each.type = "button";
    side.append(named, bars, legend, dieName, strip);
    foot.append(play, back, range, on, count);
    root.replaceChildren(text, side, line, foot);
    const table = screenReaderOnly(root, "table");

    /** @type {Data} */ let data;
    /** @type {import("../../../ui/live/dom.js").Changed} */ let tell;
    /** @type {Float32Array} */ let weights;
    /** @type {Step[]} */ let steps = [];
    /** @type {HTMLElement[]} */ let letters = [];
    let position = 1,
        shown = 1,
        playing = false,
        given = "",
        timer = 0;
    const weight = (/** @type {number} */ row, /** @type {number} */ column) => weights[(row * (row - 1)) / 2 + column];
    const last = () => data.labels.length - (data.mode === "watch" ? 2 : 1);

    function tick() {
        clearTimeout(timer);
        if (playing)
            timer = window.setTimeout(() => {
                if (position >= last()) return run(false);
                ask((position += 1));
                tick();
            }, STEP_MS);
    }
    function run(/** @type {boolean} */ now) {
        playing = now;
        play.textContent = now ? t("Pause") : t("Play");
        tick();
    }
    function choose(/** @type {number} */ to) {
        run(false);
        position = Math.min(Math.max(to, 1), last());
        ask(position);
        tell({ asked: { position } });
    }
    play.onclick = () => {
        if (!playing && position >= last()) ask((position = Math.min(data.given, last())));
        run(!playing);
    };
    back.onclick = () => choose(position - 1);
    on.onclick = () => choose(position + 1);
    followRange(
        range,
        (to) => {
            run(false);
            ask((position = to));
        },
        () => tell({ asked: { position } }),
    );
    text.onpointerover = (event) => {
        const at = letters.indexOf(/** @type {HTMLElement} */ (event.target));
        if (at > 0 && at <= last() && !playing && event.pointerType === "mouse") ask(at);
    };
    text.onpointerleave = () => {
        if (data && shown !== position) ask(position);
    };
    text.onclick = (event) => {
        const at = letters.indexOf(/** @type {HTMLElement} */ (event.target));
        if (at > 0) choose(at);
    };

    /** Show one character: what it looked at, what could have stood there.
     * @param {number} at @param {Step} [step] @param {number} [until] where the text ends that is seen */
    function ask(at, step = steps[at - 1], until = data.mode === "watch" ? Math.max(at, position) : letters.length) {
        shown = at;
        let best = 0,
            most = 0;
        for (let each = 0; each < at; each++) if (weight(at, each) > most) [best, most] = [each, weight(at, each)];
        letters.forEach((letter, each) => {
            const looked = each < at ? weight(at, each) / (most || 1) : 0;
            const nats = data.surprise[each];
            const share = data.mode === "surprise" ? Math.min(Math.max(nats, 0) / MOST_NATS, 1) : looked;
            letter.style.setProperty("--share", `${Math.round(92 * share)}%`);
            letter.dataset.weight =
                data.mode !== "surprise" && each < at && weight(at, each) >= LEAST_SAID
                    ? String(Math.round(100 * weight(at, each)))
                    : "";
            letter.classList.toggle("dense", share > data.dense);
            letter.classList.toggle("asking", each === at);
            letter.classList.toggle("most", data.mode !== "surprise" && each === best && most > 0);
            letter.classList.toggle("later", each > until);
        });
        const narrow = letters[at].offsetWidth < LEAST_WIDE,
            said = (/** @type {number} */ each) => (letters[each]?.dataset.weight ? weight(at, each) : 0);
        if (narrow)
            for (let each = at - 1; each > 0; each--)
                if (said(each) && (said(each - 1) > said(each) || said(each + 1) > said(each)))
                    letters[each].dataset.weight = "";
        keepInSight(at);
        drawBars(step);
        drawStrip(step, at >= data.given && step.chosen !== null);
        range.value = String(at);
        count.textContent = t("{position} of {all}", { position: at, all: last() });
        const mine = step.chosen === null ? null : step.bars[step.chosen];
        const sentence =
            mine === null
                ? t(
                      "Nothing stands here yet. It looks most at {key} ({weight}); the likeliest is {likeliest} ({share}).",
                  )
                : at < data.given
                  ? t("{token} was given. The model would have written it with a probability of {share}.")
                  : data.mode === "surprise"
                    ? t("{token} was number {rank} of {tokens}, with {share}; the sampler had cut {cut} away.")
                    : t("To write {token}, it looked most at {key} ({weight}); it gave {token} {share}.");
        const parts = {
            "{token}": ["query", mine?.[0] ?? data.labels[at]],
            "{key}": ["key", data.labels[best]],
            "{weight}": ["", percent(most)],
            "{share}": ["strong", percent((mine ?? step.bars[0])[1])],
            "{rank}": ["strong", String(step.ranks[0])],
            "{tokens}": ["strong", String(step.ranks[1])],
            "{cut}": ["strong", String(step.ranks[2])],
            "{likeliest}": ["strong", step.bars[0][0]],
        };
        line.replaceChildren();
        for (const part of sentence.split(/(\{\w+\})/)) {
            const [role, said] = parts[/** @type {keyof typeof parts} */ (part)] ?? ["", part];
            line.append(role ? element("span", role, said) : said);
        }
    }

    const question = () => (data.mode === "watch" ? t("What can come next?") : t("What could stand here?"));

    /** @param {Step} step */
    function drawBars(step) {
        updateTableWhenIdle(table, question(), () => [
            ["", t("the model says"), t("the sampler draws")],
            ...step.bars.map(([name, model, drawn]) => [name, model.toFixed(4), drawn.toFixed(4)]),
        ]);
        bars.replaceChildren(
            ...step.bars.flatMap(([name, model, drawn, kept], number) => {
                const letter = element("span", number === step.chosen ? "name chosen" : "name", name);
                const track = element("span", "track"),
                    mine = element("span", kept ? "model" : "model cut");
                const other = element("span", "draw");
                mine.style.width = `${100 * model}%`;
                other.style.width = `${100 * drawn}%`;
                track.append(mine, other);
                return [letter, track, element("span", "share", percent(model))];
            }),
        );
    }

    /** @param {Step} step @param {boolean} thrown */
    function drawStrip(step, thrown) {
        const chosen = step.chosen === null ? "" : step.bars[step.chosen][0];
        strip.replaceChildren(
            ...step.strip.map(([name, from, to]) => {
                const made = element(
                    "span",
                    thrown && name === chosen ? "part chosen" : "part",
                    to - from >= LEAST_NAMED ? name : "",
                );
                made.style.left = `${100 * from}%`;
                made.style.width = `${100 * (to - from)}%`;
                return made;
            }),
            die,
        );
        die.hidden = !thrown;
        die.style.left = `${100 * step.die}%`;
        dieName.textContent = thrown
            ? t("The die falls on {die}: {token}", { die: step.die.toFixed(2), token: chosen })
            : t("No die was thrown here");
    }

    /** Scroll the text, never the page, until a place and the weights over it stand in its box. @param {number} at */
    function keepInSight(at) {
        const { offsetTop, offsetHeight } = letters[at];
        const least = offsetTop + offsetHeight + EDGE - text.clientHeight;
        text.scrollTop = Math.min(Math.max(text.scrollTop, least), offsetTop - 2 * EDGE);
    }

    /** As large as the finished text may be in its box; a little smaller than usual, if then it need not be scrolled. */
    function fit() {
        text.style.fontSize = "";
        if (getComputedStyle(text).overflowY === "visible") return; // in a file there is no box
        const usual = parseFloat(getComputedStyle(text).fontSize);
        const fits = (/** @type {number} */ size) => {
            text.style.fontSize = `${size}px`;
            return text.scrollHeight <= text.clientHeight;
        };
        let least = Math.ceil(usual * LEAST_SHRUNK) - 1,
            most = Math.round(usual * MOST_GROWN);
        while (least < most) {
            // each try lays the whole text out
            const middle = Math.ceil((least + most) / 2);
            if (fits(middle)) least = middle;
            else most = middle - 1;
        }
        text.style.fontSize = least < usual * LEAST_SHRUNK ? "" : `${least}px`;
    }

    /** @param {HTMLElement} letter @param {string} label */
    function write(letter, label) {
        letter.textContent = label === "␣" ? "\u00a0" : label;
        letter.classList.toggle("sign", label === "⏎");
    }

    /** Show a place as it is drawn with another setting of the sampler. @param {string} setting @param {number} to */
    function preview(setting, to) {
        run(false);
        const at = data.stops[setting].reduce(
            (best, stop, each, all) => (Math.abs(stop - to) < Math.abs(all[best] - to) ? each : best),
            0,
        );
        /** @type {Step} */ const step = JSON.parse(data.drawn)[setting][at];
        write(letters[data.moved], step.chosen === null ? data.labels[data.moved] : step.bars[step.chosen][0]);
        if (JSON.stringify(step) === JSON.stringify(steps[data.moved - 1]))
            ask(position); // it is as it was
        else ask(data.moved, step, data.moved);
    }

    function fill() {
        letters = data.labels.map((label, each) => {
            const letter = element("span", each < data.given ? "letter given" : "letter");
            write(letter, each === 0 ? "▸" : label);
            return letter;
        });
        text.replaceChildren();
        let word = element("span", "word");
        letters.forEach((letter, each) => {
            word.append(letter);
            if (each && !"⏎␣，。".includes(data.labels[each])) return;
            text.append(word, ...(each && data.labels[each] === "⏎" ? [document.createElement("br")] : []));
            word = element("span", "word");
        });
        text.append(word);
        text.className = `text ${data.mode}${letters.length < FEW ? " few" : ""}`;
        fit();
        named.textContent = question();
        legend.replaceChildren(
            ...[
                ["model", t("the model says")],
                ["draw", t("the sampler draws")],
            ].map(([name, said]) => {
                const entry = element("span", "entry");
                entry.append(element("span", `swatch ${name}`), said);
                return entry;
            }),
        );
        back.ariaLabel = t("The character before");
        on.ariaLabel = t("The character after");
        range.ariaLabel = t("Which character asks?");
        [range.min, range.max] = ["1", String(last())];
        play.hidden = data.mode !== "watch";
    }

    const resized = new ResizeObserver(() => {
        if (!given) return;
        fit();
        keepInSight(shown);
    });
    resized.observe(text);
    const stops = ["temperature", "top_p"].map((setting) =>
        followSlider(`tg_${setting}`, (to) => {
            if (data?.stops[setting]) preview(setting, to);
        }),
    );

    return {
        /** @param {Data} now @param {import("../../../ui/live/dom.js").Changed} told */
        take(now, told) {
            tell = told;
            const asked = now.position,
                all = JSON.stringify({ ...now, weights: null, position: 0, moved: 0, drawn: "" });
            if (all !== given) {
                const first = !given,
                    mode = data?.mode;
                [given, data, weights, steps] = [all, now, now.weights.values, JSON.parse(now.steps)];
                fill();
                ask((position = Math.min(Math.max(asked, 1), last())));
                const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
                run(data.mode === "watch" && asked === data.given && !still && (first || mode === "watch"));
            } else {
                const elsewhere = asked !== data.position && asked !== position;
                data = now;
                if (elsewhere) {
                    run(false);
                    ask((position = Math.min(Math.max(asked, 1), last())));
                }
            }
        },
        end() {
            clearTimeout(timer);
            for (const stop of stops) stop();
            resized.disconnect();
        },
    };
}
