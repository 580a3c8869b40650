// What a model writes in a frame of its training, and its curves up to there: the share without a mistake, and the loss.
import { t } from "../../../ui/live/words.js";
import { percent } from "../../../ui/live/numbers.js";
import { clamp, lerp } from "../../../ui/live/motion.js";
import { along, box, frame, heading, places, rule, stepOf, type, wide } from "./film_frames.js";

/** @typedef {import("./film_frames.js").Film} Film @typedef {import("./film_frames.js").Area} Area */

const CLEAR = 12, // pixels between what is written and the right edge
    SMALL = 14,
    LARGE = 20, // pixels of type
    TRIED = [-8, 18, -30, 40, -52, 62]; // pixels from the end of a curve to where its name may stand

/** @typedef {{x: number, width: number, y: number, size: number}} Written what is written: its left end, its baseline */
/** Whether two of them touch. @param {Written} one @param {Written} other */
const touch = (one, other) =>
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y - one.size < other.y + 4 &&
    other.y - other.size < one.y + 4;

/** Draw the answer, part by part. @param {Film} film */
export function answerOf(film) {
    const { data } = film,
        area = places(film).answer,
        output = data.outputs[frame(film)];
    const parts = (/** @type {string} */ text) => (data.byWords ? text.split(" ").filter(Boolean) : [...text]);
    const expected = data.expected === null ? null : parts(data.expected),
        written = parts(output);
    const extra = Math.max(0, written.length - Math.max(expected?.length ?? 0, 1) - 2);
    const tiles = expected ? Math.max(expected.length, 1, written.length - extra) : Math.min(written.length, 24);
    const { boxes, font, bottom } = laid(
        film,
        area,
        Array.from({ length: tiles }, (_, place) => written[place] ?? expected?.[place] ?? ""),
    );
    const right = boxes.filter(
        (_, place) => expected && written[place] !== undefined && written[place] === expected[place],
    ).length;
    let made = heading(film, area, data.title);
    boxes.forEach(({ x, y, w, h }, place) => {
        const each = written[place],
            kind = each === undefined ? "none" : !expected ? "open" : each === expected[place] ? "good" : "bad";
        made += box(x + 2, y, w - 4, h - 4, `rx="6" class="tile ${kind}"`);
        if (each !== undefined)
            made += type(
                x + w / 2,
                y + h / 2 + (data.byWords ? 3 : 5),
                each.trim() || "␣",
                `mid letter ${kind}`,
                `style="font-size:${font}px"`,
            );
    });
    if (!expected) return made;
    if (output === data.expected) return made + type(area.x, bottom + 16, t("right"), "whole");
    const more = extra ? ` ${t("and {n} more", { n: extra })}` : "";
    return (
        made +
        type(area.x, bottom + 16, t("{right} of {n} in their place", { right, n: expected.length }) + more, "count")
    );
}

/** Places of the parts of an answer: squares for characters; for words rows of boxes, as wide as the words are long.
 * @param {Film} film @param {Area} area @param {string[]} parts */
function laid({ data, phone }, area, parts) {
    const top = area.y + 30;
    if (!data.byWords) {
        const size = Math.min(phone ? 36 : 46, area.w / Math.max(parts.length, 1));
        return {
            boxes: parts.map((_, place) => ({ x: area.x + place * size, y: top, w: size, h: size })),
            font: Math.max(10, size * 0.5),
            bottom: top + size,
        };
    }
    const h = 28;
    let x = area.x,
        y = top;
    const boxes = parts.map((each) => {
        const w = 18 + 8.5 * each.length;
        if (x + w > area.x + area.w && x > area.x) [x, y] = [area.x, y + h];
        x += w;
        return { x: x - w, y, w, h };
    });
    return { boxes, font: 15, bottom: y + h };
}

const path = (/** @type {number[][]} */ points, /** @type {string} */ name) =>
    `<path class="${name}" d="${points.map(([x, y], place) => `${place ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("")}"/>`;

/** Draw the curves. Nothing is guessed between two points that were measured. @param {Film} film */
export function curvesOf(film) {
    const { data } = film,
        area = places(film).curve,
        { left, right, x } = along(film),
        at = stepOf(film);
    const base = area.y + area.h * 0.62,
        y = (/** @type {number} */ share) => lerp(base, area.y + 34, share),
        low = area.y + area.h;
    const points = data.points.filter(([step]) => step <= data.total),
        past = points.filter(([step]) => step <= at);
    let made =
        box(area.x, area.y, area.w, area.h, 'class="catch"') +
        heading(film, area, t("Written without a mistake"), data.ink ? t("new pictures") : t("examples it never saw"));
    for (const share of [0, 0.5, 1])
        made +=
            rule(left, y(share), right, y(share), "grid") + type(left - 7, y(share) + 5, percent(share), "tick end");
    const others = data.other?.points.filter(([step]) => step <= data.total) ?? [],
        end = others.at(-1);
    if (data.other)
        made += path(
            others.map(([step, share]) => [x(step), y(share)]),
            "other",
        );
    made += path(
        points.map(([step, share]) => [x(step), y(share)]),
        "pale",
    );
    /** @type {Written[]} */ const written = [];
    if (data.points.length) {
        const [, exact, loss, heldOut] = data.points.findLast(([step]) => step <= at) ?? data.points[0],
            far = x(at) > lerp(left, right, 0.72),
            said = percent(exact),
            width = LARGE * data.zoom * wide(said),
            now = {
                x: x(at) + (far ? -12 - width : 12),
                width,
                y: y(exact) - 12 < area.y + 48 ? y(exact) + 32 : Math.min(y(exact) - 12, base - 10),
                size: LARGE * data.zoom,
            },
            named = looks(film, y, area.y + 60, base - 4);
        written.push(now, ...(named.name ? [named.name] : []));
        made +=
            rule(x(at), area.y + 28, x(at), low - 22, "hand") +
            path([...past.map(([step, share]) => [x(step), y(share)]), [x(at), y(exact)]], "exact") +
            named.made +
            losses(film, area, base, loss, heldOut) +
            `<circle cx="${x(at)}" cy="${y(exact)}" r="7" class="knob"/>` +
            type(x(at) + (far ? -12 : 12), now.y, said, `now ${far ? "end" : ""}`);
    }
    if (data.other && end) {
        const width = SMALL * data.zoom * wide(data.other.name),
            size = SMALL * data.zoom,
            place = (/** @type {number} */ by) => ({ x: right - CLEAR - width, width, y: y(end[1]) + by, size });
        const free = [...TRIED].sort((one, other) => (end[1] > 0.5 ? other - one : 0)).map(place);
        const there = free.filter((each) => each.y > area.y + 44 && each.y < base - 2);
        const best = there.find((each) => !written.some((other) => touch(each, other))) ?? place(TRIED[0]);
        made += type(right - CLEAR, best.y, data.other.name, "tick end");
    }
    made += type(left, low - 4, t("step 0"), "tick");
    for (const share of [0.25, 0.5, 0.75, 1])
        made += type(
            x(data.total * share),
            low - 4,
            Math.round(data.total * share),
            `tick ${share === 1 ? "end" : "mid"}`,
        );
    return made;
}

/** The weight on the right tokens, up to the frame that is shown, and its name if there is room. @param {Film} film @param {(share: number) => number} y
 * @param {number} top @param {number} floor between which its name stands */
function looks(film, y, top, floor) {
    const { onRight, steps, known } = film.data,
        called = known ? t("weight on the right tokens") : t("largest weight of a row"),
        { left, x } = along(film),
        now = frame(film);
    const points = onRight.flatMap((share, place) =>
            share === null || place > now ? [] : [[x(steps[place]), y(share)]],
        ),
        end = points.at(-1);
    const size = SMALL * film.data.zoom,
        width = size * wide(called);
    if (!end || end[0] - 10 - width < left) return { made: onRight.length ? path(points, "looks") : "", name: null };
    const name = { x: end[0] - 10 - width, width, y: clamp(end[1] + 20, top, floor), size };
    return { made: path(points, "looks") + type(end[0] - 10, name.y, called, "tick end violet"), name };
}

/** The loss, on powers of ten. @param {Film} film @param {Area} area @param {number} base @param {number} loss @param {number} heldOut */
function losses(film, area, base, loss, heldOut) {
    const { data } = film,
        { left, right, x } = along(film),
        points = data.points.filter(([step]) => step <= data.total);
    const all = points
        .flatMap((each) => [each[2], each[3]])
        .filter((each) => each > 0 && Number.isFinite(each))
        .map(Math.log10);
    if (!all.length) return "";
    const [least, most] = [Math.min(...all), Math.max(...all)];
    const y = (/** @type {number} */ value) =>
        lerp(
            area.y + area.h - 26,
            base + 34,
            most > least ? (Math.log10(Math.max(value, 1e-9)) - least) / (most - least) : 1,
        );
    const line = (/** @type {2 | 3} */ which, /** @type {string} */ name) =>
        path(
            points.filter((each) => each[which] > 0).map((each) => [x(each[0]), y(each[which])]),
            name,
        );
    return (
        type(left, base + (film.phone ? 13 : 24), t("Loss"), "small") +
        type(
            right - CLEAR,
            base + (film.phone ? 30 : 24),
            t("in training {loss}, held out {other}", { loss: loss.toPrecision(2), other: heldOut.toPrecision(2) }),
            "tick end",
        ) +
        line(3, "held") +
        line(2, "loss") +
        `<circle cx="${x(stepOf(film))}" cy="${y(loss)}" r="4.5" class="dot"/>`
    );
}
