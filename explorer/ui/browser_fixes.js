const ARROW = 28; // pixels that Streamlit's arrow covers at the end of a row of tabs

export default function ({ data, setTriggerValue }) {
  document.documentElement.lang = data.language;
  window.drawAnew = () => setTriggerValue("theme", shade());
  window.tooLong = data.too_long;
  if (window.putRight) return;
  window.putRight = true;
  hoverFirst();
  stepOnce();
  keepReachable();
  openForPointing();
  closeDrawer();
  followTheme();
  refusePastes();
  walkOn();
}

// Before a room the arrow keys, and those of a remote control, walk on: what was dragged or clicked does not keep them,
// and what was reached by Tab keeps the arrows only.
const TYPED = "input:not([type=range], [type=checkbox], [type=radio], [role=combobox][aria-expanded=false]), textarea";
const REMOTE = { PageUp: "walk_page_back", PageDown: "walk_page_on" };
function walkOn() {
  const presenting = () => location.search.includes("present=1");
  const focused = () => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return at;
  };
  document.addEventListener("pointerup", () => setTimeout(() => {
    if (presenting() && focused()?.matches("[role=slider], input[type=range], canvas")) focused().blur();
  }), true);
  document.addEventListener("keydown", (event) => {
    const button = presenting() && document.querySelector(`.st-key-${REMOTE[event.key]} button`);
    if (!button || focused()?.matches(TYPED)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!event.repeat) button.click();
  }, true);
}

// Streamlit drops what is pasted into a box that takes less, and says nothing: the browser's own bubble does.
const BOXES = "[data-testid=stTextInput] input, [data-testid=stTextArea] textarea";
function refusePastes() {
  document.addEventListener("paste", ({ target, clipboardData }) => {
    if (!target.matches?.(BOXES)) return;
    const { value, selectionStart, selectionEnd } = target, text = clipboardData.getData("text");
    const pasted = target.localName === "input" ? text.replace(/[\r\n]/g, "") : text;
    if (value.slice(selectionStart, selectionEnd) === pasted) return;
    setTimeout(() => {
      if (target.value !== value) return;
      target.setCustomValidity(window.tooLong);
      target.reportValidity();
      target.addEventListener("input", () => target.setCustomValidity(""), { once: true });
    }, 100);
  }, true);
}

// Figures and colours are drawn for the theme that the page has: when it gets another one, from the system at dusk or by
// Streamlit's menu, Python must draw them anew.
const shade = () => getComputedStyle(document.querySelector("[data-testid=stApp]")).colorScheme;
function followTheme() {
  const app = document.querySelector("[data-testid=stApp]");
  let now = shade();
  const look = () => {
    if (shade() === now) return;
    now = shade();
    setTimeout(() => window.drawAnew());  // once Streamlit knows it itself
  };
  new MutationObserver(look).observe(app, { attributes: true, attributeFilter: ["class"] });
}

// The menu opens over the page for a pointer that moves onto it: not for one that lies where the page appears, and not
// again, once a lesson was chosen, before the pointer has left it.
function openForPointing() {
  const page = document.documentElement, menu = (target) => target.closest?.("[data-testid=stSidebar]");
  let chosen = false;
  document.addEventListener("pointermove", ({ target, movementX, movementY }) => {
    if (!movementX && !movementY) return;
    chosen &&= Boolean(menu(target));
    page.classList.toggle("pointed", !chosen);
  }, true);
  document.addEventListener("click", ({ target }) => {
    if (!menu(target) || !target.closest("a")) return;
    chosen = true;
    page.classList.remove("pointed");
  }, true);
}

// Where the menu is a drawer over the page, it closes once a lesson is chosen, or the page is tapped.
function closeDrawer() {
  document.addEventListener("click", ({ target }) => {
    const close = document.querySelector("[data-testid=stSidebarCollapseButton] button");
    if (!close?.checkVisibility() || (target.closest("[data-testid=stSidebar]") && !target.closest("a"))) return;
    setTimeout(() => close.click());
  }, true);
}

// Plotly selects the point it last hovered over, and a finger does not hover: let every touch hover first.
function hoverFirst() {
  document.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "mouse" || !event.target.classList?.contains("nsewdrag")) return;
    const { clientX, clientY } = event;
    event.target.dispatchEvent(new MouseEvent("mousemove", { clientX, clientY, bubbles: true, view: window }));
  }, true);
}

// Streamlit 1.67 makes a step of the history for every control that a press has set, and one without any when a page is
// left: “back” would walk through states that nobody has seen. What follows from one act of the reader is one step.
function stepOnce() {
  let acts = 0, stepped = 0;
  for (const kind of ["pointerdown", "pointerup", "keydown"])
    document.addEventListener(kind, () => (acts += 1), true);
  const push = history.pushState.bind(history), replace = history.replaceState.bind(history);
  history.pushState = (...step) => {
    (acts === stepped ? replace : push)(...step);
    stepped = acts;
  };
}

// Whoever reads by ear or goes by keyboard: what Markdown and tables leave out, told anew whenever something is drawn.
function keepReachable() {
  let due = 0;
  const tell = () => {
    due = 0;
    outline();
    scrollable();
    openTabInSight();
  };
  const soon = () => (due ||= setTimeout(tell, 100));
  new MutationObserver(soon).observe(document.body, { childList: true, subtree: true });
  addEventListener("resize", soon);
  soon();
}

// Pages choose headings by size: a card's is the fifth, under the title as under a section. Its level is its depth.
function outline() {
  const above = [];
  for (const heading of document.querySelectorAll("[data-testid=stMain] :is(h1, h2, h3, h4, h5, h6)")) {
    while (above.at(-1) >= heading.localName) above.pop();
    heading.setAttribute("aria-level", above.push(heading.localName));
  }
}

// Only what has the focus is scrolled by the arrow keys.
function scrollable() {
  const boxes = "[data-testid=stMarkdownContainer] table, [data-testid=stTable] :has(> table)";
  for (const box of document.querySelectorAll(boxes))
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
}

// A row of tabs that is wider than the page begins at its left end, wherever the open one stands: it is moved once, when
// another one is open or the row has another width, and stays where the reader moves it.
let openTab = "";
function openTabInSight() {
  const tab = document.querySelector(".st-key-tabs [role=tab][aria-selected=true]"), row = tab?.closest("[role=tablist]");
  const now = tab && [tab.id, tab.textContent, row.scrollWidth, row.clientWidth].join();  // which change while a page is laid out
  if (!tab || now === openTab) return;
  openTab = now;
  const [seen, box] = [row, tab].map((each) => each.getBoundingClientRect());
  if (box.left < seen.left || box.right > seen.right - ARROW) row.scrollLeft += box.left - seen.left - (seen.width - box.width) / 2;
}
