"""Linear and random features: no score is computed, and no weight is sharp."""

from functools import partial

import streamlit as st

from explorer.attention.efficient import linear, performer
from explorer.lessons import efficient_attention as lesson
from explorer.lessons.efficient_attention import readings, state
from explorer.lessons.efficient_attention.compute import compare, feature_sweep
from explorer.lessons.efficient_attention.figures import comparison as figures, maps
from explorer.lessons.efficient_attention.ui import controls as widgets, tables
from explorer.records.language import t
from explorer.ui import cache
from explorer.ui.scene import picture

CODE = (linear.over_features, performer.features)


def controls() -> lesson.Params:
    """Ask for the number of random features, layer and head."""
    source, settings = widgets.ask_settings(("n_features",), ("n_features", "seed"))
    return lesson.Params(source=source, name="performer", **settings)


def stage(params: lesson.Params) -> None:
    """Draw exact weights and those of three mechanisms; beside them the error over the number of features."""
    if not widgets.readable(params.source):
        return
    record = compare(params.source, params.variant("performer"))
    most = lesson.Params(
        source=params.source, name="performer", n_features=state.OPTIONS["n_features"][-1], seed=params.seed
    )
    lines = compare(params.source, params.variant("linear"))
    all_features = compare(params.source, most.variant("performer"))
    names = readings.mechanism_names()
    features = t("Performer, {m} features")
    rows = ((record.exact, lines.weights), (record.weights, all_features.weights))
    titles = (
        (names["plain"], names["linear"]),
        (features.format(m=params.n_features), features.format(m=most.n_features)),
    )
    first, second = st.columns([6, 5], gap="medium")
    with first:
        picture.show_chart(
            "ea_feature_weights",
            partial(maps.sheet, rows, titles, record),
            title=t("The weights that stand behind the output"),
            note=t("one draw of the features"),
            reading=readings.describe_weights(record),
            table=lambda: tables.weights(record),
            provenance=record.provenance,
            of=params,
            height=picture.Height(less_low=74, across=60),
        )
    sweep = cache.compute(feature_sweep, params.source)
    with second:
        picture.show_chart(
            "ea_feature_errors",
            partial(figures.features, sweep, params.n_features),
            title=t("What more random features buy"),
            note=t("median of {draws}").format(draws=sweep.errors.shape[1]),
            reading=readings.describe_features(sweep, params.n_features),
            of=params,
            height=picture.Height(less_low=74, across=60),
        )
