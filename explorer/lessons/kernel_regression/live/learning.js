// A width as it is learned: the fit of one epoch beside the error of the epochs up to it, and maybe loss and w. The epoch is
// dragged, follows its slider, or plays; all epochs are here, no step asks the server.
import { element, live, updateTableWhenIdle, screenReaderOnly, windowHeight } from "../../../ui/live/dom.js";
import { t } from "../../../ui/live/words.js";
import { setAttributes, svgElement, setText } from "../../../ui/live/drawing.js";
import { formatSignificant } from "../../../ui/live/numbers.js";
import { clamp, clock, lerp } from "../../../ui/live/motion.js";
import { linePath, xAxis, linear, logarithmic, yAxis, ticks } from "../../../ui/live/axes.js";
import { makeDraggable } from "../../../ui/live/drag.js";
import { redrawOnResize } from "../../../ui/live/resize.js";
import { regression } from "./regression_plot.js";

/**
 * @typedef {import("../../../ui/live/unpack.js").Packed} Packed
 * @typedef {object} Data
 * @property {Packed} widths [epochs + 1] @property {Packed[]} ways the chosen one and maybe the other, each [measures, epochs + 1]
 * @property {import("./fitted.js").Sent} fit @property {number} epoch that is shown @property {string} slider
 * @property {("loss" | "w" | "against_truth")[]} measures @property {boolean} left whether the chosen way leaves points out
 */

const SHORT = 480,
    EDGE = 52,
    AFTER = 10,
    TITLED = 26,
    BELOW_TITLE = 34,
    FLOOR = 46; // pixels
const BESIDE = 700; // pixels, from which both pictures stand beside each other
const PLAYED = 5,
    LEAST = 0.05,
    MOST = 0.7; // seconds of all epochs, and of one
const TOO_MUCH = 3; // from this ratio on a logarithmic axis has numbers 1, 2, 5

export default (/** @type {import("../../../ui/live/dom.js").Component} */ component) =>
    live(component, "learning", learning);

/** What measures are called. */
const nameMeasures = () => ({ loss: t("loss"), w: t("w = 1/width"), against_truth: t("error against the truth") });

/** Numbers for a logarithmic axis. @param {number} low @param {number} high */
function decades(low, high) {
    if (high < TOO_MUCH * low) return ticks(low, high, 3);
    const made = [];
    for (let power = Math.floor(Math.log10(low)); 10 ** power <= high; power += 1)
        made.push(...[1, 2, 5].map((each) => Number(`${each}e${power}`)));
    return made.filter((each) => each >= low && each <= high);
}

/** @param {HTMLElement} root */
function learning(root) {
    const left = element("div", "left"),
        right = element("div", "right"),
        title = element("p", "title"),
        bar = element("p", "title");
    const name = element("span", ""),
        button = element("button", "play"),
        legend = element("p", "legend ways");
    button.type = "button";
    bar.append(name, button);
    const plotted = element("div", "regression");
    left.append(title, plotted);
    right.append(bar, legend);
    const svg = svgElement("svg", { role: "group" }, right);
    root.replaceChildren(left, right);
    const table = screenReaderOnly(root, "table");
    const plot = regression(plotted);

    /** @type {Data} */ let data;
    /** @type {{widths: Float32Array, mine: Float32Array[], other: Float32Array[]}} */ let found;
    /** @type {import("../../../ui/live/dom.js").Changed} */ let tell;
    /** @type {ReturnType<typeof build>} */ let drawn;
    let at = 0,
        reported = 0,
        query = NaN; // reported: the epoch that the server knows of
    const last = () => found.widths.length - 1,
        one = () => clamp(PLAYED / Math.max(1, last()), LEAST, MOST);

    const time = clock(
        (t) => {
            at = clamp(t / one(), 0, last());
            paint();
        },
        (running) => {
            setText(button, running ? `❚❚ ${t("Pause")}` : `▶ ${t("Play")}`);
            button.ariaPressed = String(running);
        },
        report,
    );
    button.addEventListener("click", () => (time.running() ? time.pause() : time.play()));

    /** Show a whole epoch. @param {number} epoch */
    const show = (epoch) => time.at(clamp(Math.round(epoch), 0, last()) * one());

    function report() {
        show(at);
        tell({ epoch: (reported = at) });
    }

    /** Make a panel for each measure, and the line through all of them. */
    function build() {
        const wide = root.clientWidth;
        root.classList.toggle("stacked", wide < BESIDE);
        const width = right.clientWidth,
            tall = clamp(windowHeight(root) - 316, 330, wide < BESIDE ? SHORT : 600),
            count = data.measures.length;
        const each = (tall - FLOOR) / count,
            most = Math.max(1, last(), (found.other[0]?.length ?? 1) - 1),
            ends = [EDGE, width - AFTER],
            x = linear([0, most], ends);
        svg.replaceChildren();
        setAttributes(svg, { width, height: tall, viewBox: `0 0 ${width} ${tall}` });
        const panels = data.measures.map((measure, row) => {
            const all = [...found.mine[row], ...(found.other[row] ?? [])].filter(Number.isFinite),
                low = Math.min(...all),
                high = Math.max(...all);
            const log = low > 0 && measure !== "w" && high > low,
                pad = log ? (high / low) ** 0.06 : 0.06 * (high - low) || 0.5;
            const range = log ? [low / pad, high * pad] : [low - pad, high + pad],
                [top, floor] = [row * each + TITLED, (row + 1) * each - 8];
            const y = (log ? logarithmic : linear)(range, [floor, top]);
            yAxis(
                svg,
                all.length
                    ? (log ? decades : (/** @type {number} */ a, /** @type {number} */ b) => ticks(a, b, each / 44))(
                          range[0],
                          range[1],
                      )
                    : [],
                y,
                ends,
                formatSignificant,
            );
            const other = found.other[row];
            if (other)
                svgElement(
                    "path",
                    {
                        class: `way ${data.left ? "kept" : "out"} dotted`,
                        d: linePath([...other.keys()], other, x, y),
                    },
                    svg,
                );
            const name = `way ${data.left ? "out" : "kept"}`,
                mine = found.mine[row];
            svgElement("path", { class: `${name} ahead`, d: linePath([...mine.keys()], [...mine], x, y) }, svg);
            return { y, done: svgElement("path", { class: name }, svg) };
        });
        xAxis(svg, ticks(0, most, Math.min(most, width / 60)), x, tall - FLOOR, ends);
        setText(svgElement("text", { class: "tick", x: ends[1], y: tall - 6, "text-anchor": "end" }, svg), t("epoch"));
        const here = svgElement(
            "g",
            {
                class: "grip epoch",
                tabindex: 0,
                role: "slider",
                "aria-label": t("Epoch shown"),
                "aria-valuemin": 0,
                "aria-valuemax": last(),
            },
            svg,
        );
        svgElement("rect", { class: "target", x: -14, y: 2, width: 28, height: tall - FLOOR, rx: 8 }, here);
        svgElement("line", { class: "down", y1: 4, y2: tall - FLOOR }, here);
        data.measures.forEach((measure, row) => {
            setText(svgElement("text", { class: "head", x: 0, y: row * each + 15 }, svg), nameMeasures()[measure]);
        }); // above the line of the epoch
        const dots = panels.map(() => ({
            dot: svgElement("circle", { class: "now", r: 6 }, here),
            text: svgElement("text", { class: "value" }, here),
        }));
        const back = linear(ends, [0, most]);
        makeDraggable(
            here,
            svg,
            (across) => show(back(across)),
            (across, up) => show(at + across + up),
            report,
        );
        return { x, panels, here, dots, each, middle: width / 2 };
    }

    /** Draw what depends on the epoch; between two of them the width lies between theirs. */
    function paint() {
        if (!drawn) return; // there has been no room for it yet
        const epoch = Math.floor(at + 1e-6),
            after = Math.min(epoch + 1, last()),
            between = (/** @type {Float32Array} */ of) => lerp(of[epoch], of[after], at - epoch);
        const { x, panels, here, dots, each, middle } = drawn,
            width = between(found.widths),
            position = x(at);
        plot.show(width);
        setAttributes(here, {
            transform: `translate(${position.toFixed(1)} 0)`,
            "aria-valuenow": epoch,
            "aria-valuetext": t("epoch {epoch}", { epoch }),
        });
        const numbers = found.mine.map(between);
        panels.forEach(({ y, done }, row) => {
            const values = found.mine[row],
                value = numbers[row],
                steps = [...values.slice(0, epoch + 1).keys(), at];
            setAttributes(done, { d: linePath(steps, [...values.slice(0, epoch + 1), value], x, y) });
            const known = Number.isFinite(value),
                end = position > middle;
            setAttributes(dots[row].dot, { cy: known ? y(value).toFixed(1) : 0, display: known ? "inline" : "none" });
            setAttributes(dots[row].text, {
                x: end ? -12 : 12,
                y: known ? Math.max(y(value) - 10, row * each + BELOW_TITLE).toFixed(1) : 0,
                "text-anchor": end ? "end" : "start",
            });
            setText(dots[row].text, known ? formatSignificant(value) : "");
        });
        setText(title, t("The fit after epoch {epoch}: width {width}", { epoch, width: formatSignificant(width) }));
        updateTableWhenIdle(table, t("Learning the width, epoch by epoch"), () => [
            [t("Epoch shown"), t("width"), ...data.measures.map((measure) => nameMeasures()[measure])],
            [epoch, width, ...numbers].map((each, i) => (i ? each.toFixed(6) : String(each))),
        ]);
    }

    const shown = redrawOnResize(root, () => (drawn = build()), paint);
    return {
        /** @param {Data} now @param {import("../../../ui/live/dom.js").Changed} told */
        take(now, told) {
            const { epoch, ...rest } = now;
            [tell, data] = [told, now];
            const [mine, other = []] = now.ways.map(({ rows }) => rows);
            found = { widths: now.widths.values, mine, other };
            if (Number.isNaN(query)) query = now.fit.query;
            const asked = clamp(epoch, 0, last());
            plot.take({ ...now.fit, query, width: found.widths[asked] }, (changed) => {
                if ("query" in changed) query = Number(changed.query);
                else tell(changed);
            });
            time.stops(Array.from(found.widths, (_, each) => each * one()));
            let anew = false;
            shown.take(rest, () => {
                svg.ariaLabel = t("Learning the width, epoch by epoch");
                setText(name, t("Learning the width, epoch by epoch"));
                setText(button, `▶ ${t("Play")}`);
                button.hidden = last() === 0;
                legend.hidden = now.ways.length === 1;
                legend.replaceChildren(
                    ...now.ways.map((_, i) => {
                        const [way, text] =
                            now.left === !i ? ["out", t("each point left out")] : ["kept", t("each point kept in")];
                        return element("span", `${way}${i ? " dotted" : ""}`, text);
                    }),
                );
                [at, anew] = [asked, true];
                return [[now.slider, show]];
            });
            if (anew || !time.running() || asked !== reported) show(asked);
            reported = asked;
        },
        end() {
            time.stop();
            plot.end();
            shown.end();
        },
    };
}
