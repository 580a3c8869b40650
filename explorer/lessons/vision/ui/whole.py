"""“The whole model”: what has reached a patch, how far heads look, and what was learned about places."""

from functools import partial

import streamlit as st

from explorer.attention.image_measures import mean_distance
from explorer.attention.rollout_flow import rollout
from explorer.lessons import vision as lesson
from explorer.lessons.vision import readings, state
from explorer.lessons.vision.compute import codes as codes_of
from explorer.lessons.vision.figures import answers as figures, small_maps
from explorer.lessons.vision.ui import picture as pictures, tables
from explorer.records.language import t
from explorer.ui import cache, choice
from explorer.ui.scene import picture

CODE = (rollout, mean_distance)
Chosen = tuple[pictures.Seen | None, int, str]


def controls() -> Chosen:
    """A measure, the patch it is of, and the picture; what does not act on the measure is only kept for the link."""
    what = choice.ask("vi_more")
    with st.container(key="vi_asks" if what == "rollout" else "vi_asks_in_url"):
        query = choice.ask("vi_query")
    with st.container(key="vi_shows" if what != "positions" else "vi_shows_in_url"):
        return pictures.ask(), query, what


def stage(chosen: Chosen) -> None:
    """The measure that is chosen."""
    seen, query, what = chosen
    if seen is None:
        return
    if what == "rollout":
        _rollout(seen, query)
    elif what == "distance":
        _distances(seen)
    else:
        _positions()


def _rollout(seen: pictures.Seen, query: int) -> None:
    attention = seen.result.attention
    maps = attention.map(attention.rollout[:, query])
    last = lesson.View(query=query, shown="rollout", layer=attention.n_layers - 1)
    picture.show_chart(
        "vi_rollout",
        partial(small_maps.layer_by_layer, seen.picture, maps),
        title=t("What has reached {who} after each layer").format(who=readings.patch_name(query, attention.grid)),
        reading=readings.describe_map(seen.result, last),
        table=lambda: tables.rollout(attention, query),
        provenance=attention.provenance.by(rollout, detail=f"query {query}"),
        of=(seen, query),
        height=picture.Height(phone="calc(66vw + 20px)"),
        own=seen.own,
    )


def _distances(seen: pictures.Seen) -> None:
    attention = seen.result.attention
    picture.show_chart(
        "vi_distances",
        partial(figures.distances, attention),
        title=t("How far the patches look, in every head"),
        reading=readings.describe_distances(seen.result),
        provenance=attention.provenance.by(mean_distance),
        of=seen,
        own=seen.own,
    )


def _positions() -> None:
    codes = cache.compute(codes_of, state.VIT)
    picture.show_chart(
        "vi_positions",
        partial(figures.positions, codes),
        title=t("Each patch’s learned code compared with every other’s"),
        note=t("a small map for each patch"),
        reading=readings.describe_codes(codes),
        table=lambda: tables.positions(codes),
        of="codes",
    )
