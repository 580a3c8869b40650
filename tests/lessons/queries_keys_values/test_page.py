"""Queries, keys and values: what its controls do, and what comes of nonsense."""

import pytest

from explorer.lessons.queries_keys_values.ui import controls
from explorer.scenes.queries_keys_values import COLOURS, LESSON
from tests.pages.test_every_page import healthy
from tests.support.pages import OpenPage, plain, question

PAGE = "pages/01_queries_keys_values.py"


def test_the_default_reads_and_mixes(open_page: OpenPage) -> None:
    app = open_page(PAGE)
    assert healthy(app)
    assert "“its” has a query of its own" in plain(app)
    app = open_page(PAGE, scene="desk")
    assert healthy(app)
    assert "“newspaper” fits the query best" in plain(app)
    assert "“red cup” pays most for it" in plain(app)
    app = open_page(PAGE, scene="ways")
    assert healthy(app)
    assert "Hard look-up answers with the colour of “b” alone" in plain(app)
    assert not app.info


@pytest.mark.parametrize(
    ("parameters", "asked", "expected"),
    [
        ({"qk_readable": "0", "qk_red": "1"}, "catches your eye", "“red cup” fits the query best"),
        ({"qk_readable": "0", "qk_drinkable": "1", "qk_red": "-1"}, "your eye", "“water” fits the query best"),
        ({"qk_readable": "0", "qk_salience": "0"}, "your eye", "every object gets <b>1/8</b>"),
        ({"qk_object": "cat"}, "come by its weight", "“cat”: 0.3 × 0.6 (salience)"),
        ({"qk_object": "newspaper", "qk_calm": "0.01"}, "its weight", "through softmax: weight <b>0.999</b>"),
        ({"qk_score": "dot"}, "no key matches", "Dot product: a query twice as long"),
        ({"qk_x": "-4", "qk_y": "-4"}, "no key matches", "is 5.15 away."),
        ({"qk_keys": "x 0 0 2\ny 1 1 4", "qk_t": "1000.0"}, "no key matches", "the answer is <b>3</b>"),
        ({"qk_t": "1000.0", "scene": "ways"}, "the average of all", "about <b>3.00</b> of 3 keys"),
        ({"qk_keys": "x 0 0 2\ny 1 1 4", "scene": "ways"}, "of all", "average pooling 3."),
        ({"scene": "plane", "qk_t": "0.5"}, "every other query", "“b” gets the largest weight"),
    ],
)
def test_an_old_link_opens_the_scene_of_its_controls_and_sets_them(
    open_page: OpenPage, parameters: dict[str, str], asked: str, expected: str
) -> None:
    app = open_page(PAGE, **parameters)
    assert healthy(app)
    assert asked in question(app)
    assert expected in plain(app)


def test_what_to_try_at_the_desk_leaves_the_dictionary_alone(open_page: OpenPage) -> None:
    found = ["“red cup” fits", "“water” fits", "asks for salience alone", "1/8"]
    for position, words in enumerate(found):
        app = open_page(PAGE, scene="desk", qk_x="2.5", qk_keys="x 0 0 2\ny 1 1 4")
        app.button(key=f"try_desk_{position}").click().run()
        assert healthy(app)
        assert words in plain(app)
        assert app.query_params["qk_x"] == "2.5"
        assert app.query_params["qk_keys"] == "x 0 0 2\ny 1 1 4"


def test_what_to_try_in_the_plane(open_page: OpenPage) -> None:
    expected = [
        "gets the largest weight, <b>1.00</b>: its colour shows most",
        "attention and average pooling mix all 3 colours alike",
        "is 5.15 away",
        "Dot product: a query twice as long",
        "“long” gets the largest weight",
        "the answer is <b>3.313</b>",
    ]
    for number, words in enumerate(expected):
        app = open_page(PAGE, scene="plane")
        app.button(key=f"try_plane_{number}").click().run()
        assert healthy(app)
        assert words in plain(app), number


def test_the_sum_of_the_weights_waits_for_the_prediction(open_page: OpenPage) -> None:
    app = open_page(PAGE, scene="dictionary")
    assert "weights sum to" not in plain(app)
    app.button(key="skip").click().run()
    assert "The weights sum to 1." in plain(app)


@pytest.mark.parametrize(
    ("typed", "complaints"),
    [
        ("", 0),
        (" \n\n ", 0),
        ("nonsense", 1),
        ("<script>alert(1)</script> 0 0 #fff", 0),
        ("<script>alert(1)</script>", 1),
        ("$x^2$ **b** [l](u) :red[x] :material/home:", 1),
        ("💥 1 1 #123\nمرحبا 2 2 #456\n👩‍👩‍👧 3 3 #789", 0),
        ("a nan nan nan\nb inf 0 1\nc 1e999 0 1", 3),
        ("a 0 0 1e300", 1),
        ("\x00\u202e\u200b 0 0 1", 0),
        ("=1+1 0 0 1\n@x 1 1 2", 0),
        ("{query} %{x} {0} 1", 1),
        ("{query} 1 1 1\n%{x} 2 2 2", 0),
        ("a 0 0 1\n" * 75, 63),
        ("a 0 0 1\nb 0 0 #fff", 1),
        ("x" * 600, 1),
        ("a 9 9 9", 1),
    ],
)
def test_any_text_is_a_dictionary_or_a_message(open_page: OpenPage, typed: str, complaints: int) -> None:
    app = open_page(PAGE, scene="ways", qk_keys=typed)
    assert healthy(app)
    assert not app.error
    shown = "\n".join(each.value for each in app.info)
    assert shown.count("Line ") == min(complaints, 3)
    assert ("more." in shown) == (complaints > 3)
    assert "<script>" not in shown
    assert "Hard look-up answers" in plain(app)


@pytest.mark.parametrize("nonsense", ["", "nan", "-1e999", "<script>", "💥", "\x00", "13"])
def test_nonsense_in_the_link_gives_the_defaults(open_page: OpenPage, nonsense: str) -> None:
    keys = [key for key in LESSON.every_default if key not in {"qk_keys", "qk_x", "qk_y"}]
    for scene, words in (("desk", "“newspaper” fits the query best"), ("ways", "<b>2.31</b> of 3 keys")):
        app = open_page(PAGE, scene=scene, **dict.fromkeys(keys, nonsense))
        assert healthy(app)
        assert words in plain(app)
    assert healthy(open_page(PAGE, scene="plane", **dict.fromkeys(keys, nonsense)))


def test_a_shorter_dictionary_keeps_the_page_alive(open_page: OpenPage) -> None:
    app = open_page(PAGE, scene="plane")
    app.text_area(key="qk_keys").set_value("only 0 0 1").run()
    assert healthy(app)
    assert "“only” gets the largest weight, <b>1.00</b>" in plain(app)


def test_what_is_dragged_moves_the_query_or_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    state: dict[str, object] = {"qk_keys": "a 0 0 1\nnonsense\nb 1 1 2", "qk_x": 0.5, "qk_y": 0.5}
    monkeypatch.setattr(controls.st, "session_state", state)
    controls.move_query(2.25, -3.0)
    assert (state["qk_x"], state["qk_y"]) == (2.25, -3.0)
    controls.move_key(1, -1.5, 4.0)
    assert state["qk_keys"] == "a 0 0 1\nnonsense\nb -1.5 4 2"
    assert state["qk_x"] == 2.25
    before = dict(state)
    controls.move_key(8, 1.0, 1.0)
    assert state == before
    state["qk_keys"] = ""
    controls.move_key(0, 0.0, 0.0)
    assert state["qk_keys"] == COLOURS.replace("a -1.5 1", "a 0 0")


@pytest.mark.parametrize(
    "typed", ["", " ", "\x00\u202e", "<script>alert(1)</script>", "💥", "مرحبا $x^2$", "a " * 400, "nan"]
)
def test_any_sentence_is_read_or_a_message_says_why_not(open_page: OpenPage, typed: str) -> None:
    app = open_page(PAGE, scene="journey", qk_numbers="noun", qk_sentence=typed, qk_ask="77")
    assert healthy(app)
    assert not app.error
    assert "looks most at" in plain(app)
    assert "<script>" not in plain(app)
    assert bool(app.info) == (not typed.strip(" \x00\u202e") or len(typed) > 400)


def test_the_page_names_every_line_that_was_left_out(open_page: OpenPage) -> None:
    app = open_page(PAGE, scene="ways", qk_keys="good 0 0 1\nbad\n*b* 1 1 red")
    (message,) = [each.value for each in app.info]
    assert "Line 2, “bad”: needs four parts" in message
    assert "Line 3, “\\*b\\* 1 1 red”: the value must be a number" in message
    assert "Hard look-up answers 1," in plain(app)
