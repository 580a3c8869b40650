"""The picture under the pointer: the patch that is pointed at asks, and the browser shows its weights."""

from pathlib import Path

import streamlit as st

from explorer.lessons import vision as lesson
from explorer.lessons.vision import readings, shown
from explorer.lessons.vision.ui import controls
from explorer.records.image import Picture
from explorer.ui import appearance, scripts
from explorer.ui.language import t
from explorer.ui.live.pack import pack
from explorer.ui.live.ribbons import read

_patches = scripts.component(Path(__file__).with_name("patches.js"))


def draw(picture: Picture, result: lesson.Result, view: lesson.View, note: str, *, key: str, small: bool) -> None:
    """Draw the picture, and over it what the query of the view looks at, or the patch that is pointed at.

    Args:
        note: small print beside the heading: which weights these are.
        small: whether it is drawn as the models see it.
    """
    view, grid = shown.clamp_view(result, view), result.attention.grid
    weights = shown.shown_rows(result, view)
    head = {
        "picture": picture.seen_uri if small else picture.uri,
        "grid": grid,
        "query": view.query,
        "names": [readings.patch_name(token, grid, t) for token in range(len(weights))],
        "light": view.look == "light",
        "scale": appearance.current().weights,
        "said": {
            "title": t("What {who} looks at"),
            "note": note,
            "line": t("{query} gives most to {best}: {weight}"),
            "caption": t("Weights on the patches, row by row"),
            "group": t("Patches: point at one and it asks; a click keeps it; arrow keys go from patch to patch"),
        },
    }

    def told() -> None:
        query = read(getattr(st.session_state.get(key), "chosen", None), len(weights), "query")
        if query is not None:
            controls.open_query(query)

    data = pack(head, {"weights": weights})
    _patches(data=data, key=key, on_chosen_change=told)
