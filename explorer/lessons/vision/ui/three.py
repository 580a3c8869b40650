"""“Three kinds of attention”: self-attention, spatial and channel attention on one picture."""

from functools import partial

import streamlit as st

from explorer.figures import patches
from explorer.lessons import vision as lesson
from explorer.lessons.vision import readings, shown
from explorer.lessons.vision.compute import gates as gates_of
from explorer.lessons.vision.ui import channels, picture as pictures, tables
from explorer.nn.channel_spatial import CBAM, SqueezeExcitation
from explorer.records.language import t
from explorer.ui import cache, tables as common
from explorer.ui.scene import picture

CODE = (CBAM, SqueezeExcitation)
#: Three stand beside each other, with long readings.
_SQUARE = picture.Height(less=188, less_low=164, most=560, across=33, phone="394px")
Chosen = pictures.Seen | None


def controls() -> Chosen:
    """A picture."""
    return pictures.ask()


def stage(chosen: Chosen) -> dict[str, str]:
    """A picture for each kind."""
    if chosen is None:
        return {}
    result, square = chosen.result, chosen.picture
    last = lesson.View(layer=result.attention.n_layers - 1, shown="mean")
    gates = cache.compute(gates_of, result.params, own=chosen.own)
    values, spatial = shown.shown_map(result, last), gates.positions[-1]
    first, second, third = st.columns(3, gap="medium")
    with first:
        picture.show_chart(
            "vi_self",
            partial(patches.overlay, square, values),
            title=t("Self-attention"),
            note=t("last layer, mean of heads"),
            reading=readings.describe_map(result, last),
            table=lambda: common.on_picture(values),
            provenance=result.attention.provenance,
            of=chosen,
            height=_SQUARE,
            own=chosen.own,
        )
    with second:
        picture.show_chart(
            "vi_spatial",
            partial(patches.overlay, square, spatial.gate, top=1.0),
            title=t("Spatial attention"),
            note=t("each place"),
            reading=readings.describe_places(spatial),
            table=lambda: tables.spatial(spatial),
            provenance=spatial.provenance,
            of=chosen,
            height=_SQUARE,
            own=chosen.own,
        )
    with third:
        channels.bars("vi_channel", gates.channels[0], title=t("Channel attention"), of=chosen, own=chosen.own)
    return {"together": readings.three_kinds(result, gates)}
