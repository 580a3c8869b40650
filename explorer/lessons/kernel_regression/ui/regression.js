// @ts-check
// Kernel regression under the pointer: a plot whose query, width and points Python is told of when they are let go.
import { kept } from "./parts.js";
import { regression } from "./regression_plot.js";

export default (/** @type {import("./parts.js").Component} */ component) => kept(component, "regression", regression);
