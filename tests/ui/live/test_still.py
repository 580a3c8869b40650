"""A picture as it stands is an SVG: words where they are, what a style sheet writes and paints beside them."""

from xml.etree import ElementTree

import pytest
from playwright.sync_api import BrowserContext

from explorer.figures.live.modules import KIT
from tests.support.browser import imported

SVG = "{http://www.w3.org/2000/svg}"
PICTURE = """
<style>
  #picture { width: 300px; font: 16px monospace }
  .hatch, .crossed { width: 50px; height: 50px }
  .hatch { background: repeating-linear-gradient(135deg, rgb(1, 2, 3) 0 2px, #0000 2px 6px) }
  .crossed { background: linear-gradient(45deg, #0000 46%, red 46% 54%, #0000 54%),
    linear-gradient(-45deg, #0000 46%, red 46% 54%, #0000 54%) }
  .number::before { content: attr(data-weight) }
</style>
<div id="picture"><p>one <b>two</b> three</p><div class="hatch"></div><div class="crossed"></div>
<span class="number" data-weight="23">x</span><p class="press">Press here.</p></div>"""


@pytest.fixture(scope="module")
def still(usual: BrowserContext) -> ElementTree.Element:
    page = usual.new_page()
    imported(page, KIT / "still.js")
    drawing = page.evaluate(
        "html => (document.body.innerHTML = html) && freeze(document.querySelector('#picture'), 'title', 'said')",
        PICTURE,
    )
    page.close()
    return ElementTree.fromstring(drawing)


def test_words_stand_beside_each_other_and_what_is_to_be_pressed_is_left_out(still: ElementTree.Element) -> None:
    words = {each.text: float(each.get("x", "nan")) for each in still.iter(f"{SVG}text")}
    assert list(words) == ["one", "two", "three", "23", "x"]
    letter = words["two"] - words["one"]
    assert words["three"] - words["two"] == pytest.approx(letter, abs=0.3)  # three letters and a space both times
    assert [still.findtext(f"{SVG}{name}") for name in ("title", "desc")] == ["title", "said"]


def test_hatches_repeat_and_ramps_go_from_corner_to_corner(still: ElementTree.Element) -> None:
    ramps = list(still.iter(f"{SVG}linearGradient"))
    ways = [[float(ramp.get(name, "nan")) for name in ("x1", "y1", "x2", "y2")] for ramp in ramps]
    assert [ramp.get("spreadMethod") for ramp in ramps] == ["repeat", None, None]
    (x1, y1, x2, y2), *crossed = ways
    assert (x2 - x1, y2 - y1) == pytest.approx((6 / 2**0.5, 6 / 2**0.5))
    stops = [float((stop.get("offset") or "").rstrip("%")) for stop in ramps[0]]
    assert stops == pytest.approx([0, 100 / 3, 100 / 3, 100])
    assert sorted((round(x2 - x1), round(y2 - y1)) for x1, y1, x2, y2 in crossed) == [(-50, -50), (50, -50)]
    painted = [each.get("fill") for each in still.iter(f"{SVG}rect")]
    assert [f"url(#{ramp.get('id')})" for ramp in ramps] == [each for each in painted if "url" in str(each)]
