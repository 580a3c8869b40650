"""Words under the pointer: they are dragged to another place; let go, the encoder reads them in the new order."""

from pathlib import Path
from typing import Any

import streamlit as st

from explorer.figures import theme
from explorer.lessons.positional_encoding.figures.order import shown
from explorer.lessons.positional_encoding.records.trained import PermutationRecord
from explorer.ui import fields, scripts
from explorer.ui.language import t
from explorer.ui.live.pack import pack

_order = scripts.component(Path(__file__).with_name("order.js"))


def draw(record: PermutationRecord, order: list[int], *, key: str, kept: str) -> None:
    """Draw the words, and both rows of outputs.

    Args:
        order: which word stands at each place, from 0.
        kept: key of the order that the link carries.
    """
    head = {
        "words": [theme.visible(word, 40) for word in record.words],
        "sizes": record.sizes,
        "labels": [shown(label, t) for label in record.labels],
        "order": order,
        "written": [theme.visible(text) for text in record.written],
        "said": _said(record),
    }

    def told() -> None:
        now = read(getattr(st.session_state.get(key), "moved", None), len(order))
        if now is not None:
            fields.put({kept: " ".join(str(word + 1) for word in now)})

    arrays = {"before": record.before, "after": record.after, "change": record.change.astype("f4")}
    _order(data=pack(head, arrays), key=key, on_moved_change=told)


def read(told: Any, n: int) -> list[int] | None:
    """Return the order that the browser told, each of n words once; None if it is none."""
    order = told.get("order") if isinstance(told, dict) else None
    if not isinstance(order, list) or not all(isinstance(each, int | float) for each in order):
        return None
    return [int(each) for each in order] if sorted(order) == list(range(n)) else None


def _said(record: PermutationRecord) -> dict[str, str]:
    return {
        "title": t("What the encoder makes of each word"),
        "note": t("{shown} of its {all} numbers; marks: before; below: how much changed").format(
            shown=record.after.shape[-1], all=record.n_components
        ),
        "drag": t("Drag a word to another place, or press space and move it with the arrow keys"),
        "place": t("{word}, place {place} of {n}"),
        "lifted": t("{word}: arrow keys move it, space puts it down, Escape puts it back"),
        "lane0": t("Without position codes"),
        "lane1": t("With position codes"),
        "french": t("in French:"),
        "token": t("token"),
        "change": t("change"),
        "before": t("before"),
        "after": t("after"),
    }
