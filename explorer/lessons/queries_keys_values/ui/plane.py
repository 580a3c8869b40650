"""The plane of queries: what a query placed anywhere would be answered."""

from functools import partial

import streamlit as st

from explorer.attention.scoring import gaussian
from explorer.lessons import queries_keys_values as lesson
from explorer.lessons.queries_keys_values import readings
from explorer.lessons.queries_keys_values.figures import plane, ways
from explorer.lessons.queries_keys_values.ui import controls as widgets, dragged, tables
from explorer.ui import cache
from explorer.ui.language import t
from explorer.ui.scene import picture, rail

CODE = (gaussian,)


def controls() -> lesson.Params:
    """Draw score and temperature; the dictionary and the query in the fold."""
    compared, temperature = widgets.score(), widgets.heat()
    with rail.more():
        return widgets.asked(widgets.dictionary(), widgets.place(), compared, temperature)


def stage(params: lesson.Params) -> None:
    """Draw the plane, and beside it the three ways of answering."""
    result = cache.compute(lesson.compute, params)
    first, second = st.columns([5, 4], gap="medium")
    with first, st.container(key="qk_plane"):
        dragged.draw(result.lookup, key="qk_dragged")
        picture.remark(
            "qk_plane",
            partial(plane.plane, result.lookup, t=t),
            title=t("The plane of queries"),
            reading=readings.describe_plane(result, t),
            table=lambda: tables.lookup(result.lookup),
        )
    with second:
        picture.show(
            "qk_ways",
            partial(ways.ways, result.lookup, t=t),
            title=t("Three ways of answering"),
            reading=readings.describe_ways(result, t),
            table=lambda: tables.lookup(result.lookup),
            of=params.lookup,
        )
