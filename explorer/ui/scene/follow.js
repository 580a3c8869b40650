// The bar of a reader who is in a room: the page goes where the wall goes, until the reader moves something.
import { element } from "../live/dom.js";
import { formatMessage } from "../live/words.js";

/** @typedef {import("../live/dom.js").Component} Component */
/** @typedef {{shown: {link: string}, asking: {id: string, phase: string} | null, ended: boolean}} State */

/** So long it waits until it asks the server again, and so often; so often the reader's own moves are looked for. */
const AGAIN_MS = 2500,
    MOST_TRIES = 6,
    LOOK_MS = 500,
    SPREAD_MS = 1500, // a class does not ask the server at one moment
    SETTLED_MS = 2000; // after the page has gone somewhere its address may still change
/** What of an address says nothing about the picture. */
const NOT_STATE = ["room", "lang", "way", "present"];

// One room a tab, whichever page is drawn.
/** @type {WebSocket | null} */ let socket = null;
/** @type {State | null} */ let state = null;
/** @typedef {{data: any, root: HTMLElement, tell: (name: string, value: unknown) => void}} Bar */
/** @type {Bar | null} */ let bar = null;
/** @type {Bar[]} */ let bars = [];
let trouble = "",
    position = "", // where the page stands when nobody has moved anything
    settled = 0, // when it has come to stand there
    went = "", // the wall's link that it has followed last, and whose answer was told then
    going = "",
    serial = "",
    tries = 0,
    due = 0,
    moved = 0, // when the reader last did something
    held = false,
    calling = 0,
    looking = 0;

/** @param {string} name */
const keyOf = (name) => `room.${bar?.data.room}.${name}`;
const above = () => location.pathname.replace(/[^/]*$/, "room");
const t = (/** @type {string} */ name, values = {}) => formatMessage(bar?.data.t[name] ?? name, values);
const looksAround = () => sessionStorage.getItem(keyOf("alone")) === "1";

/** Where a link leads, however it is written. @param {string} link */
function normalise(link) {
    const { pathname, searchParams } = new URL(link, location.href);
    NOT_STATE.forEach((name) => searchParams.delete(name));
    searchParams.sort();
    return `${pathname.replace(/.*\//, "")}?${searchParams}`;
}
const here = () => normalise(location.href);

function connect() {
    clearTimeout(calling);
    if (!bar || (socket && socket.readyState < 2)) return;
    const { room } = bar.data,
        mine = new WebSocket(`${location.protocol.replace("http", "ws")}//${location.host}${above()}/${room}/live`);
    socket = mine;
    mine.onopen = () =>
        mine.send(JSON.stringify({ do: "join", ...JSON.parse(localStorage.getItem(keyOf("pass")) ?? "null") }));
    mine.onmessage = ({ data }) => {
        const told = JSON.parse(data);
        if (told.is === "seat")
            localStorage.setItem(keyOf("pass"), JSON.stringify({ seat: told.seat, room: told.room }));
        if (["gone", "another", "full", "tabs", "wrong"].includes(told.is)) trouble = "gone";
        if (told.is !== "state") return;
        state = told;
        trouble = told.ended ? "gone" : "";
        draw();
        follow(SPREAD_MS * Math.random());
    };
    mine.onclose = ({ code }) => {
        if (mine !== socket) return;
        socket = null;
        trouble ||= "away";
        draw();
        if (code < 4400 && bar) calling = window.setTimeout(connect, 500 + 1500 * Math.random());
    };
}

/** Go where the wall is, if the page does not stand there. @param {number} after */
function follow(after) {
    const link = state?.shown.link ?? "",
        answered = state?.asking?.phase === "revealed" ? /^\w+\.\w+/.exec(state.asking.id)?.[0] : "",
        wanted = JSON.stringify({ link, answered });
    if (!bar || looksAround() || trouble === "gone" || !/^\/\w+\?/.test(link) || wanted === (going || went)) return;
    clearTimeout(due);
    going = wanted;
    if (!answered && normalise(link.slice(1)) === here()) return arrive();
    tries = 0;
    serial = Math.random().toString(36).slice(2);
    const [from, since] = [here(), Date.now()];
    due = window.setTimeout(() => (here() !== from && moved > since ? wander(true) : go()), after);
}

/** Ask the server to go there; what is told while it is busy is missed, so it is told again. */
function go() {
    if (!going || !bar || tries >= MOST_TRIES) return;
    due = window.setTimeout(go, held ? LOOK_MS : AGAIN_MS);
    if (held) return; // the reader has something in hand
    tries++;
    bar.tell("go", { ...JSON.parse(going), serial });
}

function arrive() {
    clearTimeout(due);
    [went, going, position, settled] = [going, "", here(), Date.now()];
}

/** Stop following, or begin again. @param {boolean} alone */
function wander(alone) {
    sessionStorage.setItem(keyOf("alone"), alone ? "1" : "");
    clearTimeout(due);
    went = going = ""; // wherever the page goes meanwhile
    draw();
    follow(0);
}

/** Look whether the reader has moved something: the address is another, and somebody has touched the page. */
function look() {
    bars = bars.filter(({ root }) => root.isConnected); // while Streamlit draws anew it may draw twice, and keep the first
    if (bar !== bars.at(-1)) {
        bar = bars.at(-1) ?? null;
        draw();
    }
    if (!bar) return end();
    if (!went || looksAround() || going || here() === position) return;
    if (Date.now() - settled < SETTLED_MS || moved < settled) [position] = [here()];
    else wander(true);
}

/** @param {string} name @param {string} text @param {() => void} act */
function press(name, text, act) {
    const made = element("button", name, text);
    made.type = "button";
    made.onclick = act;
    return made;
}

function draw() {
    if (!bar) return;
    const { root, data } = bar,
        alone = looksAround(),
        active = /** @type {ShadowRoot | Document} */ (root.getRootNode()).activeElement,
        focused = [...root.querySelectorAll("button, a")].indexOf(/** @type {any} */ (active)),
        code = `${data.room.slice(0, 3)} ${data.room.slice(3)}`,
        said = element("span", "said"),
        phone = element("a", "", t(state?.asking?.phase === "open" ? "vote" : "phone"));
    said.append(element("b", "", t("room", { code })), " ", t(trouble || (alone ? "alone" : "follows")));
    said.setAttribute("role", "status");
    phone.href = `${above()}/${data.room}`;
    if (state?.asking?.phase === "open") phone.className = "first";
    const turn = alone ? press("turn", t("back"), () => wander(false)) : press("turn", t("look"), () => wander(true)),
        leave = press("leave", "×", () => {
            end();
            bar?.tell("leave", Date.now());
        });
    leave.setAttribute("aria-label", t("leave"));
    leave.title = t("leave");
    root.replaceChildren(said, ...(trouble === "gone" ? [] : [turn, phone]), leave);
    const again = /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("button, a"))[focused];
    if (focused >= 0) again?.focus({ preventScroll: true });
}

function end() {
    clearInterval(looking);
    clearTimeout(due);
    const old = socket;
    socket = state = null;
    went = going = "";
    old?.close();
}

/** What the reader does to the page. @param {Event} event */
function note(event) {
    const inBar = bar && event.composedPath().includes(bar.root);
    if (event.isTrusted && !inBar) moved = Date.now();
}
for (const kind of ["pointerdown", "pointerup", "keydown"]) addEventListener(kind, note, true);
addEventListener("pointerdown", () => void (held = true), true);
for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, () => void (held = false), true);

/** @param {Component} component */
export default function ({ data, parentElement, setTriggerValue }) {
    const root = /** @type {HTMLElement} */ (parentElement.querySelector(".follow"));
    bar = { data, root, tell: setTriggerValue };
    bars = [...bars.filter((each) => each.root !== root), bar];
    root.setAttribute("role", "group");
    root.setAttribute("aria-label", t("room", { code: data.room }));
    if (going && data.followed === serial) arrive();
    connect();
    draw();
    clearInterval(looking);
    looking = window.setInterval(look, LOOK_MS);
}
