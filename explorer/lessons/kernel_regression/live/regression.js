// Kernel regression under the pointer: a plot whose query, width and points Python is told of when they are let go.
import { live } from "../../../ui/live/dom.js";
import { regression } from "./regression_plot.js";

export default (/** @type {import("../../../ui/live/dom.js").Component} */ component) =>
    live(component, "regression", regression);
