// @ts-check
// Kernel regression under the pointer: a plot whose query, width and points Python is told of when they are let go.
import { kept } from "./parts.js";
import { regression } from "./regression_plot.js";

export default function (/** @type {{data: import("./regression_plot.js").Data, parentElement: HTMLElement, setTriggerValue: (name: string, value: unknown) => void}} */ component) {
  const { data, parentElement, setTriggerValue } = component, [plot, end] = kept(parentElement, regression);
  plot.take(data, (query, width) => setTriggerValue("moved", { query, width }), (number, x, y) => setTriggerValue("put", { number, x, y }));
  return end;
}
