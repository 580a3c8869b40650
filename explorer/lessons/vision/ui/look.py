"""“Let a patch look”: the picture is the stage, and one row of weights lies over it."""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from explorer.attention.rollout_flow import rollout
from explorer.figures import patches
from explorer.lessons import vision as lesson
from explorer.lessons.vision import readings, shown, state
from explorer.lessons.vision.compute import accuracy, journey as journey_of
from explorer.lessons.vision.ui import answers, controls as widgets, picture as pictures
from explorer.models.vit import ViT
from explorer.records.image import patch_name
from explorer.records.language import t
from explorer.scenes.vision import LOOK, PUPIL
from explorer.ui import choice, fields, tables as common
from explorer.ui.live import journey, patches as live
from explorer.ui.live.told import Action, Index
from explorer.ui.scene import heat_map, picture, predict, rail

CODE = (ViT, rollout)
Chosen = tuple[pictures.Seen | None, lesson.View, bool, bool]


def controls() -> Chosen:
    """Ask who looks, in which head, over which picture."""
    widgets.askers()
    small, where = choice.ask("vi_seen"), st.container()
    seen = pictures.ask()
    with rail.more():
        query = choice.ask("vi_query")
        what, style = choice.ask("vi_shown"), choice.ask("vi_look")
    with where:
        layer, head = widgets.head(one=what in ("head", "journey"))
    shown: lesson.Shown = "head" if what == "journey" else what
    view = lesson.View(query=query, layer=layer, head=head, shown=shown, look=style)
    return seen, view, small, what == "journey"


def stage(chosen: Chosen) -> dict[str, str]:
    """The picture with the weights over it, and the answers."""
    seen, view, small, travels = chosen
    if seen is None:
        return {}
    mapped = heat_map.ask_heat_map()
    if travels and not mapped:
        _travel(seen, view)
    else:
        _looked(seen, view, small=small, mapped=mapped)
    vit, cnn = (f"{accuracy(name):.1%}" for name in (state.VIT, state.CNN))
    sight = readings.describe_sight(seen.picture, seen.result)
    return {**readings.typical_weights(seen.result), "vit": vit, "cnn": cnn, "sight": sight}


def _looked(seen: pictures.Seen, view: lesson.View, *, small: bool, mapped: bool) -> None:
    first, second = st.columns([1.25, 1], gap="medium")
    with first:
        _over(seen, view, small=small, mapped=mapped)
    with second:
        series = dict(zip((t("Transformer"), t("Convolutional network")), seen.result.answers, strict=True))
        answers.show(
            "vi_answers",
            series,
            height=picture.Height(across=50),
            title=t("What the models say it is"),
            reading=readings.describe_answers(seen.result.answers),
            of=seen,
            own=seen.own,
        )


def _travel(seen: pictures.Seen, view: lesson.View) -> None:
    """Draw the query of one patch past the keys that it weighs most."""
    grid = seen.result.attention.grid
    names = tuple(readings.short_name(token, grid) for token in range(grid**2 + 1))
    record = journey.cut(journey_of(seen.result.params, view, names))
    journey.PICTURE.show(
        "vi_travel",
        partial(journey.pack, record),
        title=t("What {who} looks at").format(who=patch_name(view.query, grid)),
        reading=journey.describe(record),
        table=lambda: journey.table(record),
        provenance=record.attention.provenance,
    )


def _over(seen: pictures.Seen, view: lesson.View, *, small: bool, mapped: bool) -> None:
    result, square = seen.result, seen.picture
    values = shown.shown_map(result, view)
    what = {
        "head": t("layer {layer}, head {head}"),
        "mean": t("layer {layer}, mean over its heads"),
        "rollout": t("rollout up to layer {layer}"),
    }[view.shown].format(layer=view.layer, head=view.head)
    by = {"head": f"layers.{view.layer}.self, head {view.head}"}.get(view.shown, f"{view.shown}, layer {view.layer}")
    said: dict[str, Any] = {
        "title": t("What {who} looks at").format(who=patch_name(view.query, result.attention.grid)),
        "reading": readings.describe_map(result, view),
        "table": lambda: common.on_picture(values),
        "provenance": replace(result.attention.provenance, detail=f"{by}, query {view.query}"),
    }
    if mapped:
        drawn = replace(square, uri=square.seen_uri) if small else square
        heat_map.show(
            "vi_large_map",
            partial(patches.overlay, drawn, values, style="colour", asks=view.query - 1, value_title=t("weight")),
            height=picture.Height(across=50, phone="calc(100vw + 20px)"),
            of=(seen, view, small),
            own=seen.own,
            on_click=lambda position: fields.set_values({"vi_query": 1 + widgets.clicked_patch(position)}),
            **said,
        )
        return
    live.PICTURE.show(
        "vi_large",
        partial(
            live.pack,
            square.seen_uri if small else square.uri,
            shown.shown_rows(result, view),
            shown.clamp_view(result, view).query,
            note=what,
            line=readings.said_of_map(view),
            light=view.look == "light",
            small=small,
        ),
        tells={"chosen": Action(widgets.open_query, query=Index(1 + values.size))},
        **said,
    )


def answer() -> predict.Answer:
    """Compute how much of the pupil's weight goes farther than to the patches around it."""
    layer, head = int(LOOK.defaults["vi_layer"]), int(LOOK.defaults["vi_head"])
    attention = pictures.usual().attention
    row = attention.weights[layer, head, PUPIL, 1:]
    positions = np.indices((attention.grid, attention.grid)).reshape(2, -1)
    apart = np.abs(positions - positions[:, [PUPIL - 1]]).max(0)
    far, best = float(row[apart > 1].sum()), int(row.argmax())
    said = {"far": f"{far:.0%}", "best": patch_name(1 + best, attention.grid), "weight": f"{row[best]:.0%}"}
    return "far" if far > row.sum() / 2 else "near", said
