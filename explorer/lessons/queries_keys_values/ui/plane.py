"""The plane of queries: what a query placed anywhere would be answered."""

from functools import partial
from typing import Any

import streamlit as st

from explorer.attention.scoring import gaussian
from explorer.lessons import queries_keys_values as lesson
from explorer.lessons.queries_keys_values import readings
from explorer.lessons.queries_keys_values.figures import ways, weights
from explorer.lessons.queries_keys_values.live import plane
from explorer.lessons.queries_keys_values.records.lookup import REACH
from explorer.lessons.queries_keys_values.ui import controls as widgets, tables
from explorer.records.language import t
from explorer.ui import cache
from explorer.ui.live.told import Action, Index, Number
from explorer.ui.scene import heat_map, picture, rail

CODE = (gaussian,)


def controls() -> lesson.Params:
    """Draw score and temperature; the dictionary and the query in the fold."""
    compared, temperature = widgets.score(), widgets.heat()
    with rail.more():
        return widgets.ask_lookup(widgets.dictionary(), widgets.place(), compared, temperature)


def stage(params: lesson.Params) -> None:
    """Draw the plane, and beside it the three ways of answering."""
    result = cache.compute(lesson.compute, params)
    shown: dict[str, Any] = {"title": t("Three ways of answering"), "reading": readings.describe_ways(result)}
    shown |= {"table": lambda: tables.lookup(result.lookup), "of": params.lookup}
    if heat_map.instead("qk_plane_map", partial(weights.answers, result.lookup), **shown):
        return
    first, second = st.columns([5, 4], gap="medium")
    place = Number(-REACH, REACH, 0.05)
    with first:
        plane.PICTURE.show(
            "qk_plane",
            partial(plane.pack_plane, result.lookup),
            tells={
                "query": Action(widgets.move_query, x=place, y=place),
                "key": Action(widgets.move_key, number=Index(len(result.lookup.entries)), x=place, y=place),
            },
            title=t("The plane of queries"),
            reading=readings.describe_plane(result),
            table=lambda: tables.lookup(result.lookup),
            provenance=result.lookup.provenance,
        )
    with second:
        picture.show_chart("qk_ways", partial(ways.ways, result.lookup), **shown)
