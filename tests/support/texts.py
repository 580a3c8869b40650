"""What live pictures write on the stage: no type too small, no label over another."""

from pathlib import Path

from playwright.sync_api import Page

#: Notes what canvases write while they are drawn: it must be there before they are.
SCRIPT = Path(__file__).with_name("texts.js")
LEAST = 14  # pixels
#: Waits until a live picture has written something; beside a chart a component may listen and write nothing.
DRAWN = "() => textsOnStage().length || document.querySelector('.st-key-stage .js-plotly-plot')"


def find_faults(page: Page) -> dict[str, list[str]]:
    """Return what is written too small, and which labels lie over another, once the picture has the window's size."""
    page.wait_for_timeout(500)
    page.wait_for_function(DRAWN, timeout=30_000)
    texts = page.evaluate("textsOnStage()")
    small = sorted({f"{said[:24]} ({size:.1f})" for said, size, *_ in texts if size < LEAST - 0.05})
    over: list[str] = []
    for place, (said, size, left, top, right, bottom) in enumerate(texts):
        for other, size_too, *box in texts[:place]:
            edge = 0.15 * min(size, size_too)  # letters fill less than the height of their type
            wide, high = min(right, box[2]) - max(left, box[0]), min(bottom, box[3]) - max(top, box[1])
            if wide > edge and high > 2 * edge:
                over.append(f"{other[:20]} | {said[:20]}")
    width = page.viewport_size["width"] if page.viewport_size else 0
    return {f"{kind} {width}": found for kind, found in (("small", small), ("over", over)) if found}
