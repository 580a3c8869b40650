"""The page as a reader gets it."""

import pytest

from explorer.lessons.vision import readings, state
from explorer.lessons.vision.compute import accuracy
from explorer.lessons.vision.ui import controls, picture
from explorer.scenes.vision import HIDE
from tests.support.pages import OpenPage, said

PAGE = "pages/13_vision.py"


def test_the_page_opens_with_a_picture_that_both_models_name_and_their_accuracy(open_page: OpenPage) -> None:
    assert {each.likeliest for each in picture.usual().answers} == {"cat"}
    text = said(open_page(PAGE)).replace("\\", "")
    assert f"gets {accuracy(state.VIT):.1%} right, the convolutional network {accuracy(state.CNN):.1%}" in text


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_prose_has_the_medians_of_the_picture(open_page: OpenPage, lang: str) -> None:
    typical = readings.typical_weights(picture.usual())
    text = said(open_page(PAGE, lang=lang)).replace("\\", "")
    assert typical["cell"] in text
    assert typical["largest"] in text


@pytest.mark.parametrize(
    ("link", "shown"),
    [
        ({"vi_layer": "2", "vi_head": "1", "vi_query": "20"}, "Patch 20 (row 3, column 4) looks most at"),
        ({"vi_hidden": "1 2 3", "vi_off": "0.1 5.3"}, "Heads that are switched off: 0.1 5.3"),
        ({"vi_more": "distance"}, "How far the patches look, in every head"),
        ({"vi_site": "2"}, "How far each channel is open"),
    ],
)
def test_an_old_link_opens_the_scene_of_its_keys(open_page: OpenPage, link: dict[str, str], shown: str) -> None:
    assert shown in said(open_page(PAGE, **link)).replace("\\", "")


def test_the_patch_of_the_prediction_is_the_one_that_the_class_token_weighs_most() -> None:
    weights = picture.usual().attention.weights[-1, :, 0, 1:].mean(0)
    assert HIDE.prediction
    assert HIDE.prediction.reveals == {"vi_hidden": str(1 + int(weights.argmax()))}


def test_what_is_no_patch_and_no_head_is_named(open_page: OpenPage) -> None:
    text = said(open_page(PAGE, vi_hidden="11, 65 <b>", vi_off="9.9 abc 2.1")).replace("\\", "")
    assert "mean colour: 1 of 64" in text
    assert "Heads that are switched off: 2.1" in text
    assert "Not understood: 65 <b>" in text
    assert "Not understood: 9.9 abc" in text


def test_a_link_with_the_senders_own_picture_says_so(open_page: OpenPage) -> None:
    app = open_page(PAGE, vi_picture="own")
    assert not app.exception
    assert "Pictures are not in links" in said(app)


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("1 2 64", [1, 2, 64]),
        ("64,1;1", [1, 64]),
        ("0 65 1000 007", [7]),
        ("3.5", [3, 5]),
        ("9-12, 2 64–60", [2, 9, 10, 11, 12, 60, 61, 62, 63, 64]),
        ("1-1000", [1]),
        ("٣ ²", []),
        ("9" * 5000, []),
    ],
)
def test_numbers_of_patches(typed: str, found: list[int]) -> None:
    assert controls.patch_numbers(typed, 64) == found


@pytest.mark.parametrize(
    ("typed", "found"),
    [("2.1 0.3", [(0, 3), (2, 1)]), ("2.1.3", []), ("L5.0, 5.0", [(5, 0)]), ("5", []), ("1e9.123", []), ("٢.١", [])],
)
def test_names_of_heads(typed: str, found: list[tuple[int, int]]) -> None:
    assert controls.head_places(typed) == found
