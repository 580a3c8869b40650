"""“Every head”: one row of weights in every layer and head, small, over the picture."""

from dataclasses import replace
from functools import partial

import streamlit as st

from explorer.lessons import vision as lesson
from explorer.lessons.vision import readings, shown
from explorer.lessons.vision.figures import small_maps
from explorer.lessons.vision.ui import controls as widgets, picture as pictures, tables
from explorer.models.vit import ViT
from explorer.scenes.vision import PUPIL
from explorer.ui import plot_clicks
from explorer.ui.language import t
from explorer.ui.scene import picture, predict

CODE = (ViT,)
Chosen = tuple[pictures.Seen | None, lesson.View]


def controls() -> Chosen:
    """Ask who looks, over which picture."""
    query = widgets.query()
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
    hover = t("layer {column}, head {row}; row and column {place} of the picture: {value}")
    step = attention.grid + small_maps.GAP
    picture.show(
        "vi_heads",
        partial(small_maps.overview, seen.picture, maps.swapaxes(0, 1), rows=rows, columns=columns, hover=hover),
        title=t("What {who} looks at in every head").format(who=readings.patch_name(view.query, attention.grid, t)),
        note=t("columns: layers; rows: heads"),
        reading=readings.describe_heads(seen.result, view, t),
        table=lambda: tables.per_head(maps),
        provenance=replace(attention.provenance, detail=f"query {view.query}"),
        of=chosen,
        height=picture.Height(phone="calc(72vw + 10px)"),
        own=seen.own,
    )

    def opened(place: plot_clicks.Place) -> None:
        widgets.open_head(
            _nearest(place["x"] / step, attention.n_layers), _nearest(place["y"] / step, attention.n_heads)
        )

    plot_clicks.listen("vi_heads", opened)


def _nearest(place: float, count: int) -> int:
    return min(max(int(place), 0), count - 1)


def answer() -> predict.Answer:
    """Count the patches that get the pupil's largest weight in some head."""
    weights = pictures.usual().attention.weights[:, :, PUPIL, 1:]
    count = len(set(weights.argmax(-1).ravel().tolist()))
    return ("few" if count <= 8 else "some" if count <= 16 else "many"), {"count": str(count)}
