"""Clicks anywhere on a chart reach Python: Streamlit hands on the clicks of points only (streamlit #8760)."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from explorer.ui import scripts

_listener = scripts.component(Path(__file__).with_suffix(".js"), "")
#: The place of a click, or the sides of a frame, on axes number `axis` (from 1) of a figure.
Place = dict[str, float]


def listen(key: str, on_click: Callable[[Place], None], *, frames: list[Place] | None = None) -> None:
    """Call back with the place that was clicked in a card's chart, and frame places in it, without drawing it anew.

    Call it after `card.show`. A finger's tap counts as a click, and so does a click on a missing cell, on the space
    between cells or on a label beside them.

    Args:
        key: of the card; without two underscores in a row, which Streamlit refuses here.
        on_click: gets `{"x", "y", "axis"}`. Finite numbers, but from a browser: clamp them.
        frames: rectangles `{"x0", "x1", "y0", "y1", "axis"}` to outline.
    """
    name = f"{key}_clicks"

    def told() -> None:
        position = read(getattr(st.session_state.get(name), "clicked", None))
        if position is not None:
            on_click(position)

    _listener(data={"chart": key, "frames": frames or []}, key=name, height=0, width="content", on_clicked_change=told)


def rows(first: int, last: int, columns: int) -> Place:
    """Return the sides of the frame around some rows of a heat map."""
    return {"x0": -0.5, "x1": columns - 0.5, "y0": first - 0.5, "y1": last + 0.5, "axis": 1}


def cell(row: int, column: int) -> Place:
    """Return the sides of the frame around a cell of a heat map."""
    return {"x0": column - 0.5, "x1": column + 0.5, "y0": row - 0.5, "y1": row + 0.5, "axis": 1}


def read(told: Any) -> Place | None:
    """Return the place of a click as the browser told it; None if it is no such thing."""
    if not isinstance(told, dict):
        return None
    position: Place = {}
    for each in ("x", "y", "axis"):
        number = told.get(each)
        if not isinstance(number, int | float) or not math.isfinite(number):
            return None
        position[each] = float(min(max(number, -1e9), 1e9))
    return position
