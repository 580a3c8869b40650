import { zoomByMouse } from "./plot_zoom.js";
import { stepOnce } from "./streamlit_internals/history.js";

const ARROW = 28; // pixels that Streamlit's arrow covers at the end of a row of tabs

/** What outlives this script, should the page get a newer one. @type {Window & {drawAnew?: () => void, tooLong?: string, putRight?: boolean}} */
const page = window;

/** @param {import("./live/dom.js").Component} component */
export default function ({ data, setTriggerValue }) {
    document.documentElement.lang = data.language;
    page.drawAnew = () => setTriggerValue("theme", shade());
    page.tooLong = data.too_long;
    if (page.putRight) return;
    page.putRight = true;
    hoverFirst();
    stepOnce(data.letters);
    keepReachable();
    openForPointing();
    closeDrawer();
    followTheme(data.drawn_for);
    refusePastes();
    walkOn();
    zoomByMouse();
}

// Before a room the arrow keys, and those of a remote control, walk on: what was dragged or clicked does not keep them,
// and what was reached by Tab keeps the arrows only.
const STIRRED_MS = 3000; // the way at the foot is shown
const TYPED = "input:not([type=range], [type=checkbox], [type=radio], [role=combobox][aria-expanded=false]), textarea";
/** @type {Record<string, string>} */
const REMOTE = { PageUp: "walk_page_back", PageDown: "walk_page_on" };
function walkOn() {
    let timer = 0;
    const stir = () => {
        clearTimeout(timer);
        document.documentElement.classList.add("stirred");
        timer = window.setTimeout(() => document.documentElement.classList.remove("stirred"), STIRRED_MS);
    };
    for (const kind of ["pointermove", "keydown"]) document.addEventListener(kind, stir, { passive: true });
    stir();
    const presenting = () => location.search.includes("present=1");
    const focused = () => {
        let at = document.activeElement;
        while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
        return at;
    };
    document.addEventListener(
        "pointerup",
        () =>
            setTimeout(() => {
                const at = focused();
                if (presenting() && at?.matches("[role=slider], input[type=range], canvas"))
                    /** @type {HTMLElement} */ (at).blur();
            }),
        true,
    );
    document.addEventListener(
        "keydown",
        (event) => {
            /** @type {HTMLElement | null} */
            const button = document.querySelector(`.st-key-${REMOTE[event.key]} button`);
            if (!button || !presenting() || focused()?.matches(TYPED)) return;
            event.preventDefault();
            event.stopImmediatePropagation();
            if (!event.repeat) button.click();
        },
        true,
    );
}

// Streamlit drops what is pasted into a box that takes less, and says nothing: the browser's own bubble does.
const BOXES = "[data-testid=stTextInput] input, [data-testid=stTextArea] textarea";
function refusePastes() {
    document.addEventListener(
        "paste",
        (event) => {
            const target = /** @type {HTMLInputElement | HTMLTextAreaElement} */ (event.target);
            if (!target.matches?.(BOXES)) return;
            const { value, selectionStart, selectionEnd } = target,
                text = event.clipboardData?.getData("text") ?? "";
            const pasted = target.localName === "input" ? text.replace(/[\r\n]/g, "") : text;
            if (value.slice(selectionStart ?? 0, selectionEnd ?? 0) === pasted) return;
            setTimeout(() => {
                if (target.value !== value) return;
                target.setCustomValidity(page.tooLong ?? "");
                target.reportValidity();
                target.addEventListener("input", () => target.setCustomValidity(""), { once: true });
            }, 100);
        },
        true,
    );
}

// Figures and colours are drawn for the theme that the page has: when it gets another one, from the system at dusk or by
// Streamlit's menu, Python must draw them anew. It may get it before this script has come.
const app = () => /** @type {Element} */ (document.querySelector("[data-testid=stApp]"));
const shade = () => getComputedStyle(app()).colorScheme;
/** @param {string} now the theme that the page was drawn for */
function followTheme(now) {
    const look = () => {
        if (shade() === now) return;
        now = shade();
        setTimeout(() => page.drawAnew?.()); // once Streamlit knows it itself
    };
    new MutationObserver(look).observe(app(), { attributes: true, attributeFilter: ["class"] });
    look();
}

// The menu opens over the page for a pointer that moves onto it: not for one that lies where the page appears, and not
// again, once a lesson was chosen, before the pointer has left it.
function openForPointing() {
    const { classList } = document.documentElement;
    const menu = (/** @type {EventTarget | null} */ target) =>
        /** @type {Element} */ (target).closest?.("[data-testid=stSidebar]");
    let chosen = false;
    document.addEventListener(
        "pointermove",
        ({ target, movementX, movementY }) => {
            if (!movementX && !movementY) return;
            chosen &&= Boolean(menu(target));
            classList.toggle("pointed", !chosen);
        },
        true,
    );
    document.addEventListener(
        "click",
        ({ target }) => {
            if (!menu(target) || !(/** @type {Element} */ (target).closest("a"))) return;
            chosen = true;
            classList.remove("pointed");
        },
        true,
    );
}

// Where the menu is a drawer over the page, it closes once a lesson is chosen, or the page is tapped.
function closeDrawer() {
    document.addEventListener(
        "click",
        (event) => {
            const target = /** @type {Element} */ (event.target);
            /** @type {HTMLElement | null} */
            const close = document.querySelector("[data-testid=stSidebarCollapseButton] button");
            if (!close?.getClientRects().length || (target.closest("[data-testid=stSidebar]") && !target.closest("a")))
                return;
            setTimeout(() => close.click());
        },
        true,
    );
}

// Plotly selects the point it last hovered over, and a finger does not hover: let every touch hover first.
function hoverFirst() {
    document.addEventListener(
        "pointerdown",
        (event) => {
            const target = /** @type {Element} */ (event.target);
            if (event.pointerType === "mouse" || !target.classList?.contains("nsewdrag")) return;
            const { clientX, clientY } = event;
            target.dispatchEvent(new MouseEvent("mousemove", { clientX, clientY, bubbles: true, view: window }));
        },
        true,
    );
}

// Whoever reads by ear or goes by keyboard: what Markdown and tables leave out, told anew whenever something is drawn.
function keepReachable() {
    let due = 0;
    const tell = () => {
        due = 0;
        outline();
        scrollable();
        named();
        openTabInSight();
        leaveData();
    };
    const soon = () => (due ||= setTimeout(tell, 100));
    new MutationObserver(soon).observe(document.body, { childList: true, subtree: true });
    addEventListener("resize", soon);
    soon();
}

// Pages choose headings by size: a card's is the fifth, under the title as under a section. Its level is its depth.
function outline() {
    /** @type {string[]} */ const above = [];
    for (const heading of document.querySelectorAll("[data-testid=stMain] :is(h1, h2, h3, h4, h5, h6)")) {
        while ((above.at(-1) ?? "") >= heading.localName) above.pop();
        heading.setAttribute("aria-level", String(above.push(heading.localName)));
    }
}

// Streamlit 1.67 names the area that files are dropped on, and calls it “presentation”, which has no name.
function named() {
    for (const area of document.querySelectorAll("[data-testid=stFileUploaderDropzone]")) area.role = "group";
}

// Only what has the focus is scrolled by the arrow keys.
function scrollable() {
    const boxes = "[data-testid=stMarkdownContainer] table, [data-testid=stTable] :has(> table)";
    for (const box of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(boxes)))
        if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
        else box.removeAttribute("tabindex");
}

// A browser's translator leaves alone what is looked at: boxes, charts, numbers, tokens, and lines that quote a text.
const LOOKED_AT = `${BOXES}, .js-plotly-plot, [data-testid=stDataFrame], [data-testid=stTable], [data-testid=stMain] code,
  [class*=st-key-example_] button, [data-testid=stMain] [data-testid=stMarkdownContainer] strong`;
const QUOTING = "[data-testid=stCaptionContainer] p, .reading > span, .remark p, .asks, details p, [role=option]";
function leaveData() {
    const all = (/** @type {string} */ selector) =>
        /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(selector));
    for (const each of all(LOOKED_AT)) each.translate = false;
    for (const each of all(QUOTING)) if (/“|^\d+ · /.test(each.textContent)) each.translate = false;
}

// A row of tabs that is wider than the page begins at its left end, wherever the open one stands: it is moved once, when
// another one is open or the row has another width, and stays where the reader moves it.
let openTab = "";
function openTabInSight() {
    const tab = document.querySelector(".st-key-tabs [role=tab][aria-selected=true]"),
        row = tab?.closest("[role=tablist]");
    if (!tab || !row) return;
    const now = [tab.id, tab.textContent, row.scrollWidth, row.clientWidth].join(); // which change while a page is laid out
    if (now === openTab) return;
    openTab = now;
    const [seen, box] = [row, tab].map((each) => each.getBoundingClientRect());
    if (box.left < seen.left || box.right > seen.right - ARROW)
        row.scrollLeft += box.left - seen.left - (seen.width - box.width) / 2;
}
