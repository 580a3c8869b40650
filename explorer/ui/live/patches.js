// A picture whose patches attend to each other: the patch under the pointer asks, and its weights lie over the picture.
import { MOVES, element, live, screenReaderOnly, windowHeight } from "./dom.js";
import { t } from "./words.js";
import { setAttributes, svgElement, setText } from "./drawing.js";
import { speak } from "./reading.js";
import { hex, ramp } from "./weights.js";

/**
 * @typedef {object} Data
 * @property {import("./unpack.js").Packed} weights [tokens, tokens]; token 0 is no patch, the patches follow row by row
 * @property {string} picture address of the picture @property {number} grid patches on each side
 * @property {number} query token that asks while nobody points @property {string[]} names of all tokens
 * @property {boolean} small whether the picture has as few pixels as the model sees
 * @property {boolean} light whether light falls where weight goes, or colour stands for it
 * @property {[number, string][]} scale colours of weights @property {string} note small print @property {string} line what is said, with {placeholders}
 */

const DARK = 0.8,
    INK = 0.92,
    GAP = 0.012; // opacity of no weight as light; of the largest as colour; between patches, in patches
const FOOT = 330; // pixels of the screen that are not the picture's

/** How much a colour covers the grey picture. @param {number} part of the largest weight */
export const opacity = (part) => INK * part ** 0.7;

export default (/** @type {import("./dom.js").Component} */ component) => live(component, "patches", patches);

/** What colours of weights mean: a strip, and what stands at its ends. @param {[number, string][]} colours @param {string} least
 * @param {string} most @returns {HTMLElement[]} */
export function strip(colours, least, most) {
    const made = element("span", "strip");
    made.style.background = `linear-gradient(90deg, ${colours.map(([stop, ink]) => `${ink} ${100 * stop}%`).join(", ")})`;
    return [element("span", "", least), made, element("span", "", most)];
}

/** A name as a sentence begins. @param {string} name */
const begun = (name) => name.charAt(0).toUpperCase() + name.slice(1);

/** @param {HTMLElement} root */
function patches(root) {
    const title = element("h3", "title"),
        square = element("div", "square"),
        image = element("img", ""),
        scale = element("p", "scale");
    image.alt = "";
    square.append(image);
    const svg = svgElement("svg", { role: "group" }, square);
    const line = element("p", "line");
    root.replaceChildren(title, square, scale, line);
    const table = screenReaderOnly(root, "table");

    /** @type {Data} */ let data;
    /** @type {Float32Array} */ let weights;
    /** @type {import("./dom.js").Changed} */ let tell;
    /** @type {SVGRectElement[]} */ let cells = [];
    /** @type {HTMLElement[]} */ let written = [];
    /** @type {SVGRectElement[]} */ let frames = [];
    /** @type {SVGTextElement} */ let share;
    /** @type {Uint8ClampedArray} */ let colours;
    let given = "",
        asks = 0,
        roving = 0;

    function build() {
        const { grid } = data,
            each = Array.from({ length: grid * grid }, (_, patch) => [Math.floor(patch / grid), patch % grid]);
        svg.replaceChildren();
        setAttributes(svg, { viewBox: `0 0 ${grid} ${grid}` });
        cells = each.map(([row, column], patch) => {
            const made = svgElement(
                "rect",
                {
                    class: "cell",
                    x: column + GAP,
                    y: row + GAP,
                    width: 1 - 2 * GAP,
                    height: 1 - 2 * GAP,
                    role: "button",
                    tabindex: patch === roving ? 0 : -1,
                },
                svg,
            );
            made.addEventListener("pointerenter", (event) => {
                if (event.pointerType === "mouse") ask(patch + 1);
            });
            made.addEventListener("focus", () => {
                if (made.matches(":focus-visible")) ask(patch + 1);
            });
            made.addEventListener("blur", () => ask(data.query));
            made.addEventListener("click", () => tell({ chosen: { query: patch + 1 } }));
            made.addEventListener("keydown", (event) => {
                const step = MOVES[event.key];
                if (!step && event.key !== "Enter" && event.key !== " ") return;
                event.preventDefault();
                if (!step) return tell({ chosen: { query: patch + 1 } });
                const [to, across] = [row + step[0], column + step[1]];
                if (to < 0 || across < 0 || to >= grid || across >= grid) return;
                [roving] = [to * grid + across];
                setAttributes(made, { tabindex: -1 });
                setAttributes(cells[roving], { tabindex: 0 });
                cells[roving].focus({ preventScroll: true });
            });
            return made;
        });
        frames = ["most", "asks"].map((name) =>
            svgElement("rect", { class: `frame ${name}`, width: 0.92, height: 0.92 }, svg),
        );
        share = svgElement("text", { class: "share" }, svg);
        written = each.map(() => element("td", ""));
        const caption = element("caption", "", t("Weights on the patches, row by row"));
        table.replaceChildren(
            caption,
            ...Array.from({ length: grid }, (_, row) => {
                const made = element("tr", "");
                made.append(...written.slice(row * grid, (row + 1) * grid));
                return made;
            }),
        );
    }

    /** Show what a token looks at. @param {number} query */
    function ask(query) {
        asks = query;
        const tokens = data.names.length,
            row = weights.subarray(query * tokens, (query + 1) * tokens);
        let best = 1;
        for (let token = 1; token < tokens; token += 1) if (row[token] > row[best]) best = token;
        cells.forEach((cell, patch) => {
            const weight = row[patch + 1],
                part = row[best] ? weight / row[best] : 0,
                text = weight.toFixed(4);
            setAttributes(
                cell,
                data.light
                    ? { fill: "#040810", "fill-opacity": (DARK * (1 - Math.sqrt(part))).toFixed(3) }
                    : { fill: hex(colours, part), "fill-opacity": opacity(part).toFixed(3) },
            );
            setAttributes(cell, {
                "aria-label": `${data.names[patch + 1]}: ${text}`,
                "aria-pressed": patch + 1 === data.query,
            });
            setText(written[patch], text);
        });
        frames.forEach((frame, at) => {
            const patch = (at ? query : best) - 1;
            setAttributes(frame, {
                x: (patch % data.grid) + 0.04,
                y: Math.floor(patch / data.grid) + 0.04,
                display: patch < 0 ? "none" : "inline",
            });
        });
        setText(/** @type {Element} */ (title.firstElementChild), t("What {who} looks at", { who: data.names[query] }));
        const percent = `${Math.round(100 * row[best])}%`,
            at = best - 1,
            { line: pattern } = data,
            who = data.names[query];
        setAttributes(share, { x: (at % data.grid) + 0.5, y: Math.floor(at / data.grid) + 0.6 });
        setText(share, percent);
        scale.lastElementChild?.replaceChildren(percent);
        const asker = pattern.startsWith("{query}") ? begun(who) : who;
        speak(root, line, pattern, { query: asker, best: data.names[best], share: percent });
    }

    svg.addEventListener("pointerleave", () => {
        if (asks !== data.query) ask(data.query);
    });
    return {
        /** @param {Data} now @param {import("./dom.js").Changed} told */
        take(now, told) {
            const pointed = asks !== (data?.query ?? asks) && svg.matches(":hover, :focus-within") ? asks : -1; // what the reader points at stays
            [data, weights, tell, colours] = [now, now.weights.values, told, ramp(now.scale)];
            const all = JSON.stringify([now.grid, now.note, now.line, now.names]);
            if (image.src !== now.picture) image.src = now.picture;
            square.style.width = `${Math.max(260, Math.min(640, windowHeight(root) - FOOT))}px`;
            title.replaceChildren(document.createElement("b"), element("span", "", now.note));
            square.classList.toggle("grey", !now.light);
            square.classList.toggle("small", now.small);
            scale.hidden = now.light;
            scale.replaceChildren(...strip(now.scale, "0", ""));
            svg.ariaLabel = t("Patches: point at one and it asks; a click keeps it; arrow keys go from patch to patch");
            if (all !== given) build();
            given = all;
            ask(pointed < 0 ? now.query : pointed);
        },
        end() {},
    };
}
