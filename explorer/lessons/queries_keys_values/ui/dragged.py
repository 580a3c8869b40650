"""The plane under the pointer: query and keys are dragged, and the browser draws every answer anew."""

import math
from pathlib import Path
from typing import Any

import streamlit as st

from explorer.lessons.queries_keys_values import state
from explorer.lessons.queries_keys_values.figures import colours
from explorer.lessons.queries_keys_values.records.lookup import REACH, LookupRecord
from explorer.lessons.queries_keys_values.ui import controls
from explorer.ui import appearance, scripts
from explorer.ui.language import t
from explorer.ui.scene import picture

_plane = scripts.component(Path(__file__).with_name("plane.js"))


def dictionary(record: LookupRecord) -> dict[str, Any]:
    """Return entries, query, how scores and colours are made of them, and their sliders, as `looked_up.js` reads it."""
    return {
        "entries": [
            {"name": entry.name, "x": entry.x, "y": entry.y, "value": list(entry.value)} for entry in record.entries
        ],
        "query": record.query.tolist(),
        "score": record.score,
        "temperature": record.temperature,
        "span": (0, 255) if record.is_colour else colours.span(record),
        "tints": [colour for _, colour in colours.scale(appearance.current())],
        "keys": {"temperature": "qk_t", "x": "qk_x", "y": "qk_y"},
        "choices": state.TEMPERATURES,
        "zoom": picture.live_zoom(),
    }


def draw(record: LookupRecord, *, key: str) -> None:
    """Draw keys and query on the colours of the answers; what is let go is kept in the link."""
    data = dictionary(record) | {
        "reach": REACH,
        "said": {
            "title": t("The plane of queries"),
            "query": t("query"),
            "place": t("({x}, {y})"),
            "answer": t("query ({x}, {y}): answer {answer}"),
        },
    }

    def told() -> None:
        moved = read(getattr(st.session_state.get(key), "moved", None))
        if moved is not None:
            controls.move(*moved)

    _plane(data=data, key=key, on_moved_change=told)


def read(told: Any) -> tuple[str, float, float] | None:
    """Return what the browser moved, `query` or the number of a key from 1, and where to; None if that is no place."""
    if not isinstance(told, dict) or not isinstance(told.get("moved"), str):
        return None
    place = [told.get(axis) for axis in ("x", "y")]
    if not all(isinstance(each, int | float) and math.isfinite(each) for each in place):
        return None
    x, y = (min(max(round(float(each) * 20) / 20, -REACH), REACH) for each in place if each is not None)
    return told["moved"], x, y
