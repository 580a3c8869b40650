"""What a browser says was clicked is a place, or nothing."""

import math
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from explorer.ui import plot_clicks as clicks


def test_a_place_is_read() -> None:
    assert clicks.read({"x": 3, "y": 1.5, "axis": 2, "else": "x"}) == {"x": 3.0, "y": 1.5, "axis": 2.0}
    assert clicks.read({"x": 10**30, "y": -1e300, "axis": 1}) == {"x": 1e9, "y": -1e9, "axis": 1.0}


@pytest.mark.parametrize(
    "told", [None, [], "x", {}, {"x": 1, "y": 2}, {"x": "1", "y": 2, "axis": 1}, {"x": math.nan, "y": 2, "axis": 1}]
)
def test_what_is_no_place_is_none(told: Any) -> None:
    assert clicks.read(told) is None


@pytest.mark.parametrize("name", ["", "a__b/uploaded", "__", "seq2seq-de-en-additive", "模型 (2)_", "_x"])
def test_a_model_of_any_name_can_be_clicked(name: str) -> None:
    """Streamlit refuses a component whose key holds two underscores in a row; random folders have such names."""
    page = AppTest.from_function(_listening, default_timeout=60, args=(f"attention-explorer-upload-{name}",)).run()
    assert not page.exception, page.exception


def _listening(name: str) -> None:
    from explorer.lessons.seq2seq_attention.ui import three_models
    from explorer.ui import plot_clicks as clicks

    clicks.listen(three_models.map_key(name), print)
