// The wall's side of a room: a line with the code, a cover to join by, and the class's vote in the rail.
import { drawTried } from "../../room/pictures.js";
import { element } from "../live/dom.js";
import { formatMessage } from "../live/words.js";
import { shoot, stillSince } from "./wall_picture.js";

/** @typedef {import("../live/dom.js").Component} Component */
/** Text by language. @typedef {Record<string, string>} Said */
/** A question: with answers to choose from, or an experiment, whose numbers, rows and columns `pictures.js` draws.
 * @typedef {{id: string, kind: "choice" | "number" | "words" | "mask", text: Said, answers: Record<string, Said>,
 *   round: number, phase: "open" | "closed" | "revealed", counts?: Record<string, Record<string, number>>, right?: any,
 *   why?: Said, moved?: Record<string, number>}} Asking */
/** What this tab holds of its room. @typedef {{code: string, secret: string, qr: string, remote: string}} Held */

const KEY = "attention-explorer-room";
/** So long it waits for the scene's answer before it asks again, and so often; so often the wall's link is looked at. */
const AGAIN_MS = 2500,
    MOST_TRIES = 4,
    LOOK_MS = 1000,
    FILM_MS = 5000, // so long phones keep a picture of what moves by itself
    PRESS_MS = 1500, // so long a press may last
    CLICK_MS = 30; // after it is let go, a browser says that it was a click

// One room a tab, whichever scene is drawn.
/** @type {WebSocket | null} */ let socket = null;
/** @type {{epoch: string, asking: Asking | null, ended: boolean, raised: string, picture: object | null, shown: {link: string}} | null} */
let state = null;
/** @typedef {{data: any, root: HTMLElement, order: (order: object) => void}} Stage */
/** @type {Stage | null} */ let stage = null;
/** @type {Stage[]} */ let stages = [];
let count = { n: 0, here: 0 },
    cover = false,
    trouble = "",
    wanted = "",
    shown = "",
    closedAt = 0,
    clock = 0,
    looking = 0,
    pressed = 0,
    waiting = false,
    beneath = false, // whether the class's picture makes way for what lies beneath it
    model = 0, // which of the model's maps stands beside the class's
    asking = 0,
    calling = 0,
    revealing = "", // the question whose answer the stage may show by now
    hanging = false, // a picture is on its way
    hung = "", // what the last one was made of, and when
    hungAt = 0,
    touched = 0, // when somebody last did something at the wall
    sent = "";

/** Answers of the scene that the room knows. @type {Set<string>} */
const handled = new Set();

/** @returns {Held | null} */
function held() {
    try {
        return JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    } catch {
        return null;
    }
}

const above = () => location.pathname.replace(/[^/]*$/, "room");

/** Open a room; one that was there before under its own code, if it is free. @param {Held | null} former */
async function open(former) {
    const body = { address: stage?.data.address ?? "", ...(former && { code: former.code, secret: former.secret }) };
    let made = null;
    try {
        made = await (await fetch(above(), { method: "POST", body: JSON.stringify(body) })).json();
    } catch {
        // no connection: said below
    }
    if (made?.code) {
        sessionStorage.setItem(KEY, JSON.stringify(made));
        cover = !former || former.code !== made.code;
        trouble = "";
        connect();
    } else trouble = "busy";
    draw();
}

function connect() {
    clearTimeout(calling);
    const room = held();
    if (!room || (socket && socket.readyState < 2)) return;
    const mine = new WebSocket(
        `${location.protocol.replace("http", "ws")}//${location.host}${above()}/${room.code}/live`,
    );
    socket = mine;
    mine.onopen = () => mine.send(JSON.stringify({ do: "join", secret: room.secret, wall: true }));
    mine.onmessage = (event) => take(JSON.parse(event.data));
    mine.onclose = (event) => {
        if (mine !== socket) return;
        socket = null;
        if (event.code >= 4400) return;
        trouble = trouble || "lost";
        draw();
        calling = window.setTimeout(connect, 500 + 1000 * Math.random());
    };
}

/** @param {object} message */
const send = (message) => socket?.readyState === 1 && socket.send(JSON.stringify(message));

/** @param {any} told */
function take(told) {
    if (told.is === "state") {
        if (told.asking?.phase === "closed" && state?.asking?.phase !== "closed") closedAt = Date.now();
        if (told.asking?.id !== state?.asking?.id || told.asking?.round !== state?.asking?.round) {
            count = { ...count, n: 0 };
            beneath = false;
            model = 0;
        }
        state = told;
        trouble = "";
        if (told.ended) leave("");
        else follow();
    } else if (told.is === "count") count = told;
    else if (told.is === "gone" || told.is === "wrong") {
        state = null;
        trouble = "gone";
    } else if (told.is === "later") trouble = "later";
    else if (told.is === "do") {
        touched = Date.now();
        perform(told.what);
    } else return;
    draw();
}

/** Have no room any more. @param {string} why */
function leave(why) {
    sessionStorage.removeItem(KEY);
    socket?.close();
    socket = state = null;
    cover = false;
    trouble = why;
}

/** Do what the teacher's remote control asks the wall for. @param {string} what */
function perform(what) {
    if (["ask", "try", "reveal"].includes(what)) return ask(what);
    const button = document.querySelector(`.st-key-${what === "next" ? "walk_on" : "walk_back"} button`);
    if (button instanceof HTMLElement) button.click();
}

/** Ask the scene for its answer; what is asked while the server is busy it misses, so it is asked again.
 * @param {string} what `ask`, `try` an experiment, or `reveal` */
function ask(what) {
    if ((what === "ask" && !stage?.data.asks) || (what === "try" && !stage?.data.tries)) return;
    if (what === "reveal") {
        if (state?.asking?.phase !== "closed" || !isOurs(state.asking)) return;
        revealing = state.asking.id;
    }
    const serial = Math.random().toString(36).slice(2);
    let tries = 0;
    cover = false;
    clearInterval(asking);
    const tell = () => {
        if (++tries > MOST_TRIES) return clearInterval(asking);
        stage?.order({ do: what, serial, tries: what === "reveal" && state?.asking?.kind !== "choice" });
    };
    tell();
    asking = window.setInterval(tell, AGAIN_MS);
}

/** Hand on what the scene has computed. @param {any} answer */
function hear(answer) {
    if (!answer || handled.has(answer.serial)) return; // a run that is drawn late brings an older one again
    handled.add(answer.serial);
    clearInterval(asking);
    if (answer.failed) trouble = answer.failed;
    else if (answer.do !== "reveal") {
        const { scene, tries, given, right, why } = answer;
        send({ do: "ask", scene, tries, given, right, why });
    } else send({ do: "reveal", id: state?.asking?.id });
}

/** Tell the room what is on the wall. */
function follow() {
    if (!stage || !state || socket?.readyState !== 1) return;
    const query = new URLSearchParams(location.search),
        { scene, title, question, asks } = stage.data,
        tries = stage.data.tries !== "";
    ["present", "lang", "room", "way"].forEach((name) => query.delete(name));
    const [lesson, name] = scene.split("/");
    const link = query.size && `${query}`.length < 1000 ? `/${lesson}?${query}` : `/${lesson}?scene=${name}`;
    const told = JSON.stringify({ do: "show", link, title, question, asks, tries });
    if (told === shown) return;
    shown = told;
    socket.send(told);
}

/** Whether phones may see the stage: nothing on it is the answer to what they are asked. */
function tellsNothing() {
    const asked = state?.asking;
    return !asked || asked.phase === "revealed" || (asked.kind === "choice" && asked.id !== revealing);
}

/** Have phones that are here see the stage, once it is still. */
async function hang() {
    const room = held(),
        since = stillSince();
    if (!room || !state || !count.here || hanging || !since || !tellsNothing()) return;
    const of = { asked: state.asking?.id ?? "", link: state.shown.link },
        now = JSON.stringify([since, state.epoch, of]);
    const recent = (/** @type {number} */ at) => Date.now() - at < FILM_MS;
    if (now === hung || (state.picture && recent(hungAt) && !recent(touched))) return;
    hanging = true;
    let kept = true;
    try {
        const shot = await shoot(t("prompt")),
            body = JSON.stringify({ ...of, ...shot });
        if (shot && tellsNothing() && (body !== sent || !state?.picture)) {
            const options = { method: "PUT", headers: { "X-Room-Secret": room.secret }, body };
            kept = (await (await fetch(`${above()}/${room.code}/wall`, options)).json()).kept !== false;
            sent = body;
        }
    } catch {
        // no connection, or a browser that makes no pictures: phones have the words
    }
    if (kept) [hung, hungAt] = [now, Date.now()]; // else the room had gone on: another one
    hanging = false;
}

const isOurs = (/** @type {Asking} */ each) => each.id.startsWith(`${stage?.data.scene.replace("/", ".")}.`);
const said = (/** @type {Said | undefined} */ text) => text?.[stage?.data.language] ?? text?.en ?? "";
const t = (/** @type {string} */ name, values = {}) => formatMessage(stage?.data.t[name] ?? name, values);
const spaced = (/** @type {string} */ code) => `${code.slice(0, 3)} ${code.slice(3)}`;

/** Make an element with what stands in it. @template {keyof HTMLElementTagNameMap} K @param {K} kind @param {string} name
 * @param {...(Node | string)} inside */
function box(kind, name, ...inside) {
    const made = element(kind, name);
    made.append(...inside);
    return made;
}

/** @param {string} name @param {string} text @param {() => void} act */
function press(name, text, act) {
    const made = element("button", name, text);
    made.type = "button";
    made.onclick = act;
    return made;
}

/** @param {Held} room */
function picture(room) {
    const made = element("img", "");
    if (room.qr.startsWith("data:image/svg+xml;base64,")) made.src = room.qr;
    made.alt = t("qr");
    return made;
}

const address = () => stage?.data.address.replace(/^https?:\/\//, "");
const cover_ = (/** @type {boolean} */ on) => {
    cover = on;
    draw();
};

/** How to join, filling the wall. @param {Held} room */
function joining(room) {
    const remote = press("other", t("remote"), () =>
        window.open(`${above()}/${room.code}#${room.secret}`, "", "width=420,height=800"),
    );
    remote.title = t("remote_more");
    const lines = [
        element("p", "step", t("scan")),
        element("p", "address", address()),
        element("p", "code", spaced(room.code)),
        element("p", "people", t("here", count)),
        element("p", "small", stage?.data.alone || t("privacy")),
        box(
            "div",
            "row",
            press("go", t("begin"), () => cover_(false)),
            remote,
        ),
    ];
    const made = box("div", "cover", picture(room), box("div", "", ...lines));
    made.setAttribute("role", "dialog");
    made.setAttribute("aria-label", t("scan"));
    return made;
}

/** The line that stays, for who comes late. @param {Held} room */
function line(room) {
    const code = press("show", "", () => cover_(true));
    code.append(picture(room));
    const text = box("span", "", `${address()} `, element("b", "", spaced(room.code)), ` · ${t("here", count)}`);
    return box("div", "line", text, code);
}

/** @param {Asking} asked */
function answers(asked) {
    const list = element("ol", "answers"),
        rounds = Object.entries(asked.counts ?? {});
    Object.entries(asked.answers).forEach(([key, words], position) => {
        const right = asked.phase === "revealed" && key === asked.right,
            one = box(
                "li",
                right ? "right" : "",
                element("span", "key", right ? "✓" : "ABCD"[position]),
                element("span", "", said(words)),
            );
        for (const [round, counts] of asked.phase === "revealed" ? rounds : []) {
            const n = Object.values(counts).reduce((sum, each) => sum + each, 0) || 1,
                bar = element("i", "");
            bar.style.width = `${(100 * counts[key]) / n}%`;
            bar.style.visibility = counts[key] ? "" : "hidden";
            const number = element("span", "votes", `${counts[key]} · ${Math.round((100 * counts[key]) / n)} %`);
            one.append(box("div", rounds.length > 1 && round === "1" ? "bar first" : "bar", bar, number));
        }
        list.append(one);
    });
    return list;
}

/** @param {Asking} asked */
function moved(asked) {
    let to = 0,
        away = 0;
    for (const [way, n] of Object.entries(asked.moved ?? {})) {
        const [from, there] = way.split(">");
        if (from !== there && there === asked.right) to += n;
        if (from !== there && from === asked.right) away += n;
    }
    return element("p", "small", t("moved", { to, away }));
}

/** How long they have discussed. */
function discussed() {
    const time = element("b", "clock"),
        tell = () => {
            const seconds = Math.floor((Date.now() - closedAt) / 1000);
            time.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
        };
    tell();
    clock = window.setInterval(tell, 1000);
    return box("p", "discuss", time, element("span", "", t("discuss")));
}

/** The class's vote. @param {Asking} asked */
function vote(asked) {
    const { phase, round, kind } = asked,
        chosen = kind === "choice",
        order = (/** @type {string} */ what) => send({ do: what }),
        open = !chosen ? "trying" : round > 1 ? "second" : "first",
        kicker = phase === "revealed" ? "said" : phase === "closed" ? "closed" : open,
        made = box("section", "vote", element("p", "kicker", t(kicker)));
    if (chosen || phase === "revealed") made.append(element("p", "asks", said(asked.text)));
    if (chosen) made.append(answers(asked));
    made.dataset.phase = phase;
    if (phase === "open") {
        const many = box(
            "p",
            "many",
            element("b", "", `${count.n} / ${Math.max(count.here, count.n)}`),
            ` ${t("answered")}`,
        );
        many.setAttribute("role", "status");
        made.append(
            many,
            press("go", t("close"), () => order("close")),
        );
    } else if (phase === "closed") {
        const again = chosen && round === 1,
            reveal = press(again ? "other" : "go", t("reveal"), () => ask("reveal"));
        if (again)
            made.append(
                discussed(),
                box(
                    "div",
                    "row",
                    press("go", t("again"), () => order("again")),
                    reveal,
                ),
            );
        else made.append(element("p", "small", t(chosen ? "ready" : "ready_once")), reveal);
    } else {
        if (!chosen) made.append(...sides(asked));
        else if (Object.keys(asked.counts ?? {}).length > 1)
            made.append(
                box("p", "legend", element("i", "first"), t("before"), element("i", ""), t("after")),
                moved(asked),
            );
        made.append(
            element("p", "why", said(asked.why)),
            press("go", t("done"), () => order("done")),
        );
    }
    return made;
}

/** What to see of an experiment: each of the model's maps, or what lies beneath. @param {Asking} asked */
function sides(asked) {
    const maps = /** @type {{name: Said}[]} */ (asked.right.maps ?? []),
        see = (/** @type {number} */ which, /** @type {boolean} */ under) => {
            [model, beneath] = [which, under];
            draw();
        },
        all = maps.length > 1 ? maps.map(({ name }, at) => press("other", said(name), () => see(at, false))) : [],
        away = press("other", t(beneath ? "together" : "picture"), () => see(model, !beneath));
    all.forEach((each, at) => each.setAttribute("aria-pressed", String(at === model && !beneath)));
    return [box("div", "column", ...all, away)];
}

/** What the class tries, over the stage, which may tell what is right; at the reveal what came of it. @param {any} asked */
function board(asked) {
    const made = element("section", "board tried");
    made.setAttribute("aria-label", said(asked.text));
    if (asked.phase !== "revealed") {
        const sentences = asked.kind === "words" ? [asked.rows, asked.columns] : [asked.rows ?? []];
        made.append(
            element("p", "task", said(asked.text)),
            ...sentences.map((words) => element("p", "sentence", words.join(" "))),
        );
    } else drawTried(made, asked, stage?.data.language, model);
    return made;
}

/** A question of the class's own that the teacher shows. @param {string} text */
function question(text) {
    const away = press("other", t("hide"), () => send({ do: "show_raised", id: "" })),
        made = box("section", "raised", element("p", "kicker", t("asked")), element("p", "asks", text), away);
    made.setAttribute("role", "status");
    return made;
}

/** @param {Held} room @returns {Node[]} */
function content(room) {
    if (trouble === "gone") {
        const again = press("other", t("again_open"), () => open(room));
        return [box("section", "vote", element("p", "small", t("gone")), again)];
    }
    if (!state) return [];
    const asked = state.asking,
        all = /** @type {Node[]} */ ([line(room)]);
    if (state.raised) all.push(question(state.raised));
    if (cover) all.push(joining(room));
    if (trouble) all.push(element("p", "small", t(trouble)));
    if (asked && isOurs(asked)) {
        if (asked.kind !== "choice" && !beneath) all.push(board(asked));
        all.push(vote(asked));
    } else if (asked) {
        const away = press("other", t("put_away"), () => send({ do: "done" }));
        all.push(box("section", "vote", element("p", "small", t("elsewhere")), away));
    } else if (stage) {
        const { asks, tries } = stage.data;
        const both = asks ? [press("go ask", t("ask"), () => ask("ask"))] : [];
        if (tries) both.push(press("other", t(tries), () => ask("try")));
        all.push(box("div", "row", ...both));
    }
    return all;
}

function draw() {
    if (!stage) return;
    if (Date.now() - pressed < PRESS_MS) {
        // A button that was replaced under the finger would not hear that it was pressed.
        waiting = true;
        return;
    }
    const room = held(),
        { root } = stage,
        focused =
            root.getRootNode() instanceof ShadowRoot
                ? /** @type {ShadowRoot} */ (root.getRootNode()).activeElement
                : null,
        position = [...root.querySelectorAll("button")].indexOf(/** @type {any} */ (focused));
    clearInterval(clock);
    waiting = false;
    const open = stage.data.tries && !state?.asking ? "tries" : "open";
    document.documentElement.dataset.room = !room ? "" : state?.asking && isOurs(state.asking) ? "asking" : open;
    root.replaceChildren(...(room ? content(room) : trouble ? [element("p", "small", t(trouble))] : []));
    if (position >= 0) root.querySelectorAll("button")[position]?.focus({ preventScroll: true });
}

/** Draw what came while something was pressed, once that has heard of it. */
function lift() {
    setTimeout(() => {
        pressed = 0;
        if (waiting) draw();
    }, CLICK_MS);
}
for (const kind of ["pointerup", "pointercancel"]) window.addEventListener(kind, lift, true);
for (const kind of ["pointerup", "keyup"]) window.addEventListener(kind, () => void (touched = Date.now()), true);

/** Follow the page; Streamlit also ends a component whose element stays, so its end is seen by the element. */
function look() {
    const before = stage;
    stages = stages.filter(({ root }) => root.isConnected); // while Streamlit draws anew it may draw twice, and keep the first
    stage = stages.at(-1) ?? null;
    if (stage && stage !== before) draw();
    if (stage) {
        void hang();
        return follow();
    }
    clearInterval(looking);
    clearInterval(clock);
    delete document.documentElement.dataset.room;
}

/** @param {Component} component */
export default function ({ data, parentElement, setTriggerValue }) {
    const root = /** @type {HTMLElement} */ (parentElement.querySelector(".room")),
        order = (/** @type {object} */ told) => setTriggerValue("order", told);
    stage = { data, root, order };
    stages = [...stages.filter((each) => each.root !== root), stage];
    root.onpointerdown = () => void (pressed = Date.now());
    if (data.wanted && data.wanted !== wanted) {
        wanted = data.wanted;
        if (held() && trouble !== "gone") cover = true;
        else open(held());
    }
    hear(data.answer);
    connect();
    follow();
    draw();
    clearInterval(looking);
    looking = window.setInterval(look, LOOK_MS);
}
