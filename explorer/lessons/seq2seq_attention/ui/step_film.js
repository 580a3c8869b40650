// @ts-check
// A recurrent decoder as a film of its steps: memory, weights, context and the next word; or one of these in rows.
import { element, kept } from "./parts.js";
import { shape } from "./drawing.js";
import { unpack } from "./unpack.js";
import { film } from "./foot.js";
import { drawStep, paintStep } from "./step_drawing.js";
import { paintRows } from "./step_rows.js";

/**
 * @typedef {object} Data
 * @property {string} id another one is another film @property {number} at step that is shown
 * @property {"step" | "scores" | "sum" | "state"} shown @property {boolean} looks whether there are weights
 * @property {string[]} words of the source @property {string[]} tokens of the source @property {string[]} written
 * @property {[string, number, string][][]} next likeliest words of each step @property {(number | null)[]} chosen among them
 * @property {string[]} sentences a step each @property {string[][]} rows names of the strips, a step each
 * @property {number} ruled strip above which a line stands; -1 for none
 * @property {[string, string, string]} inks of a number below zero, of zero, and above
 * @property {number} zoom of type @property {Record<string, string>} said
 * @typedef {{shape: number[], values: Float32Array}} Numbers
 * @typedef {(name: string) => Numbers} Arrays `weights` and `scores` [steps, tokens], `shares` [steps, words],
 *   `states` [steps, words, drawn], `memory` and `context` [steps, drawn], `strips` [steps, rows, d]
 */

const WRITTEN = 0.85; // of the way to the next step: then its word stands there

export default function (/** @type {{data: Uint8Array, parentElement: HTMLElement, setTriggerValue: (name: string, value: unknown) => void}} */ component) {
  const { data, parentElement, setTriggerValue } = component, [picture, end] = kept(parentElement, make);
  picture.take(unpack(data), (to) => setTriggerValue("moved", { to }));
  return end;
}

/** @param {HTMLElement} parent */
function make(parent) {
  const root = /** @type {HTMLElement} */ (parent.querySelector(".step_film"));
  const words = element("div", "words"), stage = element("div", "stage"), rows = element("div", "rows");
  const unseen = element("div", "unseen"), table = element("table", ""), svg = shape("svg", { role: "img" }, stage);
  const time = film(show, (step) => tell(step));
  unseen.append(table);
  stage.append(rows);
  root.replaceChildren(words, stage, time.foot, time.line, unseen);

  /** @type {Data} */ let data;
  /** @type {Arrays} */ let array;
  /** @type {(step: number) => void} */ let tell;
  /** @type {ReturnType<typeof drawStep> | null} */ let drawing = null;
  let given = "", width = 0, height = 0, tabled = -1;

  /** Draw a moment. @param {number} t */
  function show(t) {
    if (!width) return;
    const from = Math.min(Math.floor(t + 1e-4), data.written.length - 1), to = Math.min(from + 1, data.written.length - 1);
    const share = Math.max(t - from, 0), near = share >= WRITTEN ? to : from;
    if (drawing) paintStep(drawing, data, array, from, to, share);
    else paintRows(rows, data, array, from, to, share, near);
    words.querySelectorAll("button").forEach((each, at) => {
      each.textContent = at <= near ? data.written[at] : "…";
      each.setAttribute("aria-pressed", String(at === near));
    });
    time.say(data.said.place.replace("{n}", String(near + 1)), data.sentences[near]);
    if (near !== tabled) fill((tabled = near));
  }

  /** Write scores and weights of a step for screen readers. @param {number} step */
  function fill(step) {
    const of = (/** @type {string} */ name, /** @type {number} */ at) => array(name).values[step * data.tokens.length + at];
    const line = (/** @type {string[]} */ cells) => {
      const made = element("tr", "");
      made.append(...cells.map((cell, at) => element(at ? "td" : "th", "", cell)));
      return made;
    };
    table.replaceChildren(element("caption", "", data.said.place.replace("{n}", String(step + 1))), line(["", data.said.score, data.said.weight]),
      ...(data.looks ? data.tokens.map((token, at) => line([token, of("scores", at).toFixed(4), of("weights", at).toFixed(4)])) : []));
  }

  function build() {
    [width, height] = [root.clientWidth, innerHeight];
    if (!width) return;
    const room = Math.max(innerHeight - (innerHeight < 800 ? 330 : 390), 330);
    drawing = data.shown === "step" ? drawStep(svg, data, array, width, room) : null;
    svg.style.display = drawing ? "block" : "none";
    rows.style.display = drawing ? "none" : "grid";
    rows.style.maxHeight = `${room}px`;
  }
  const resized = new ResizeObserver(() => {
    if (!data || (root.clientWidth === width && innerHeight === height)) return;
    build();
    time.again();
  });
  resized.observe(root);
  return {
    /** @param {ReturnType<typeof unpack>} packed @param {(step: number) => void} told */
    take({ head, array: numbers }, told) {
      const anew = head.id !== given;
      [given, data, tell] = [head.id, head, told];
      if (anew) {
        [array, tabled] = [numbers, -1];
        time.named(/** @type {any} */ (data.said));
        svg.ariaLabel = data.said.alt;
        words.ariaLabel = data.said.written;
        words.role = "group";
        words.replaceChildren(...data.written.map((_, at) => {
          const made = element("button", "word");
          made.type = "button";
          made.onclick = () => time.to(at);
          return made;
        }), element("span", "note", data.said.note));
      }
      if (anew) build();
      time.take(data.written.length, data.at, anew);
    },
    end() {
      time.close();
      resized.disconnect();
    },
  };
}
