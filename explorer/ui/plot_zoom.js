// Heat maps zoom by a mouse: a box that is dragged, the wheel with Ctrl. Of a finger and of the wheel alone Plotly hears
// nothing: they scroll the page, and a tap comes as a click. A chart that fills the screen hears everything.
/** @typedef {{_id: string, _offset: number, _length: number, p2d: (pixel: number) => number | string, d2p: (value: number) => number}} Axis */
/** What Plotly calls its own, and is read here. @typedef {{dragmode?: string | false, xaxis?: Axis, _plots: Record<string, {xaxis: Axis, yaxis: Axis}>} & Record<string, unknown>} Layout */
/** The element of a chart. @typedef {HTMLElement & {_fullLayout?: Layout, _context: Record<string, unknown>, on?: (event: string, act: () => void) => void}} Plot */

export function zoomByMouse() {
    const keep = (/** @type {Event} */ event) => {
        const plot = /** @type {Plot | null | undefined} */ (
            /** @type {Element} */ (event.target).closest?.(".js-plotly-plot")
        );
        if (plot?._fullLayout?.dragmode && !fillsScreen(plot)) event.stopImmediatePropagation();
    };
    for (const kind of ["touchstart", "touchmove", "touchend"])
        addEventListener(kind, keep, { capture: true, passive: true });
    // What a finger taps shows its buttons (`scene.css`), until it taps elsewhere.
    addEventListener("pointerup", ({ target, pointerType }) => {
        if (pointerType === "mouse") return;
        for (const each of document.querySelectorAll("[data-tapped]")) each.removeAttribute("data-tapped");
        /** @type {Element} */ (target).closest(".js-plotly-plot")?.setAttribute("data-tapped", "");
    });
    addEventListener("wheel", (event) => event.ctrlKey || keep(event), { capture: true, passive: true });
}

/** @param {Element} plot */
function fillsScreen(plot) {
    const frame = plot.closest("[data-testid=stFullScreenFrame]");
    return frame !== null && getComputedStyle(frame).position === "fixed";
}
