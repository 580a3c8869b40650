"""“ALiBi”: what a head adds to its scores, and what distance leaves of a weight."""

from functools import partial

import streamlit as st

from explorer.attention import positions
from explorer.lessons.positional_encoding import scores, scores_readings
from explorer.lessons.positional_encoding.figures import kinds as figures
from explorer.records.language import t
from explorer.ui import cache, choice
from explorer.ui.scene import picture

CODE = (positions.alibi_slopes,)


def controls() -> scores.Bias:
    """Ask how many heads, and which of them."""
    n_heads = choice.slider(t("Heads"), 1, scores.MOST_HEADS, key="pe_heads")
    return scores.Bias(n_heads=n_heads, head=choice.number(t("Head shown"), n_heads, key="pe_alibi_head"))


def stage(asked: scores.Bias) -> None:
    """The bias of one head, and the decay of all."""
    record = cache.compute(scores.bias, asked)
    first, second = st.columns(2, gap="medium")
    with first:
        picture.show_chart(
            "pe_bias",
            partial(figures.bias, record),
            title=t("What head {head} adds to its scores").format(head=record.head),
            reading=scores_readings.describe_bias(record),
            of=asked,
            height=picture.Height(less=28, less_low=30, across=52),
        )
    with second:
        picture.show_chart(
            "pe_penalties",
            partial(figures.penalties, record),
            title=t("What distance leaves of a weight"),
            reading=scores_readings.describe_penalties(record),
            of=asked,
            height=picture.Height(less=28, less_low=30, across=52),
        )
