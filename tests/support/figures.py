"""Every figure that the tests of figures make is one that Plotly takes as it stands."""

import json
from collections.abc import Iterator
from typing import Any

import plotly.graph_objects as go
import pytest

from explorer.figures import theme
from explorer.figures.look import DARK, LIGHT, Look, drawing_in
from explorer.records.language import speaking

#: A letter of Chinese.
CHINESE = "[\u4e00-\u9fff]"


def said(value: Any) -> Any:
    """Without what says nothing: the empty and the null."""
    if isinstance(value, dict):
        return {key: said(each) for key, each in value.items() if each is not None and each != []}
    return [said(each) for each in value] if isinstance(value, list) else value


@pytest.fixture(params=[LIGHT, DARK], ids=["light", "dark"])
def look(request: pytest.FixtureRequest) -> Iterator[Look]:
    """The look that a test draws in: it runs in each."""
    with drawing_in(request.param):
        yield request.param


@pytest.fixture(params=["en", "zh"])
def speaks(request: pytest.FixtureRequest) -> Iterator[None]:
    """The language in which everything is said: a test runs in each."""
    with speaking(request.param):
        yield


@pytest.fixture(autouse=True)
def _figures_are_valid(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """`theme.figure` leaves the layout unchecked: here it is checked, and that checking would change nothing."""
    if not (request.path.parent.name == "figures" or request.path.stem.startswith("test_figures")):
        return
    unchecked = theme.figure

    def checked(*traces: Any, **layout: Any) -> go.Figure:
        made = unchecked(*traces, **layout)
        assert said(json.loads(go.Figure(made).to_json())) == said(json.loads(made.to_json()))
        return made

    monkeypatch.setattr(theme, "figure", checked)
