"""A soft dictionary: every key answers as well as it fits."""

from functools import partial

import streamlit as st

from explorer.attention.attend import attend
from explorer.lessons import queries_keys_values as lesson
from explorer.lessons.queries_keys_values import readings, state
from explorer.lessons.queries_keys_values.figures import ribbons
from explorer.lessons.queries_keys_values.records.lookup import SOFT, WAYS
from explorer.lessons.queries_keys_values.ui import dictionary_live, tables
from explorer.lessons.queries_keys_values.ui.controls import lookup
from explorer.scenes.queries_keys_values import DICTIONARY, LESSON
from explorer.ui import cache
from explorer.ui.language import t
from explorer.ui.scene import picture, predict

CODE = (attend,)


def controls() -> lesson.Params:
    """Draw query and temperature; the dictionary in the fold."""
    return lookup()


def stage(params: lesson.Params) -> None:
    """Draw how the query reaches the keys, and the values the answer."""
    result = cache.compute(lesson.compute, params)
    settled = predict.settled(LESSON, DICTIONARY)
    with st.container(key="qk_dictionary"):
        dictionary_live.draw(result.lookup, key="qk_dictionary_live")
        picture.remark(
            "qk_dictionary",
            partial(ribbons.ribbons, result.lookup, t=t),
            title=t("From the query to the answer"),
            reading=(readings.describe_lookup if settled else readings.describe_plane)(result, t),
            table=lambda: tables.lookup(result.lookup),
        )


def answer() -> predict.Answer:
    """Ask from a corner of the plane, and add the weights up."""
    record = cache.compute(lesson.compute, lesson.Params(lookup=state.Lookup(query=(-4.0, -4.0)))).lookup
    total = float(record.weights[WAYS.index(SOFT)].sum())
    right = "all" if total > 0.95 else "none" if total < 0.05 else "half"
    return right, {"distance": f"{record.distances.min():.2f}", "total": f"{total:.3g}"}
