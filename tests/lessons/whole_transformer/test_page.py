"""The page as a reader gets it: what was typed is drawn, or a message says why not."""

import pytest

from explorer.figures.live.pack import pack
from explorer.lessons.whole_transformer import Params, compute
from explorer.lessons.whole_transformer.live import whole
from tests.support.pages import OpenPage, said

PAGE = "pages/09_whole_transformer.py"
HOSTILE = ["<script>alert(1)</script>", "$x^2$ `code`", "🙂 🙂", "مرحبا", "NaN", "</script>", "a\x00b\x1b[31m"]


@pytest.mark.parametrize("text", HOSTILE)
def test_any_text_is_drawn_or_refused_in_words(open_page: OpenPage, text: str) -> None:
    app = open_page(PAGE, wt_act="write", wt_text=text)
    assert not app.exception
    assert "pieces are read at once" in said(app) or app.info


@pytest.mark.parametrize(
    ("text", "expected"), [(" ", "nothing to translate"), ("very " * 39, "the picture has room for 24")]
)
def test_what_cannot_be_drawn_is_said(open_page: OpenPage, text: str, expected: str) -> None:
    for scene in ("whole", "layer", "head"):
        app = open_page(PAGE, scene=scene, wt_text=text)
        assert not app.exception
        assert expected in app.info[0].value


def test_what_must_be_copied_is_said_beside_what_is_read(open_page: OpenPage) -> None:
    app = open_page(PAGE, scene="whole", wt_text="Open {name} ❤️")
    assert not app.exception
    assert "“{name}” is read as “Tom”, and put back; “❤️” is not read, and copied" in said(app)


@pytest.mark.parametrize("nonsense", ["", "💥", "-1", "dec.9.cross", "1e999"])
def test_nonsense_in_the_link_falls_back(open_page: OpenPage, nonsense: str) -> None:
    for scene in ("whole", "layer", "head"):
        keys = ("shown", "layer", "part", "head", "depth")
        app = open_page(PAGE, scene=scene, **{f"wt_{key}": nonsense for key in keys})
        assert not app.exception


def test_what_is_sent_holds_the_words_and_the_start() -> None:
    result = compute(Params(text="Yes."))
    head = whole.pack(result, whole.Start(level=2, part="dec.1.cross", head=3, row=1), shown=2)
    assert head["start"] == {"level": 2, "part": "dec.1.cross", "net": False, "head": 3, "row": 1, "column": 0}
    assert head["shown"] == 2
    assert head["source"][:-1] == list(result.whole.source.labels[:-1])
    assert head["source"][-1] == "end"
    assert head["arrays"].keys() == result.whole.arrays.keys()
    assert len(pack(head)) < 2_000_000
    assert whole.pack(result, whole.Start(), shown=2)["key"] != head["key"]
