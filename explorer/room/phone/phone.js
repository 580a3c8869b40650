// The page of a phone; and, to whoever has the secret behind the address's #, the teacher's remote control.

/** Text by language. @typedef {Record<string, string>} Said */
/** Votes by answer. @typedef {Record<string, number>} Counts */
/** A question; what all have said and what is right depend on its kind. @typedef {{id: string,
 *   kind: "choice" | "number" | "words" | "mask", text: Said, round: number, phase: "open" | "closed" | "revealed",
 *   answers: Record<string, Said>, label: Said, low: number, high: number, step: number | null, start: number, log: boolean,
 *   points?: number[][], rows: string[], columns: string[], counts?: Record<string, any>, right?: any, why?: Said}} Asking */
/** A question of the class's own. @typedef {{id: string, text: string}} Raised */
/** `past` and what else is optional only the remote control is told. @typedef {{epoch: string, seq: number,
 *   shown: {link: string, title: Said, question: Said, asks: boolean, tries: boolean},
 *   picture: {name: string, said: string} | null, asking: Asking | null, ended: boolean, raised: string | Raised[],
 *   locked?: boolean, on_wall?: string, past?: number}} State */

const byId = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** @type {Record<string, Record<string, string>>} */
const WORDS = JSON.parse(byId("words").textContent ?? "");
const NAMES = /** @type {Record<string, string>} */ ({ en: "English", zh: "中文" });
const TEACHES = /^#[\w-]{22}$/.test(location.hash) ? location.hash.slice(1) : "";
const CODE = /\/room\/(\d{6})$/.exec(location.pathname)?.[1] ?? "";
const ROOT = location.pathname.replace(/\/room(?:\/[^/]*)?\/?$/, "");
/** Silence after which it asks whether the room still hears it, and after which it calls again. */
const ASK_MS = 20_000,
    DEAD_MS = 40_000;
const RAISE_S = 15; // between two questions of a phone; the server's own bound
const PRESS_MS = 1500, // so long a press may last
    SPREAD_MS = 1500, // a class does not ask for a picture at one moment
    CLICK_MS = 30; // after a finger is lifted, a browser says that it was a click

/** What this browser keeps, so that a phone that slept comes back to its seat and its answers. */
const kept = {
    /** @param {string} name @returns {any} */
    get(name) {
        try {
            return JSON.parse(localStorage.getItem(`room.${name}`) ?? "null");
        } catch {
            return null;
        }
    },
    /** @param {string} name @param {unknown} value */
    set(name, value) {
        try {
            localStorage.setItem(`room.${name}`, JSON.stringify(value));
        } catch {
            // a browser that keeps nothing: a reload is a new phone
        }
    },
};

/** @type {string} */
let language = kept.get("language") ?? (navigator.language.startsWith("zh") ? "zh" : "en");
/** @type {State | null} */ let state = null;
/** @type {WebSocket | null} */ let socket = null;
/** @type {{n: number, here: number, lost?: number, counts?: any}} */ let count = { n: 0, here: 0 };
/** Its seat, and of which room: another one may have the code by now. @type {{seat: string, room: string} | null} */
let pass = kept.get(`${CODE}.pass`),
    turnedAway = "",
    note = "",
    confirmed = "",
    heard = 0,
    tries = 0,
    calling = 0,
    joined = false,
    pressed = 0,
    waiting = false,
    sure = false;

/** @param {string} name @param {Record<string, unknown>} [values] */
const t = (name, values = {}) =>
    (WORDS[language][name] ?? name).replace(/\{(\w+)\}/g, (all, key) => (key in values ? String(values[key]) : all));
const said = (/** @type {Said | undefined} */ text) => text?.[language] ?? text?.en ?? "";

/** Make an element. @template {keyof HTMLElementTagNameMap} K @param {K} kind @param {string} name
 * @param {...(Node | string)} inside */
function element(kind, name, ...inside) {
    const made = document.createElement(kind);
    made.className = name;
    made.append(...inside);
    return made;
}

/** Make a button. @param {string} name @param {string} text @param {() => void} act */
function press(name, text, act) {
    const made = element("button", `press ${name}`, text);
    made.type = "button";
    made.onclick = act;
    return made;
}

function connect() {
    clearTimeout(calling);
    if (!CODE || (socket && socket.readyState < 2)) return;
    const mine = new WebSocket(`${location.protocol.replace("http", "ws")}//${location.host}${ROOT}/room/${CODE}/live`);
    socket = mine;
    mine.onopen = () => {
        heard = Date.now();
        mine.send(JSON.stringify(TEACHES ? { do: "join", secret: TEACHES } : { do: "join", ...pass }));
    };
    mine.onmessage = (event) => {
        heard = Date.now();
        tries = 0;
        if (mine === socket) take(JSON.parse(event.data));
    };
    mine.onclose = (event) => {
        if (mine !== socket) return;
        joined = false;
        if (event.code === 4403 && !turnedAway) turnedAway = "no_room";
        draw();
        if (turnedAway) return;
        calling = window.setTimeout(connect, Math.min(8000, 300 * 2 ** tries++) * (0.5 + Math.random()));
    };
}

/** Leave a connection that may be dead, and call again. */
function reconnect() {
    const old = socket;
    socket = null;
    old?.close();
    joined = false;
    turnedAway = "";
    connect();
}

/** Be a new phone, in the room that has the code now. */
function joinOther() {
    pass = null;
    for (const name of ["pass", "lost"]) kept.set(`${CODE}.${name}`, null);
    reconnect();
}

/** @param {object} message */
function send(message) {
    if (socket?.readyState !== 1 || !joined) return false;
    socket.send(JSON.stringify(message));
    return true;
}

/** @param {any} told */
function take(told) {
    if (told.is === "seat") {
        kept.set(`${CODE}.pass`, (pass = { seat: told.seat, room: told.room }));
        return;
    }
    if (["gone", "another", "full", "tabs", "wrong"].includes(told.is)) {
        // Who had been in it knows that it was there: it went.
        const went = state || (told.is === "gone" && (pass || TEACHES));
        turnedAway =
            ["gone", "wrong"].includes(told.is) && went ? "restarted" : told.is === "gone" ? "no_room" : told.is;
        state = null;
        say(t(turnedAway));
    } else if (told.is === "state") takeState(told);
    else if (told.is === "count") count = told;
    else if (told.is === "kept") {
        confirmed = `${told.q}.${told.round}`;
        note = "";
        say(t("kept"));
    } else if (told.is === "raised" || told.is === "soon") answerRaised(told.is);
    else if (["late", "refused", "nowall"].includes(told.is)) say(t((note = told.is)));
    else if (told.is === "slow" || told.is === "later") {
        note = told.is;
        setTimeout(() => state && resend(), 1000 + 1500 * Math.random());
    } else return;
    draw();
}

/** @param {State} next */
function takeState(next) {
    const before = state?.asking,
        now = next.asking;
    const changed = before?.id !== now?.id || before?.round !== now?.round || before?.phase !== now?.phase;
    state = next;
    if (!next.picture) hung.clear();
    if (!joined || changed || note === "later") note = "";
    joined = true;
    if (state.shown.title.en !== kept.get(`${CODE}.lost`)) kept.set(`${CODE}.lost`, null);
    if (before?.id !== now?.id || before?.round !== now?.round) count = { ...count, n: 0, counts: undefined };
    if (changed && now)
        say(
            now.phase === "open"
                ? `${t(now.kind === "choice" ? "first" : "trying")}: ${said(now.text)}`
                : t(now.phase === "closed" ? "closed" : "class_said"),
        );
    resend();
    if (!TEACHES && kept.get(`${CODE}.lost`)) send({ do: "lost", on: true }); // after a sleep, the room has forgotten it
}

const place = (/** @type {Asking} */ asking, /** @type {number} */ round) =>
    `${CODE}.${state?.epoch}.${asking.id}.${round}`;

/** Say again what may not have been heard. */
function resend() {
    const asking = state?.asking;
    if (TEACHES || asking?.phase !== "open" || confirmed === `${asking.id}.${asking.round}`) return;
    const value = kept.get(place(asking, asking.round));
    if (value !== null) send({ do: "answer", q: asking.id, round: asking.round, value });
}

/** @param {Asking} asking @param {unknown} value */
function vote(asking, value) {
    kept.set(place(asking, asking.round), value);
    confirmed = "";
    note = send({ do: "answer", q: asking.id, round: asking.round, value }) ? "" : "unsent";
    draw();
}

const say = (/** @type {string} */ text) => (byId("say").textContent = text);
const percent = (/** @type {number} */ share) => `${Math.round(100 * share)} %`;
const total = (/** @type {Counts} */ counts) => Object.values(counts).reduce((sum, n) => sum + n, 0);

/** Draw how many gave an answer, a bar for each round. @param {Record<string, Counts>} rounds @param {string} key */
function bars(rounds, key) {
    const made = element("div", "bars"),
        two = Object.keys(rounds).length > 1;
    for (const [round, counts] of Object.entries(rounds)) {
        const share = counts[key] / (total(counts) || 1),
            bar = element("i", "");
        bar.style.width = `${100 * share}%`;
        bar.style.visibility = share ? "" : "hidden";
        const name = two ? element("span", "unseen", `${t(round === "1" ? "once" : "twice")}: `) : "";
        const row = element("div", two && round === "1" ? "bar first" : "bar", bar);
        row.append(element("span", "", name, `${counts[key]} · ${percent(share)}`));
        made.append(row);
    }
    return made;
}

/** Draw the answers: to press, or with what they got.
 * @param {Asking} asking @param {Record<string, Counts> | undefined} rounds */
function answers(asking, rounds) {
    const given = TEACHES ? null : kept.get(place(asking, asking.round)),
        before = !TEACHES && asking.round > 1 ? kept.get(place(asking, 1)) : null,
        list = element("div", "answers");
    list.setAttribute("role", "group");
    list.setAttribute("aria-label", said(asking.text));
    Object.entries(asking.answers).forEach(([key, words], number) => {
        const right = asking.right === key,
            one = element(TEACHES ? "div" : "button", right ? "answer right" : "answer");
        one.append(element("span", "key", right ? "✓" : "ABCD"[number]), element("span", "", said(words)));
        if (one instanceof HTMLButtonElement) {
            one.type = "button";
            one.disabled = asking.phase !== "open";
            one.setAttribute("aria-pressed", String(given === key));
            one.onclick = () => vote(asking, key);
        }
        if (before === key) one.append(element("span", "mine", t("before")));
        if (rounds) one.append(bars(rounds, key));
        list.append(one);
    });
    if (Object.keys(rounds ?? {}).length > 1)
        list.append(element("p", "legend", element("i", "first"), t("once"), element("i", ""), t("twice")));
    return list;
}

const short = (/** @type {number} */ value) => String(Number(value.toPrecision(2)));
const top = (/** @type {number[]} */ row) => row.indexOf(Math.max(...row));

/** The middle of the class, and between which numbers half of it lies. @param {number[]} values ascending */
function spread(values) {
    const [low, middle, high] = [0.25, 0.5, 0.75].map((share) =>
        short(values[Math.round(share * (values.length - 1))]),
    );
    return { low, middle, high };
}

/** Draw the points, and the curve through them that a width makes.
 * @param {number[][]} points numbers, as the server has seen to @returns {[HTMLElement, (width: number) => void]} */
function regression([xs, ys]) {
    const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)],
        x = (/** @type {number} */ at) => 8 + (304 * (at - left)) / (right - left),
        y = (/** @type {number} */ at) => 172 - (164 * (at - low)) / (high - low),
        holder = element("div", "drawn"),
        dots = xs.map((at, i) => `<circle cx="${x(at).toFixed(1)}" cy="${y(ys[i]).toFixed(1)}" r="4"/>`);
    holder.innerHTML = `<svg viewBox="0 0 320 180" aria-hidden="true">${dots.join("")}<path class="curve"/></svg>`;
    const path = /** @type {SVGPathElement} */ (holder.querySelector("path"));
    const draw = (/** @type {number} */ width) => {
        let drawn = "";
        for (let i = 0; i <= 80; i++) {
            const at = left + ((right - left) * i) / 80,
                scores = xs.map((each) => -0.5 * ((at - each) / width) ** 2),
                most = Math.max(...scores),
                weights = scores.map((each) => Math.exp(each - most)),
                all = weights.reduce((sum, each) => sum + each, 0);
            const value = weights.reduce((sum, each, n) => sum + each * ys[n], 0) / all;
            drawn += `${i ? "L" : "M"}${x(at).toFixed(1)} ${y(value).toFixed(1)}`;
        }
        path.setAttribute("d", drawn);
    };
    return [holder, draw];
}

/** A number by a slider; what is not yet sent outlives a reload. @param {Asking} asking @returns {Node[]} */
function sliding(asking) {
    const { low, high, log } = asking,
        draft = `${place(asking, asking.round)}.draft`,
        slider = element("input", "slider"),
        name = element("label", "number"),
        shown = element("b", ""),
        [svg, curve] = asking.points ? regression(asking.points) : [null, () => {}],
        open = asking.phase === "open";
    let value = kept.get(draft) ?? kept.get(place(asking, asking.round)) ?? asking.start;
    const move = () => {
        shown.textContent = slider.ariaValueText = short(value);
        curve(value);
    };
    slider.type = "range";
    slider.id = name.htmlFor = "number";
    slider.disabled = !open;
    [slider.min, slider.max, slider.step] = (log ? [0, 200, 1] : [low, high, asking.step ?? "any"]).map(String);
    slider.value = String(log ? (200 * Math.log(value / low)) / Math.log(high / low) : value);
    slider.oninput = () => {
        const at = Number(slider.value);
        if (pressed) pressed = Date.now(); // it is held, however long
        value = log ? Number((low * (high / low) ** (at / 200)).toPrecision(2)) : at;
        kept.set(draft, value);
        move();
    };
    name.append(`${said(asking.label)}: `, shown);
    move();
    return [
        ...(svg ? [svg] : []),
        name,
        slider,
        ...(open ? [press("first", t("send"), () => vote(asking, value))] : []),
    ];
}

/** For each word those that one would look at, or that it may see. @param {Asking} asking @returns {Node[]} */
function looking(asking) {
    const { rows, columns, kind } = asking,
        open = asking.phase === "open",
        draft = `${place(asking, asking.round)}.draft`,
        drawn = kept.get(draft) ?? { at: 0, rows: kept.get(place(asking, asking.round)) ?? rows.map(() => []) },
        now = /** @type {number[]} */ (drawn.rows[drawn.at]),
        change = (/** @type {object} */ what) => {
            kept.set(draft, { ...drawn, ...what });
            draw();
        },
        token = (
            /** @type {string} */ look,
            /** @type {string} */ word,
            /** @type {boolean} */ on,
            /** @type {() => void} */ act,
        ) => {
            const made = press(look, word, act);
            made.translate = false;
            made.disabled = !open;
            made.setAttribute(look.startsWith("asks") ? "aria-current" : "aria-pressed", String(on));
            return made;
        },
        toggle = (/** @type {number} */ column) => {
            const has = now.includes(column),
                row = has ? now.filter((each) => each !== column) : [...now, column].slice(kind === "mask" ? 0 : -3);
            change({
                rows: drawn.rows.map((/** @type {number[]} */ each, /** @type {number} */ y) =>
                    y === drawn.at ? row : each,
                ),
            });
        },
        asks = element("div", "tokens"),
        asked = element("div", "tokens"),
        left = drawn.rows.filter((/** @type {number[]} */ row) => !row.length).length,
        last = drawn.at === rows.length - 1,
        lead = element("p", "", t(kind === "mask" ? "may_see" : "looks_at", { word: rows[drawn.at] }));
    asks.append(
        ...rows.map((word, y) =>
            token(drawn.rows[y].length ? "asks done" : "asks", word, y === drawn.at, () => change({ at: y })),
        ),
    );
    asked.append(...columns.map((word, x) => token("asked", word, now.includes(x), () => toggle(x))));
    lead.id = "lead";
    asked.setAttribute("role", "group");
    asked.setAttribute("aria-labelledby", "lead");
    const all = /** @type {Node[]} */ (rows.length > 1 ? [asks, lead, asked] : [lead, asked]);
    if (!open) return all;
    if (!last) all.push(press("first", t("next_word"), () => change({ at: drawn.at + 1 })));
    const send = press(last ? "first" : "", t("send"), () => vote(asking, drawn.rows));
    send.disabled = kind === "words" && left === rows.length;
    all.push(send);
    if (kind === "words" && left && rows.length > 1) all.push(element("p", "muted", t("to_go", { n: left })));
    return all;
}

/** What the class tried, row by row, and for a student what the phone itself has said. @param {Asking} asking
 * @param {any} counts @param {any} [own] @returns {Node[]} */
function tried({ kind, rows, columns, right, phase }, counts, own) {
    const shown = phase === "revealed";
    if (kind === "number") {
        const values = counts?.values ?? [];
        if (!values.length) return [];
        const told = { ...spread(values), own: own ? short(own) : "–", right: shown ? short(right.value) : "" };
        return [element("p", "", t(shown && !TEACHES ? "numbers" : "spread", told))];
    }
    if (!counts) return [];
    const table = element("table", ""),
        line = (/** @type {string[]} */ cells, /** @type {"th" | "td"} */ kind) => {
            const row = element("tr", "");
            row.append(...cells.map((text) => element(kind, "", text)));
            return row;
        },
        best = (/** @type {number[]} */ row) =>
            Math.max(...row) > 0 ? `${columns[top(row)]} ${percent(Math.max(...row)).replace(" ", "\u00a0")}` : "–",
        names = ["", ...(own ? [t("you")] : []), t("class"), ...(shown ? [t("model")] : [])];
    if (kind === "mask") {
        const all = rows.length * columns.length,
            mask = right?.maps[0].weights,
            same = (/** @type {(y: number, x: number) => boolean} */ says) =>
                rows.flatMap((_, y) => columns.filter((_, x) => says(y, x) === mask[y][x] > 0.5)).length;
        if (!shown && !TEACHES) return [];
        const said = (/** @type {string} */ name, /** @type {number} */ n) =>
            element("p", "", t(name, { same: n, all }));
        return [
            ...(own
                ? [
                      said(
                          "cells",
                          same((y, x) => own[y].includes(x)),
                      ),
                  ]
                : []),
            said(
                "cells_class",
                same((y, x) => counts.weights[y][x] > 0.5),
            ),
        ];
    }
    table.translate = false;
    table.append(line(names, "th"));
    rows.forEach((word, y) => {
        const mine = own ? [own[y].map((/** @type {number} */ x) => columns[x]).join(", ") || "–"] : [];
        table.append(
            line([word, ...mine, best(counts.weights[y]), ...(shown ? [best(right.maps[0].weights[y])] : [])], "td"),
        );
    });
    return [table];
}

/** What may be answered. @param {Asking} asking */
const answering = (asking) =>
    asking.kind === "choice"
        ? [answers(asking, asking.phase === "revealed" ? asking.counts : undefined)]
        : asking.phase === "revealed"
          ? []
          : (asking.kind === "number" ? sliding : looking)(asking);

/** @param {Asking} asking @returns {(Node | string)[]} */
function student(asking) {
    const choice = asking.kind === "choice",
        open = !choice ? "trying" : asking.round > 1 ? "second" : "first",
        kicker = asking.phase === "revealed" ? "class_said" : open,
        given = kept.get(place(asking, asking.round)),
        all = /** @type {(Node | string)[]} */ ([
            ...(asking.phase === "closed" ? [] : [element("p", "kicker", t(kicker))]),
            element("h1", "", said(asking.text)),
        ]);
    all.push(...answering(asking));
    if (choice && asking.phase !== "revealed") all.push(...hung.draw(false));
    if (asking.phase === "open") {
        if (note) all.push(element("p", "note", t(note)));
        else if (given !== null)
            all.push(element("p", "note", t(confirmed === `${asking.id}.${asking.round}` ? "kept" : "unsent")));
    } else if (asking.phase === "closed") {
        const discuss = choice && asking.round === 1 ? [element("b", "", t("discuss"))] : [];
        all.push(element("div", "card", element("p", "", t(note || "closed")), ...discuss));
    } else if (!choice) {
        all.push(...tried(asking, asking.counts?.["1"], given), element("p", "card", said(asking.why)), ...wall());
    } else {
        const answer = said(asking.answers[asking.right ?? ""]);
        all.push(verdict(t(given === asking.right ? "right" : "answer", { answer }), said(asking.why)), ...wall());
    }
    return all;
}

const verdict = (/** @type {string} */ found, /** @type {string} */ why) =>
    element("div", "card", element("b", "", found), element("p", "", why));

/** Draw what is on the wall, and the way to it. @returns {Node[]} */
function wall() {
    const { link, title, question } = /** @type {State} */ (state).shown;
    if (!/^\/\w+(\?|$)/.test(link)) return [];
    const open = element("a", "press", t("open"));
    open.href = `${ROOT}${link}${link.includes("?") ? "&" : "?"}room=${CODE}&lang=${language}`;
    return [
        element(
            "div",
            "card",
            element("p", "muted", said(title)),
            element("b", "", said(question)),
            ...hung.draw(true),
            open,
            element("p", "muted", t("open_more")),
        ),
    ];
}

/** The wall's picture, for who looks at it. Its element is made once: the page is drawn anew, the picture stays. */
const hung = {
    image: element("img", "hung"),
    fold: element("details", "card"),
    summary: element("summary", ""),
    words: element("p", ""),
    name: "",
    tries: 0,
    timer: 0,
    make() {
        this.fold.ontoggle = () => this.look();
        this.image.onload = () => (this.tries = 0);
        this.image.onerror = () => {
            if (++this.tries > 3) return;
            this.name = "";
            setTimeout(() => this.look(), 2 * SPREAD_MS); // it may have been replaced meanwhile
        };
    },
    clear() {
        clearTimeout(this.timer);
        this.name = "";
        this.image.removeAttribute("src");
    },
    /** @param {boolean} unfolded @returns {Node[]} */
    draw(unfolded) {
        const { picture, shown } = /** @type {State} */ (state);
        if (!picture) return [];
        this.image.alt = `${t("picture")}: ${said(shown.title)}`;
        this.words.textContent = picture.said;
        this.words.hidden = !picture.said;
        this.summary.textContent = t("picture");
        setTimeout(() => this.look());
        if (unfolded) return [this.image, this.words];
        this.fold.replaceChildren(this.summary, this.image, this.words);
        return [this.fold];
    },
    /** Fetch the last one, if it is looked at. */
    look() {
        const name = state?.picture?.name ?? "";
        if (document.hidden || !this.image.getClientRects().length || name === this.name) return;
        clearTimeout(this.timer);
        this.timer = window.setTimeout(
            () => {
                this.name = name;
                this.image.src = `${ROOT}/room/${CODE}/wall/${name}`;
            },
            this.image.src ? SPREAD_MS * Math.random() : 0,
        );
    },
};

/** What to do next, by the share that is right: below 35 % few can convince others, above 70 % few need it.
 * @param {Asking} asking @param {Counts} counts */
function advice(asking, counts) {
    const n = total(counts),
        share = n ? counts[asking.right ?? ""] / n : 0;
    return n ? t(share < 0.35 ? "explain" : share <= 0.7 ? "talk" : "go_on", { share: percent(share) }) : t("nobody");
}

const lost = () => (count.lost ? [" · ", element("b", "lost", t("are_lost", { n: count.lost }))] : []);

/** @param {State} now @returns {(Node | string)[]} */
function remote(now) {
    const { asking, shown } = now,
        order = (/** @type {string} */ what, rest = {}) => void send({ do: what, ...rest }),
        onWall = (/** @type {string} */ what) => order("wall", { what }),
        all = /** @type {(Node | string)[]} */ ([]);
    if (note) all.push(element("p", "note", t(note)));
    if (asking && asking.kind !== "choice") {
        const open = asking.phase === "open",
            counts = open ? count.counts : asking.counts?.["1"],
            n = open ? count.n : (counts?.values?.length ?? Math.max(0, ...(counts?.n ?? []))),
            next = /** @type {const} */ ({
                open: ["close", () => order("close")],
                closed: ["reveal", () => onWall("reveal")],
                revealed: ["done", () => order("done")],
            })[asking.phase];
        all.push(
            element("p", "muted", t("private")),
            element("h1", "", said(asking.text)),
            element("p", "many", t("answered", { n, here: Math.max(count.here, n) }), ...lost()),
            ...tried(asking, counts),
            ...(asking.phase === "revealed" ? [element("p", "", said(asking.why))] : []),
            press("first", t(next[0]), next[1]),
        );
    } else if (asking) {
        const rounds = { ...asking.counts };
        if (asking.phase === "open") rounds[asking.round] = count.counts ?? {};
        const of = rounds[asking.round] ?? {},
            filled = Object.fromEntries(Object.keys(asking.answers).map((key) => [key, of[key] ?? 0]));
        rounds[asking.round] = filled;
        all.push(element("p", "muted", t("private")), element("h1", "", said(asking.text)));
        const n = asking.phase === "open" ? count.n : total(filled);
        all.push(
            element("p", "many", t("answered", { n, here: Math.max(count.here, n) }), ...lost()),
            answers(asking, rounds),
        );
        if (asking.phase === "open") all.push(press("first", t("close"), () => order("close")));
        else if (asking.phase === "closed") {
            all.push(element("p", "note", advice(asking, filled)));
            const pair = element(
                "div",
                "pair",
                press("first", t("reveal"), () => onWall("reveal")),
            );
            if (asking.round === 1) pair.prepend(press("first", t("again"), () => order("again")));
            all.push(pair);
        } else
            all.push(
                element("p", "", said(asking.why)),
                press("first", t("done"), () => order("done")),
            );
    } else {
        all.push(
            element("p", "many", t("here", { here: count.here }), ...lost()),
            ...(said(shown.title) ? [element("h1", "", said(shown.title))] : []),
        );
        all.push(
            ...(shown.asks ? [press("first", t("ask"), () => onWall("ask"))] : []),
            ...(shown.tries ? [press("", t("try"), () => onWall("try"))] : []),
            ...(shown.asks || shown.tries ? [] : [element("p", "muted", t("nothing"))]),
            element(
                "div",
                "pair",
                press("", t("back"), () => onWall("back")),
                press("", t("next"), () => onWall("next")),
            ),
        );
    }
    const lock = press("", t("lock"), () => order("lock", { on: !now.locked })),
        end = press("", t(sure ? "sure" : "end"), () => {
            if (sure) order("end");
            sure = !sure;
            draw();
        });
    lock.setAttribute("aria-pressed", String(Boolean(now.locked)));
    all.push(...questions(now), ...(now.past ? files() : []), element("div", "pair", lock, end), ...ownCode());
    return all;
}

/** What the class itself has asked, for the teacher alone. @param {State} now @returns {Node[]} */
function questions(now) {
    const raised = Array.isArray(now.raised) ? now.raised : [];
    if (!raised.length) return [];
    const list = element("ul", "raised");
    for (const { id, text } of [...raised].reverse()) {
        const there = now.on_wall === id,
            show = press(
                "",
                t(there ? "off_wall" : "put_on_wall"),
                () => void send({ do: "show_raised", id: there ? "" : id }),
            ),
            drop = press("", t("drop"), () => void send({ do: "drop_raised", id }));
        list.append(element("li", there ? "there" : "", element("p", "", text), element("div", "pair", show, drop)));
    }
    return [element("p", "kicker", t("questions")), list];
}

/** Save what the class said as a file. @param {string} kind `html` or `csv` */
async function save(kind) {
    try {
        const answer = await fetch(`${ROOT}/room/${CODE}/lesson.${kind}?lang=${language}`, {
            headers: { "X-Room-Secret": TEACHES },
        });
        if (!answer.ok) throw Error(String(answer.status));
        const link = element("a", "");
        link.href = URL.createObjectURL(await answer.blob());
        link.download = `attention-explorer-${CODE}.${kind}`;
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    } catch {
        say(t((note = "unsaved")));
        draw();
    }
}

/** @returns {Node[]} */
function files() {
    const pair = element(
        "div",
        "pair",
        press("", t("page"), () => void save("html")),
        press("", t("table"), () => void save("csv")),
    );
    return [element("p", "kicker", t("save")), pair];
}

/** What a phone may say unasked. It is made once: what is being typed outlives whatever the room does. */
const foot = {
    lost: press("", "", () => {
        const on = !kept.get(`${CODE}.lost`);
        kept.set(`${CODE}.lost`, on ? (state?.shown.title.en ?? "") || null : null);
        send({ do: "lost", on });
        draw();
    }),
    text: element("textarea", "typed"),
    label: element("label", ""),
    more: element("p", "muted"),
    send: element("button", "press first"),
    note: element("p", "told"),
    form: element("form", ""),
    fold: element("details", "card"),
    summary: element("summary", ""),
    make() {
        this.text.id = this.label.htmlFor = "raise";
        this.text.maxLength = 280;
        this.text.rows = 3;
        this.note.hidden = true;
        this.form.append(this.label, this.text, this.more, this.send, this.note);
        this.form.onsubmit = (event) => {
            event.preventDefault();
            if (this.text.value.trim() && !send({ do: "raise", text: this.text.value })) tellRaised("away");
        };
        this.fold.append(this.summary, this.form);
        byId("foot").append(this.lost, this.fold);
    },
    draw() {
        byId("foot").hidden = TEACHES !== "" || !state || state.ended || turnedAway !== "";
        this.lost.textContent = t("lost");
        this.lost.title = t("lost_more");
        this.lost.setAttribute("aria-pressed", String(Boolean(kept.get(`${CODE}.lost`))));
        this.summary.textContent = this.label.textContent = t("raise");
        this.more.textContent = t("raise_more");
        this.send.textContent = t("send");
    },
};

/** @param {string} name */
function tellRaised(name) {
    foot.note.textContent = t(name, { seconds: RAISE_S });
    foot.note.hidden = false;
    say(foot.note.textContent);
}

/** @param {string} name `raised` or `soon` */
function answerRaised(name) {
    if (name === "raised") foot.text.value = "";
    tellRaised(name);
}

/** The remote control's own address, for the teacher's phone: a window that the wall has opened has it. @returns {Node[]} */
function ownCode() {
    let own = "";
    try {
        const held = JSON.parse(sessionStorage.getItem("attention-explorer-room") ?? "null");
        if (held?.secret === TEACHES) own = held.remote;
    } catch {
        // a browser that keeps nothing
    }
    if (!own.startsWith("data:image/svg+xml;base64,")) return [];
    const image = element("img", "own");
    image.src = own;
    image.alt = t("own");
    return [element("details", "card", element("summary", "", t("own")), image)];
}

/** Ask for the code of a room. @returns {Node[]} */
function door() {
    const typed = element("input", "typed"),
        label = element("label", "", t("enter")),
        form = element("form", "card", label, typed, element("button", "press first", t("join")));
    typed.id = label.htmlFor = "typed";
    typed.inputMode = "numeric";
    typed.autocomplete = "off";
    typed.maxLength = 9;
    form.onsubmit = (event) => {
        event.preventDefault();
        const code = typed.value.replace(/\D/g, "");
        if (code.length === 6) location.href = `${ROOT}/room/${code}`;
        else typed.focus();
    };
    return [form, element("p", "muted", t("privacy"))];
}

/** @returns {(Node | string)[]} */
function content() {
    if (!CODE) return door();
    if (turnedAway === "no_room") return [element("p", "note", t("no_room")), ...door()];
    if (turnedAway) {
        const why = element("p", "note", t(turnedAway)),
            join =
                turnedAway === "another"
                    ? press("", t("join_other"), joinOther)
                    : press("first", t("join_again"), reconnect);
        return [why, join, ...(["restarted", "another"].includes(turnedAway) ? door() : [])];
    }
    if (!state) return [element("p", "muted", t("connecting"))];
    if (state.ended) return [element("h1", "", t("ended")), ...(TEACHES && state.past ? files() : [])];
    if (TEACHES) return remote(state);
    if (state.asking) return student(state.asking);
    return [
        element("h1", "", t("wait")),
        element("p", "muted", t("wait_more")),
        ...wall(),
        element("p", "muted", t("privacy")),
    ];
}

function draw() {
    if (Date.now() - pressed < PRESS_MS) {
        // A button that was replaced under the finger would not hear that it was pressed.
        waiting = true;
        return;
    }
    waiting = false;
    const other = language === "zh" ? "en" : "zh",
        main = byId("main"),
        active = document.activeElement,
        focused =
            active && main.contains(active)
                ? [...main.querySelectorAll("button, input")].indexOf(/** @type {any} */ (active))
                : -1;
    document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
    document.title = `${t(TEACHES ? "remote" : "room")} · Attention Explorer`;
    byId("role").textContent = t(TEACHES ? "remote" : "room");
    byId("code").textContent = CODE.replace(/(\d{3})/, "$1 ");
    byId("language").textContent = NAMES[other];
    byId("language").lang = other;
    byId("net").hidden = !CODE || turnedAway !== "";
    byId("net").className = joined ? "" : "off";
    byId("net").children[1].textContent = t(joined ? "connected" : "connecting");
    if (!CODE && main.childElementCount && main.lang === language) return; // what is typed stays
    main.lang = language;
    foot.draw();
    main.replaceChildren(...content());
    const again = main.querySelectorAll("button, input")[focused];
    if (again instanceof HTMLElement) again.focus({ preventScroll: true });
}

byId("main").onpointerdown = () => void (pressed = Date.now());
for (const kind of ["pointerup", "pointercancel"])
    addEventListener(kind, () =>
        setTimeout(() => {
            pressed = 0;
            if (waiting) draw();
        }, CLICK_MS),
    );
byId("language").onclick = () => {
    kept.set("language", (language = language === "zh" ? "en" : "zh"));
    draw();
};
document.addEventListener("visibilitychange", () => {
    hung.look();
    if (!document.hidden && CODE && !turnedAway && (Date.now() - heard > 5000 || socket?.readyState !== 1)) reconnect();
});
addEventListener("online", () => !turnedAway && CODE && reconnect());
setInterval(() => {
    if (document.hidden || socket?.readyState !== 1) return;
    if (Date.now() - heard > DEAD_MS) reconnect();
    else if (Date.now() - heard > ASK_MS) send({ do: "ping" });
}, 5000);
foot.make();
hung.make();
draw();
connect();

export {};
