"""The heat map that a scene offers instead of its picture: a switch on the stage, which the link carries."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from explorer.records.language import t
from explorer.ui import choice, plot_clicks
from explorer.ui.paper.collected import Draw, collecting
from explorer.ui.scene import picture

#: Key of the choice in the link: `?sight=map`.
KEY = "sight"
#: Opens the heat map, where a click elsewhere does.
OPEN = {KEY: "map"}


def ask_heat_map() -> bool:
    """Draw the switch *Picture | Heat map*, and return whether the heat map is asked for; on paper it never is.

    Call it before anything else is drawn on the stage.
    """
    if collecting():
        return False
    with st.container(key="switch"):
        names = {"picture": t("Picture"), "map": t("Heat map")}
        return choice.buttons(t("Show as"), names, key=KEY, label_visibility="collapsed") == "map"


def instead(key: str, draw: Draw, **figure: Any) -> bool:
    """Draw the switch, and the heat map if it is asked for; arguments as of `show`.

    Returns:
        Whether the heat map stands there: the scene then draws no picture.
    """
    if not ask_heat_map():
        return False
    show(key, draw, **figure)
    return True


def show(
    key: str,
    draw: Draw,
    *,
    on_click: Callable[[plot_clicks.Place], None] | None = None,
    frames: list[plot_clicks.Place] | None = None,
    **figure: Any,
) -> None:
    """Draw the heat map.

    Args:
        key: English name, unique on the page.
        draw: makes the heat map for a look.
        on_click: gets the place that was clicked.
        frames: around what is chosen, as of `plot_clicks.listen`.
        figure: further arguments of `picture.show_chart`: its title, its reading, what it depends on.
    """
    picture.show_chart(key, draw, **figure)
    if on_click is not None:
        plot_clicks.listen(key, on_click, frames=frames)
