"""What is written on the stage: no type too small, no label over another, no title longer than its axis."""

from pathlib import Path

from playwright.sync_api import Error, Page

#: Notes what canvases write while they are drawn: it must be there before they are.
SCRIPT = Path(__file__).with_name("texts.js")
LEAST = 14  # pixels
#: Waits until a live picture has written something; beside a chart a component may listen and write nothing.
DRAWN = "() => textsOnStage().length || document.querySelector('.st-key-stage .js-plotly-plot')"

#: Titles of Plotly's axes that are longer than their axis, leave the chart, or lie on their side as single letters.
LONG_TITLES = """() => [...document.querySelectorAll('.st-key-stage .js-plotly-plot')].flatMap(plot => {
    const chart = plot.getBoundingClientRect();
    return Object.entries(plot._fullLayout).filter(([name]) => /^[xy]axis\\d*$/.test(name)).flatMap(([name, axis]) => {
        const title = plot.querySelector(`.${axis._id}title`), said = axis.title?.text;
        if (!said || !title || !plot.checkVisibility()) return [];
        const box = title.getBoundingClientRect(), upright = name[0] === 'y';
        const inside = box.left >= chart.left - 1 && box.right <= chart.right + 1
            && box.top >= chart.top - 1 && box.bottom <= chart.bottom + 1;
        const fits = (upright ? box.height : box.width) <= axis._length + 1;
        return inside && fits && !(upright && [...said].length <= 2) ? [] : [said];
    });
})"""


def titles_fit(page: Page) -> None:
    """Wait until every title of an axis fits beside it."""
    try:
        page.wait_for_function(f"() => !({LONG_TITLES})().length", timeout=5_000)
    except Error:
        raise AssertionError(page.evaluate(LONG_TITLES)) from None


def find_faults(page: Page) -> dict[str, list[str]]:
    """Return what is written too small, and which labels lie over another, once the picture has the window's size."""
    page.wait_for_timeout(500)
    page.wait_for_function(DRAWN, timeout=30_000)
    texts = page.evaluate("textsOnStage()")
    small = sorted({f"{said[:24]} ({size:.1f})" for said, size, *_ in texts if size < LEAST - 0.05})
    over: list[str] = []
    for position, (said, size, left, top, right, bottom) in enumerate(texts):
        for other, size_too, *box in texts[:position]:
            edge = 0.15 * min(size, size_too)  # letters fill less than the height of their type
            wide, high = min(right, box[2]) - max(left, box[0]), min(bottom, box[3]) - max(top, box[1])
            if wide > edge and high > 2 * edge:
                over.append(f"{other[:20]} | {said[:20]}")
    width = page.viewport_size["width"] if page.viewport_size else 0
    return {f"{kind} {width}": found for kind, found in (("small", small), ("over", over)) if found}
