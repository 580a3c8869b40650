// @ts-check
// A training as a film: where the model looks, what it writes, its curves, and small maps of some moments, on one clock.

/**
 * @typedef {object} Data
 * @property {string} id another one is another film
 * @property {string} title of the answer
 * @property {string | null} expected the right answer
 * @property {boolean} byWords whether its parts are words, not characters
 * @property {string[]} columns what is read; none for a model without attention
 * @property {number[]} steps of the frames
 * @property {string[]} outputs what the model writes, a frame each
 * @property {string[][]} rows what is read or written, a frame each, or once for all
 * @property {string} weights base64 of a byte for each cell of each frame
 * @property {string} sure base64 of a byte for each row of each frame
 * @property {number[]} right cells that should be looked at, row * columns + column
 * @property {(number | null)[]} onRight weight on them, a frame each; empty while it is not told
 * @property {[number, number, number, number][]} points step, share exact, loss, loss of held-out examples
 * @property {{name: string, points: [number, number][]} | null} other another training to compare with
 * @property {number} total where the axis of steps ends
 * @property {number | null} at step that is looked at; null for the newest
 * @property {boolean} live whether more frames will come
 * @property {number[] | null} ink of a drawing of 8 × 8
 * @property {[number, string][]} stops scale of weights
 * @property {number} zoom of type
 * @property {number} above pixels that something else takes
 * @property {Record<string, string>} words
 */

const FILM_MS = 9000, PHONE = 620, LEAST_NUMBER = 0.3, LEAST_CELL = 27, MOMENTS = 8, SIDE = 8, CLEAR = 12;
const FONT = '"Source Sans","Source Sans Pro","Noto Sans CJK SC","PingFang SC","Microsoft YaHei",sans-serif';
const clamp = (/** @type {number} */ x, low = 0, high = 1) => Math.min(high, Math.max(low, x));
const mix = (/** @type {number} */ a, /** @type {number} */ b, /** @type {number} */ share) => a + (b - a) * share;
const safe = (/** @type {unknown} */ text) =>
  String(text).replace(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`);
const bytes = (/** @type {string} */ packed) => Uint8Array.from(atob(packed), (each) => each.charCodeAt(0));
const fill = (/** @type {string} */ words, /** @type {Record<string, unknown>} */ values) =>
  words.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
const percent = (/** @type {number} */ share) => `${Math.round(100 * share)}%`;

/** @type {WeakMap<Element, ReturnType<typeof make>>} */
const films = new WeakMap();

export default function (/** @type {any} */ { data, setTriggerValue, parentElement }) {
  let film = films.get(parentElement);
  if (!film) films.set(parentElement, (film = make(parentElement)));
  film.take(data, (/** @type {number} */ step) => setTriggerValue("moved", { to: step }));
  return () => {
    film.end();
    films.delete(parentElement);
  };
}

/** Type with a place, a class and more attributes. @param {number} x @param {number} y @param {unknown} text */
const type = (x, y, text, name = "", more = "") =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" class="${name}" ${more}>${safe(text)}</text>`;
/** @param {number} x @param {number} y @param {number} w @param {number} h */
const box = (x, y, w, h, more = "") =>
  `<rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${Math.max(0, w).toFixed(1)}" height="${Math.max(0, h).toFixed(1)}" ${more}/>`;
/** @param {number} x @param {number} y @param {number} X @param {number} Y */
const rule = (x, y, X, Y, name = "") =>
  `<line x1="${x.toFixed(1)}" y1="${y.toFixed(1)}" x2="${X.toFixed(1)}" y2="${Y.toFixed(1)}" class="${name}"/>`;

/** @param {HTMLElement} parent */
function make(parent) {
  const root = /** @type {HTMLElement} */ (parent.querySelector(".film"));
  const svg = /** @type {SVGSVGElement} */ (root.querySelector("svg"));
  const [map, answer, curve, strip] = ["map", "answer", "curve", "strip"].map(
    (name) => /** @type {SVGGElement} */ (svg.querySelector(`.${name}`)));
  const button = /** @type {HTMLButtonElement} */ (root.querySelector("button"));
  const slider = /** @type {HTMLInputElement} */ (root.querySelector("input"));
  const told = /** @type {HTMLElement} */ (root.querySelector("output"));
  const tag = /** @type {HTMLElement} */ (root.querySelector(".tag"));
  const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

  /** @type {Data} */ let data;
  /** @type {Uint8Array} */ let weights;
  /** @type {Uint8Array} */ let sure;
  /** @type {number[]} */ let starts = []; // of each frame in the rows
  let tell = (/** @type {number} */ _) => {};
  let now = 0; // place among the frames, between two of them while it plays
  let goal = 0, playing = false, moving = 0, last = 0, given = "", ground = "", follows = true;
  let width = 0, height = 0, phone = false;

  const frame = () => Math.floor(now + 1e-6);
  const rowsOf = (/** @type {number} */ place) => data.rows[data.rows.length > 1 ? place : 0];
  const step = () => {
    const place = frame(), share = now - place;
    return Math.round(mix(data.steps[place], data.steps[place + 1] ?? data.steps[place], share));
  };
  const placeOf = (/** @type {number} */ wanted) => {
    let place = 0;
    while (place + 1 < data.steps.length && data.steps[place + 1] <= wanted) place += 1;
    return place;
  };
  /** A weight at a place between two frames. */
  const weight = (/** @type {number} */ row, /** @type {number} */ column, at = now) => {
    const place = Math.floor(at + 1e-6), n = data.columns.length;
    const one = weights[(starts[place] + row) * n + column] / 255;
    const same = place + 1 < data.steps.length && rowsOf(place).length === rowsOf(place + 1).length;
    return same ? mix(one, weights[(starts[place + 1] + row) * n + column] / 255, at - place) : one;
  };
  const certain = (/** @type {number} */ row) => sure[starts[frame()] + row] / 255;

  /** Colour of a weight, as Plotly draws it. @param {number} share */
  function ink(share) {
    const after = Math.max(1, data.stops.findIndex(([stop]) => stop >= clamp(share)));
    const [low, start] = data.stops[after - 1], [high, end] = data.stops[after];
    const channel = (/** @type {string} */ colour, /** @type {number} */ place) => parseInt(colour.slice(place, place + 2), 16);
    return `rgb(${[1, 3, 5].map((place) =>
      Math.round(mix(channel(start, place), channel(end, place), clamp((share - low) / (high - low)))))})`;
  }
  const onInk = (/** @type {number} */ share) => {
    const channels = (ink(share).match(/\d+/g) ?? []).map(Number);
    return 0.3 * channels[0] + 0.59 * channels[1] + 0.11 * channels[2] > 140 ? "#000" : "#fff";
  };
  const shown = (/** @type {string} */ label) => data.words[label] ?? label;

  /** Where everything stands. */
  function places() {
    const zoom = data.zoom, foot = phone ? 0 : height < 560 ? 104 : 142;
    const half = phone ? width : Math.round(width * 0.48), gap = phone ? 0 : 44;
    return {
      zoom, foot,
      map: { x: 0, y: phone ? 104 : 0, w: half, h: phone ? 330 : height - foot },
      answer: { x: phone ? 0 : half + gap, y: 0, w: phone ? width : width - half - gap },
      curve: { x: phone ? 0 : half + gap, y: phone ? 446 : 112 * Math.min(zoom, 1.2), w: phone ? width : width - half - gap,
        h: phone ? 250 : height - foot - 112 * Math.min(zoom, 1.2) },
      strip: { y: height - foot, size: height < 560 ? 58 : 88 },
    };
  }

  function drawMap() {
    const area = places().map;
    if (!data.columns.length) return drawSure(area);
    if (data.ink) return drawDrawing(area);
    const rows = rowsOf(frame()), columns = data.columns, n = columns.length;
    const long = Math.max(...columns.map((each) => shown(each).length)) > 3 || n > 26;
    const side = 16 + 9 * Math.min(8, Math.max(...rows.map((each) => shown(each).length)));
    const head = 28 + (long ? 64 : 24);
    const cell = Math.max(5, Math.min((area.w - side - 4) / n, (area.h - head - 6) / rows.length, 68));
    const [left, top] = [area.x + side, area.y + head], size = clamp(cell * 0.46, 9, 18);
    let made = title(area, data.words.looks, data.words.looksNote);
    columns.forEach((each, place) => {
      const x = left + (place + 0.5) * cell, word = shown(each), small = word.length > 1 && !long ? 0.75 : 1;
      made += long
        ? type(x + size / 3, top - 6, word.slice(0, 10), "key", `style="font-size:${size}px" transform="rotate(-60 ${x + size / 3} ${top - 6})"`)
        : type(x, top - 8, word, "key mid", `style="font-size:${size * small}px"`);
    });
    rows.forEach((each, row) => {
      const word = shown(each), small = word.length > 1 ? 0.8 : 1;
      made += type(left - 9, top + (row + 0.5) * cell + size / 3, word.slice(0, 10), "query end", `style="font-size:${size * small}px"`);
      columns.forEach((_, column) => {
        const share = weight(row, column);
        made += box(left + column * cell, top + row * cell, cell, cell, `fill="${ink(share)}" class="cell"`);
        if (share >= LEAST_NUMBER && cell > LEAST_CELL)
          made += type(left + (column + 0.5) * cell, top + (row + 0.5) * cell + 5, share > 0.994 ? "1" : share.toFixed(2).slice(1),
            "mid number", `style="fill:${onInk(share)}"`);
      });
    });
    for (const place of data.right) {
      const [row, column] = [Math.floor(place / n), place % n];
      if (row < rows.length) made += box(left + column * cell + 1.5, top + row * cell + 1.5, cell - 3, cell - 3, 'class="right"');
    }
    map.innerHTML = made;
  }

  /** How sure a model without attention is of each token. @param {{x: number, y: number, w: number, h: number}} area */
  function drawSure(area) {
    const rows = rowsOf(frame()), high = Math.min(44, (area.h - 60) / rows.length), left = area.x + 52, wide = area.w - 120;
    let made = title(area, data.words.noMap, data.words.noMapNote);
    rows.forEach((each, row) => {
      const y = area.y + 44 + row * high, share = certain(row);
      made += type(left - 10, y + high / 2 + 5, shown(each), "query end", 'style="font-size:16px"')
        + box(left, y + 4, wide, high - 8, 'class="empty" rx="4"') + box(left, y + 4, wide * share, high - 8, 'class="sure" rx="4"')
        + type(left + wide + 8, y + high / 2 + 5, percent(share), "muted");
    });
    map.innerHTML = made;
  }

  /** A drawing, and beside it where the model looks while it names it. @param {{x: number, y: number, w: number, h: number}} area */
  function drawDrawing(area) {
    const cell = Math.min((area.w - 24) / (2 * SIDE), (area.h - 60) / SIDE), inked = data.ink ?? [];
    let most = 1e-6;
    for (let place = 0; place < SIDE * SIDE; place += 1) most = Math.max(most, weight(0, place));
    let made = title(area, data.words.looks, "");
    [data.words.drawing, data.words.attention].forEach((words, half) => {
      const left = area.x + half * (SIDE * cell + 24), top = area.y + 58;
      made += type(left, top - 8, words, "muted");
      for (let place = 0; place < SIDE * SIDE; place += 1) {
        const share = half ? weight(0, place) / most : 0, x = left + (place % SIDE) * cell, y = top + Math.floor(place / SIDE) * cell;
        made += half ? box(x, y, cell, cell, `fill="${ink(share)}" class="cell"`)
          : box(x, y, cell, cell, `class="pen" style="fill-opacity:${inked[place]}"`);
        if (half && inked[place] > 0) made += box(x + 1, y + 1, cell - 2, cell - 2, 'class="stroke"');
      }
    });
    map.innerHTML = made;
  }

  const title = (/** @type {{x: number, y: number}} */ area, /** @type {string} */ words, /** @type {string} */ note) =>
    `<text x="${area.x}" y="${area.y + 17}" class="head">${safe(words)}<tspan class="note" dx="10">${phone ? "" : safe(note)}</tspan></text>`;

  /** Places of the parts of an answer: squares for characters; for words rows of boxes, as wide as the words are long. */
  const laid = (/** @type {{x: number, y: number, w: number}} */ area, /** @type {string[]} */ parts) => {
    const top = area.y + 30;
    if (!data.byWords) {
      const size = Math.min(phone ? 36 : 46, area.w / Math.max(parts.length, 1));
      const boxes = parts.map((_, place) => ({ x: area.x + place * size, y: top, w: size, h: size }));
      return { boxes, font: Math.max(10, size * 0.5), bottom: top + size };
    }
    const h = 28, boxes = /** @type {{x: number, y: number, w: number, h: number}[]} */ ([]);
    let x = area.x, y = top;
    for (const each of parts) {
      const w = 18 + 8.5 * each.length;
      if (x + w > area.x + area.w && x > area.x) [x, y] = [area.x, y + h];
      boxes.push({ x, y, w, h });
      x += w;
    }
    return { boxes, font: 15, bottom: y + h };
  };

  function drawAnswer() {
    const area = places().answer, parts = (/** @type {string} */ text) => (data.byWords ? text.split(" ").filter(Boolean) : [...text]);
    const expected = data.expected === null ? null : parts(data.expected);
    const written = parts(data.outputs[frame()]), n = Math.max(expected?.length ?? 0, 1), extra = Math.max(0, written.length - n - 2);
    const tiles = expected ? Math.max(n, written.length - extra) : Math.min(written.length, 24);
    const { boxes, font, bottom } = laid(area, Array.from({ length: tiles }, (_, place) => written[place] ?? expected?.[place] ?? ""));
    let made = title(area, data.title, ""), right = 0;
    for (let place = 0; place < tiles; place += 1) {
      const each = written[place], good = expected !== null && each !== undefined && each === expected[place];
      right += Number(good);
      const kind = each === undefined ? "none" : good ? "good" : expected ? "bad" : "open";
      const { x, y, w, h } = boxes[place];
      made += box(x + 2, y, w - 4, h - 4, `rx="6" class="tile ${kind}"`)
        + (each === undefined ? "" : type(x + w / 2, y + h / 2 + (data.byWords ? 3 : 5), each.trim() || "␣", `mid letter ${kind}`, `style="font-size:${font}px"`));
    }
    if (expected) {
      const whole = data.outputs[frame()] === data.expected;
      const words = whole ? data.words.right : fill(data.words.inPlace, { right, n: expected.length })
        + (extra ? ` ${fill(data.words.more, { n: extra })}` : "");
      made += type(area.x, bottom + 16, words, whole ? "whole" : "count");
    }
    answer.innerHTML = made;
  }

  const along = () => {
    const area = places().curve;
    const left = area.x + 44, right = area.x + area.w - 8;
    return { area, left, right, x: (/** @type {number} */ at) => mix(left, right, at / data.total) };
  };
  /** What was measured last up to a step: nothing is guessed between two points. */
  const measured = (/** @type {number} */ at) => {
    const points = data.points;
    let place = 0;
    while (place + 1 < points.length && points[place + 1][0] <= at) place += 1;
    return points[place].slice(1);
  };
  const path = (/** @type {[number, number][]} */ points) =>
    points.map(([x, y], place) => `${place ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

  function drawCurve() {
    const { area, left, right, x } = along(), at = step(), low = area.h * 0.62, base = area.y + low;
    const y = (/** @type {number} */ share) => mix(base, area.y + 34, share), far = x(at) > mix(left, right, 0.72);
    let made = title(area, data.words.curve, data.words.curveNote);
    for (const share of [0, 0.5, 1])
      made += rule(left, y(share), right, y(share), "grid") + type(left - 7, y(share) + 5, percent(share), "tick end");
    const until = (/** @type {number} */ limit) => data.points.filter((each) => each[0] <= limit);
    const inside = until(data.total);
    if (data.other) {
      const others = data.other.points.filter((each) => each[0] <= data.total);
      made += `<path class="other" d="${path(others.map(([when, share]) => [x(when), y(share)]))}"/>`;
      const end = others.at(-1);
      if (end) made += type(right - CLEAR, y(end[1]) + (end[1] > 0.5 ? 18 : -8), data.other.name, "tick end");
    }
    made += `<path class="pale" d="${path(inside.map((each) => [x(each[0]), y(each[1])]))}"/>`;
    if (data.points.length) {
      const [exact, loss, heldOut] = measured(at), high = y(exact) - 12 < area.y + 48;
      const told = [...until(at).map((each) => /** @type {[number, number]} */ ([x(each[0]), y(each[1])]))];
      made += `<path class="exact" d="${path([...told, [x(at), y(exact)]])}"/>`;
      if (data.onRight.length) {
        const looks = data.steps.map((when, place) => [x(when), data.onRight[place]]).filter((each, place) => each[1] !== null && place <= frame());
        made += `<path class="looks" d="${path(looks.map((each) => /** @type {[number, number]} */ ([Number(each[0]), y(Number(each[1]))])))}"/>`;
        const end = looks.at(-1);
        if (end && Number(end[0]) > left + 90) made += type(Number(end[0]) - 10, clamp(y(Number(end[1])) + 20, area.y + 60, base - 4), data.words.looksLine, "tick end violet");
      }
      made += drawLoss(area, base, x, left, right, at, loss, heldOut);
      made += rule(x(at), area.y + 28, x(at), area.y + area.h - 22, "hand")
        + `<circle cx="${x(at)}" cy="${y(exact)}" r="7" class="knob"/>`
        + type(x(at) + (far ? -12 : 12), high ? y(exact) + 32 : Math.min(y(exact) - 12, base - 10), percent(exact), `now ${far ? "end" : ""}`);
    }
    made += type(left, area.y + area.h - 4, data.words.steps, "tick");
    for (const share of [0.25, 0.5, 0.75, 1])
      made += type(x(data.total * share), area.y + area.h - 4, Math.round(data.total * share), `tick ${share === 1 ? "end" : "mid"}`);
    curve.innerHTML = made;
  }

  /** The loss, on powers of ten. */
  function drawLoss(/** @type {any} */ area, /** @type {number} */ base, /** @type {any} */ x, /** @type {number} */ left,
    /** @type {number} */ right, /** @type {number} */ at, /** @type {number} */ loss, /** @type {number} */ heldOut) {
    const losses = data.points.filter((each) => each[0] <= data.total);
    const all = losses.flatMap((each) => [each[2], each[3]]).filter((each) => each > 0 && Number.isFinite(each)).map(Math.log10);
    if (!all.length) return "";
    const [least, most] = [Math.min(...all), Math.max(...all)], top = base + 34, low = area.y + area.h - 26;
    const y = (/** @type {number} */ value) => mix(low, top, most > least ? (Math.log10(Math.max(value, 1e-9)) - least) / (most - least) : 1);
    const line = (/** @type {number} */ which, /** @type {string} */ name) =>
      `<path class="${name}" d="${path(losses.filter((each) => each[which] > 0).map((each) => /** @type {[number, number]} */ ([x(each[0]), y(each[which])])))}"/>`;
    return type(left, base + 24, data.words.loss, "small") + type(right - CLEAR, base + 24, fill(data.words.losses, { loss: loss.toPrecision(2), other: heldOut.toPrecision(2) }), "tick end")
      + line(3, "held") + line(2, "loss") + `<circle cx="${x(at)}" cy="${y(loss)}" r="4.5" class="dot"/>`;
  }

  /** Places of the moments, among the frames: about evenly spread over where most happens. */
  const moments = () => {
    const n = Math.min(MOMENTS, data.steps.length);
    return Array.from({ length: n }, (_, place) => Math.round((place * (data.steps.length - 1)) / Math.max(1, n - 1)));
  };

  function drawStrip() {
    if (phone || !data.columns.length || data.steps.length < 2) return void (strip.innerHTML = "");
    const { strip: area } = places(), all = moments(), gap = all.length > 1 ? (width - MOMENTS * area.size) / (MOMENTS - 1) : 0;
    const n = data.ink ? SIDE : data.columns.length, on = all.filter((place) => place <= frame()).at(-1);
    let made = "";
    all.forEach((place, number) => {
      const left = number * (area.size + gap), top = area.y + 10, rows = data.ink ? SIDE : rowsOf(place).length;
      const high = area.size / Math.max(n, rows);
      let most = 1;
      if (data.ink) for (let each = most = 0; each < SIDE * SIDE; each += 1) most = Math.max(most, weight(0, each, place));
      for (let row = 0; row < rows; row += 1)
        for (let column = 0; column < n; column += 1) {
          const share = data.ink ? weight(0, row * SIDE + column, place) / most : weight(row, column, place);
          if (share > 0.02) made += box(left + column * high, top + row * high, high + 0.4, high + 0.4, `fill="${ink(share)}"`);
        }
      made += box(left - 2, top - 2, area.size + 4, area.size + 4, `rx="5" class="moment ${place === on ? "on" : ""}" data-place="${place}"`)
        + type(left + area.size / 2, top + area.size + 19, fill(data.words.step, { step: data.steps[place] }), `mid tick ${place === on ? "on" : ""}`);
    });
    strip.innerHTML = made;
  }

  function paint(whole = false) {
    drawMap();
    drawAnswer();
    drawCurve();
    const on = `${moments().filter((place) => place <= frame()).at(-1)}`;
    if (whole || on !== ground) drawStrip();
    ground = on;
    slider.value = String(now);
    told.textContent = fill(data.words.step, { step: step() });
    slider.setAttribute("aria-valuetext", told.textContent);
    button.textContent = playing ? `❚❚ ${data.words.pause}` : `▶ ${data.words.play}`;
  }

  /** Move towards the goal: through the whole film when it plays, at once where movement is not wanted. */
  function tick(/** @type {number} */ when) {
    const speed = playing ? (data.steps.length - 1) / FILM_MS : Math.max(0.012, Math.abs(goal - now) / 260);
    const way = clamp(when - last, 0, 250) * speed; // the first picture may have begun before the move
    last = when;
    now = Math.abs(goal - now) <= way ? goal : now + Math.sign(goal - now) * way;
    if (now === goal) {
      moving = 0;
      if (playing) stop();
    }
    paint();
    if (now !== goal) moving = requestAnimationFrame(tick);
  }
  function move(/** @type {number} */ to, smooth = true) {
    goal = clamp(to, 0, data.steps.length - 1);
    if (!smooth || (calm() && !playing)) now = goal;
    if (now === goal) return paint();
    if (!moving) {
      last = performance.now();
      moving = requestAnimationFrame(tick);
    }
  }
  function play() {
    playing = true;
    if (now >= data.steps.length - 1) now = 0;
    move(data.steps.length - 1);
  }
  function stop() {
    playing = false;
    goal = now = frame();
    follows = now === data.steps.length - 1;
    paint();
    tell(data.steps[frame()]);
  }
  button.onclick = () => (playing ? stop() : play());
  slider.oninput = () => { playing = false; move(Math.round(Number(slider.value)), false); };
  slider.onchange = () => stop();
  svg.addEventListener("click", (event) => {
    const place = /** @type {Element} */ (event.target).getAttribute("data-place");
    if (place !== null) { playing = false; move(Number(place), false); stop(); }
  });
  let held = false;
  const scrub = (/** @type {PointerEvent} */ event) => {
    const at = svg.getBoundingClientRect(), { left, right } = along();
    const wanted = clamp((event.clientX - at.left - left) / (right - left)) * data.total;
    move(placeOf(wanted), false);
  };
  curve.addEventListener("pointerdown", (event) => {
    held = true;
    playing = false;
    curve.setPointerCapture(event.pointerId);
    scrub(event);
  });
  curve.addEventListener("pointermove", (event) => held && scrub(event));
  for (const end of /** @type {const} */ (["pointerup", "pointercancel"]))
    curve.addEventListener(end, () => { if (held) stop(); held = false; });

  function arrange() {
    width = root.clientWidth;
    if (!width || !data) return;
    phone = width < PHONE;
    height = phone ? 706 : clamp(window.innerHeight - 250 - data.above, 400, 640);
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.setAttribute("height", String(height));
    svg.style.setProperty("--type", String(phone ? 1 : data.zoom));
    paint(true);
  }
  const resized = new ResizeObserver(arrange);
  resized.observe(root);
  window.addEventListener("resize", arrange);
  root.style.fontFamily = FONT;
  return {
    take(/** @type {Data} */ next, /** @type {(step: number) => void} */ say) {
      tell = say;
      const all = JSON.stringify(next);
      if (all === given) return;
      const before = data, same = before?.id === next.id;
      [given, data] = [all, next];
      weights = bytes(data.weights);
      sure = bytes(data.sure);
      starts = [0];
      data.steps.forEach((_, place) => starts.push(starts[place] + rowsOf(place).length));
      slider.max = String(data.steps.length - 1);
      slider.step = "any";
      slider.setAttribute("aria-label", data.words.moment);
      svg.setAttribute("aria-label", data.words.alt);
      tag.textContent = data.words.tag;
      tag.hidden = !data.words.tag;
      const place = data.at === null ? data.steps.length - 1 : placeOf(data.at);
      if (!same) {
        playing = false;
        now = data.at === null && !data.live && !calm() && data.steps.length > 1 ? 0 : place;
        goal = now;
        arrange();
        if (now !== place) play();
      } else {
        now = Math.min(now, data.steps.length - 1);
        arrange();
        if (playing) goal = data.steps.length - 1; // what came meanwhile is played too
        else if (data.at !== before?.at || (data.at === null && follows)) move(place);
      }
      follows = data.at === null;
    },
    end() {
      cancelAnimationFrame(moving);
      resized.disconnect();
      window.removeEventListener("resize", arrange);
    },
  };
}
