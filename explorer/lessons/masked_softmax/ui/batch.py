"""“A batch of your own”: every rule that forbids, on sentences that the reader types."""

from functools import partial

import pandas as pd
import streamlit as st

from explorer.attention.masking import causal, masked_softmax, valid, window
from explorer.lessons import masked_softmax as lesson
from explorer.lessons.masked_softmax import readings, rows
from explorer.lessons.masked_softmax.figures import head as figures, masks
from explorer.lessons.masked_softmax.records import names
from explorer.lessons.masked_softmax.ui import by_hand, controls as widgets, trained
from explorer.records.language import t
from explorer.ui import choice, plot_clicks, tables
from explorer.ui.scene import picture

CODE = (masked_softmax, valid, causal, window)
Chosen = tuple[lesson.Params, lesson.Result, lesson.View, str]


def controls() -> Chosen:
    """Sentences, rules, and what the map shows."""
    params, result, view = widgets.batch_first()
    shown = {"weights": t("weights"), "mask": t("mask"), "scores": t("scores")}
    what = choice.buttons(t("The map shows"), shown, key="ms_shown")
    return params, result, view, what


def stage(chosen: Chosen) -> None:
    """The map, and one row."""
    params, result, view, _ = chosen
    record = rows.head(result, view)
    first, second = st.columns([1.3, 1], gap="medium")
    with first:
        _map(chosen)
    with second:
        name = names(record)[view.query]
        picture.show_chart(
            "ms_row",
            partial(figures.bars, record, view.query, masked=True),
            title=t("The row of “{word}”").format(word=name),
            note=t("adds up to 1"),
            reading=readings.describe_row(record, view.query, t("forbidden keys"), masked=True),
            table=lambda: trained.row_table(record, view.query),
            of=(params, view),
            height=picture.Height(less=28, less_low=30, across=56),
        )


def _map(chosen: Chosen) -> None:
    params, result, view, what = chosen
    record, mask = rows.head(result, view), result.masks[view.batch]
    named = names(record)
    drawn = {
        "weights": partial(figures.matrix, record, view.query, masked=True),
        "mask": partial(masks.mask, mask, view.query),
        "scores": partial(masks.scores, record.scores, named, view.query),
    }
    told = {
        "weights": readings.describe_weights,
        "mask": readings.describe_mask,
        "scores": readings.describe_scores,
    }
    titles = {"weights": t("Weights"), "mask": t("Mask: 1 may attend, 0 may not"), "scores": t("Scores")}

    def clicked(position: plot_clicks.Place) -> None:
        query, key = round(position["y"]), round(position["x"])
        if 0 <= query < params.n and 0 <= key < params.n:
            by_hand.flip("ms_hand", query, key)

    picture.show_chart(
        "ms_map",
        drawn[what],
        title=titles[what],
        note=t("click a cell to change it"),
        reading=told[what](result, view),
        table=(lambda: _mask_table(result, view)) if what == "mask" else None,
        provenance=mask.provenance if what == "mask" else record.provenance,
        of=chosen[:1] + chosen[2:],
        height=picture.Height(less=28, less_low=30, across=56, phone=trained.SQUARE),
    )
    plot_clicks.listen("ms_map", clicked)


def _mask_table(result: lesson.Result, view: lesson.View) -> pd.DataFrame:
    """Return 1 for an allowed cell, 0 and the reasons for a forbidden one."""
    record, said = result.masks[view.batch], masks.reason_names()
    table = tables.matrix(record.allowed.astype("float32"), record.query_labels, record.key_labels)
    cells = [
        [
            "1" if allowed else f"0 ({t(', ').join(said[why] for why in record.reasons(i, j))})"
            for j, allowed in enumerate(row)
        ]
        for i, row in enumerate(record.allowed)
    ]
    return pd.DataFrame(cells, index=table.index, columns=table.columns)
