"""“Channels”: the gates of squeeze-and-excitation, and the maps that they open and close."""

from functools import partial

import streamlit as st

from explorer.lessons.vision import readings, shown
from explorer.lessons.vision.compute import gates as gates_of
from explorer.lessons.vision.figures import gates as figures
from explorer.lessons.vision.ui import controls as widgets, picture as pictures, tables
from explorer.nn.channel_spatial import SqueezeExcitation
from explorer.records.image import ChannelGates
from explorer.records.language import t
from explorer.ui import cache
from explorer.ui.scene import picture

CODE = (SqueezeExcitation,)
#: Below the gates stands a long reading.
_HEIGHT = picture.Height(less=188, less_low=164, most=560, phone="394px")
Chosen = tuple[pictures.Seen | None, int]


def controls() -> Chosen:
    """A gate, and the picture it is read on."""
    site = widgets.site()
    return pictures.ask(), site


def stage(chosen: Chosen) -> None:
    """The gates of all channels, and the maps of some."""
    seen, site = chosen
    if seen is None:
        return
    gates = cache.compute(gates_of, seen.result.params, own=seen.own).channels[site]
    most, least = shown.features(gates)
    first, second = st.columns(2, gap="medium")
    with first:
        bars("vi_channels", gates, title=t("How far each channel is open"), of=chosen, own=seen.own)
    with second:
        picture.show_chart(
            "vi_maps",
            partial(figures.maps, gates, {t("Most open"): most, t("Most closed"): least}),
            title=t("What the channels hold"),
            reading=readings.describe_features(gates),
            table=lambda: tables.feature_maps(gates, (*most, *least)),
            of=chosen,
            own=seen.own,
            height=_HEIGHT,
        )


def bars(key: str, gates: ChannelGates, *, title: str, of: object, own: bool) -> None:
    """Draw the gate of every channel."""
    picture.show_chart(
        key,
        partial(figures.channels, gates),
        title=title,
        reading=readings.describe_channels(gates),
        table=lambda: tables.channels(gates),
        of=of,
        own=own,
        height=_HEIGHT,
    )
