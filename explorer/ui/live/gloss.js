// What a foreign word means, beside it while it is pointed at or tapped: any text of a picture that is one of the words that
// Python explains (`glosses.py`). A canvas has no texts. `dom.js` imports this, and is not imported.
import { t } from "./words.js";

/** @typedef {{glosses?: Record<string, string>}} Explained meanings by word */

/** The meanings that each picture has now. @type {WeakMap<Element, Explained>} */
const known = new WeakMap();

/** What a word means in a picture; empty where nobody says. @param {Element} root @param {string} word */
export function glossOf(root, word) {
    const glosses = known.get(root)?.glosses ?? {};
    return Object.hasOwn(glosses, word) ? glosses[word] : ""; // “constructor” is a word, too
}

/** A sentence about a picture, with the meanings of the words that it quotes. @param {Element} root @param {string} said */
export const glossed = (root, said) =>
    said.replace(/“([^”]+)”/g, (quoted, word) => {
        const meaning = glossOf(root, word);
        return meaning ? `${quoted} (${meaning})` : quoted;
    });

/** Explain the words of a picture from now on. @param {HTMLElement} root @param {Explained} data */
export function explain(root, data) {
    if (!known.has(root) && data.glosses) {
        const tag = document.createElement("span");
        tag.className = "gloss";
        tag.ariaHidden = "true"; // the same is said in the sentence below
        root.addEventListener("pointerover", ({ target }) => show(root, tag, /** @type {Element} */ (target)));
        root.addEventListener("pointerleave", () => tag.remove());
    }
    if (known.has(root) || data.glosses) known.set(root, data);
}

/** @param {HTMLElement} root @param {HTMLElement} tag @param {Element} node under the pointer */
function show(root, tag, node) {
    const word = node.textContent?.trim() ?? "",
        said = glossOf(root, word);
    tag.remove();
    if (!said || node === tag) return;
    const meaning = document.createElement("b");
    meaning.textContent = said;
    tag.replaceChildren(meaning, ` ${t("as counted in pairs of sentences")}`);
    root.append(tag);
    const [box, at] = [root.getBoundingClientRect(), node.getBoundingClientRect()],
        by = box.width / root.offsetWidth || 1, // before a room a picture is enlarged
        left = Math.min((at.left - box.left) / by, root.offsetWidth - tag.offsetWidth);
    Object.assign(tag.style, { left: `${Math.max(0, left)}px`, top: `${(at.bottom - box.top) / by + 2}px` });
}
