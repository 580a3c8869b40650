// A training as a film: where the model looks, what it writes, its curves, and small maps of some moments, on one clock.
import { followRange, makeDraggable } from "../../../ui/live/drag.js";
import { echoed, mark } from "../../../ui/live/player.js";
import { say } from "../../../ui/live/reading.js";
import { prefersReducedMotion, clamp, clock } from "../../../ui/live/motion.js";
import { svgElement } from "../../../ui/live/drawing.js";
import { element, live, updateTableWhenIdle, screenReaderOnly, windowHeight } from "../../../ui/live/dom.js";
import { t } from "../../../ui/live/words.js";
import { liveRegion } from "../../../ui/live/live_region.js";
import { answerOf, curvesOf } from "./film_curves.js";
import { along, fit, frame, goneOf, placeOf, read, stepOf } from "./film_frames.js";
import { mapOf, momentOf, momentsOf, tableOf } from "./film_maps.js";

/** @typedef {import("./film_frames.js").Data} Data */

const PLAYED = 9; // seconds of all frames

export default (/** @type {import("../../../ui/live/dom.js").Component} */ component) => live(component, "film", make);

/** @param {HTMLElement} root */
function make(root) {
    const foot = element("div", "foot"),
        button = element("button", ""),
        tag = element("span", "tag"),
        slider = element("input", ""),
        told = element("output", "");
    Object.assign(slider, { type: "range", min: "0" });
    button.type = "button";
    foot.append(button, tag, slider, told);
    root.replaceChildren();
    const svg = svgElement("svg", { role: "img" }, root),
        [map, answer, curve, strip] = ["map", "answer", "curve", "strip"].map((name) =>
            svgElement("g", { class: name }, svg),
        );
    root.append(foot);
    const table = screenReaderOnly(root, "table");
    liveRegion(root);
    /** @type {import("./film_frames.js").Film} */ let film;
    /** @type {import("../../../ui/live/dom.js").Changed} */ let tell;
    let given = "",
        here = -1,
        spoken = "",
        follows = true;
    /** @type {number | undefined} */ let moment;
    const echoes = echoed();
    const last = () => film.data.steps.length - 1;

    const time = clock(
        (t) => {
            film.now = t;
            if (film.width) paint();
        },
        label,
        (t) => {
            const position = Math.floor(t + 1e-6);
            if (t !== position) time.at(position);
            follows = position === last();
            if (position === here) return;
            const to = film.data.steps[(here = position)];
            echoes.told(to);
            tell({ moved: { step: to } });
        },
    );

    /** What the clock shows: of how many steps of the film, where the training went on after it. */
    function clockText() {
        const { after, steps } = film.data,
            step = stepOf(film);
        return after === null
            ? t("step {step}", { step })
            : t("step {step} of {total}", { step, total: steps[last()] });
    }

    const alt = () => t("{name}: where it looks, what it writes, and its curves", { name: film.data.model });

    /** @param {boolean} running */
    function label(running) {
        button.textContent = running ? `❚❚ ${t("Pause")}` : `▶ ${t("Play")}`;
    }

    function paint(whole = false) {
        [map.innerHTML, answer.innerHTML, curve.innerHTML] = [mapOf(film), answerOf(film), curvesOf(film)];
        if (whole || momentOf(film) !== moment) strip.innerHTML = momentsOf(film);
        moment = momentOf(film);
        slider.value = String(goneOf(film));
        told.textContent = clockText();
        const sentence = film.data.sentences[frame(film)];
        if (sentence !== spoken) say(root, mark((spoken = sentence)));
        slider.setAttribute("aria-valuetext", told.textContent);
        updateTableWhenIdle(table, `${alt()}. ${told.textContent}`, () => tableOf(film));
    }

    /** Bring it to a frame because the reader wants it there. @param {number} position */
    const seek = (position) => time.at(clamp(Math.round(position), 0, last()));
    button.onclick = () => (time.running() ? time.pause() : time.play());
    followRange(
        slider,
        (step) => seek(placeOf(film, step)),
        () => time.pause(),
    );
    slider.onkeydown = (event) => {
        const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
        if (!step) return; // the browser's own step is a hundredth of the way
        event.preventDefault();
        seek(Math.floor(film.now + 1e-6) + step);
        time.pause();
    };
    svg.addEventListener("click", (event) => {
        const position = /** @type {Element} */ (event.target).getAttribute("data-position");
        if (position === null) return;
        seek(Number(position));
        time.pause();
    });
    makeDraggable(
        curve,
        svg,
        (across) => {
            const { left, right } = along(film);
            seek(placeOf(film, clamp((across - left) / (right - left)) * film.data.total));
        },
        () => {},
        () => time.pause(),
    );

    function arrange() {
        if (!film || !root.clientWidth) return;
        fit(film, root.clientWidth, windowHeight(root));
        svg.setAttribute("viewBox", `0 0 ${film.width} ${film.height}`);
        svg.setAttribute("height", String(film.height));
        svg.style.setProperty("--type", String(film.phone ? 1 : film.data.zoom));
        paint(true);
    }

    /** Name what can be moved. */
    function name() {
        [slider.min, slider.max] = [film.data.steps[0], film.data.steps[last()]].map(String);
        [slider.step, slider.ariaLabel, svg.ariaLabel] = ["any", t("Training step"), alt()];
        const { own, after, steps } = film.data;
        tag.hidden = own;
        tag.textContent = own
            ? ""
            : after === null
              ? t("recorded beforehand")
              : t("recorded: the first {steps} of {total} steps", { steps: steps.at(-1), total: after });
        told.style.minWidth = `${Math.max(5.5, 0.6 * clockText().length)}em`; // so that the slider keeps its length
        label(time.running());
    }
    const resized = new ResizeObserver(arrange);
    resized.observe(root);
    window.addEventListener("resize", arrange);
    return {
        /** @param {Data} data @param {import("../../../ui/live/dom.js").Changed} telling */
        take(data, telling) {
            tell = telling;
            const { weights: _, sure: __, ...named } = data, // name and steps say which they are
                all = JSON.stringify(named),
                before = film?.data,
                anew = before?.id !== data.id;
            if (all === given) return;
            [given, film] = [all, read(data, film ?? null)];
            const position = data.at === null ? last() : placeOf(film, data.at),
                echo = echoes.heard(data.at);
            const moved = !echo && (data.at !== before?.at || (data.at === null && follows));
            if (anew) time.stop();
            time.stops([...data.steps.keys()]);
            time.speed(Math.max(last(), 1) / PLAYED);
            name();
            film.now = Math.min(film.now, last());
            arrange();
            follows = data.at === null;
            if (anew) {
                const plays = data.at === null && !data.live && !prefersReducedMotion() && last() > 0;
                time.at(plays ? 0 : position);
                here = position;
                if (plays) time.play();
            } else if (moved && (!time.running() || (data.at !== null && position !== here))) {
                // new frames are played as they come
                here = position;
                time.to(position);
            }
        },
        end() {
            time.stop();
            resized.disconnect();
            window.removeEventListener("resize", arrange);
        },
    };
}
