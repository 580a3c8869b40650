// Saves a chart as a picture through Plotly's own modebar button, or copies the page's address.
export default function ({ data, parentElement }) {
  const row = parentElement.querySelector(".row");
  row.replaceChildren(...data.labels.map(([text, label, format]) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.setAttribute("aria-label", label);
    button.title = label;
    button.onclick = () => (format === "link" ? copy(button, data.done) : save(data.chart, format));
    return button;
  }));
}

// On paper a picture is at least so wide, in pixels, and as high as it is on the page for its width.
const WIDE = 900;

function save(chart, format) {
  const plot = document.querySelector(`.st-key-${chart}_print .js-plotly-plot`);
  if (!plot) return;
  const { clientWidth, clientHeight } = document.querySelector(`.st-key-${chart} .js-plotly-plot`) ?? plot;
  const width = Math.max(WIDE, clientWidth), height = Math.round((clientHeight * width) / clientWidth);
  plot._context.toImageButtonOptions = { format, filename: chart, width, height, scale: format === "png" ? 2 : 1 };
  addEventListener("click", stay, true);
  plot.querySelector('.modebar-btn[data-attr="toImage"], .modebar-btn[data-title*="ownload"]')?.click();
}

// Plotly clicks a link of its own, outside of what this was chosen from: that would close, with the chart in it.
function stay(event) {
  if (!event.target.download) return;
  event.stopPropagation();
  removeEventListener("click", stay, true);
}

async function copy(button, done) {
  const before = button.textContent;
  await toClipboard(window.location.href);
  button.textContent = done;
  setTimeout(() => (button.textContent = before), 1500);
}

// A server in a classroom is reached by http, where browsers give no clipboard: there the old command still works.
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
