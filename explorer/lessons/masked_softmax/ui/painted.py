"""A mask under the pointer: the browser draws every row anew while cells are painted; let go, the link keeps them."""

from pathlib import Path
from typing import Any

import streamlit as st

from explorer.lessons.masked_softmax.records import Cell, HeadRecord, names, write_cells
from explorer.ui import appearance, fields, scripts
from explorer.ui.language import t
from explorer.ui.live import pack

_mask = scripts.component(Path(__file__).with_name("mask.js"))


def draw(record: HeadRecord, row: int, *, prefix: str) -> None:
    """Draw the map of a head, to be painted, and one of its rows before and after the mask.

    Args:
        record: the head's scores, and the cells that are forbidden.
        row: which word asks.
        prefix: of the widgets `<prefix>_word` and `<prefix>_cells` that keep what was painted.
    """
    key, look = f"{prefix}_painted", appearance.current()
    size = len(record.labels)
    data = {
        "labels": list(names(record, t)),
        "scores": pack.floats(record.scores),
        "cells": [[query, to] for query in range(size) for to in range(size) if not record.allowed[query, to]],
        "row": row,
        "scale": look.weights,
        "hatch": look.hatch,
        "said": {
            "title": t("Who looks at whom"),
            "row": t("The row of “{word}”"),
            "forbidden": t("forbidden"),
            "before": t("before"),
            "after": t("masked"),
            "factor": t("× {factor}"),
            "stays": t("every word<br>that stays"),
            "nothing": t("nothing<br>is left"),
        },
    }

    def told() -> None:
        found = read(getattr(st.session_state.get(key), "painted", None), size)
        if found is not None:
            asks, cells = found
            fields.put({f"{prefix}_cells": write_cells(cells)})
            if asks < record.n_words:
                fields.put({f"{prefix}_word": str(asks)})

    _mask(data=data, key=key, on_painted_change=told)


def read(told: Any, size: int) -> tuple[int, tuple[Cell, ...]] | None:
    """Return what the browser painted, the row that asks and the forbidden cells; None if it is no such thing."""
    if not isinstance(told, dict) or not isinstance(told.get("cells"), list):
        return None
    row, places = told.get("row", -1), range(size)
    cells = [tuple(each) for each in told["cells"] if isinstance(each, list | tuple) and len(each) == 2]
    if row not in places or not all(place in places for cell in cells for place in cell):
        return None
    return int(row), tuple((int(query), int(to)) for query, to in cells)
