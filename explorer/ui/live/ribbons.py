"""Ribbons between words that ask and words that are looked at, as wide as the weights."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from explorer.figures import heatmap
from explorer.records import AttentionRecord
from explorer.records.wording import spoken, token
from explorer.ui import scripts
from explorer.ui.language import t
from explorer.ui.live import pack

_ribbons = scripts.component(Path(__file__).with_suffix(".js"))


def draw(
    record: AttentionRecord,
    *,
    key: str,
    sentence: str,
    hint: str,
    start: int = 0,
    pinned: int | None = None,
    on_pin: Callable[[int], None] | None = None,
) -> None:
    """Draw the mean over the record's heads; words ask one after the other until the reader asks.

    Self-attention has the same words on both sides; words that a mask hides from the asking word are hatched. Words
    that do not fit beside each other stand below each other, those of a long sentence wrap like text.

    Args:
        record: of whole words; rows ask.
        key: English name, unique on the page.
        sentence: said below; `{query}`, `{key}` and `{weight}` are filled in by what asks and what it looks at most.
        hint: what the reader can do.
        start: row that asks first.
        pinned: row that asks until another one is pointed at; then nothing plays by itself.
        on_pin: called with the row when a word is clicked, or chosen by Enter.
    """
    rows = len(record.query_labels)
    data = {
        "asks": [token(label, t) for label in record.query_labels],
        "asked": [token(label, t) for label in record.key_labels],
        "weights": pack.floats(heatmap.masked(record.weights, record.allowed).mean(0)),
        "sentence": sentence,
        "hint": hint,
        "play": t("Play"),
        "pause": t("Pause"),
        "hidden": t("hidden"),
        "caption": t("Weights: a row for each word that asks, a column for each word it can look at"),
        "tour": [row for row, label in enumerate(record.query_labels) if spoken(label)] or [0],
        "start": min(start, rows - 1),
        "pinned": -1 if pinned is None else min(max(pinned, 0), rows - 1),
    }

    def told() -> None:
        row = read(getattr(st.session_state.get(key), "pinned", None), rows)
        if row is not None and on_pin:
            on_pin(row)

    _ribbons(data=data, key=key, on_pinned_change=told)


def read(told: Any, count: int, part: str = "row") -> int | None:
    """Return the row, or another part, that the browser told; None if there is none below `count`."""
    number = told.get(part) if isinstance(told, dict) else None
    return int(number) if isinstance(number, int | float) and number in range(count) else None
