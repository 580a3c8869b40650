// Plotly selects the point it last hovered over, and a finger does not hover: let every touch hover first.
export default function () {
  if (window.touchHoversFirst) return;
  window.touchHoversFirst = true;
  document.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "mouse" || !event.target.classList?.contains("nsewdrag")) return;
    const { clientX, clientY } = event;
    event.target.dispatchEvent(new MouseEvent("mousemove", { clientX, clientY, bubbles: true, view: window }));
  }, true);
}
