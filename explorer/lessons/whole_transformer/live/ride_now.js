// The numbers at a stop: what was there, what is added, what leaves; who was heard; what is chosen.
import { svgElement } from "../../../ui/live/drawing.js";
import { bars, chip, hue, net, scaleOf, vector, word, write } from "./ride_kit.js";
import { t } from "../../../ui/live/words.js";

/** @typedef {import("./ride.js").Data} Data @typedef {import("./ride.js").Arrays} Arrays */

const ACROSS = 64; // units beside each other

/** @param {Element} panel @param {Data} data @param {Arrays} array @param {number} step @param {number} width @param {number} tall @param {boolean} phone */
export function drawNow(panel, data, array, step, width, tall, phone) {
    const { colours, type } = data,
        stop = data.stops[step],
        { stack, kind } = stop;
    svgElement("rect", { x: 0.5, y: 0.5, width: width - 1, height: tall - 1, rx: 10, class: "panel" }, panel);
    const after = vector(array("after"), step),
        added = vector(array("added"), step),
        before = after.map((value, at) => value - added[at]),
        scale = scaleOf(after);
    const side = phone ? 84 : tall - 30 * type,
        top = phone ? tall - side - 34 : 8,
        pitch = side + (phone ? 24 : 34);
    const row = (/** @type {[Float32Array, string, string, string][]} */ ...chips) => {
        const long = chips.length * pitch - (pitch - side),
            left = phone ? (width - long) / 2 : chips.length > 1 ? width - long - 24 : width * 0.62;
        chips.forEach(([values, name, colour, sign], at) => {
            const x = left + at * pitch + side / 2;
            chip(panel, values, x, top + side / 2, side, colour, colours, sign === "→" ? undefined : scale);
            write(panel, x, top + side + 13 * type, name, { class: "mid", fill: colours.muted });
            if (at) write(panel, x - pitch / 2, top + side / 2, sign, { class: "mid sign" });
        });
        return left;
    };
    const rest = (/** @type {number} */ left) => ({ x: 10, y: 6, width: phone ? width - 20 : left - 40 });
    if (kind === "word") {
        const left = row([after, t("its numbers, a cell each"), stack, ""]);
        const text = (stack === "enc" ? data.source : data.read)[stop.row];
        const made = word(panel, phone ? width / 2 : left / 2, phone ? 70 : tall / 2, text, data, {
            colour: stack,
            middle: true,
        });
        made.classList.add("huge");
    } else if (kind === "position") {
        const left = row(
            [before, t("word"), stack, ""],
            [added, t("position"), "position", "+"],
            [after, t("after"), stack, "="],
        );
        write(panel, phone ? width / 2 : left / 2, phone ? 70 : tall / 2, t("colour: above 0 · grey: below 0"), {
            class: "mid",
            fill: colours.muted,
        });
    } else if (kind === "memory") {
        const first = vector(array("after"), 1);
        row([first, t("at the start"), stack, ""], [after, t("as memory"), stack, "→"]);
    } else if (kind === "chosen") {
        const { x, y, width: wide } = rest(row([after, t("its last numbers"), "dec", ""]));
        bars(panel, { x, y, width: wide, row: lines(tall, data.likeliest.length) }, data.likeliest, data, "dec");
    } else {
        const made = kind === "alone" ? t("its own") : t("heard");
        const left = row(
            [before, t("before"), stack, ""],
            [added, made, hue(stop), "+"],
            [after, t("after"), stack, "="],
        );
        const { x, y, width: wide } = rest(left);
        if (kind === "alone") {
            const nth = data.stops.slice(0, step).filter((each) => each.kind === "alone").length,
                units = vector(array("units"), nth),
                cell = Math.min(wide / ACROSS, 7, (tall - 40 * type) / (units.length / ACROSS));
            net(panel, units, 18, 12, cell, ACROSS, colours);
            const below = 12 + (cell * units.length) / ACROSS + 13 * type;
            write(panel, 18, below, t("units: coloured = active"), { fill: colours.muted });
        } else {
            const asked = kind === "look" || stack === "enc" ? data.source : data.read,
                room = (phone ? tall - side - 48 : tall) - 8;
            const shares = stop.weights
                .map((weight, at) => /** @type {[string, number]} */ ([asked[at], weight]))
                .sort((a, b) => (stop.weights.length * 20 * type > room ? b[1] - a[1] : 0))
                .slice(0, Math.max(2, Math.floor(room / (20 * type))));
            bars(panel, { x, y, width: wide, row: Math.min(24 * type, room / shares.length) }, shares, data, hue(stop));
        }
    }
    /** @param {number} room @param {number} count */
    function lines(room, count) {
        return Math.min(24 * type, ((phone ? room - side - 48 : room) - 10) / count);
    }
}
