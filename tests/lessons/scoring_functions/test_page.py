"""The scoring functions as a reader gets them: their controls, their links, and what is said."""

import pytest
from streamlit.testing.v1 import AppTest

from explorer.attention import scoring
from tests.support.pages import OpenPage, live, question, said, shows_the_lines_of

PAGE = "pages/03_scoring_functions.py"


def charts(app: AppTest) -> dict[str, str]:
    """What each chart holds, by its key."""
    return {
        chart.proto.id.rpartition("-")[2]: chart.proto.spec or chart.proto.figure.spec
        for chart in app.get("plotly_chart")
    }


@pytest.mark.parametrize(
    ("link", "asks"),
    [
        ({}, "How well does a key fit"),
        ({"sf_d": "512"}, "Seven scores"),
        ({"sf_shown": "scores", "sf_lengths": "3, 5"}, "Seven scores"),
        ({"sf_function": "gaussian", "sf_d": "64"}, "what does one function do"),
        ({"sf_measure": "flops", "sf_keys": "20"}, "cost"),
        ({"sf_offset": "1.0"}, "become the dot product"),
    ],
)
def test_an_old_link_opens_the_scene_of_its_controls(open_page: OpenPage, link: dict[str, str], asks: str) -> None:
    assert asks in question(open_page(PAGE, **link))


def test_functions_that_cannot_score_say_why_and_the_others_are_shown(open_page: OpenPage) -> None:
    app = open_page(PAGE, sf_dk="64", scene="seven")
    assert "16 numbers and keys 64" in app.info[0].value
    assert "cosine" in app.info[0].value
    side_by_side = charts(app)["scoring_functions_chart"]
    assert "concat" in side_by_side
    assert "cosine" not in side_by_side
    assert not open_page(PAGE, scene="seven").info
    assert "not measured" in said(open_page(PAGE, sf_dk="64", scene="one_another", sf_pair="equal_norms"))


@pytest.mark.parametrize("text", ["three", "1,2,3,4,5", "-3", "💥"])
def test_unreadable_valid_lengths_get_a_message_and_count_as_none(open_page: OpenPage, text: str) -> None:
    app = open_page(PAGE, scene="seven", sf_lengths=text)
    assert not app.exception
    assert "whole numbers" in app.warning[0].value
    assert charts(app) == charts(open_page(PAGE, scene="seven"))


def test_a_link_brings_the_state_back(open_page: OpenPage) -> None:
    state = {"sf_d": "512", "sf_t": "0.5", "sf_lengths": "3, 5"}
    app = open_page(PAGE, scene="seven", sf_shown="scores", **state)
    assert app.select_slider(key="sf_d").value == 512
    assert app.slider(key="sf_t").value == 0.5
    assert "Scores spread most" in said(app)
    app = open_page(PAGE, scene="one_function", sf_function="gaussian", **state)
    assert "Gaussian: q" in said(app)
    assert shows_the_lines_of(app, *(getattr(scoring, name) for name in scoring.NAMES))


@pytest.mark.parametrize(
    ("scene", "key"),
    [
        ("fit", "sf_formula"),
        ("seven", "sf_shown"),
        ("seven", "sf_dk"),
        ("one_function", "sf_function"),
        ("numbers", "sf_measure"),
        ("one_another", "sf_pair"),
        ("additive_beside_dot", "sf_rule"),
        ("additive_beside_dot", "sf_second"),
        ("additive_beside_dot", "sf_points"),
    ],
)
def test_an_unknown_choice_in_the_link_falls_back(open_page: OpenPage, scene: str, key: str) -> None:
    app = open_page(PAGE, scene=scene, **{key: "nonsense"})
    assert not app.exception
    assert charts(app) == charts(open_page(PAGE, scene=scene))


def test_an_offset_changes_the_answer(open_page: OpenPage) -> None:
    symmetric, moved = (said(open_page(PAGE, sf_offset=each)).replace("\\", "") for each in ("0.0", "1.0"))
    assert "it is an **odd** function" in symmetric
    assert "additive: no" in symmetric
    assert "With an offset" in moved
    assert "additive: no" not in moved


def test_the_dot_product_is_not_on_the_stage_before_the_question(open_page: OpenPage) -> None:
    app = open_page(PAGE, scene="fit")
    assert "<b>2</b> different winners" in said(app)
    next(each for each in app.button if each.key == "answer_fit_B").click().run()
    assert "No. The answer is: A, far." in said(app)
    assert "<b>3</b> different winners" in said(app)
    assert "<b>A</b> gets <b>74%</b>" in said(app)


def test_chinese_says_the_same(open_page: OpenPage) -> None:
    app = open_page(PAGE, lang="zh", sf_dk="64", scene="seven")
    assert "查询有 16 个分量，键有 64 个" in app.info[0].value
    assert "奇函数" in said(open_page(PAGE, lang="zh", scene="trained"))


def test_points_that_cannot_be_read_get_a_message_and_the_usual_ones_hold(open_page: OpenPage) -> None:
    app = open_page(PAGE, scene="additive_beside_dot", sight="map", sf_queries="1 2 3", sf_points="9 9")
    assert not app.exception
    assert [each.value.partition(" pairs")[0] for each in app.info] == [
        "Points must be 1 to 4",
        "Points must be 1 to 10",
    ]
    assert charts(app) == charts(open_page(PAGE, scene="additive_beside_dot", sight="map"))


def test_the_fair_comparison_is_answered_by_what_was_learned(open_page: OpenPage) -> None:
    app = open_page(PAGE, scene="additive_beside_dot")
    next(each for each in app.button if each.key == "answer_additive_beside_dot_dot").click().run()
    assert "No. The answer is: only additive." in said(app)
    assert "scaled dot product finds the right key for 2 of 3 queries" in said(app).lower()


def test_a_picture_keeps_the_answer_back_until_the_question_is_answered(open_page: OpenPage) -> None:
    assert b'"whole": false' in live(open_page(PAGE, scene="scaling"), "sf_lanes_live")
    sent = [live(open_page(PAGE, scene="fit", sf_formula=name), "sf_plane_live") for name in ("gaussian", "dot")]
    assert [b'"hidden": []' in each for each in sent] == [True, False], "the dot product is asked about"
