"""Shared keys: heads that share keys and values keep less, and attend otherwise."""

from dataclasses import replace
from functools import partial

import streamlit as st

from explorer.attention.efficient import grouped
from explorer.lessons import efficient_attention as lesson
from explorer.lessons.efficient_attention import readings, state
from explorer.lessons.efficient_attention.compute import compare
from explorer.lessons.efficient_attention.figures import comparison as figures, maps
from explorer.lessons.efficient_attention.ui import controls as widgets, tables
from explorer.records.language import t
from explorer.ui.scene import picture

CODE = (grouped.grouped_query,)


def controls() -> lesson.Params:
    """Ask how many heads of keys are left, and which layer."""
    source, settings = widgets.ask_settings(("groups",), ("groups",), head=False)
    return lesson.Params(source=source, name="grouped", **settings)


def stage(params: lesson.Params) -> None:
    """Draw every head with its own keys and with shared ones; beside it what a decoder keeps."""
    source = params.source
    if not widgets.readable(source):
        return
    variant = params.variant("grouped")
    records = [compare(replace(source, head=head), variant) for head in range(source.n_heads)]
    own = [t("head {number}").format(number=head) for head in range(source.n_heads)]
    shared = [t("shared") for _ in own] if params.groups < source.n_heads else own
    first, second = st.columns([2, 1], gap="medium")
    with first:
        picture.show_chart(
            "ea_shared",
            partial(
                maps.sheet,
                ([each.exact for each in records], [each.weights for each in records]),
                (own, shared),
                records[0],
            ),
            title=t("Every head: with keys of its own, and below with {groups} for all").format(groups=params.groups),
            reading=readings.describe_shared([each.cost for each in records]),
            table=lambda: tables.tabulate_heads([each.cost for each in records]),
            provenance=records[0].provenance,
            of=params,
            height=picture.Height(less_low=36, across=37, phone="calc(50vw + 50px)"),
        )
    counts = [each for each in state.GROUPS if source.n_heads % each == 0]
    choices = {each: compare(source, replace(variant, groups=each)).cost for each in counts}
    with second:
        picture.show_chart(
            "ea_kept_bytes",
            partial(figures.kept_bytes, choices, params.groups),
            title=t("What a decoder keeps"),
            note=t("of one layer"),
            reading=readings.describe_kept_bytes(choices, params.groups),
            provenance=records[0].provenance,
            of=params,
            height=picture.Height(less_low=36, across=44),
        )
