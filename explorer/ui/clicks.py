"""Clicks on a heat map reach Python: Streamlit hands on the clicks of points only (streamlit #8760)."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from explorer.ui import touch

_SCRIPT = (Path(__file__).parent / "clicks.js").read_text(encoding="utf8")
_listener = st.components.v2.component("clicks", html="", js=_SCRIPT)
#: x0, x1, y0, y1 on axes number `axis` (from 1) of a figure.
Frame = dict[str, float]


def listen(key: str, on_click: Callable[[dict[str, Any]], None], *, frames: list[Frame] | None = None) -> None:
    """Call back with the place that was clicked in a card's chart, and frame places in it, without drawing it anew.

    Call it after `card.show`. A finger's tap counts as a click.

    Args:
        key: of the card.
        on_click: gets `{"x", "y", "axis"}`: the place on the axes with that number, from 1. Numbers from a browser:
            clamp them.
        frames: rectangles `{"x0", "x1", "y0", "y1", "axis"}` to outline.
    """
    name = f"{key}_clicks"

    def told() -> None:
        place = getattr(st.session_state.get(name), "clicked", None)
        if isinstance(place, dict) and all(isinstance(place.get(each), int | float) for each in ("x", "y", "axis")):
            on_click(place)

    _listener(data={"chart": key, "frames": frames or []}, key=name, height=0, width="content", on_clicked_change=told)
    touch.hovers_first(key)
