// What phones see of the wall: its stage as a picture, made once it has been still.
import { findRoots, freeze } from "../live/still.js";

/** A picture as base64, and what is said below the stage's pictures. @typedef {{picture: string, said: string}} Shot */

const STILL_MS = 1000;
/** Pixels of a picture at most, bytes of its file, letters of what is said. */
const WIDE = 1200,
    HIGH = 1600,
    MOST_BYTES = 150_000,
    MOST_SAID = 1200;
/** What is pressed, opened or read: phones get the reading as words. */
const LEFT_OUT = `input, select, textarea, .foot, .play, .press, .reading, [class*="_remark"], .picture-title, .modebar-container,
  .st-key-switch, .st-key-waiting, .st-key-said, [data-testid="stButton"], [data-testid="stPopover"], [data-testid="stExpander"],
  [data-testid="stIconMaterial"], [data-testid="stCaptionContainer"], [data-testid="stWidgetLabel"], style, script`;
/** Ever smaller, until the file is small enough. */
const TRIES = /** @type {const} */ ([
    [1, 0.85],
    [1, 0.6],
    [0.7, 0.6],
    [0.5, 0.5],
    [0.3, 0.4],
]);

/** @type {Element | null} */ let watched = null;
/** @type {WeakSet<Node>} */ let roots = new WeakSet();
let changed = 0;
const observer = new MutationObserver(() => (changed = Date.now()));

/** Watch the stage, and return since when it has been still; 0 if it is not, or if there is none. */
export function stillSince() {
    const stage = document.querySelector(".st-key-stage");
    if (stage !== watched) {
        observer.disconnect();
        roots = new WeakSet();
        watched = stage;
        changed = Date.now();
    }
    if (!stage) return 0;
    for (const root of findRoots(stage))
        if (!roots.has(root)) {
            roots.add(root);
            observer.observe(root, { attributes: true, characterData: true, childList: true, subtree: true });
            changed = Date.now();
        }
    return Date.now() - changed < STILL_MS ? 0 : changed;
}

/** Make a picture of the stage; null if nothing stands there.
 * @param {string} prompt what stands in the place of a reading that waits @returns {Promise<Shot | null>} */
export async function shoot(prompt) {
    const stage = document.querySelector(".st-key-stage");
    if (!stage || !stage.getClientRects().length) return null;
    const said = [...stage.querySelectorAll(".reading > span:last-child")]
        .map((each) => each.textContent ?? "")
        .filter((each) => each !== prompt);
    const drawing = freeze(stage, "", "", LEFT_OUT);
    observer.takeRecords(); // what drawing it has put there and taken away again
    const image = new Image(),
        dressed = drawing.replace("<title", `<style>${await embedFonts(drawing)}</style>$&`);
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(dressed)}`;
    await image.decode();
    const file = await shrink(image);
    return (
        file && {
            picture: (await readAsUrl(file)).replace(/^.*,/, ""),
            said: said.join("\n").slice(0, MOST_SAID),
        }
    );
}

/** Style sheets of fonts by their address. @type {Map<string, Promise<string>>} */
const fonts = new Map();

/** The page's fonts that a drawing names: it fetches none itself. @param {string} drawing */
async function embedFonts(drawing) {
    const found = [...document.styleSheets].flatMap(({ href, cssRules }) =>
        [...cssRules].flatMap((rule) => {
            const [, address] = (rule instanceof CSSFontFaceRule && /url\("([^"]+)"/.exec(rule.cssText)) || [];
            const family = address && /** @type {CSSFontFaceRule} */ (rule).style.getPropertyValue("font-family");
            if (!family || !drawing.includes(family.replace(/"/g, "'"))) return [];
            return [[new URL(address, href ?? location.href).href, rule.cssText]];
        }),
    );
    for (const [address, rule] of found)
        if (!fonts.has(address))
            fonts.set(
                address,
                fetch(address)
                    .then((answer) => answer.blob())
                    .then(readAsUrl)
                    .then((url) => rule.replace(/url\("[^"]+"/, `url("${url}"`)),
            );
    return (await Promise.all(found.map(([address]) => fonts.get(address)))).join("");
}

/** @param {HTMLImageElement} image */
async function shrink(image) {
    const most = Math.min(2, WIDE / image.width, HIGH / image.height);
    for (const [size, quality] of TRIES) {
        const canvas = document.createElement("canvas");
        canvas.width = Math.round(most * size * image.width);
        canvas.height = Math.round(most * size * image.height);
        canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
        /** @type {Blob | null} A browser that writes no WebP writes a PNG. */
        const file = await new Promise((made) => canvas.toBlob(made, "image/webp", quality));
        if (file && file.size <= MOST_BYTES) return file;
    }
    return null;
}

/** @param {Blob} file @returns {Promise<string>} */
const readAsUrl = (file) =>
    new Promise((read) => {
        const reader = new FileReader();
        reader.onload = () => read(String(reader.result));
        reader.readAsDataURL(file);
    });
