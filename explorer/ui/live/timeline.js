// A film on one drawing: what stands still is drawn once, every moment is painted from the numbers that Python packed.
import { element, live, updateTableWhenIdle, screenReaderOnly, windowHeight } from "./dom.js";
import { formatMessage } from "./words.js";
import { svgElement } from "./drawing.js";
import { followSlider } from "./drag.js";
import { film } from "./player.js";
import { reading } from "./reading.js";
import { prefersReducedMotion } from "./motion.js";
import { liveRegion } from "./live_region.js";

/** @typedef {{id: string, at: number, presses: number, sentences: any[], zoom: number, first: number, stride: number, plays?: boolean, arrays: Record<string, import("./unpack.js").Packed>}} Head as `film.py` packs it; `plays` has it begin by itself
 * @typedef {(name: string) => import("./unpack.js").Packed} Arrays
 * @typedef {{to: (step: number) => void, at: (step: number) => void, pause: () => void}} Time `to` glides to a step; `at` follows
 *   the pointer, and `pause` rests on a step */

/**
 * How a film looks. What is said of a step takes the place of the page's reading, or stands below the film. `draw` gets the
 * height that is left, and what takes something else that the reader pointed at; `paint` gets a moment: a step, and after the point how much of the way to the next one is gone. `rows` are the numbers of a
 * step for those who do not see it. `follows` has sliders of the page by their keys: while one is moved, it changes the data and
 * returns the step that is shown.
 * @template D @typedef {object} Scenario @property {(data: any) => {where: string, position: string, alt: string}} words name of the slider, of
 * a step {n} of {m}, of the picture @property {number} beside pixels of the page above and below the drawing
 * @property {number} [pace] seconds from a step to the next @property {number} [turn] of the way to the next: from then on that one is told
 * @property {boolean} [below] whether what is said stands below @property {(data: any, step: number) => string} [sentence] of a step
 * @property {(svg: SVGSVGElement, data: any, array: Arrays, width: number, room: number, time: Time, pick: (picked: object) => void) => D} draw
 * @property {(drawing: D, data: any, array: Arrays, t: number) => void} paint @property {(data: any, array: Arrays, step: number) => string[][]} rows
 * @property {Record<string, (data: any, to: number) => number>} [follows]
 */

/** Draw a film as a component. @template D @param {import("./dom.js").Component} component @param {string} name @param {Scenario<D>} of */
export const screened = (component, name, of) => live(component, name, (root) => screen(root, of));

/** @template D @param {HTMLElement} root @param {Scenario<D>} of */
function screen(
    root,
    {
        words,
        beside,
        pace,
        turn = 0.5,
        below,
        sentence = (each, step) => each.sentences[step],
        draw,
        paint,
        rows,
        follows = {},
    },
) {
    const stage = element("div", "stage");
    const svg = svgElement("svg", { role: "img" }, stage),
        time = film(show, (to) => tell({ to }), pace);
    root.classList.add("screened");
    root.replaceChildren(stage, time.foot);
    liveRegion(root);
    const table = screenReaderOnly(root, "table");
    if (below) time.foot.after(time.line);
    else table.before(time.line);

    /** @type {Head} */ let data;
    /** @type {Arrays} */ let array;
    /** @type {import("./dom.js").Changed} */ let tell;
    /** @type {D | null} */ let drawing = null;
    let given = "",
        width = 0,
        height = 0,
        written = "";

    const last = () => (data.sentences.length - 1) * data.stride + data.first;

    function show(/** @type {number} */ now) {
        if (!drawing) return;
        paint(drawing, data, array, now);
        const near = Math.floor(now + 1 - turn),
            position = formatMessage(words(data).position, { n: near * data.stride + data.first, m: last() }),
            said = sentence(data, near);
        time.say(position, said);
        if (`${position} ${said}` !== written) {
            updateTableWhenIdle(table, position, () => rows(data, array, near));
            if (!below)
                reading(root)?.replaceChildren(...[...time.line.childNodes].map((part) => part.cloneNode(true)));
        }
        written = `${position} ${said}`;
    }

    /** Take what the reader pointed at besides as if Python had said it, and tell Python. @param {object} picked */
    function pick(picked) {
        Object.assign(data, picked);
        time.again();
        tell({ picked });
    }

    function build() {
        [width, height] = [root.clientWidth, windowHeight(root)];
        if (!width) return;
        root.style.setProperty("--zoom", String(data.zoom));
        svg.replaceChildren();
        drawing = draw(svg, data, array, width, Math.max(height - beside, 300), time, pick);
    }
    const resized = new ResizeObserver(() => {
        if (!data || (root.clientWidth === width && windowHeight(root) === height)) return;
        build();
        time.again();
    });
    resized.observe(root);
    const begin = (/** @type {number} */ at) => {
        written = "";
        build();
        time.take(data.sentences.length, at, true);
    };
    const stops = Object.entries(follows).map(([key, change]) =>
        followSlider(key, (to) => {
            if (data) begin(change(data, to));
        }),
    );
    return {
        /** @param {Head} head @param {import("./dom.js").Changed} told */
        take(head, told) {
            const anew = head.id !== given,
                asked = head.presses !== data?.presses;
            [given, data, tell] = [head.id, head, told];
            if (!anew) {
                time.take(data.sentences.length, data.at, false, asked);
                return time.again();
            }
            array = (name) => head.arrays[name];
            const { where, alt } = words(data);
            time.named(where);
            svg.ariaLabel = alt;
            begin(data.at);
            if (data.plays && !prefersReducedMotion()) time.play();
        },
        end() {
            for (const stop of stops) stop();
            time.close();
            resized.disconnect();
        },
    };
}
