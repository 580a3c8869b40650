"""Scenes with ribbons offer their weights as heat maps: one for each way of looking, each with the record's numbers."""

import pytest

from explorer.ui import catalogue
from tests.lessons.text_generation.test_page import charts
from tests.pages.test_every_page import healthy
from tests.support.pages import OpenPage

PAGE = catalogue.page("seq2seq_attention").file


@pytest.mark.parametrize(
    ("scene", "state", "maps"),
    [
        ("couplets", {"sa_who": "one"}, 3),
        ("couplets", {"sa_who": "trained"}, 3),
        ("couplets", {"sa_who": "true"}, 2),
        ("notes", {"sa_notes": "sentences"}, 2),
    ],
)
def test_ribbons_become_heat_maps(open_page: OpenPage, scene: str, state: dict[str, str], maps: int) -> None:
    app = open_page(PAGE, scene=scene, sight="map", **state)
    assert healthy(app)
    drawn = {key for key in charts(app) if key.endswith("_map_chart")}
    assert len(drawn) == maps
    assert not {key for key in charts(open_page(PAGE, scene=scene, **state)) if key.endswith("_map_chart")}
