// Draws the pictures of a lesson's page in the state that the reader chooses; no server computes anything.
import { element } from "../ui/live/dom.js";

/** One picture in one state. @typedef {{title: string, reading: string, key?: string, computed?: string, script?: string,
 *   plotly?: boolean, written?: boolean, least?: number, light?: string[], dark?: string[]}} Picture */
/** @typedef {{pictures: Picture[], why: string}} State */
/** A scene: its states, and after them those at the stops of its sliders, once they are fetched.
 * @typedef {{name: string, states: State[], settled: boolean, chosen: number, why: string}} Scene */
/** What every picture draws at first stands in the page, the rest in files: `laterPieces` for presets and answers,
 * `stopPieces` and `stops` for sliders.
 * @typedef {{pieces: Record<string, string>, later?: string, stops?: string, markup: Record<string, string>,
 *   scenes: Record<string, State[]>, plotly: string, said: {moved: string, failed: string}}} Given */

const DARK = matchMedia("(prefers-color-scheme: dark)");
const FIRST = 0,
    SKIPPED = 1,
    ANSWERED = 2;
const CHART = { displaylogo: false, responsive: true, modeBarButtonsToRemove: ["toImage"] };

/** Draw every scene, and follow what is pressed. @param {Given} given */
export default function start(given) {
    const sections = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("section.scene"));
    for (const section of sections) {
        const states = given.scenes[section.id];
        if (!states) continue; // it needs a model that could not be read
        /** @type {Scene} */
        const scene = { name: section.id, states, settled: false, chosen: FIRST, why: states[FIRST].why };
        const show = (/** @type {number} */ state) => {
            scene.chosen = state;
            return draw(section, scene, given).catch((error) => {
                const stage = /** @type {HTMLElement} */ (section.querySelector(".stage"));
                stage.append(element("p", "failed", `${given.said.failed} ${error}`));
                throw error;
            });
        };
        listen(section, scene, show);
        show(FIRST);
        DARK.addEventListener("change", () => show(scene.chosen));
    }
}

/** @param {HTMLElement} section @param {Scene} scene @param {(state: number) => void} show */
function listen(section, scene, show) {
    const presets = /** @type {HTMLElement[]} */ ([...section.querySelectorAll("[data-state]")]);
    const look = section.querySelector(".look");
    const sliders = /** @type {HTMLInputElement[]} */ ([...section.querySelectorAll(".sliders input")]);
    const press = (/** @type {HTMLElement | undefined} */ chosen) => {
        for (const each of sliders) if (each !== chosen) each.value = each.defaultValue;
        sliders.forEach(say);
        for (const each of presets) each.setAttribute("aria-pressed", String(each === chosen));
        if (look) look.textContent = chosen?.dataset.look ?? "";
    };
    for (const button of presets)
        button.addEventListener("click", () => {
            press(button);
            show(Number(button.dataset.state));
        });
    for (const slider of sliders)
        slider.addEventListener("input", () => {
            press(slider);
            show(scene.states.length + Number(slider.dataset.first) + slider.valueAsNumber);
        });
    const verdict = /** @type {HTMLDetailsElement | null} */ (section.querySelector(".verdict"));
    if (!verdict) return;
    const settle = (/** @type {number} */ state) => {
        scene.settled = true;
        section.querySelector(".answers")?.remove();
        press(undefined);
        show(state);
    };
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (section.querySelectorAll("[data-answer]")))
        button.addEventListener("click", () => {
            const { answer } = button.dataset,
                summary = /** @type {HTMLElement} */ (verdict.querySelector("summary"));
            if (!answer) return settle(SKIPPED);
            const met = answer === verdict.dataset.right;
            summary.textContent = (met ? verdict.dataset.met : verdict.dataset.missed) ?? "";
            verdict.classList.toggle("right", met);
            settle(ANSWERED);
            verdict.open = true;
            summary.focus();
        });
    verdict.addEventListener("toggle", () => {
        if (verdict.open && !scene.settled) settle(SKIPPED);
    });
}

/** Say at which stop a slider stands. @param {HTMLInputElement} slider */
function say(slider) {
    const said = JSON.parse(slider.dataset.written ?? "[]")[slider.valueAsNumber];
    slider.setAttribute("aria-valuetext", said);
    slider.parentElement?.querySelector("output")?.replaceChildren(said);
}

/** Bring a scene to its chosen state: a picture that stays goes there from where it is.
 * @param {HTMLElement} section @param {Scene} scene @param {Given} given */
async function draw(section, scene, given) {
    const { chosen } = scene,
        { pictures, why } = await state(scene, given),
        stage = /** @type {HTMLElement} */ (section.querySelector(".stage")),
        look = DARK.matches ? "dark" : "light";
    const prose = why === scene.why ? [] : [why]; // else it stands there
    const pieces = await complete(given, [...pictures.flatMap((each) => each[look] ?? []), ...prose]);
    const data = await Promise.all(pictures.map((each) => joined((each[look] ?? []).map((name) => pieces[name]))));
    const told = await joined(prose.map((name) => pieces[name]));
    if (scene.chosen !== chosen) return; // the reader has gone on
    const figures = /** @type {HTMLElement[]} */ ([...stage.children]);
    const drawn = pictures.map((picture, position) => {
        const kind = picture.script ?? (picture.plotly ? "plotly" : picture.written ? "beside" : "said");
        const before = figures[position]?.dataset.kind === kind ? figures[position] : null;
        const figure = before ?? made(kind, given);
        if (!before) figures[position] ? figures[position].replaceWith(figure) : stage.append(figure);
        write(figure, picture);
        return fill(figure, picture, data[position], given);
    });
    for (const left of figures.slice(pictures.length)) left.remove();
    scene.why = why;
    if (prose.length)
        /** @type {HTMLElement} */ (section.querySelector(".why")).innerHTML = new TextDecoder().decode(told);
    await Promise.all(drawn);
    if (scene.chosen === chosen) stage.dataset.drawn = String(chosen);
}

/** @param {string} kind @param {Given} given */
function made(kind, given) {
    const figure = element("figure", "picture");
    figure.dataset.kind = kind;
    figure.append(element("figcaption", "title"));
    if (kind !== "said") {
        const host = element("div", { plotly: "chart", beside: "beside" }[kind] ?? "live");
        if (kind in given.markup) host.attachShadow({ mode: "open" }).innerHTML = given.markup[kind];
        figure.append(host);
        if (kind === "plotly") new ResizeObserver(() => bare(host)).observe(host);
    }
    figure.append(element("p", "reading"), element("p", "computed"));
    return figure;
}

/** @param {HTMLElement} figure @param {Picture} picture */
function write(figure, { title, reading, computed = "" }) {
    const part = (/** @type {string} */ name) => /** @type {HTMLElement} */ (figure.querySelector(`.${name}`));
    part("title").textContent = title;
    part("title").hidden = !title;
    part("reading").innerHTML = reading;
    part("reading").hidden = !reading;
    part("computed").textContent = computed;
    figure.querySelector(".moved")?.remove();
}

/** @param {HTMLElement} figure @param {Picture} picture @param {Uint8Array} data @param {Given} given */
async function fill(figure, { script, plotly, written, least = 0 }, data, given) {
    if (written)
        /** @type {HTMLElement} */ (figure.querySelector(".beside")).innerHTML = new TextDecoder().decode(data);
    if (script) {
        const { default: drawn } = await import(script);
        const { shadowRoot } = /** @type {HTMLElement} */ (figure.querySelector(".live"));
        drawn({ data, parentElement: shadowRoot, setTriggerValue: () => moved(figure, given.said.moved) });
        const title = /** @type {HTMLElement} */ (figure.querySelector(".title"));
        const own = /** @type {HTMLElement[]} */ ([...(shadowRoot?.querySelectorAll(".title, .head") ?? [])]);
        title.hidden ||= own.some((each) => each.textContent?.startsWith(title.textContent)); // the picture says it
    }
    if (plotly) {
        const chart = /** @type {HTMLElement} */ (figure.querySelector(".chart"));
        const { data: traces, layout } = JSON.parse(new TextDecoder().decode(data));
        chart.style.height = `${layout.height}px`;
        chart.dataset.least = String(least);
        bare(chart);
        await fetched(given.plotly);
        const { Plotly } = /** @type {any} */ (window);
        const { domain: [low, high] = [0, 1] } = layout.yaxis ?? {}; // Plotly writes what it makes of it there
        await Plotly.react(chart, traces, layout, CHART);
        await crop(Plotly, chart, high - low);
    }
}

/** Take text from the cells of a chart's maps while they are too narrow for it. @param {HTMLElement} chart */
function bare(chart) {
    chart.classList.toggle("bare", chart.clientWidth < Number(chart.dataset.least));
}

/** Take away what stays empty of a chart's height: on a phone a square map is as high as it is wide.
 * @param {any} Plotly @param {any} chart @param {number} meant what its only axis upwards is to take of the height */
async function crop(Plotly, chart, meant) {
    const { _size: room, _subplots: parts, yaxis, height } = chart._fullLayout,
        length = yaxis?._length,
        empty = Math.floor(room.h * meant - length);
    if (parts.yaxis?.length !== 1 || empty <= 0) return;
    for (let next = height - empty, round = 0; round < 2; round++) {
        chart.style.height = `${next}px`;
        await Plotly.relayout(chart, { height: next });
        next += Math.round(length - chart._fullLayout.yaxis._length); // labels stood in what was empty
    }
}

/** Say that the sentence below a picture tells of the state from which the reader has moved it.
 * @param {HTMLElement} figure @param {string} said */
function moved(figure, said) {
    if (!figure.querySelector(".moved")) figure.querySelector(".reading")?.after(element("p", "moved", said));
}

/** Unpack pieces, and put them together. @param {string[]} pieces base64 @returns {Promise<Uint8Array>} */
async function joined(pieces) {
    const parts = await Promise.all(
        pieces.map((each) => {
            const packed = Uint8Array.from(atob(each), (letter) => letter.charCodeAt(0));
            return new Response(
                new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate")),
            ).arrayBuffer();
        }),
    );
    return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** Return the state that is chosen. @param {Scene} scene @param {Given} given @returns {Promise<State>} */
async function state({ name, states, chosen }, { stops }) {
    if (chosen < states.length || !stops) return states[chosen];
    await fetched(stops);
    return /** @type {any} */ (window).stops[name][chosen - states.length];
}

/** Return the pieces, those of files too if one of the names is there. @param {Given} given @param {string[]} names
 * @returns {Promise<Record<string, string>>} */
async function complete({ pieces, later, stops }, names) {
    let found = pieces;
    for (const file of [later, stops]) {
        if (!file || names.every((name) => name in found)) break;
        await fetched(file);
        const { laterPieces, stopPieces } = /** @type {any} */ (window);
        found = { ...pieces, ...laterPieces, ...stopPieces };
    }
    return found;
}

/** Files by address. @type {Map<string, Promise<unknown>>} */
const files = new Map();

/** Run a file of the site once: from a folder, browsers let a page read no other kind. @param {string} address */
function fetched(address) {
    const before = files.get(address);
    if (before) return before;
    const file = new Promise((resolve, reject) => {
        const script = element("script", "");
        script.addEventListener("load", resolve);
        script.addEventListener("error", () => reject(new Error(address)));
        script.src = address;
        document.head.append(script);
    });
    file.catch(() => files.delete(address));
    files.set(address, file);
    return file;
}
