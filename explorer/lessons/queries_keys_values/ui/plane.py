"""The plane of queries: what a query placed anywhere would be answered."""

from functools import partial
from typing import Any

import streamlit as st

from explorer.attention.scoring import gaussian
from explorer.lessons import queries_keys_values as lesson
from explorer.lessons.queries_keys_values import readings, state
from explorer.lessons.queries_keys_values.figures import ways, weights
from explorer.lessons.queries_keys_values.live import plane
from explorer.lessons.queries_keys_values.ui import controls as widgets, tables
from explorer.records.language import t
from explorer.scenes.queries_keys_values import X
from explorer.ui import cache, choice
from explorer.ui.live.told import Action, Index, Number
from explorer.ui.scene import heat_map, picture, rail

CODE = (gaussian,)


def controls() -> lesson.Params:
    """Draw score and temperature; the dictionary and the query in the fold."""
    compared, temperature = choice.ask("qk_score"), choice.ask("qk_t")
    with rail.more():
        entries, query = widgets.dictionary(), (choice.ask("qk_x"), choice.ask("qk_y"))
    return lesson.Params(lookup=state.Lookup(entries=entries, query=query, score=compared, temperature=temperature))


def stage(params: lesson.Params) -> None:
    """Draw the plane, and beside it the three ways of answering."""
    result = cache.compute(lesson.compute, params)
    shown: dict[str, Any] = {"title": t("Three ways of answering"), "reading": readings.describe_ways(result)}
    shown |= {"table": lambda: tables.lookup(result.lookup), "of": params.lookup}
    if heat_map.instead("qk_plane_map", partial(weights.answers, result.lookup), **shown):
        return
    first, second = st.columns([5, 4], gap="medium")
    position = Number(X.low, X.high, X.step)
    with first:
        plane.PICTURE.show(
            "qk_plane",
            partial(plane.pack_plane, result.lookup),
            tells={
                "query": Action(widgets.move_query, x=position, y=position),
                "key": Action(widgets.move_key, number=Index(len(result.lookup.entries)), x=position, y=position),
            },
            title=t("The plane of queries"),
            reading=readings.describe_plane(result),
            table=lambda: tables.lookup(result.lookup),
            provenance=result.lookup.provenance,
        )
    with second:
        picture.show_chart("qk_ways", partial(ways.ways, result.lookup), **shown)
