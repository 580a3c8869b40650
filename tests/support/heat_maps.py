"""Plotly's heat maps on a stage: which there are, and what their cells say when they are pointed at."""

from typing import Any

from playwright.sync_api import Page

from tests.support.browser import linked, painted, settled

#: The middle of a cell of every heat map on the stage, the largest that can be pointed at; what is decoration says
#: nothing. At the edge of a cell, which is what a trace may name, one points beside it.
CELLS = """() => [...document.querySelectorAll('.st-key-stage .js-plotly-plot')].flatMap((plot) => {
    const box = plot.getBoundingClientRect(), scale = box.width / plot.offsetWidth, layout = plot._fullLayout;
    const maps = (plot._fullData ?? []).filter((each) => each.type === 'heatmap' && each.hoverinfo !== 'skip');
    return maps.map((trace) => {
        const [across, down] = ['x', 'y'].map((letter) => layout[`${letter}axis${trace[letter + 'axis'].slice(1)}`]);
        const drawn = plot.calcdata[trace.index][0], middle = (edges, place) => (edges[place] + edges[place + 1]) / 2;
        let best = null;
        drawn.z.forEach((row, i) => row.forEach((value, j) => {
            if (value === null || Number.isNaN(value) || value === undefined || (best && value <= best.value)) return;
            const left = across.c2p(middle(drawn.x, j)), top = down.c2p(middle(drawn.y, i));
            if (left < 3 || top < 3 || left > across._length - 3 || top > down._length - 3) return;
            const x = box.left + (across._offset + left) * scale, y = box.top + (down._offset + top) * scale;
            if (document.elementFromPoint(x, y)?.closest('.js-plotly-plot') === plot) best = { x, y, value };
        }));
        return best;
    }).filter(Boolean);
})"""
SAID = "[...document.querySelectorAll('.hoverlayer .hovertext')].map((each) => each.textContent).join(' ')"


def maps(page: Page) -> list[dict[str, Any]]:
    """Return a cell that can be pointed at of each heat map on the stage."""
    painted(page)
    found: list[dict[str, Any]] = page.evaluate(CELLS)
    return found


def pointed_at(page: Page) -> None:
    """Point at a cell of every heat map: beside its number it must name a row and a column."""
    for cell in maps(page):
        page.mouse.move(5, 5)
        page.mouse.move(cell["x"], cell["y"], steps=2)
        page.wait_for_function(f"() => /\\d/.test({SAID})", timeout=5_000)
        said = page.evaluate(SAID)
        assert len(said.split()) >= 3, said


def cells_say_what_they_are(page: Page) -> None:
    """Point at the heat maps of a scene, which may stand behind the switch on its stage, if it has any."""
    switch = page.locator(".st-key-stage .st-key-switch button")
    if not maps(page) and switch.count():
        assert switch.count() == 2
        settled(page)
        page.wait_for_timeout(1100)  # within a second of a preset, a press may be taken for what was there before
        switch.nth(1).click()
        linked(page, {"sight": "map"})
    pointed_at(page)
