// @ts-check
// What is dragged: a grip follows the pointer or the arrow keys, and tells when it is let go.

const TOLD_MS = 300; // after the last key
const STEPS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1], PageUp: [0, 10], PageDown: [0, -10] };

/**
 * Let a node be dragged over a surface. A finger that moves along the page scrolls it unless it is on a grip.
 * @param {SVGElement} node @param {SVGSVGElement} surface
 * @param {(x: number, y: number) => void} moved place on the surface, once a frame at most
 * @param {(right: number, up: number) => void} stepped by the keyboard
 * @param {() => void} told when it is let go
 */
export function grip(node, surface, moved, stepped, told) {
  let held = -1, frame = 0, timer = 0;
  /** @type {[number, number]} */ let at = [0, 0];
  const follow = (/** @type {PointerEvent} */ event) => {
    const box = surface.getBoundingClientRect();
    at = [event.clientX - box.left, event.clientY - box.top];
    frame ||= requestAnimationFrame(() => { frame = 0; moved(...at); });
  };
  node.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    event.stopPropagation();
    held = event.pointerId;
    node.setPointerCapture(held);
    node.focus({ preventScroll: true });
    follow(event);
  });
  node.addEventListener("pointermove", (event) => { if (event.pointerId === held) follow(event); });
  for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) {
    node.addEventListener(end, (event) => {
      if (event.pointerId !== held) return;
      held = -1;
      if (frame) { cancelAnimationFrame(frame); frame = 0; moved(...at); }
      told();
    });
  }
  node.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    stepped(step[0], step[1]);
    clearTimeout(timer);
    timer = window.setTimeout(told, TOLD_MS);
  });
}

/** Follow one of Streamlit's sliders while it is moved: it sends its value only when it is let go. Returns how to stop.
 * @param {string} key @param {(value: number) => void} moved */
export function follow(key, moved) {
  const watched = new MutationObserver(([{ target }]) => moved(Number(/** @type {Element} */ (target).getAttribute("value"))));
  const look = (/** @type {Event} */ event) => {
    const slider = /** @type {Element} */ (event.target).closest?.(`.st-key-${key}`)?.querySelector("input[type=range]");
    if (!slider) return;
    watched.disconnect();
    watched.observe(slider, { attributes: true, attributeFilter: ["value"] });
  };
  const kinds = ["pointerdown", "focusin"];
  for (const kind of kinds) document.addEventListener(kind, look, true);
  return () => {
    watched.disconnect();
    for (const kind of kinds) document.removeEventListener(kind, look, true);
  };
}

/** Values at round distances for an axis of a length. @param {number} low @param {number} high @param {number} most */
export function ticks(low, high, most) {
  const raw = (high - low) / Math.max(most, 1), power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= raw * (1 - 1e-9)) ?? raw;
  const made = [];
  for (let at = Math.ceil(low / step - 1e-9); at * step <= high + 1e-9 * step; at += 1) made.push(Number((at * step).toPrecision(12)));
  return made;
}
