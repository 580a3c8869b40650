// Shared by the live pictures: elements, how a weight is written, tables for those who do not see them.
import { explain } from "./gloss.js";
import { unpack } from "./unpack.js";
import { setLanguage, t } from "./words.js";

/** Tells Python. @typedef {(name: string, value: unknown) => void} Tell */
/** Tells Python what the reader has changed. @typedef {(changed: Record<string, unknown>) => void} Changed */
/** What Streamlit hands a script. @typedef {{data: any, parentElement: HTMLElement, setTriggerValue: Tell}} Component */

// Classes of what holds words of a text, which a browser's translator leaves alone.
const WORDS = /(?:^| )(?:words?|sentence|name|letter|part|token|asks|asked|aloud)(?: |$)/;

/** By how many rows and columns an arrow key moves. @type {Readonly<Record<string, readonly [number, number] | undefined>>} */
export const MOVES = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/** Make an element. @template {keyof HTMLElementTagNameMap} K @param {K} kind @param {string} name @param {string} [text] */
export function element(kind, name, text = "") {
    const made = document.createElement(kind);
    made.className = name;
    made.textContent = text;
    if (kind === "table" || WORDS.test(name)) made.translate = false;
    return made;
}

/** Write a weight without its leading zero, as figures do. @param {number} weight */
export const formatWeight = (weight) => (weight >= 0.995 ? "1" : weight.toFixed(2).replace(/^0/, ""));

/** Pictures, each in its language, by the element in which they are drawn: a rerun finds its own again.
 * @type {WeakMap<Element, {picture: Picture, language: string}>} */
const mounted = new WeakMap();

/** What draws a component. @typedef {{take: (data: any, tell: Changed) => void, end: () => void}} Picture */

/** Draw what `Live` in Python sends: the picture is made once for a language, takes the data and tells what has changed, by the names that
 * Python has declared. Returns how to end it.
 * @param {Component} component @param {string} name class of the element in which it is drawn
 * @param {(root: HTMLElement) => Picture} make */
export function live({ data, parentElement, setTriggerValue }, name, make) {
    let root = /** @type {HTMLElement} */ (parentElement.querySelector(`.${name}`));
    const { data: drawn, language } = unpack(data);
    setLanguage(language);
    let here = mounted.get(parentElement);
    if (here && here.language !== language) {
        here.picture.end();
        here = undefined;
        root.replaceWith((root = element("div", name))); // what listens to the old one speaks the old language
    }
    root.classList.add("picture");
    here ??= { picture: deferWhileInteracting(make(root), root), language };
    mounted.set(parentElement, here);
    /** @type {Record<string, unknown> | null} */ let told = null; // at this moment: of two, Streamlit 1.67 sends the last alone
    explain(root, drawn);
    here.picture.take(drawn, (changed) => {
        if (!told)
            queueMicrotask(() => {
                setTriggerValue("changed", told);
                told = null;
            });
        told = { ...told, ...changed };
    });
    return () => {
        mounted.get(parentElement)?.picture.end();
        mounted.delete(parentElement);
    };
}

const KEYS_MS = 400; // after a key: the picture may wait for the next one before it tells
const LIFTED = /** @type {const} */ (["pointerup", "pointercancel", "pointermove"]);

/** Have a picture take nothing while the reader moves something in it: what comes then answers what was done before.
 * @param {Picture} picture @param {HTMLElement} root @returns {Picture} */
function deferWhileInteracting(picture, root) {
    let pressed = false,
        timer = 0;
    /** @type {[unknown, Changed] | null} */ let waiting = null;
    const free = () => {
        [pressed, timer] = [false, 0];
        if (waiting) take(...waiting);
    };
    const soon = (/** @type {number} */ ms) => {
        clearTimeout(timer);
        timer = window.setTimeout(free, ms);
    };
    const take = (/** @type {unknown} */ data, /** @type {Changed} */ tell) => {
        waiting = pressed || timer ? [data, tell] : null;
        if (!waiting)
            picture.take(data, (changed) => {
                waiting = null; // a newer answer comes
                if (!pressed) soon(0);
                tell(changed);
            });
    };
    const press = (/** @type {PointerEvent} */ { button }) => {
        pressed ||= !button;
    };
    const lift = (/** @type {PointerEvent} */ { buttons }) => {
        if (pressed && !buttons) soon(0);
    }; // it tells first
    root.addEventListener("pointerdown", press, true);
    root.addEventListener("keydown", () => soon(KEYS_MS), true);
    root.addEventListener("keydown", (event) => {
        if (event.defaultPrevented) event.stopPropagation();
    }); // before a room it would walk on, too
    for (const kind of LIFTED) window.addEventListener(kind, lift, true);
    return {
        take,
        end() {
            clearTimeout(timer);
            for (const kind of LIFTED) window.removeEventListener(kind, lift, true);
            picture.end();
        },
    };
}

/** Tell some time after the last key, and at once when what has the keys loses the focus: nothing is lost by leaving.
 * @param {Element} node @param {() => void} tell @param {number} ms */
export function debounceKeys(node, tell, ms) {
    let timer = 0;
    const end = () => {
        clearTimeout(timer);
        timer = 0;
    };
    const now = () => {
        end();
        tell();
    };
    node.addEventListener("focusout", (event) => {
        if (timer && !node.contains(/** @type {Node | null} */ (/** @type {FocusEvent} */ (event).relatedTarget)))
            now();
    });
    return {
        key() {
            end();
            timer = window.setTimeout(now, ms);
        },
        waits: () => timer > 0,
        end,
    };
}

/** Make a place for what is written for those who do not see the picture. @template {"table" | "output"} K
 * @param {HTMLElement} root @param {K} kind */
export function screenReaderOnly(root, kind) {
    const box = element("div", "unseen"),
        made = element(kind, "");
    box.append(made);
    root.append(box);
    return made;
}

/** Write every weight for those who do not see the picture: a row for each word that asks.
 * @param {HTMLTableElement} table @param {string[]} asks @param {string[]} asked
 * @param {(row: number, column: number) => number} weight NaN where a mask hides it */
export function weightTable(table, asks, asked, weight) {
    const named = (/** @type {string} */ word, /** @type {string} */ scope) =>
        Object.assign(element("th", "", word), { scope });
    const line = (/** @type {HTMLElement[]} */ ...cells) => {
        const made = element("tr", "");
        made.append(...cells);
        return made;
    };
    const cell = (/** @type {number} */ each) => element("td", "", Number.isNaN(each) ? t("hidden") : each.toFixed(4));
    table.replaceChildren(
        element("caption", "", t("Weights: a row for each word that asks, a column for each word it can look at")),
        line(element("td", ""), ...asked.map((word) => named(word, "col"))),
        ...asks.map((word, row) => line(named(word, "row"), ...asked.map((_, column) => cell(weight(row, column))))),
    );
}

/** Whether a picture stands in a file of its own, as `alone.js` draws it: nobody hears what it tells. @param {Element} node */
export const standsAlone = (node) =>
    /** @type {ShadowRoot} */ (node.getRootNode()).host?.classList.contains("live") ?? false;

/** How much larger a picture is on the screen than it is drawn: present.css enlarges it before a room. @param {Element} node */
export const presentZoom = (node) => Number(getComputedStyle(node).getPropertyValue("--screen")) || 1;

/** The height of the window in the pixels that a picture is drawn in, without what scene.css keeps for the switch above it; on
 * paper, of the window that `file.py` says.
 * @param {Element} node */
export const windowHeight = (node) =>
    (sized(node, "--window") || innerHeight / presentZoom(node)) - sized(node, "--above");

/** @param {Element} node @param {string} name of a custom property, in pixels */
const sized = (node, name) => parseFloat(getComputedStyle(node).getPropertyValue(name)) || 0;

/** Where something on the screen is on a surface, in the pixels that the surface is drawn in.
 * @param {{clientX: number, clientY: number}} position @param {Element} surface @returns {[number, number]} */
export function placeOn({ clientX, clientY }, surface) {
    const box = surface.getBoundingClientRect(),
        by = presentZoom(surface);
    return [(clientX - box.left) / by, (clientY - box.top) / by];
}

/** Where elements are on a surface, in the same pixels. @param {Iterable<Element>} nodes @param {Element} surface */
export function boxesOn(nodes, surface) {
    const { left, top } = surface.getBoundingClientRect(),
        by = presentZoom(surface);
    return Array.from(nodes, (node) => {
        const box = node.getBoundingClientRect();
        return {
            left: (box.left - left) / by,
            right: (box.right - left) / by,
            top: (box.top - top) / by,
            bottom: (box.bottom - top) / by,
        };
    });
}

const REST_MS = 200;
/** Timers of tables that are to be filled. @type {WeakMap<Element, number>} */
const waiting = new WeakMap();

/** Fill a table for those who do not see the picture, once the picture rests: a row for each list, its name first.
 * @param {HTMLTableElement} table @param {string} caption @param {() => string[][]} made the first row names the columns */
export function updateTableWhenIdle(table, caption, made) {
    const row = (/** @type {string[]} */ cells, /** @type {"th" | "td"} */ kind) => {
        const line = document.createElement("tr");
        line.append(...cells.map((text, at) => element(!text ? "td" : at ? kind : "th", "", text)));
        return line;
    };
    clearTimeout(waiting.get(table));
    waiting.set(
        table,
        window.setTimeout(() => {
            const [names, ...rows] = made();
            table.replaceChildren(
                element("caption", "", caption),
                row(names, "th"),
                ...rows.map((cells) => row(cells, "td")),
            );
        }, REST_MS),
    );
}
