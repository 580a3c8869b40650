"""The stage that the core scenes share: a trained head's map, and one row of it before and after the mask."""

from dataclasses import replace
from functools import partial

import pandas as pd
import streamlit as st

from explorer.lessons.masked_softmax import readings, trained_head
from explorer.lessons.masked_softmax.figures import head as figures
from explorer.lessons.masked_softmax.records import Cell, HeadRecord, names
from explorer.lessons.masked_softmax.trained_head import Of, TrainedHead
from explorer.lessons.masked_softmax.ui import by_hand
from explorer.records.language import t
from explorer.ui import choice, fields, messages, plot_clicks, tables
from explorer.ui.scene import picture, rail


def find_head(params: TrainedHead) -> HeadRecord | None:
    """Return the head's weights; none, and a message, where its model cannot be used."""
    return messages.compute(trained_head.compute, params, params.checkpoint)


def head(key: str) -> tuple[int, int]:
    """Ask which head, from the first layer to the last."""
    ids = {
        f"{layer}.{head}": t("layer {layer}, head {head}").format(layer=layer, head=head)
        for layer in range(trained_head.N_LAYERS)
        for head in range(trained_head.N_HEADS)
    }
    layer, number = choice.select(t("Which head?"), ids, key=key).split(".")
    return int(layer), int(number)


def word(key: str, record: HeadRecord | None) -> int:
    """Ask which word asks."""
    if record is None:
        return 0
    named = names(record)[: record.n_words]
    ids = {str(position): messages.plain(name) for position, name in enumerate(named)}
    return int(choice.pills(t("Which word asks?"), ids, key=key))


Chosen = tuple[TrainedHead, HeadRecord | None, int, bool]


def ask(prefix: str, of: Of) -> Chosen:
    """Ask for the word, for the mask or the cells that are forbidden, and for the head."""
    top, bottom = st.container(key=f"{prefix}_here"), st.container(key=f"{prefix}_rest")
    hand: tuple[Cell, ...] = ()
    with bottom:
        on = of == "own" or choice.toggle(t("Mask on"), key=f"{prefix}_on")
        with rail.more():
            layer, number = head(f"{prefix}_head")
            if of == "own":
                hand = by_hand.cells("md_cells", t("Forbidden cells"))
    params = TrainedHead(of=of, layer=layer, head=number, hand=hand)
    with top:
        record = find_head(params)
        return params, record, word(f"{prefix}_word", record), on


#: Height of a square map on a phone: of its cells, and the words above them.
SQUARE = "calc(100vw - 40px)"


def show(prefix: str, chosen: Chosen, what: str, height: picture.Height) -> dict[str, str]:
    """Draw the map and the row; a click on the map chooses the word that asks.

    Args:
        prefix: of the figures' names and of the widgets' keys.
        what: what the mask hides, in the reader's language.
        height: of both.
    """
    params, record, row, masked = chosen
    if record is None:
        return {}
    of = (params, row, masked)
    name = names(record)[row]
    key = f"{prefix}_map"

    first, second = st.columns([1.3, 1], gap="medium")
    with first:
        picture.show_chart(
            key,
            partial(figures.matrix, record, row, masked=masked),
            title=t("Who looks at whom"),
            note=t("row asks column; hatched: forbidden"),
            reading=readings.describe_forbidden(record, what),
            of=of,
            height=replace(height, phone=SQUARE),
        )
        plot_clicks.listen(key, partial(ask_row, prefix, record))
    with second:
        picture.show_chart(
            f"{prefix}_row",
            partial(figures.bars, record, row, masked=masked),
            title=t("The row of “{word}”").format(word=name),
            note=t("adds up to 1"),
            reading=readings.describe_row(record, row, what, masked=masked),
            table=lambda: row_table(record, row),
            of=of,
            height=height,
        )
    return {}


def ask_row(prefix: str, record: HeadRecord, position: plot_clicks.Place) -> None:
    """Let the word ask whose row was clicked; in a callback."""
    query = round(position["y"])
    if 0 <= query < record.n_words:
        fields.set_values({f"{prefix}_word": str(query)})


def row_table(record: HeadRecord, row: int) -> pd.DataFrame:
    """Return one row before and after the mask, a line for each key."""
    columns = (t("score"), t("before"), t("masked"))
    numbers = (record.scores[row], record.before[row], record.after[row])
    table = tables.matrix(pd.DataFrame(numbers).T.to_numpy(), names(record), columns)
    table[t("allowed")] = [t("yes") if each else t("no") for each in record.allowed[row]]
    return table
