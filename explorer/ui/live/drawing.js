// Shapes that several live pictures draw in SVG: bars of a vector, ribbons.

/** @typedef {{x: number, y: number, slot: number, offset: number, width: number, scale: number}} Place where bars stand:
 *   left end, line of zero, distance from bar to bar, of a bar from the left of its slot, its width, pixels of a 1 */
/** @typedef {{up: SVGPathElement, down: SVGPathElement}} Strip the bars of a vector: above zero and below */

/** Nodes whose words a browser's translator leaves alone, as they are a text's or have no room for others. */
const WORDED = new Set(["svg", "text", "title"]);

/** Make an SVG element. @template {keyof SVGElementTagNameMap} K
 * @param {K} kind @param {Record<string, unknown>} attributes @param {Element} parent */
export function svgElement(kind, attributes, parent) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", kind);
    setAttributes(made, WORDED.has(kind) ? { ...attributes, translate: "no" } : attributes);
    parent.append(made);
    return made;
}

/** Write attributes that changed: to write one costs more than to read it. @param {Element} node @param {Record<string, unknown>} attributes */
export function setAttributes(node, attributes) {
    for (const name in attributes) {
        const value = String(attributes[name]);
        if (node.getAttribute(name) !== value) node.setAttribute(name, value);
    }
}

/** Write a text that changed. @param {Element} node @param {string} text */
export function setText(node, text) {
    if (node.textContent !== text) node.textContent = text;
}

/** Press a text together where a wide type would take it beyond its room. @param {SVGTextElement} node @param {number} room pixels */
export function fitText(node, room) {
    node.removeAttribute("textLength");
    if (node.getComputedTextLength() > room)
        setAttributes(node, { textLength: room, lengthAdjust: "spacingAndGlyphs" });
}

/** Make two empty paths for the bars of a vector. @param {Element} parent @param {string} role */
export function vectorBars(parent, role) {
    return {
        up: svgElement("path", { class: `up ${role}` }, parent),
        down: svgElement("path", { class: `down ${role}` }, parent),
    };
}

/** Draw the first `count` numbers of a vector as bars. @param {Strip} paths @param {ArrayLike<number>} values
 * @param {Place} position @param {number} [count] */
export function bars(paths, values, { x, y, slot, offset, width, scale }, count = values.length) {
    const drawn = { up: "", down: "" };
    for (let i = 0; i < count; i += 1) {
        const tall = Math.max(Math.abs(values[i]) * scale, 0.6),
            sign = values[i] > 0 ? -1 : 1;
        if (values[i] === 0) continue;
        drawn[sign < 0 ? "up" : "down"] +=
            `M${(x + i * slot + offset).toFixed(1)} ${y.toFixed(1)}v${(sign * tall).toFixed(1)}h${width.toFixed(1)}v${(-sign * tall).toFixed(1)}z`;
    }
    setAttributes(paths.up, { d: drawn.up });
    setAttributes(paths.down, { d: drawn.down });
}

/** The centre line of a ribbon; its thickness is the stroke's. A filled band gets thin where it runs steep.
 * @param {number} x @param {number} y @param {number} toX @param {number} toY */
export function ribbon(x, y, toX, toY) {
    const middle = ((x + toX) / 2).toFixed(1);
    return `M${x.toFixed(1)} ${y.toFixed(1)}C${middle} ${y.toFixed(1)} ${middle} ${toY.toFixed(1)} ${toX.toFixed(1)} ${toY.toFixed(1)}`;
}

/** A band from one height to another. @param {number} x @param {number} y @param {number} low @param {number} toX @param {number} toY @param {number} toLow */
export function band(x, y, low, toX, toY, toLow) {
    const middle = (x + toX) / 2,
        f = (/** @type {number} */ each) => each.toFixed(1);
    return `M${f(x)} ${f(y)}C${f(middle)} ${f(y)} ${f(middle)} ${f(toY)} ${f(toX)} ${f(toY)}V${f(toLow)}C${f(middle)} ${f(toLow)} ${f(middle)} ${f(low)} ${f(x)} ${f(low)}Z`;
}
