// @ts-check
// A picture whose patches attend to each other: the patch under the pointer asks, and its weights lie over the picture.
import { element, filled, kept, unseen, windowHeight } from "./parts.js";
import { put, shape, write } from "./drawing.js";
import { hex, ramp } from "./weights.js";

/**
 * @typedef {object} Data the array `weights` is [tokens, tokens]; token 0 is no patch, the patches follow row by row
 * @property {string} picture address of the picture @property {number} grid patches on each side
 * @property {number} query token that asks while nobody points @property {string[]} names of all tokens
 * @property {boolean} light whether light falls where weight goes, or colour stands for it
 * @property {[number, string][]} scale colours of weights @property {Record<string, string>} said words, with {placeholders}
 */

const DARK = 0.8, INK = 0.78, GAP = 0.012; // opacity of no weight as light; of colours; between patches, in patches
const MOVES = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const FOOT = 364; // pixels of the screen that are not the picture's

export default (/** @type {import("./parts.js").Component} */ component) => kept(component, "patches", patches);

/** @param {HTMLElement} root */
function patches(root) {
  const title = element("h3", "title"), square = element("div", "square"), image = element("img", ""), line = element("p", "line");
  image.alt = "";
  square.append(image);
  const svg = shape("svg", { role: "group" }, square);
  root.replaceChildren(title, square, line);
  const table = unseen(root, "table");

  /** @type {Data} */ let data;
  /** @type {Float32Array} */ let weights;
  /** @type {import("./parts.js").Tell} */ let tell;
  /** @type {SVGRectElement[]} */ let cells = [];
  /** @type {HTMLElement[]} */ let written = [];
  /** @type {SVGRectElement[]} */ let frames = [];
  /** @type {Uint8ClampedArray} */ let colours;
  let given = "", asks = 0, roving = 0;

  function build() {
    const { grid } = data, each = Array.from({ length: grid * grid }, (_, patch) => [Math.floor(patch / grid), patch % grid]);
    svg.replaceChildren();
    put(svg, { viewBox: `0 0 ${grid} ${grid}` });
    cells = each.map(([row, column], patch) => {
      const made = shape("rect", { class: "cell", x: column + GAP, y: row + GAP, width: 1 - 2 * GAP, height: 1 - 2 * GAP, role: "button", tabindex: patch === roving ? 0 : -1 }, svg);
      made.addEventListener("pointerenter", (event) => { if (event.pointerType === "mouse") ask(patch + 1); });
      made.addEventListener("focus", () => { if (made.matches(":focus-visible")) ask(patch + 1); });
      made.addEventListener("blur", () => ask(data.query));
      made.addEventListener("click", () => tell("chosen", { query: patch + 1 }));
      made.addEventListener("keydown", (event) => {
        const step = MOVES[event.key];
        if (!step && event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        if (!step) return tell("chosen", { query: patch + 1 });
        const [to, across] = [row + step[0], column + step[1]];
        if (to < 0 || across < 0 || to >= grid || across >= grid) return;
        [roving] = [to * grid + across];
        put(made, { tabindex: -1 });
        put(cells[roving], { tabindex: 0 });
        cells[roving].focus({ preventScroll: true });
      });
      return made;
    });
    frames = ["most", "asks"].map((name) => shape("rect", { class: `frame ${name}`, width: 0.92, height: 0.92 }, svg));
    written = each.map(() => element("td", ""));
    const caption = element("caption", "", data.said.caption);
    table.replaceChildren(caption, ...Array.from({ length: grid }, (_, row) => {
      const made = element("tr", "");
      made.append(...written.slice(row * grid, (row + 1) * grid));
      return made;
    }));
  }

  /** Show what a token looks at. @param {number} query */
  function ask(query) {
    asks = query;
    const tokens = data.names.length, row = weights.subarray(query * tokens, (query + 1) * tokens);
    let best = 1;
    for (let token = 1; token < tokens; token += 1) if (row[token] > row[best]) best = token;
    cells.forEach((cell, patch) => {
      const weight = row[patch + 1], share = row[best] ? weight / row[best] : 0, text = weight.toFixed(4);
      put(cell, data.light ? { fill: "#040810", "fill-opacity": (DARK * (1 - Math.sqrt(share))).toFixed(3) } : { fill: hex(colours, share), "fill-opacity": INK });
      put(cell, { "aria-label": `${data.names[patch + 1]}: ${text}`, "aria-pressed": patch + 1 === data.query });
      write(written[patch], text);
    });
    frames.forEach((frame, at) => {
      const patch = (at ? query : best) - 1;
      put(frame, { x: (patch % data.grid) + 0.04, y: Math.floor(patch / data.grid) + 0.04, display: patch < 0 ? "none" : "inline" });
    });
    write(/** @type {Element} */ (title.firstElementChild), filled(data.said.title, { who: data.names[query] }));
    line.replaceChildren(...data.said.line.split(/(\{\w+\})/).map((piece) => {
      if (piece === "{query}") return element("b", "", data.names[query]);
      if (piece === "{best}") return element("i", "", data.names[best]);
      return document.createTextNode(filled(piece, { weight: row[best].toFixed(3) }));
    }));
  }

  svg.addEventListener("pointerleave", () => { if (asks !== data.query) ask(data.query); });
  return {
    /** @param {import("./unpack.js").Unpacked} packed @param {import("./parts.js").Tell} told */
    take({ head, array }, told) {
      const pointed = asks !== (data?.query ?? asks) && svg.matches(":hover, :focus-within") ? asks : -1; // what the reader points at stays
      [data, weights, tell, colours] = [head, array("weights").values, told, ramp(head.scale)];
      const all = JSON.stringify([head.grid, head.said, head.names]);
      if (image.src !== head.picture) image.src = head.picture;
      square.style.width = `${Math.max(260, Math.min(640, windowHeight(root) - FOOT))}px`;
      title.replaceChildren(document.createElement("b"), element("span", "", head.said.note));
      svg.ariaLabel = head.said.group;
      if (all !== given) build();
      given = all;
      ask(pointed < 0 ? head.query : pointed);
    },
    end() {},
  };
}
