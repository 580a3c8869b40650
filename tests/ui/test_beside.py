"""What a stage writes beside its pictures: on the page at once, off the page in its order."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from explorer.ui import messages
from explorer.ui.paper.collected import collect, collecting
from explorer.ui.scene import beside, picture

HOSTILE = "<b>&"


def shown() -> None:
    """Write one of each."""
    beside.show("<p>said</p>", style="p{}", title="A", note=HOSTILE)
    picture.show_reading("read")
    beside.show_table(pd.DataFrame({HOSTILE: [HOSTILE, "x"], "n": [-0.5, np.nan]}), title="T", hint="press", key="k")
    beside.show_caption(f":material/edit: **small** {messages.plain(HOSTILE)}")
    beside.show_markdown("| a |\n|---|\n| $x^2$ |", title="M")
    messages.info("5 $ and 6 $")
    with beside.fold("More", ":material/table:"):
        beside.show_table(pd.DataFrame({"v": np.arange(3)}, index=pd.Index(list("abc"), name="letter")))


def test_all_is_collected_in_its_order_and_nothing_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("html", "table", "dataframe", "markdown", "caption", "info", "expander"):
        monkeypatch.setattr(beside.st, name, lambda *_, **__: pytest.fail("drawn"))  # type: ignore[attr-defined]
    with collect() as found:
        shown()
    assert not collecting()
    assert [each.title for each in found] == ["A", "", "T", "", "M", "", ""]
    assert [each.is_written for each in found] == [True, False, True, True, True, True, True]
    assert [each.folded for each in found] == [False] * 6 + [True]
    said, _, table, small, formula, note, fold = (beside.to_html(each) for each in found)
    assert said == '<style>p{}</style><p class="small">&lt;b&gt;&amp;</p><p>said</p>'
    assert '<th scope="col">&lt;b&gt;&amp;</th>' in table
    assert '<tr><th scope="row">x</th><td>–</td></tr>' in table
    assert '<td class="number">−0.5</td>' in table
    assert "<strong>small</strong> &lt;b&gt;&amp;" in small
    assert "material" not in small
    assert "<math" in formula
    assert "5 $ and 6 $" in note
    assert fold.startswith("<details><summary>More</summary>")
    assert '<th scope="col">letter</th><th scope="col">v</th>' in fold


def test_a_long_table_is_cut_on_paper_and_says_so() -> None:
    with collect() as found:
        beside.show_table(pd.DataFrame({"v": np.arange(30)}))
    cut = beside.to_html(found[0], rows=8)
    assert cut.count("<tr>") == 9
    assert "22 more rows" in cut


def test_on_the_page_streamlit_draws_it(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[tuple[str, Any, dict[str, Any]]] = []

    def draw(name: str) -> Any:
        return lambda said, **options: drawn.append((name, said, options))

    for name in ("html", "table", "dataframe", "caption"):
        monkeypatch.setattr(beside.st, name, draw(name))  # type: ignore[attr-defined]
    frame = pd.DataFrame({"v": [1]})
    beside.show("<p>said</p>", style="p{}")
    beside.show_table(frame, title="T", hint="press", key="k", height=99)
    beside.show_table(frame.rename_axis("row"), wraps=True)
    beside.show_caption("small")
    assert [name for name, *_ in drawn] == ["html", "html", "dataframe", "table", "caption"]
    assert drawn[0][1] == "<style>p{}</style><p>said</p>"
    assert "press" in drawn[1][1]
    assert drawn[2][2] == {"hide_index": True, "key": "k", "height": 99}
