// Weights over the words of a text: one word asks, the others are tinted by the weight that it gives them.
import { MOVES, element } from "../../../ui/live/dom.js";
import { share } from "./weights.js";

const NUMBERED = 5,
    LEAST = 0.05,
    TINTED = 0.006; // so many words have their share written; of weight; less is no colour
const CLOSES = /^[.,!?;:)\]’”'。，！？；：、）]/;

/** Write a sentence, its words in the colours of their roles. @param {HTMLElement} line @param {string} pattern with {query} and the like
 * @param {Record<string, string>} words */
export function say(line, pattern, words) {
    line.replaceChildren(
        ...pattern.split(/(\{\w+\})/).map((piece) => {
            const role = piece.slice(1, -1);
            return piece.startsWith("{") && role in words ? element("b", role, words[role]) : new Text(piece);
        }),
    );
}

/** @param {HTMLElement} box @param {(place: number) => void} point @param {(place: number) => void} pin */
export function worded(box, point, pin) {
    box.role = "group";
    /** @type {HTMLElement[]} */ let words = [];
    let written = "";

    /** Write the words. @param {string[]} labels @param {string} label */
    function write(labels, label) {
        const now = JSON.stringify([labels, label]);
        if (now === written) return; // what has the focus keeps it
        written = now;
        box.ariaLabel = label;
        words = labels.map((text, position) => {
            const made = element("button", "word", text || "\u00a0");
            made.type = "button";
            made.tabIndex = position ? -1 : 0;
            made.onpointerenter = (event) => event.pointerType === "mouse" && point(position);
            made.onfocus = () => made.matches(":focus-visible") && point(position);
            made.onclick = () => pin(position);
            made.onkeydown = (event) => step(event, position);
            return made;
        });
        box.replaceChildren(
            ...words.flatMap((made, position) =>
                position && !CLOSES.test(labels[position]) ? [new Text(" "), made] : [made],
            ),
        );
    }

    /** @param {KeyboardEvent} event @param {number} position */
    function step(event, position) {
        const move = MOVES[event.key],
            next = move && words[position + move[0] + move[1]];
        if (!next) return;
        event.preventDefault();
        [words[position].tabIndex, next.tabIndex] = [-1, 0];
        next.focus();
    }

    /** Show what a word looks at. @param {number} asking -1 where it is none of these words @param {ArrayLike<number>} weights of each
     * word, NaN where it is hidden @returns {number[]} the words that get most, the first first */
    function light(asking, weights) {
        const top = [...words.keys()]
            .filter((position) => weights[position] >= LEAST && position !== asking)
            .sort((a, b) => weights[b] - weights[a])
            .slice(0, NUMBERED);
        words.forEach((word, position) => {
            const part = weights[position] ?? 0,
                tint = Math.round(60 * Math.sqrt(part));
            word.classList.toggle("asking", position === asking);
            word.classList.toggle("hidden", Number.isNaN(part) && position !== asking);
            word.style.background =
                part > TINTED && position !== asking ? `color-mix(in srgb, var(--key) ${tint}%, transparent)` : "";
            word.querySelector("sup")?.remove();
            if (top.includes(position)) word.append(element("sup", "", share(part)));
        });
        return top;
    }
    box.addEventListener("pointerleave", () => point(-1));
    return { write, light, words: () => words };
}
