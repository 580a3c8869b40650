// Saves a chart as a picture through Plotly's own modebar button, a live picture from its nodes; copies the page's address.
import { freeze } from "./live/still.js";

/** @param {import("./live/dom.js").Component} component */
export default function ({ data, parentElement }) {
    const row = /** @type {HTMLElement} */ (parentElement.querySelector(".row"));
    row.replaceChildren(
        ...data.labels.map((/** @type {string[]} */ [text, label, format]) => {
            const button = document.createElement("button");
            button.type = "button";
            button.textContent = text;
            button.setAttribute("aria-label", label);
            button.title = label;
            button.onclick = () => {
                if (format === "link") copy(button, data.done);
                else if (data.page) savePicture(data.page, data.name, format);
                else save(data.chart, data.name, format);
            };
            return button;
        }),
    );
}

// On paper a picture is at least so wide, in pixels, and as high as it is on the page for its width.
const WIDE = 900;

/** @param {string} chart key of its card @param {string} filename @param {string} format */
function save(chart, filename, format) {
    const plot = /** @type {import("./plot_zoom.js").Plot | null} */ (
        document.querySelector(`.st-key-${chart}_print .js-plotly-plot`)
    );
    if (!plot) return;
    const { clientWidth, clientHeight } = document.querySelector(`.st-key-${chart} .js-plotly-plot`) ?? plot;
    const width = Math.max(WIDE, clientWidth),
        height = Math.round((clientHeight * width) / clientWidth);
    plot._context.toImageButtonOptions = { format, filename, width, height, scale: format === "png" ? 2 : 1 };
    addEventListener("click", stay, true);
    /** @type {HTMLElement | null} */
    const button = plot.querySelector('.modebar-btn[data-attr="toImage"], .modebar-btn[data-title*="ownload"]');
    button?.click();
}

// Plotly clicks a link of its own, outside of what this was chosen from: that would close, with the chart in it.
/** @param {Event} event */
function stay(event) {
    if (!(event.target instanceof HTMLAnchorElement && event.target.download)) return;
    event.stopPropagation();
    removeEventListener("click", stay, true);
}

// How long the picture of a page may take to be drawn, and to come to rest.
const DRAWN_MS = 1500;

// A live picture is drawn anew, on light paper and as wide as paper: what is saved is what its file shows.
/** @param {string} page @param {string} name @param {string} format */
async function savePicture(page, name, format) {
    const frame = document.createElement("iframe");
    frame.style.cssText = `position:fixed;left:-9999px;top:0;width:${WIDE + 64}px;height:900px;border:0`;
    frame.srcdoc = page;
    document.body.append(frame);
    await new Promise((loaded) => (frame.onload = loaded));
    const inside = /** @type {Document} */ (frame.contentDocument);
    inside.body.style.cssText += `;width:${WIDE}px;max-width:none;margin:0;padding:0`;
    await new Promise((drawn) => setTimeout(drawn, DRAWN_MS));
    const host = /** @type {Element} */ (inside.querySelector(".live")),
        picture = /** @type {Element} */ (/** @type {ShadowRoot} */ (host.shadowRoot).querySelector("div"));
    const said = (/** @type {string} */ kind) => inside.querySelector(kind)?.textContent ?? "";
    const drawing = new Blob([freeze(picture, said("h1"), `${said("p")} ${said(".provenance")}`)], {
        type: "image/svg+xml",
    });
    frame.remove();
    handOut(format === "svg" ? drawing : await paintPixels(drawing), `${name}.${format}`);
}

/** Paint a drawing, two pixels for one. @param {Blob} drawing @returns {Promise<Blob>} */
async function paintPixels(drawing) {
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(await drawing.text())}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [2 * image.width, 2 * image.height];
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((made) => canvas.toBlob((found) => found && made(found), "image/png"));
}

/** @param {Blob} file @param {string} name */
function handOut(file, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = name;
    addEventListener("click", stay, true);
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** @param {HTMLButtonElement} button @param {string} done what it says then */
async function copy(button, done) {
    const before = button.textContent;
    await toClipboard(window.location.href);
    button.textContent = done;
    setTimeout(() => (button.textContent = before), 1500);
}

// A server in a classroom is reached by http, where browsers give no clipboard: there the old command still works.
/** @param {string} text */
async function toClipboard(text) {
    try {
        await navigator.clipboard.writeText(text);
    } catch {
        const field = document.createElement("textarea");
        field.value = text;
        field.style.cssText = "position:fixed;opacity:0";
        document.body.append(field);
        field.select();
        document.execCommand("copy");
        field.remove();
    }
}
