"""What its controls do, and what comes of nonsense."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from explorer.lessons.masked_softmax.ui import by_hand
from explorer.scenes.masked_softmax import LESSON
from tests.pages.test_every_page import healthy
from tests.support.pages import OpenPage, said

PAGE = "pages/04_masked_softmax.py"
MASK = {"scene": "batch", "ms_shown": "mask"}


def allowed(app: AppTest) -> tuple[int, int]:
    """Say how many cells the mask allows, and of how many, as the page says."""
    found = re.search(r"(\d+) of (\d+) cells are allowed", said(app))
    assert found
    return int(found[1]), int(found[2])


def test_the_default_hides_the_padding(open_page: OpenPage) -> None:
    assert allowed(open_page(PAGE, **MASK)) == (28, 49)


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({"ms_padding": "false"}, (49, 49)),
        ({"ms_causal": "true", "ms_padding": "false"}, (28, 49)),
        ({"ms_window": "1", "ms_padding": "false"}, (7, 49)),
        ({"ms_window": "16", "ms_padding": "false"}, (49, 49)),
        ({"ms_window": "0", "ms_padding": "false"}, (49, 49)),
        ({"ms_lengths": "2; 1; 1"}, (14, 49)),
        ({"ms_lengths": "1 2 3 4 5 6 7; 1; 1"}, (28, 49)),
        ({"ms_lengths": "0; 0; 0"}, (0, 49)),
        ({"ms_lengths": "99; 99; 99"}, (49, 49)),
        ({"ms_left": "true", "ms_causal": "true"}, (10, 49)),
        ({"ms_hand": "1:1 2:7"}, (28, 49)),
        ({"ms_hand": "1-16:1-16"}, (21, 49)),
        ({"ms_batch": "2"}, (49, 49)),
        ({"ms_batch": "3"}, (14, 49)),
        ({"ms_text": "a"}, (1, 1)),
        ({"ms_text": "我爱机器\n学习"}, (16, 16)),
    ],
)
def test_the_link_sets_the_mask(open_page: OpenPage, parameters: dict[str, str], expected: tuple[int, int]) -> None:
    app = open_page(PAGE, **MASK | parameters)
    assert healthy(app)
    assert allowed(app) == expected
    assert not app.error


NONSENSE = ["<script>alert(1)</script>", "1:2:3", "$x$ :material/home:", "💥", "\x00", "-1", "0" * 5000, "٣:١"]


@pytest.mark.parametrize("nonsense", [*NONSENSE[:6], NONSENSE[7]])
def test_nonsense_in_a_notation_is_said_and_left_out(open_page: OpenPage, nonsense: str) -> None:
    app = open_page(PAGE, **MASK, ms_hand=nonsense, ms_lengths=nonsense)
    assert healthy(app)
    assert not app.error
    assert allowed(app) == (28, 49)
    assert len(app.info) == 2
    assert "<script>" not in "".join(each.value for each in app.info)
    assert not open_page(PAGE, **MASK, ms_lengths=nonsense, ms_padding="false").info


@pytest.mark.parametrize("nonsense", NONSENSE)
def test_nonsense_in_the_link_gives_the_defaults(open_page: OpenPage, nonsense: str) -> None:
    keys = [
        key
        for key in LESSON.every_default
        if key.startswith("ms_") and key not in {"ms_shown", "ms_hand", "ms_lengths", "ms_text"}
    ]
    app = open_page(PAGE, **MASK, **dict.fromkeys(keys, nonsense))
    assert healthy(app)
    assert not app.error
    assert allowed(app) == (28, 49)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\n ",
        "a\n" * 300,
        "w " * 300,
        "x" * 600,
        "<script>alert(1)</script> <b>a</b>",
        "$x^2$ **b** [l](u) :red[x] :material/home:",
        "مرحبا بالعالم",
        "👩‍👩‍👧 💥",
        "\u200b\u202e ‹pad›",
        "=1+1 @x",
        "{query} %{x} {0}",
    ],
)
def test_any_text_is_a_batch(open_page: OpenPage, text: str) -> None:
    app = open_page(PAGE, **MASK)
    app.text_area(key="ms_text").set_value(text).run()
    assert healthy(app)
    assert not app.error
    assert allowed(app)[1] in {n * n for n in range(1, 17)}
    assert any("first 16 words" not in each.value for each in app.info) == (not text.strip())


@pytest.mark.parametrize(
    ("text", "cut"), [("w " * 16, False), ("w " * 17, True), ("a\n\n" * 4, False), ("a\n" * 5, True), ("\n\n", False)]
)
def test_what_is_left_out_is_said(open_page: OpenPage, text: str, cut: bool) -> None:
    app = open_page(PAGE, **MASK)
    app.text_area(key="ms_text").set_value(text).run()
    assert any("first 16 words of the first 4" in each.value for each in app.info) == cut


def test_a_shorter_batch_keeps_the_page_alive(open_page: OpenPage) -> None:
    app = open_page(PAGE, **MASK, ms_batch="3", ms_query="7", ms_hand="7:7")
    app.text_area(key="ms_text").set_value("only one").run()
    assert healthy(app)
    assert allowed(app) == (4, 4)


def test_lists_name_the_words_as_they_were_typed(open_page: OpenPage) -> None:
    app = open_page(PAGE, **MASK, ms_text="*no* [Markdown](here)")
    assert app.selectbox(key="ms_batch_shown").options == ["1 · *no* [Markdown](here)"]
    assert app.selectbox(key="ms_query_shown").options == ["1 · *no*", "2 · [Markdown](here)"]


def test_a_click_flips_a_cell_of_what_was_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    state = {"ms_hand": "3:1-2"}
    monkeypatch.setattr("streamlit.session_state", state)
    by_hand.flip("ms_hand", 2, 0)
    assert state["ms_hand"] == "3:2"
    by_hand.flip("ms_hand", 2, 0)
    assert state["ms_hand"] == "3:1-2"
    state["ms_hand"] = "nonsense"
    by_hand.flip("ms_hand", 0, 4)
    assert state["ms_hand"] == "1:5"


def test_undo_all_forgets_the_drawing(open_page: OpenPage) -> None:
    app = open_page(PAGE, **MASK, ms_hand="1:1")
    assert allowed(app) == (27, 49)
    app.button(key="ms_hand_forget").click().run()
    assert allowed(app) == (28, 49)
    assert app.text_input(key="ms_hand").value == ""


def test_an_added_fill_can_leave_the_row_as_it_was(open_page: OpenPage) -> None:
    app = open_page(PAGE, scene="fills", ms_query="2")
    assert "Nearly as if nothing were forbidden" not in said(app)
    app.toggle(key="ms_added").set_value(True).run()
    assert healthy(app)
    assert "Nearly as if nothing were forbidden" in said(app)


def test_a_forbidden_cell_multiplies_the_row(open_page: OpenPage) -> None:
    assert "both bars are <b>equal</b>" in said(open_page(PAGE, scene="draw"))
    assert "times</b> as heavy" in said(open_page(PAGE, scene="draw", md_cells="8:9"))
    assert "may see nothing" in said(open_page(PAGE, scene="draw", md_cells="8:1-12"))
