"""“Every head”: one row of weights in every layer and head, small, over the picture."""

from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from explorer.figures import small_maps
from explorer.lessons import vision as lesson
from explorer.lessons.vision import readings, shown
from explorer.lessons.vision.live import every_head
from explorer.lessons.vision.ui import controls as widgets, picture as pictures
from explorer.models.vit import ViT
from explorer.records.image import patch_name
from explorer.records.language import t
from explorer.scenes.vision import PUPIL
from explorer.ui import choice, tables as common
from explorer.ui.live.told import Action, Index
from explorer.ui.scene import heat_map, predict

CODE = (ViT,)
Chosen = tuple[pictures.Seen | None, lesson.View]


def controls() -> Chosen:
    """Ask who looks, over which picture."""
    query = choice.ask("vi_query")
    return pictures.ask(), lesson.View(query=query)


def stage(chosen: Chosen) -> None:
    """A tile for each head."""
    if st.session_state.pop("vi_opened", False):
        st.rerun()  # of the whole page: another scene is open
    seen, view = chosen
    if seen is None:
        return
    attention, maps = seen.result.attention, shown.head_maps(seen.result, view)
    columns, rows = ([str(each) for each in range(n)] for n in (attention.n_layers, attention.n_heads))
    hover = t("layer {column}, head {row}; row and column {position} of the picture: {value}")
    said: dict[str, Any] = {
        "title": t("What {who} looks at in every head").format(who=patch_name(view.query, attention.grid)),
        "reading": readings.describe_heads(seen.result, view),
        "table": lambda: common.per_head(maps),
        "provenance": replace(attention.provenance, detail=f"query {view.query}"),
    }
    draw = partial(small_maps.overview, seen.picture, maps.swapaxes(0, 1), rows=rows, columns=columns, hover=hover)
    if heat_map.instead("vi_heads_map", draw, of=(seen, view.query), own=seen.own, **said):
        return
    opened = Action(widgets.open_head, layer=Index(attention.n_layers), head=Index(attention.n_heads))
    drawn = partial(every_head.pack, seen.picture, seen.result, view.query)
    every_head.PICTURE.show("vi_heads", drawn, tells={"opened": opened}, **said)


def answer() -> predict.Answer:
    """Count the patches that get the pupil's largest weight in some head."""
    weights = pictures.usual().attention.weights[:, :, PUPIL, 1:]
    count = len(set(weights.argmax(-1).ravel().tolist()))
    return ("few" if count <= 8 else "some" if count <= 16 else "many"), {"count": str(count)}
