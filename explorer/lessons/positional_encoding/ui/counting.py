"""“Counting in waves”: the whole matrix of codes, and a binary counter beside waves written as bits."""

from functools import partial

import streamlit as st

from explorer.attention import positions
from explorer.lessons import positional_encoding as lesson
from explorer.lessons.positional_encoding import readings
from explorer.lessons.positional_encoding.figures import sinusoidal as figures
from explorer.lessons.positional_encoding.ui import controls as widgets, tables
from explorer.records.language import t
from explorer.scenes.positional_encoding import COUNTING
from explorer.ui import cache
from explorer.ui.scene import picture, rail

CODE = (positions.wavelengths,)
Chosen = tuple[lesson.Params, int]


def controls() -> Chosen:
    """Base, length of the codes, number of positions, and the pair that is framed."""
    base, asked = widgets.base(), rail.ask(COUNTING.controls)
    params = widgets.params(base, asked["d_model"], asked["length"])
    return params, min(asked["pair"], params.n_pairs - 1)


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
