"""“Counting in waves”: the whole matrix of codes, and a binary counter beside waves written as bits."""

from functools import partial

import streamlit as st

from explorer.attention import positions
from explorer.lessons import positional_encoding as lesson
from explorer.lessons.positional_encoding import readings, state
from explorer.lessons.positional_encoding.figures import sinusoidal as figures
from explorer.lessons.positional_encoding.ui import controls as widgets, tables
from explorer.records.language import t
from explorer.ui import cache, choice
from explorer.ui.scene import picture

CODE = (positions.wavelengths,)
Chosen = tuple[lesson.Params, int]


def controls() -> Chosen:
    """Base, length of the codes, number of positions, and the pair that is framed."""
    base = widgets.base()
    d_model = choice.slider(t("Length of a code, d_model"), state.LEAST_D, state.MOST_D, 2, key="pe_d")
    length = choice.slider(t("Positions"), state.LEAST_LENGTH, state.MOST_LENGTH, 8, key="pe_length")
    params = widgets.params(base, d_model, length)
    pair = choice.slider(t("Which pair of dimensions?"), 0, state.MOST_D // 2 - 1, key="pe_pair")
    return params, min(pair, params.n_pairs - 1)


def stage(chosen: Chosen) -> dict[str, str]:
    """The codes with their wavelengths, and the counter beside them."""
    params, pair = chosen
    result = cache.compute(lesson.compute, params)
    first, second = st.columns([1.15, 1], gap="medium")
    with first:
        picture.show_chart(
            "pe_codes",
            partial(figures.codes, result.codes, pair),
            title=t("The codes: a row for each position"),
            reading=readings.describe_codes(result, pair),
            of=chosen,
        )
    with second:
        picture.show_chart(
            "pe_counter",
            partial(figures.counter, result.counter),
            title=t("A counter, and waves that count"),
            note=t("for each bit the wave nearest to it"),
            reading=readings.describe_counter(result),
            table=lambda: tables.counter(result.counter),
            of=params,
        )
    return readings.said_growth(result)
