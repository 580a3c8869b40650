"""“What to fill with”: every fill in every dtype, under a mask and with nothing allowed."""

from dataclasses import replace

import streamlit as st

from explorer.attention.masking import filled_softmax, round_to_dtype
from explorer.lessons.masked_softmax import readings, rows
from explorer.lessons.masked_softmax.ui import controls as widgets, rows_picture
from explorer.records.language import t
from explorer.records.wording import typeset
from explorer.ui import choice
from explorer.ui.scene import picture

CODE = (filled_softmax, round_to_dtype)


def controls() -> widgets.Asked:
    """Sentence, query, and how the fill is used; the batch in the fold."""
    top = st.container(key="ms_fill_here")
    label = t("Add the fill to the score instead of replacing it")
    added = choice.toggle(label, key="ms_added")
    with top:
        params, result, view = widgets.ask()
    return params, result, replace(view, added=added)


def stage(chosen: widgets.Asked) -> dict[str, str]:
    """Both pictures, side by side."""
    params, result, view = chosen
    titles = {False: t("“{query}” under its mask"), True: t("“{query}” with nothing allowed")}
    for (blind, title), column in zip(titles.items(), st.columns(2, gap="medium"), strict=True):
        with column:
            found = rows.fill_rows(result, view, nothing=blind)
            rows_picture.show(
                "ms_fill_nothing" if blind else "ms_fill",
                found,
                title,
                readings.describe_fills(result, view, nothing=blind),
                (params, view),
                picture.Height(less=122, less_low=40),
            )
    kept = dict(zip(result.fills[False].names, result.fills[False].stored, strict=True))
    said = {"thousand_million": "bfloat16 -1e9", "least": "float16 finfo.min"}
    return {name: typeset(f"{kept[fill]:,.0f}") for name, fill in said.items()}
