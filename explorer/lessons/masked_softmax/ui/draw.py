"""“Draw your own”: forbid cells of a trained head by painting over them."""

from functools import partial
from typing import Any

import streamlit as st

from explorer.attention.masking import masked_softmax
from explorer.figures import drawn_numbers
from explorer.lessons.masked_softmax import readings, trained_head
from explorer.lessons.masked_softmax.figures import head as figures
from explorer.lessons.masked_softmax.live import mask
from explorer.lessons.masked_softmax.records import HeadRecord, names, write_cells
from explorer.lessons.masked_softmax.trained_head import TrainedHead
from explorer.lessons.masked_softmax.ui import trained
from explorer.records.language import t
from explorer.scenes.masked_softmax import DRAW
from explorer.ui import cache, fields
from explorer.ui.live.told import Action, Index, ListOf
from explorer.ui.scene import heat_map, predict

CODE = (masked_softmax,)


def controls() -> trained.Chosen:
    """Ask for word, head and forbidden cells."""
    return trained.ask("md", "own")


def stage(chosen: trained.Chosen) -> dict[str, str]:
    """Draw the map, to be painted, and one row."""
    params, record, row, _ = chosen
    if record is None:
        return {}
    draw = partial(figures.matrix, record, row, masked=True)
    shown: dict[str, Any] = {"title": t("Who looks at whom"), "reading": readings.describe_head(record)}
    ask = partial(trained.ask_row, "md", record)
    if heat_map.instead("md_head_map", draw, of=(params, row), on_click=ask, **shown):
        return {}
    drawn, position = partial(mask.pack, record, row), Index(len(record.labels))
    cells = ListOf(ListOf(position, 2, 2), 0, record.allowed.size)
    tells = {"painted": Action(partial(_keep, record), row=position, cells=cells)}
    with st.container(key="md_map"):
        mask.PICTURE.draw("md_map_live", drawn, tells=tells)
        first, second = st.columns([1.3, 1], gap="medium")
        with first:
            mask.PICTURE.remark(
                "md_map",
                drawn,
                table=lambda: drawn_numbers.table(draw()),
                provenance=record.provenance,
                **shown,
            )
        with second:
            mask.PICTURE.remark(
                "md_row",
                drawn,
                title=t("The row of “{word}”").format(word=names(record)[row]),
                reading=readings.describe_row(record, row, t("the cells that you forbid"), masked=True),
                table=lambda: trained.row_table(record, row),
                provenance=record.provenance,
                on_paper=False,
            )
    return {}


def _keep(record: HeadRecord, row: int, cells: list[list[int]]) -> None:
    """Have the link carry the forbidden cells, and the word that asks; in a callback."""
    fields.set_values({"md_cells": write_cells((query, key) for query, key in cells)})
    if row < record.n_words:
        fields.set_values({"md_word": str(row)})


def answer() -> predict.Answer:
    """Compute what the second favourite of the row gets once the first is forbidden."""
    record = cache.compute(trained_head.compute, TrainedHead(of="own", layer=1, head=2, hand=((7, 8),)))
    row = int(DRAW.defaults["md_word"])
    second = int(record.after[row].argmax())
    before, after, lost = float(record.before[row, second]), float(record.after[row, second]), float(record.lost[row])
    rules = {"same": before, "share": before / (1 - lost), "all": before + lost}
    right = min(rules, key=lambda name: abs(rules[name] - after))
    return right, {"before": f"{before:.2f}", "lost": f"{lost:.2f}", "after": f"{after:.2f}"}
