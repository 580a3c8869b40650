"""Maps that the browser draws itself say row, column and value where they are pointed at."""

import re
from typing import NamedTuple

import pytest
from playwright.sync_api import Page, expect

from tests.conftest import ROOT
from tests.support.browser import OpenPage, follow


class Map(NamedTuple):
    """A live map: where it is, what can be pointed at, where that is said and how."""

    link: str
    cell: str
    says: str
    said: str


TAG, LINE = ".says", ":not(tspan).line"  # a chart has lines of its own
ATTENDS = r"“.+” attends to “.+”: [01]\.\d"
#: By the script that draws them.
MAPS = {
    "masked_softmax/live/mask.js": Map("/masked_softmax?scene=draw", "[role=gridcell] rect", TAG, ATTENDS),
    "training_lab/live/film_maps.js": Map("/training_lab?scene=watch", ".map .cell", TAG, ATTENDS),
    "seq2seq_attention/live/columns_drawing.js": Map(
        "/seq2seq_attention?scene=three_models",
        ".quiet path[data-says]",
        TAG,
        r"writing “.+”, it looks at “.+”: [01]\.\d\d+",
    ),
    "efficient_attention/live/flash_drawing.js": Map(
        "/efficient_attention?scene=flash&ea_rows_drawn=all", "rect.cell", TAG, r"score of “.+” and “.+”: .+"
    ),
    "efficient_attention/live/kept_map.js": Map(
        "/efficient_attention?scene=leave_out", "canvas.map", LINE, r"“.+”.*“.+”.*0\.\d{3}"
    ),
    "scoring_functions/live/landscape.js": Map(
        "/scoring_functions?scene=fit&sf_formula=dot", ".rows .cell", TAG, r".+, key [A-Z]: weight [01]\.\d{3}"
    ),
    "scoring_functions/live/fitting.js": Map(
        "/scoring_functions?scene=trained", "rect.cells", ".hint", r"\d.*\d.*0\.\d"
    ),
    "kernel_regression/live/matrix.js": Map(
        "/kernel_regression?scene=every_query", "canvas.map", LINE, r"\d.*\d.*0\.\d"
    ),
    "multi_head/live/head_tiles.js": Map(
        "/multi_head?scene=all_heads", ".tile canvas", TAG, r"layer \d, head \d: “.+” attends to “.+”: [01]\.\d{3}"
    ),
    "multi_head/live/split_drawing.js": Map(
        "/multi_head?scene=shapes&mh_shapes_of=textbook&mh_book_step=4", "rect.cell:not(.hidden)", TAG, r".+: [01]\.\d"
    ),
    "translator/live/search.js": Map("/translator?scene=search", ".cell rect", TAG, r".+\d"),
    "../ui/live/ribbons.js": Map("/translator?scene=look", ".words.asks > *", ".words.asked .most", r".+0?\.\d\d"),
    "../ui/live/text.js": Map("/multi_head?scene=one_head", ".words.asks > *", LINE, r".+ looks .+\d%"),
    "../ui/live/patches.js": Map(
        "/vision?scene=look", ".cell", LINE, r"Patch 4 \(row 1, column 4\) looks most at .*patch.*: \d+%.*"
    ),
    "vision/live/every_head.js": Map("/vision?scene=heads", ".tile canvas", LINE, r"row and column \d, \d .+0\.\d{3}"),
    "positional_encoding/live/waves.js": Map(
        "/positional_encoding?scene=waves", "rect[data-says]", TAG, r"pair \d+, (co)?sine: −?[01]\.\d{3}"
    ),
    "open_model/live/squares.js": Map(
        "/open_model?scene=every_head", ".squares canvas", ".rule", r"layer \d+, head \d: .+, rests \d+%"
    ),
    "open_model/live/head_map.js": Map(  # of its middle row; the row that looks hardest, said before, looks at “Japan”
        "/open_model?scene=every_head&om_rest=true",
        ".one canvas",
        LINE,
        r"of looks most at France: \d+% of what is left",
    ),
    "open_model/live/one_word.js": Map(
        "/open_model?scene=one_word&om_away=false",
        ".words .word",
        LINE,
        r"seven looks most at Four: \d+% of its weight",
    ),
    "whole_transformer/live/pointing.js": Map(
        "/whole_transformer?scene=head&wt_depth=head", "canvas.stage", TAG, ATTENDS
    ),
}
#: Scripts that colour something else: a bar whose number stands beside it, a letter, what another script here draws.
NO_MAP = {
    "open_model/live/legend.js",
    "translator/live/crossed_out.js",
    "scoring_functions/live/lanes.js",
    "masked_softmax/live/row_bars.js",
    "queries_keys_values/live/shares.js",
    "queries_keys_values/live/dictionary.js",
    "queries_keys_values/live/sums.js",
    "training_lab/live/film_frames.js",
}
#: A place inside of a cell, or on a ribbon, which is a line.
INSIDE = """each => {
    const line = each.getPointAtLength && getComputedStyle(each).fill === 'none', box = each.getBoundingClientRect();
    if (!line) return [box.x + box.width / 2, box.y + box.height / 2];
    const place = each.getPointAtLength(each.getTotalLength() / 2).matrixTransform(each.getScreenCTM());
    return [place.x, place.y];
}"""


@pytest.fixture(scope="module")
def page(stay: OpenPage) -> Page:
    return stay("/?lang=en")


@pytest.mark.parametrize("script", MAPS)
def test_a_live_map_says_row_column_and_value_where_it_is_pointed_at(page: Page, script: str) -> None:
    link, cell, says, said = MAPS[script]
    page.mouse.move(1439, 450)
    follow(page, f"{link}&lang=en")
    stage = page.locator(".st-key-stage")
    there = stage.locator(cell)
    there.first.wait_for(state="attached")
    page.mouse.move(*there.nth(min(3, there.count() - 1)).evaluate(INSIDE), steps=2)
    expect(stage.locator(says).first).to_have_text(re.compile(said))


def test_every_script_that_colours_weights_is_pointed_at() -> None:
    lessons = ROOT / "explorer" / "lessons"
    drawing = {each for each in lessons.rglob("*.js") if "live/weights.js" in each.read_text("utf8")}
    assert {each.relative_to(lessons).as_posix() for each in drawing} <= MAPS.keys() | NO_MAP


def test_the_keyboard_hears_a_cell_that_is_painted(page: Page) -> None:
    follow(page, "/masked_softmax?scene=draw&lang=en")
    page.locator(".st-key-stage [role=gridcell][tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".st-key-stage .says")).to_have_text(re.compile("attends to"))
