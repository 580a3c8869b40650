"""The exported page is whole by itself and obeys no text in it."""

import re

import numpy as np
import plotly.graph_objects as go
import pytest
from plotly.offline import get_plotlyjs_version

from explorer.figures import export, hatch, theme
from explorer.figures.look import DARK, LIGHT, apply_theme, drawing_in

ATTACK = "</script><script>alert(1)</script><img src=x onerror=alert(1)>"


def page(text: str) -> str:
    figure = theme.figure(go.Scatter(x=[0, 1], y=[1, 2], name=theme.label(text, None)))
    table = "<table><tr><td>1</td></tr></table>"
    return export.standalone_html(figure, title=text, reading=text, provenance=text, table=table, numbers="Numbers")


def test_the_page_loads_nothing_and_carries_plotly() -> None:
    html = page("A title")
    assert "<h1>A title</h1>" in html
    assert 1_000_000 < len(html) < 2_000_000
    assert re.findall(r"<(?:script|link|img)[^>]+(?:src|href)=", html[:3000] + html[-3000:]) == []


def test_plotlys_bundle_is_of_the_version_that_makes_the_figures() -> None:
    assert (
        re.search(r"plotly\.js \(cartesian - minified\) v([\d.]+)", export.script()[:500])[1] == get_plotlyjs_version()
    )


def test_text_from_users_is_shown_and_not_obeyed() -> None:
    html = page(ATTACK)
    assert "<script>alert(1)" not in html
    assert "<img src=x" not in html
    assert "&lt;img src=x onerror=alert(1)&gt;" in html


def test_the_figure_itself_is_not_changed() -> None:
    figure = theme.figure(go.Scatter(x=[0], y=[1]))
    before = figure.to_json()
    export.standalone_html(figure, title="t", reading="r", provenance="p", table="", numbers="n")
    assert figure.to_json() == before


def test_labels_are_bounded_visible_and_inert() -> None:
    assert theme.label("<b>x</b>") == "&lt;b&gt;x&lt;/b&gt;"
    assert theme.label("a\u200bb\x07") == "a⟨U+200B⟩b⟨U+0007⟩"
    assert len(theme.label("w" * 400)) == theme.LABEL_CHARACTERS
    assert theme.label("") == "∅"
    assert theme.label("猫💥") == "猫💥"


def test_a_figure_drawn_on_dark_is_exported_for_white() -> None:
    with drawing_in(DARK):
        dark = apply_theme(theme.figure(go.Scatter(x=[0], y=[1])))
    words = {"title": "t", "reading": "r", "provenance": "p", "table": "", "numbers": "n"}
    page = export.standalone_html(dark, **words)
    assert not any(colour in page for colour in (DARK.text, DARK.muted))
    assert all(colour in page for colour in (LIGHT.text, LIGHT.muted))


@pytest.mark.parametrize(("cells", "written"), [(6, True), (14, False)])
def test_on_paper_a_map_has_numbers_only_where_its_cells_have_room(cells: int, written: bool) -> None:
    weights = np.full((cells, cells), 0.62, np.float32)
    figure = theme.figure(go.Heatmap(z=weights), hatch.numbers(weights))
    assert (".62" in export.on_paper(figure, "map", width=332, heights=(200, 300))) == written
    assert len(figure.data) == 2, "the figure itself is not changed"


def test_a_heat_map_zooms_in_the_exported_file_and_nothing_else_does() -> None:
    words = {"title": "t", "reading": "r", "provenance": "p", "table": "", "numbers": "n"}
    cells, line = (theme.figure(each) for each in (go.Heatmap(z=[[0, 1]]), go.Scatter(x=[0], y=[1])))
    zoomed, still = (export.standalone_html(each, **words)[-9000:] for each in (cells, line))
    assert '"dragmode":"zoom"' in zoomed
    assert '"scrollZoom": true' in zoomed
    assert "ctrlKey" in zoomed
    assert '"dragmode":false' in still
    assert '"scrollZoom"' not in still
