// @ts-check
// Shared by the live pictures: elements, packed numbers, how a weight is written.

/** Make an element. @template {keyof HTMLElementTagNameMap} K @param {K} kind @param {string} name @param {string} [text] */
export function element(kind, name, text = "") {
  const made = document.createElement(kind);
  made.className = name;
  made.textContent = text;
  return made;
}

/** Unpack what Python packed with `woven.packed`. @param {string} packed base64 of float32 */
export function floats(packed) {
  return new Float32Array(Uint8Array.from(atob(packed), (each) => each.charCodeAt(0)).buffer);
}

/** Write a weight without its leading zero, as figures do. @param {number} weight */
export const said = (weight) => (weight >= 0.995 ? "1" : weight.toFixed(2).replace(/^0/, ""));
