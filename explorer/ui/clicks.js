// Tells Python which place of a chart was clicked, and outlines places in it without drawing it anew.
const listeners = new WeakMap(); // the component's element -> what it listens to
const heard = new WeakMap(); // chart -> the listener that hears it

export default function ({ data, setTriggerValue, parentElement }) {
  const listener = listeners.get(parentElement) ?? { stop: () => {} };
  Object.assign(listener, {
    frames: data.frames,
    chart: data.chart,
    tell: (point) => setTriggerValue("clicked", {
      x: Number(point.x), y: Number(point.y), axis: Number(point.xaxis._id.slice(1) || 1),
    }),
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

function watch(listener) { // Streamlit draws the chart later, and anew whenever its data change
  const observer = new MutationObserver(() => attach(listener));
  let timer = 0;
  const begin = () => {
    const card = document.querySelector(`.st-key-${CSS.escape(listener.chart)}`);
    if (card) observer.observe(card, { childList: true, subtree: true });
    else timer = setTimeout(begin, 50);
    attach(listener);
  };
  begin();
  listener.stop = () => {
    clearTimeout(timer);
    observer.disconnect();
  };
}

function attach(listener) {
  const plot = document.querySelector(`.st-key-${CSS.escape(listener.chart)} .js-plotly-plot`);
  if (!plot?._fullLayout?.xaxis || !plot.on) return;
  if (!heard.has(plot)) {
    plot.on("plotly_click", ({ points }) => heard.get(plot)?.tell(points[0]));
    plot.on("plotly_afterplot", () => outline(plot, heard.get(plot)?.frames ?? []));
  }
  heard.set(plot, listener);
  outline(plot, listener.frames);
}

function outline(plot, frames) {
  const { _fullLayout: layout } = plot;
  const host = plot.querySelector(".svg-container");
  if (!host) return;
  const places = frames.map(({ x0, x1, y0, y1, axis }) => {
    const [across, down] = [layout[`xaxis${axis > 1 ? axis : ""}`], layout[`yaxis${axis > 1 ? axis : ""}`]];
    if (!across || !down) return null;
    const xs = [x0, x1].map((x) => across._offset + across.d2p(x)), ys = [y0, y1].map((y) => down._offset + down.d2p(y));
    return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)].map(Math.round);
  }).filter(Boolean);
  const drawn = [...host.querySelectorAll(":scope > .clicks-frame")];
  if (JSON.stringify(places) === (host.dataset.frames ?? "[]") && drawn.length === places.length) return;
  host.dataset.frames = JSON.stringify(places);
  drawn.forEach((each) => each.remove());
  for (const [left, top, right, bottom] of places) {
    const frame = document.createElement("div");
    frame.className = "clicks-frame";
    Object.assign(frame.style, {
      position: "absolute", pointerEvents: "none", boxSizing: "border-box", border: "3px solid #d55e00",
      left: `${left - 3}px`, top: `${top - 3}px`, width: `${right - left + 6}px`, height: `${bottom - top + 6}px`,
    });
    host.append(frame);
  }
}
