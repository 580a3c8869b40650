"""Leave cells out: what one head loses, and what the model loses."""

from functools import partial
from typing import Any

import streamlit as st

from explorer.attention.efficient import bigbird, block_sparse, dilated, global_tokens, longformer, strided, window
from explorer.lessons import efficient_attention as lesson
from explorer.lessons.efficient_attention import left_out, readings, state, task
from explorer.lessons.efficient_attention.compute import compare
from explorer.lessons.efficient_attention.figures import left_out as figures
from explorer.lessons.efficient_attention.live import kept_map
from explorer.lessons.efficient_attention.ui import controls as widgets, tables
from explorer.records.language import t
from explorer.ui import messages
from explorer.ui.scene import heat_map, picture, predict

CODE = (
    window.window_partial,
    dilated.dilated_mask,
    strided.strided_mask,
    global_tokens.with_first,
    longformer.longformer,
    block_sparse.block_sparse,
    bigbird.layout,
)


def controls() -> lesson.Params:
    """Ask for the pattern, how much it computes, layer and head."""
    return widgets.mechanism(state.SPARSE, t("Which pattern?"))


def stage(params: lesson.Params) -> None:
    """Draw what the head keeps and loses; beside it what the model loses."""
    if not widgets.readable(params.source):
        return
    mapped = heat_map.ask_heat_map()
    map_, model = st.columns([6, 5], gap="medium")
    with map_:
        _kept(params, mapped=mapped)
    with model, messages.explain(state.GPT):
        _model(params)


def _kept(params: lesson.Params, *, mapped: bool) -> None:
    record = compare(params.source, params.variant(params.name))
    said: dict[str, Any] = {
        "title": t("What this head keeps"),
        "reading": left_out.describe_kept(record),
        "table": lambda: tables.weights(record),
    }
    note = t("{n} positions").format(n=len(record.labels))
    if mapped:
        heat_map.show("ea_kept_figure", partial(figures.draw_kept, record), note=note, of=params, **said)
        return
    picture.heading(said["title"], note)
    drawn = partial(kept_map.pack, params, record)
    kept_map.PICTURE.show("ea_kept", drawn, provenance=record.provenance, **said)


def _model(params: lesson.Params) -> None:
    variant, record = params.variant(params.name), task.read_evaluation()[0]
    point = task.point(variant)
    names = readings.mechanism_names()
    picture.show_chart(
        "ea_model",
        partial(figures.model, record, point, state.SPARSE, names=names),
        title=t("How unsure the model becomes"),
        note=t("pale: other patterns"),
        reading=left_out.describe_model(record, point),
        table=lambda: tables.task(record, point),
        of=params,
        height=picture.Height(less_low=36, across=56, phone_type=10.5),
    )


def answer() -> predict.Answer:
    """Say how much of its weight the head loses that stands there first, and what the model loses."""
    params = lesson.Params()
    variant = params.variant(params.name)
    lost = left_out.lost_share(compare(params.source, variant))
    right = min({"fifth": 0.2, "half": 0.5, "most": 0.9}.items(), key=lambda each: abs(each[1] - lost))[0]
    now, exact = task.point(variant).letters, task.read_evaluation()[0].letters
    return right, {"lost": f"{lost:.0%}", "now": f"{now:.3g}", "exact": f"{exact:.3g}"}
