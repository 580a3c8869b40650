"""From the hard look-up to the average: whose share the answer is, at every temperature."""

from functools import partial

import numpy as np
import streamlit as st

from explorer.lessons import queries_keys_values as lesson
from explorer.lessons.queries_keys_values import readings, state
from explorer.lessons.queries_keys_values.compute import average_pooling, hard_lookup
from explorer.lessons.queries_keys_values.figures import shares
from explorer.lessons.queries_keys_values.records.lookup import SOFT, WAYS
from explorer.lessons.queries_keys_values.ui import shares_live, tables
from explorer.lessons.queries_keys_values.ui.controls import lookup
from explorer.ui import cache
from explorer.ui.language import t
from explorer.ui.scene import picture, predict

CODE = (hard_lookup, average_pooling)


def controls() -> lesson.Params:
    """Draw query and temperature; the dictionary in the fold."""
    return lookup()


def stage(params: lesson.Params) -> dict[str, str]:
    """Draw the shares of the keys between both ends, and the answers below them."""
    result = cache.compute(lesson.compute, params)
    with st.container(key="qk_path"):
        shares_live.draw(result.lookup, key="qk_path_live")
        picture.remark(
            "qk_path",
            partial(shares.shares, result.lookup, t=t),
            title=t("Whose share the answer is"),
            reading=readings.describe_path(result, t),
            table=lambda: tables.path(result.lookup),
        )
    return {"ways": readings.describe_ways(result, t)}


def answer() -> predict.Answer:
    """Move the query from the first key to the second, and compare how far the weights go, warm and hot."""
    now, hot = moved(1.0), moved(1000.0)
    right = "less" if hot < 0.1 * now else "more" if hot > 1.1 * now else "same"
    return right, {"now": f"{now:.2f}", "hot": f"{hot:.3f}"}


def moved(temperature: float) -> float:
    """Return how much weight changes hands, ½ Σ |Δw|, between a query on the first key and one on the second."""
    keys = [(entry.x, entry.y) for entry in state.Lookup().entries[:2]]
    asked = [lesson.Params(lookup=state.Lookup(query=key, temperature=temperature)) for key in keys]
    first, second = (cache.compute(lesson.compute, each).lookup.weights[WAYS.index(SOFT)] for each in asked)
    return float(np.abs(first - second).sum() / 2)
