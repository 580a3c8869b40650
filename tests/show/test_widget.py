"""A picture as a widget: what the browser tells becomes traits, and what means nothing changes nothing."""

from typing import Any

import numpy as np
import pytest
import traitlets

from explorer import show

WEIGHTS = np.full((2, 3, 4, 4), 1 / 4)


def told(widget: Any, **changed: Any) -> None:
    """Say what the browser says."""
    widget.set_state({"_told": changed})


def test_a_cell_offers_the_widget_and_for_whom_none_answers_a_frame() -> None:
    widget: Any = show.heads(WEIGHTS)
    bundle, _ = widget._repr_mimebundle_()
    assert bundle["application/vnd.jupyter.widget-view+json"]["model_id"] == widget.model_id
    assert "srcdoc=" in widget._repr_html_()


@pytest.mark.parametrize(
    ("picture", "said", "found"),
    [
        (lambda: show.heads(WEIGHTS), {"head": {"position": 4}}, {"head": (1, 1), "query": None}),
        (lambda: show.heads(WEIGHTS), {"head": {"position": 4}, "word": {"position": 3}}, {"head": (1, 1), "query": 2}),
        (lambda: show.heads(WEIGHTS), {"head": {"position": 6}}, {"head": (0, 0)}),
        (
            lambda: show.text(WEIGHTS, layer=0),
            {"head": {"position": 2}, "asks": {"position": 1}},
            {"head": 2, "query": 0},
        ),
        (lambda: show.text(WEIGHTS, layer=0, head=1), {"head": {"position": 3}}, {"head": None}),
        (
            lambda: show.text(WEIGHTS, layer=0, head=1),
            {"asks": {"position": "1"}, "other": 1},
            {"head": 1, "query": None},
        ),
        (lambda: show.ribbons(WEIGHTS[0]), {"pinned": {"row": 3}}, {"query": 3}),
        (lambda: show.ribbons(WEIGHTS[0]), {"pinned": {"row": -1}}, {"query": None}),
        (lambda: show.journey(np.eye(3), np.eye(3), np.eye(3)), {"asks": 1}, {"query": 1}),
        (lambda: show.regression([0, 10], [1, 2]), {"query": 2.5, "width": 3}, {"query": 2.5, "width": 3}),
        (lambda: show.regression([0, 10], [1, 2]), {"query": 11, "width": None}, {"query": 5, "width": 1}),
        (lambda: show.mask(np.eye(3)), {"painted": {"row": 1, "cells": [[0, 2]]}}, {"query": 1, "forbidden": [(0, 2)]}),
        (lambda: show.mask(np.eye(3)), {"painted": {"row": 1, "cells": [[0, 3]]}}, {"query": None, "forbidden": []}),
        (lambda: show.mask(np.eye(3)), {"painted": 3}, {"query": None, "forbidden": []}),
    ],
)  # fmt: skip
def test_what_is_told_is_a_trait(picture: Any, said: dict[str, Any], found: dict[str, Any]) -> None:
    widget = picture()
    told(widget, **said)
    assert {name: getattr(widget, name) for name in found} == found


def test_a_cell_below_is_told_of_a_choice_and_makes_none() -> None:
    widget: Any = show.ribbons(WEIGHTS[0])
    heard: list[int] = []
    widget.observe(lambda change: heard.append(change.new), "query")
    told(widget, pinned={"row": 2})
    told(widget, pinned={"row": 2})
    assert heard == [2]
    with pytest.raises(traitlets.TraitError):
        widget.query = 1
