// Tells Python which place of a chart was clicked, and outlines places in it without drawing it anew.
/** @typedef {import("./plot_zoom.js").Plot} Plot */
/** The sides of a rectangle. @typedef {{x0: number, x1: number, y0: number, y1: number, axis: number}} Frame */
/** @typedef {{x: number, y: number, axis: number}} Place */
/** @typedef {{frames: Frame[], chart: string, tell: (place: Place) => void, stop: () => void}} Listener */

/** What an element of the component listens to. @type {WeakMap<Element, Listener>} */
const listeners = new WeakMap();
/** The listener that hears a chart. @type {WeakMap<Element, Listener>} */
const heard = new WeakMap();

/** @param {import("./live/dom.js").Component} component */
export default function ({ data, setTriggerValue, parentElement }) {
    /** @type {Listener} */
    const listener = Object.assign(listeners.get(parentElement) ?? { stop: () => {} }, {
        frames: data.frames,
        chart: data.chart,
        tell: (/** @type {Place} */ position) => setTriggerValue("clicked", position),
    });
    if (!listeners.has(parentElement)) {
        listeners.set(parentElement, listener);
        watch(listener);
    }
    attach(listener);
    return () => {
        listener.stop();
        listeners.delete(parentElement);
    };
}

/** @param {Listener} listener */
function watch(listener) {
    // Streamlit draws the chart later, and anew whenever its data change
    let timer = 0,
        waiting = 0;
    const observer = new MutationObserver(() => {
        // while Plotly draws, thousands of times
        waiting ||= requestAnimationFrame(() => {
            waiting = 0;
            attach(listener);
        });
    });
    const begin = () => {
        const card = document.querySelector(`.st-key-${CSS.escape(listener.chart)}`);
        if (card) observer.observe(card, { childList: true, subtree: true });
        else timer = window.setTimeout(begin, 50);
        attach(listener);
    };
    begin();
    listener.stop = () => {
        clearTimeout(timer);
        cancelAnimationFrame(waiting);
        observer.disconnect();
    };
}

/** @param {Listener} listener */
function attach(listener) {
    const plot = /** @type {Plot | null} */ (
        document.querySelector(`.st-key-${CSS.escape(listener.chart)} .js-plotly-plot`)
    );
    if (!plot?._fullLayout?.xaxis || !plot.on) return;
    if (!heard.has(plot)) {
        presses(plot, (event) => {
            const position = placeOf(plot, event);
            if (position) heard.get(plot)?.tell(position);
        });
        plot.on("plotly_afterplot", () => outline(plot, heard.get(plot)?.frames ?? []));
    }
    heard.set(plot, listener);
    outline(plot, listener.frames);
}

// A press and release at one place. Plotly's own click is silent where a cell is missing.
/** @param {Plot} plot @param {(event: PointerEvent) => void} pressed */
function presses(plot, pressed) {
    plot.addEventListener(
        "pointerdown",
        (start) => {
            if (
                !start.isPrimary ||
                start.button !== 0 ||
                /** @type {Element} */ (start.target).closest(".modebar-container, .legend, .colorbar")
            )
                return;
            const over = new AbortController(),
                heed = { signal: over.signal, capture: true };
            document.addEventListener("pointercancel", () => over.abort(), heed); // the finger scrolls
            document.addEventListener(
                "pointerup",
                (end) => {
                    // of the document: Plotly covers the page while a button is down
                    over.abort();
                    if (Math.hypot(end.clientX - start.clientX, end.clientY - start.clientY) <= 8) pressed(end);
                },
                heed,
            );
        },
        true,
    );
}

// The place on the axes of the subplot at that height; beside it, at its edge: labels can be clicked too.
/** @param {Plot} plot @param {PointerEvent} event @returns {Place | null} */
function placeOf(plot, { clientX, clientY }) {
    const corner = plot.getBoundingClientRect(),
        scale = corner.width / plot.offsetWidth; // smaller before a low screen
    for (const { xaxis, yaxis } of Object.values(plot._fullLayout?._plots ?? {})) {
        const across = (clientX - corner.left) / scale - xaxis._offset,
            down = (clientY - corner.top) / scale - yaxis._offset;
        if (down < 0 || down > yaxis._length) continue;
        const x = xaxis.p2d(Math.min(Math.max(across, 0), xaxis._length)),
            y = yaxis.p2d(down);
        return { x: Number(x), y: Number(y), axis: Number(xaxis._id.slice(1) || 1) };
    }
    return null;
}

/** @param {Plot} plot @param {Frame[]} frames */
function outline(plot, frames) {
    const { _fullLayout: layout } = plot;
    /** @type {HTMLElement | null} */ const host = plot.querySelector(".svg-container");
    if (!host || !layout) return;
    const positions = frames
        .map(({ x0, x1, y0, y1, axis }) => {
            const named = (/** @type {string} */ way) =>
                /** @type {import("./plot_zoom.js").Axis | undefined} */ (layout[`${way}axis${axis > 1 ? axis : ""}`]);
            const [across, down] = [named("x"), named("y")];
            if (!across || !down) return null;
            const xs = [x0, x1].map((x) => across._offset + across.d2p(x)),
                ys = [y0, y1].map((y) => down._offset + down.d2p(y));
            return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)].map(Math.round);
        })
        .filter((position) => position !== null);
    const drawn = [...host.querySelectorAll(":scope > .clicks-frame")];
    if (JSON.stringify(positions) === (host.dataset.frames ?? "[]") && drawn.length === positions.length) return;
    host.dataset.frames = JSON.stringify(positions);
    drawn.forEach((each) => each.remove());
    for (const [left, top, right, bottom] of positions) {
        const frame = document.createElement("div");
        frame.className = "clicks-frame";
        Object.assign(frame.style, {
            position: "absolute",
            pointerEvents: "none",
            boxSizing: "border-box",
            border: "3px solid #d55e00",
            left: `${left - 3}px`,
            top: `${top - 3}px`,
            width: `${right - left + 6}px`,
            height: `${bottom - top + 6}px`,
        });
        host.append(frame);
    }
}
