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

function save(chart, format) {
  const plot = document.querySelector(`.st-key-${CSS.escape(chart)} .js-plotly-plot`);
  if (!plot) return;
  plot._context.toImageButtonOptions = { format, filename: chart, scale: format === "png" ? 2 : 1 };
  plot.querySelector('.modebar-btn[data-attr="toImage"], .modebar-btn[data-title*="ownload"]')?.click();
}

async function copy(button, done) {
  const before = button.textContent;
  await navigator.clipboard.writeText(window.location.href);
  button.textContent = done;
  setTimeout(() => (button.textContent = before), 1500);
}
