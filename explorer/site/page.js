// Draws the pictures of a lesson's page in the state that the reader chooses; no server computes anything.
import { element } from "../ui/live/dom.js";

/** One picture in one state. @typedef {{title: string, reading: string, key?: string, computed?: string, script?: string,
 *   plotly?: boolean, light?: string[], dark?: string[]}} Picture */
/** @typedef {{pictures: Picture[], why: string}} State */
/** What is written of a scene. @typedef {{states: State[], settled: boolean, chosen: number}} Scene */
/** What every picture draws at first stands in the page, the rest in a file.
 * @typedef {{pieces: Record<string, string>, later: string, markup: Record<string, string>,
 *   scenes: Record<string, Scene>, plotly: string, said: {moved: string, failed: string}}} Given */

const DARK = matchMedia("(prefers-color-scheme: dark)");
const FIRST = 0,
    SKIPPED = 1,
    ANSWERED = 2;
const CHART = { displaylogo: false, responsive: true, modeBarButtonsToRemove: ["toImage"] };

/** Draw every scene, and follow what is pressed. @param {Given} given */
export default function start(given) {
    const sections = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("section.scene"));
    for (const section of sections) {
        const scene = given.scenes[section.id];
        if (!scene) continue; // it needs a model that could not be read
        Object.assign(scene, { settled: false, chosen: FIRST });
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
    const press = (/** @type {HTMLElement | undefined} */ chosen) => {
        for (const each of presets) each.setAttribute("aria-pressed", String(each === chosen));
        if (look) look.textContent = chosen?.dataset.look ?? "";
    };
    for (const button of presets)
        button.addEventListener("click", () => {
            press(button);
            show(Number(button.dataset.state));
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

/** Bring a scene to its chosen state: a picture that stays goes there from where it is.
 * @param {HTMLElement} section @param {Scene} scene @param {Given} given */
async function draw(section, scene, given) {
    const { chosen } = scene,
        { pictures, why } = scene.states[chosen],
        stage = /** @type {HTMLElement} */ (section.querySelector(".stage")),
        look = DARK.matches ? "dark" : "light";
    const pieces = await complete(given, [...pictures.flatMap((each) => each[look] ?? []), ...(why ? [why] : [])]);
    const data = await Promise.all(pictures.map((each) => joined((each[look] ?? []).map((name) => pieces[name]))));
    const prose = why && new TextDecoder().decode(await joined([pieces[why]]));
    if (scene.chosen !== chosen) return; // the reader has gone on
    const figures = /** @type {HTMLElement[]} */ ([...stage.children]);
    const drawn = pictures.map((picture, place) => {
        const kind = picture.script ?? (picture.plotly ? "plotly" : "said");
        const before = figures[place]?.dataset.kind === kind ? figures[place] : null;
        const figure = before ?? made(kind, given);
        if (!before) figures[place] ? figures[place].replaceWith(figure) : stage.append(figure);
        write(figure, picture);
        return fill(figure, picture, data[place], given);
    });
    for (const left of figures.slice(pictures.length)) left.remove();
    if (prose) /** @type {HTMLElement} */ (section.querySelector(".why")).innerHTML = prose;
    await Promise.all(drawn);
    if (scene.chosen === chosen) stage.dataset.drawn = String(chosen);
}

/** @param {string} kind @param {Given} given */
function made(kind, given) {
    const figure = element("figure", "picture");
    figure.dataset.kind = kind;
    figure.append(element("figcaption", "title"));
    if (kind !== "said") {
        const host = element("div", kind === "plotly" ? "chart" : "live");
        if (kind !== "plotly") host.attachShadow({ mode: "open" }).innerHTML = given.markup[kind];
        figure.append(host);
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
    part("computed").textContent = computed;
    figure.querySelector(".moved")?.remove();
}

/** @param {HTMLElement} figure @param {Picture} picture @param {Uint8Array} data @param {Given} given */
async function fill(figure, { script, plotly }, data, given) {
    if (script) {
        const { default: drawn } = await import(script);
        const { shadowRoot } = /** @type {HTMLElement} */ (figure.querySelector(".live"));
        drawn({ data, parentElement: shadowRoot, setTriggerValue: () => moved(figure, given.said.moved) });
    }
    if (plotly) {
        const chart = /** @type {HTMLElement} */ (figure.querySelector(".chart"));
        const { data: traces, layout } = JSON.parse(new TextDecoder().decode(data));
        chart.style.height = `${layout.height}px`;
        await fetched(given.plotly);
        const { Plotly } = /** @type {any} */ (window);
        const { domain: [low, high] = [0, 1] } = layout.yaxis ?? {}; // Plotly writes what it makes of it there
        await Plotly.react(chart, traces, layout, CHART);
        await crop(Plotly, chart, high - low);
    }
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

/** Return the pieces, those of the file too if one of the names is there. @param {Given} given @param {string[]} names
 * @returns {Promise<Record<string, string>>} */
async function complete({ pieces, later }, names) {
    if (names.every((name) => name in pieces)) return pieces;
    await fetched(later);
    return { ...pieces, .../** @type {any} */ (window).laterPieces };
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
