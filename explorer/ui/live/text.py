"""Attention over text: several heads at once, in words, ribbons, bars and a map that follow the pointer together."""

from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import streamlit as st

from explorer.figures import heatmap, theme
from explorer.records import AttentionRecord
from explorer.records.wording import token
from explorer.ui import appearance, scripts
from explorer.ui.language import t
from explorer.ui.live.pack import pack
from explorer.ui.live.ribbons import read

_text = scripts.component(Path(__file__).with_suffix(".js"))


def draw(
    record: AttentionRecord,
    *,
    key: str,
    start: int = 0,
    pinned: int | None = None,
    shown: Collection[int] = (),
    on_pin: Callable[[int], None],
    off: Collection[int] = (),
    on_show: Callable[[tuple[int, ...]], None] | None = None,
    on_switch: Callable[[int], None] | None = None,
) -> None:
    """Draw all heads of one attention; the reader chooses which are seen without asking Python.

    Args:
        record: rows ask.
        key: English name, unique on the page.
        start: row that asks first.
        pinned: row that asks until it is clicked again.
        shown: heads that are drawn until the reader chooses others; all of them if empty.
        on_pin: called with the row that is pinned.
        off: heads that are switched off in the model: no ribbons.
        on_show: called with the heads that the reader chooses to see.
        on_switch: called with the head that is switched off, or on again; None where none can be.
    """
    rows = len(record.query_labels)
    head = _head(record, sorted(off)) | {
        "switches": on_switch is not None,
        "start": min(start, rows - 1),
        "pinned": -1 if pinned is None else min(max(pinned, 0), rows - 1),
        "shown": sorted(shown) or list(range(record.n_heads)),
        "tells": on_show is not None,
    }

    def chose() -> None:
        told = getattr(st.session_state.get(key), "shown", None)
        heads = told.get("heads") if isinstance(told, dict) else None
        if on_show and isinstance(heads, list) and heads and all(each in range(record.n_heads) for each in heads):
            on_show(tuple(sorted({int(each) for each in heads})))

    _text(
        data=pack(head, {"weights": heatmap.masked(record.weights, record.allowed)}),
        key=key,
        on_pinned_change=lambda: _told(key, "pinned", "row", rows, on_pin),
        on_shown_change=chose,
        on_switched_change=lambda: _told(key, "switched", "head", record.n_heads, on_switch),
    )


def _told(key: str, name: str, part: str, count: int, call: Callable[[int], None] | None) -> None:
    found = read(getattr(st.session_state.get(key), name, None), count, part)
    if found is not None and call:
        call(found)


def _head(record: AttentionRecord, off: list[int]) -> dict[str, Any]:
    """Return words and colours."""
    look = appearance.current()
    return {
        "asks": [token(label, t) for label in record.query_labels],
        "asked": [token(label, t) for label in record.key_labels],
        "colours": [theme.CATEGORICAL[number % len(theme.CATEGORICAL)] for number in range(record.n_heads)],
        "off": off,
        "scale": look.weights,
        "masked": (look.line, look.hatch),
        "said": _said(),
    }


def _said() -> dict[str, str]:
    """Return what the picture says; the browser fills in words and weight."""
    return {
        "asks": t("{query} looks most at {key}: {share} of the weight, mean of the heads shown."),
        "read": t("{key} is looked at most by {query}: {share} of its weight."),
        "cell": t("{query} gives {key} {share} of its weight, mean of the heads shown."),
        "hint": t("Point at a word, a cell or a head; a click pins a word and shows or hides a head."),
        "hidden": t("hidden"),
        "caption": t("Weights: a row for each word that asks, a column for each word it can look at"),
        "askers": t("Words that ask"),
        "asking": t("Words that are asked"),
        "map": t("Map of the weights: arrow keys move the cross"),
        "heads": t("heads"),
        "head": t("Head {head}: show or hide; double click or Shift shows it alone"),
        "power": t("Head {head}: switch off in the model, or on again"),
    }
