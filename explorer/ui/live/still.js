// A picture as it stands, as an SVG of its own: shapes, words, canvases and boxes where they are on the screen, in the
// colours and type that they have there; also of pictures that the page has enlarged, and of components within it.

const SVG = "http://www.w3.org/2000/svg";
const XLINK = "http://www.w3.org/1999/xlink";
// What a style sheet says of a shape.
const SHAPE = [
    "fill-opacity",
    "stroke-opacity",
    "stroke-width",
    "stroke-dasharray",
    "stroke-linecap",
    "stroke-linejoin",
    "opacity",
    "paint-order",
    "vector-effect",
    "image-rendering",
    "mix-blend-mode",
];
// And of words.
const TYPE = ["font-size", "font-weight", "font-style", "text-anchor", "dominant-baseline", "letter-spacing"];
const WORDS = new Set(["text", "tspan"]);
// What shapes and words say of themselves.
const OWN = /^(?!class$|style$|id$|tabindex$|role$|aria-|data-|translate$|lang$|on)/;
// What is pressed, or says what to press, and does not show anything.
const PRESSED = "input, select, .foot, .play, .press";
// What a shape is cut by: Plotly names it with the page's address.
const ELSEWHERE = /url\((['"]?)[^#'")]+#/g;
// Pixels around the picture.
const EDGE = 10;

// Colours as a browser computes them: rgb(1, 2, 3), rgba(1, 2, 3, 0.5), color(srgb 0.1 0.2 0.3 / 0.5).
const COLOUR = /^(rgba?|color)\((?:srgb )?([\d.e-]+),? ([\d.e-]+),? ([\d.e-]+)(?:(?:,| \/) ([\d.e-]+))?\)$/;
// Ramps as a browser computes them: whether they repeat, angle, stops; and a stop: its colour, and where it is.
const RAMP = /(repeating-)?linear-gradient\((-?[\d.]+)deg, ((?:[^()]|\([^()]*\))*)\)/g;
const STOP = /((?:rgba?|color)\([^)]*\))(?: ([\d.]+(?:%|px)))?/g;

/** A colour that every program reads, and how much it covers. @param {string} value @returns {[string, number]} */
function readColour(value) {
    const found = COLOUR.exec(value);
    if (!found) return [value, value === "none" || value === "transparent" ? 0 : 1];
    const channels = found.slice(2, 5).map((each) => Math.round((found[1] === "color" ? 255 : 1) * Number(each)));
    return [`rgb(${channels})`, Number(found[5] ?? 1)];
}

/** Paint a shape. @param {Element} shape @param {"fill" | "stroke" | "stop-color"} what @param {string} value */
function paint(shape, what, value) {
    const [colour, cover] = readColour(value),
        opacity = what === "stop-color" ? "stop-opacity" : `${what}-opacity`;
    shape.setAttribute(what, cover ? colour : "none");
    if (cover && cover < 1) shape.setAttribute(opacity, String(cover * Number(shape.getAttribute(opacity) ?? 1)));
}

/** @param {Element} parent @param {string} kind @param {Record<string, string | number>} attributes */
function add(parent, kind, attributes, text = "") {
    const made = document.createElementNS(SVG, kind);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
    if (text) made.textContent = text;
    parent.append(made);
    return made;
}

/** Where an element's own pixels begin on the screen, how large one is, and what is left out of the drawing.
 * @typedef {{left: number, top: number, by: number, leftOut: string}} Frame */

/**
 * Draw a picture as it stands, which is as it was afterwards.
 * @param {Element} picture in its own document, laid out @param {string} title @param {string} description
 * @param {string} [leftOut] selector of what is not drawn
 * @returns {string} the SVG file
 */
export function freeze(picture, title, description, leftOut = PRESSED) {
    const box = picture.getBoundingClientRect(),
        [width, height] = [Math.ceil(box.width) + 2 * EDGE, Math.ceil(box.height) + 2 * EDGE];
    const made = document.createElementNS(SVG, "svg");
    for (const [name, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` }))
        made.setAttribute(name, String(value));
    made.setAttribute("font-family", nameFamily(getComputedStyle(picture)));
    add(made, "title", {}, title);
    add(made, "desc", {}, description);
    const paper = getComputedStyle(picture).getPropertyValue("--paper") || "#fff";
    add(made, "rect", { width, height, fill: paper });
    const put = findRoots(picture).flatMap(writePseudo);
    drawElement(picture, add(made, "g", { transform: `translate(${EDGE} ${EDGE})` }), {
        left: box.left,
        top: box.top,
        by: 1,
        leftOut,
    });
    for (const each of put) each.remove();
    return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(made)}`;
}

/** A picture, and the roots of the components in it. @param {ParentNode & Node} root @returns {(ParentNode & Node)[]} */
export function findRoots(root) {
    const found = [...root.querySelectorAll("*")].flatMap(({ shadowRoot }) => shadowRoot ?? []);
    return [root, ...found.flatMap(findRoots)];
}

/** Put elements in the place of what a style sheet draws beside words. Returns them. @param {ParentNode & Node} root */
function writePseudo(root) {
    const written = [...root.querySelectorAll("*")].flatMap(copyPseudo);
    const style = document.createElement("style");
    style.textContent = "*::before, *::after { content: none !important }";
    root.append(style);
    return [style, ...written.map((put) => put())];
}

/** Make elements of what a style sheet draws beside the words of an element. Returns how to put each there.
 * @param {Element} element */
function copyPseudo(element) {
    return /** @type {const} */ (["::before", "::after"]).flatMap((name) => {
        const style = getComputedStyle(element, name);
        if (style.content === "none" || style.content === "normal" || element.namespaceURI === SVG) return [];
        const made = element.ownerDocument.createElement("span");
        made.style.cssText = [...style].map((each) => `${each}:${style.getPropertyValue(each)}`).join(";");
        const attribute = /^attr\(([\w-]+)\)$/.exec(style.content)?.[1];
        made.textContent = attribute ? element.getAttribute(attribute) : style.content.replace(/^"|"$/g, "");
        return () => {
            element[name === "::before" ? "prepend" : "append"](made);
            return made;
        };
    });
}

/** @param {Element} element @param {Element} into @param {Frame} frame */
function drawElement(element, into, frame) {
    const style = getComputedStyle(element);
    if (style.display === "none" || style.visibility === "hidden" || style.opacity === "0") return;
    if (style.clipPath.startsWith("inset(50%") || element.matches(frame.leftOut)) return; // written for those who do not see it
    const box = element.getBoundingClientRect(),
        by = readScale(style);
    if (by !== 1) {
        const { x, y } = placeIn(box, frame);
        into = add(into, "g", { transform: `translate(${x} ${y}) scale(${by})` });
        frame = { ...frame, left: box.left, top: box.top, by: frame.by * by };
    }
    const position = placeIn(box, frame);
    if (element instanceof windowOf(element).SVGSVGElement) return void into.append(drawShapes(element, position));
    if (
        element instanceof windowOf(element).HTMLCanvasElement ||
        element instanceof windowOf(element).HTMLImageElement
    ) {
        const source = "toDataURL" in element ? element.toDataURL() : readImage(element);
        const image = add(into, "image", { ...position, preserveAspectRatio: "none", opacity: style.opacity });
        image.setAttribute("style", `image-rendering:${style.imageRendering};filter:${style.filter}`);
        image.setAttribute("href", source);
        image.setAttributeNS(XLINK, "xlink:href", source);
        return;
    }
    const inside = style.opacity === "1" ? into : add(into, "g", { opacity: style.opacity });
    drawBox(inside, style, position);
    for (const child of (element.shadowRoot ?? element).childNodes) {
        if (child instanceof windowOf(element).Element) drawElement(child, inside, frame);
        else if (child.nodeType === Node.TEXT_NODE && child.textContent?.trim())
            drawWords(/** @type {Text} */ (child), style, inside, frame);
    }
}

/** By how much an element is enlarged. @param {CSSStyleDeclaration} style */
function readScale({ zoom, transform }) {
    const [, across, down] = /^matrix\(([\d.]+), 0, 0, ([\d.]+),/.exec(transform) ?? [];
    return (Number(zoom) || 1) * (across && across === down ? Number(across) || 1 : 1);
}

/** Where something on the screen is in a frame. @param {DOMRect} box @param {Frame} frame */
const placeIn = ({ left, top, width, height }, frame) => ({
    x: round((left - frame.left) / frame.by),
    y: round((top - frame.top) / frame.by),
    width: round(width / frame.by),
    height: round(height / frame.by),
});

/** An image within the file: a drawing fetches nothing. @param {HTMLImageElement} image */
function readImage(image) {
    if (image.src.startsWith("data:") || !image.naturalWidth) return image.src;
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [image.naturalWidth, image.naturalHeight];
    copy.getContext("2d")?.drawImage(image, 0, 0);
    return copy.toDataURL();
}

/** The window of an element: a picture is drawn in a frame of its own. @param {Element} element */
const windowOf = (element) => /** @type {Window & typeof globalThis} */ (element.ownerDocument.defaultView);

/** @param {number} value */
const round = (value) => Math.round(10 * value) / 10;

/** Draw ground and frame of an element. @param {Element} into @param {CSSStyleDeclaration} style
 * @param {{x: number, y: number, width: number, height: number}} position */
function drawBox(into, style, { x, y, width, height }) {
    const rx = parseFloat(style.borderTopLeftRadius) || 0;
    for (const ground of [style.backgroundColor, ...addRamps(into, style, { x, y, width, height })])
        if (readColour(ground)[1] && width && height)
            paint(add(into, "rect", { x, y, width, height, rx }), "fill", ground);
    for (const [side, from, to] of /** @type {[string, number[], number[]][]} */ ([
        ["Top", [x, y], [x + width, y]],
        ["Right", [x + width, y], [x + width, y + height]],
        ["Bottom", [x, y + height], [x + width, y + height]],
        ["Left", [x, y], [x, y + height]],
    ])) {
        const get = (/** @type {string} */ what) => /** @type {any} */ (style)[`border${side}${what}`],
            thick = parseFloat(get("Width"));
        if (!thick || get("Style") === "none") continue;
        const dashes = new Map([
                ["dashed", `${3 * thick} ${2 * thick}`],
                ["dotted", `${thick} ${2 * thick}`],
            ]),
            dash = dashes.get(get("Style")) ?? "none";
        const [[x1, y1], [x2, y2]] = [from, to];
        const edge = add(into, "line", { x1, y1, x2, y2, "stroke-width": thick, "stroke-dasharray": dash });
        paint(edge, "stroke", get("Color"));
    }
}

/** Make ramps and hatches of colours, as a style sheet says them: over the whole box, each over the last.
 * @param {Element} into @param {CSSStyleDeclaration} style
 * @param {{x: number, y: number, width: number, height: number}} position */
function addRamps(into, { backgroundImage, backgroundSize }, position) {
    if (backgroundSize.split(", ").some((size) => size !== "auto")) return []; // the shade of an edge that is scrolled
    return [...backgroundImage.matchAll(RAMP)].reverse().map(([, repeats, angle, stops]) => {
        const found = [...stops.matchAll(STOP)].map(([, colour, at]) => ({ colour, at }));
        const long = repeats ? parseFloat(found[found.length - 1].at) : null;
        const id = `ramp-${Math.random().toString(36).slice(2)}`;
        const line = measureRamp((Number(angle) * Math.PI) / 180, position, long);
        const made = add(into, "linearGradient", { id, gradientUnits: "userSpaceOnUse", ...line });
        if (repeats) made.setAttribute("spreadMethod", "repeat");
        found.forEach(({ colour, at }, number) => {
            const offset = at ? (long ? (100 * parseFloat(at)) / long : parseFloat(at)) : null;
            const stop = { offset: `${offset ?? (100 * number) / (found.length - 1)}%` };
            paint(add(made, "stop", stop), "stop-color", colour);
        });
        return `url(#${id})`;
    });
}

/** Say from where to where a ramp goes: from corner to corner, or so many pixels (CSS Images 3, 3.1).
 * @param {number} angle clockwise from upwards @param {{x: number, y: number, width: number, height: number}} position
 * @param {number | null} long */
function measureRamp(angle, { x, y, width, height }, long) {
    const [across, down] = [Math.sin(angle), -Math.cos(angle)],
        whole = Math.abs(width * across) + Math.abs(height * down);
    const [x1, y1] = [x + (width - whole * across) / 2, y + (height - whole * down) / 2];
    return { x1, y1, x2: x1 + (long ?? whole) * across, y2: y1 + (long ?? whole) * down };
}

/** Write words line by line, where they stand. @param {Text} node @param {CSSStyleDeclaration} style @param {Element} into
 * @param {Frame} frame */
function drawWords(node, style, into, frame) {
    const range = node.ownerDocument.createRange();
    /** @type {{text: string, box: DOMRect}[]} */ const lines = [];
    [...node.data].reduce((at, sign) => {
        range.setStart(node, at);
        range.setEnd(node, at + sign.length);
        const box = range.getClientRects()[0],
            last = lines[lines.length - 1];
        if (box && last && Math.abs(box.top - last.box.top) < 2) last.text += sign;
        else if (box?.width && sign.trim()) lines.push({ text: sign, box });
        return at + sign.length;
    }, 0);
    for (const { text, box } of lines) {
        if (!text.trim()) continue;
        const { x, y: top, height } = placeIn(box, frame),
            y = round(top + findBaseline(style, height));
        const made = add(into, "text", { x, y }, text.trimEnd());
        setFamily(made, style, String(/** @type {Element} */ (made.getRootNode()).getAttribute("font-family")));
        paint(made, "fill", style.color);
        setType(made, style);
    }
}

/** How far below the top of its box a line of words stands. @param {CSSStyleDeclaration} style @param {number} height */
function findBaseline(style, height) {
    const pen = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
    pen.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const { fontBoundingBoxAscent: up, fontBoundingBoxDescent: down } = pen.measureText("x");
    return (height - up - down) / 2 + up;
}

/** @param {Element} made @param {CSSStyleDeclaration} style */
function setType(made, style) {
    for (const name of TYPE) {
        const value = style.getPropertyValue(name);
        if (value && value !== "normal" && value !== "auto") made.setAttribute(name, value);
    }
    if (style.textDecorationLine !== "none") made.setAttribute("text-decoration", style.textDecorationLine);
}

/** The fonts of words, as an attribute names them. @param {CSSStyleDeclaration} style */
const nameFamily = (style) => style.fontFamily.replaceAll('"', "'");

/** Name the fonts of words, where they are not those of all. @param {Element} made @param {CSSStyleDeclaration} style
 * @param {string} usual */
function setFamily(made, style, usual) {
    if (nameFamily(style) !== usual) made.setAttribute("font-family", nameFamily(style));
}

/** Copy a drawing with what style sheets say of it. @param {SVGSVGElement} drawing
 * @param {{x: number, y: number, width: number, height: number}} position */
function drawShapes(drawing, position) {
    const made = copyShape(drawing);
    for (const [name, value] of Object.entries(position)) made.setAttribute(name, String(value));
    made.setAttribute("overflow", getComputedStyle(drawing).overflow);
    return made;
}

/** @param {Element} shape @returns {Element} */
function copyShape(shape) {
    const made = document.createElementNS(SVG, shape.localName),
        style = getComputedStyle(shape);
    for (const { name, value } of shape.attributes)
        if (OWN.test(name) || name === "id") made.setAttribute(name, value.replace(ELSEWHERE, "url($1#"));
    for (const name of SHAPE) {
        const value = style.getPropertyValue(name);
        if (value && value !== "normal" && value !== "auto" && value !== "none") made.setAttribute(name, value);
        else made.removeAttribute(name);
    }
    paint(made, "fill", style.fill);
    paint(made, "stroke", style.stroke);
    if (style.transform !== "none" && !shape.hasAttribute("transform"))
        made.setAttribute("transform", style.transform.replace(/px/g, ""));
    if (WORDS.has(shape.localName)) {
        setType(made, style);
        setFamily(made, style, nameFamily(getComputedStyle(/** @type {Element} */ (shape.closest("svg")))));
    }
    for (const child of shape.childNodes) {
        if (child.nodeType === Node.TEXT_NODE) made.append(child.textContent ?? "");
        else if (child.nodeType === Node.ELEMENT_NODE && isSeen(/** @type {Element} */ (child)))
            made.append(copyShape(/** @type {Element} */ (child)));
    }
    return made;
}

/** Whether anything is seen of a shape. @param {Element} shape */
function isSeen(shape) {
    const style = getComputedStyle(shape);
    if (style.display === "none" && !shape.closest("defs")) return false;
    return style.visibility !== "hidden" && style.opacity !== "0";
}
