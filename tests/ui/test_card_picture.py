"""The pictures on the home page's cards: one for each lesson, its own numbers, drawn in both looks, without torch."""

import json
import re
import xml.etree.ElementTree as ElementTree

import pytest

from explorer.figures.look import DARK, drawing_in
from explorer.lessons import card_pictures
from explorer.ui import card_picture, catalogue
from tests.imports import imported_by


def test_every_lesson_has_a_picture_and_they_are_small() -> None:
    assert card_pictures.FILE == card_picture.FILE
    assert list(card_picture.numbers()) == [page.stem for page in catalogue.PAGES]
    assert card_picture.FILE.stat().st_size <= 41_000


@pytest.mark.parametrize("stem", ["kernel_regression", "scoring_functions", "masked_softmax", "training_lab"])
def test_the_file_holds_what_the_lesson_computes(stem: str) -> None:
    stored, computed = card_picture.numbers()[stem], card_pictures.compute_picture(stem)
    assert stored.keys() == computed.keys()
    for name in computed.keys() - {"provenance", "kind"}:
        assert flat(stored[name]) == pytest.approx(flat(computed[name]), abs=1.1e-3)
    build = re.compile(r"torch \S+")  # another one is at hand elsewhere
    one, other = (build.sub("torch", json.dumps(each["provenance"])) for each in (stored, computed))
    assert one == other


def flat(numbers: object) -> list[float]:
    """Numbers in nested lists, one behind the other; -1 for a hidden cell."""
    if isinstance(numbers, list):
        return [number for each in numbers for number in flat(each)]
    return [-1.0 if numbers is None else float(str(numbers))]


@pytest.mark.parametrize("page", catalogue.PAGES, ids=lambda page: page.stem)
def test_a_picture_draws_something_inside_its_frame_in_both_looks(page: catalogue.Page) -> None:
    numbers = card_picture.numbers()[page.stem]
    light = card_picture.svg(numbers)
    with drawing_in(DARK):
        dark = card_picture.svg(numbers)
    assert light != dark
    assert len(light) < 45_000
    assert len(list(ElementTree.fromstring(light).iter())) > 3
    assert "nan" not in light


def test_the_home_page_imports_no_torch() -> None:
    assert "torch" not in imported_by("import explorer.ui.home")
