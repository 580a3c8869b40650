"""Every head over small copies of the picture: the browser shows who asks while the slider is moved."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import streamlit as st

from explorer.lessons import vision as lesson
from explorer.lessons.vision import readings
from explorer.records.image import Picture
from explorer.ui import scripts
from explorer.ui.language import t
from explorer.ui.live.pack import pack
from explorer.ui.live.ribbons import read

_every_head = scripts.component(Path(__file__).with_suffix(".js"))


def draw(picture: Picture, result: lesson.Result, query: int, on_open: Callable[[int, int], None], *, key: str) -> None:
    """Draw a tile for each head: the picture is bright where the query looks.

    Args:
        query: token that asks: 0 for the class token, then the patches row by row.
        on_open: called with the layer and the head whose tile is clicked, or chosen by Enter.
    """
    attention = result.attention
    head = {
        "picture": picture.thumbnail,
        "grid": attention.grid,
        "query": query,
        "names": [readings.patch_name(token, attention.grid, t) for token in range(attention.weights.shape[-1])],
        "said": {
            "title": t("What {who} looks at in every head"),
            "note": t("columns: layers; rows: heads"),
            "tile": t("layer {layer}, head {head}"),
            "cell": t("layer {column}, head {row}; row and column {place} of the picture: {value}"),
        },
    }

    def told() -> None:
        chosen = getattr(st.session_state.get(key), "chosen", None)
        layer, number = read(chosen, attention.n_layers, "layer"), read(chosen, attention.n_heads, "head")
        if layer is not None and number is not None:
            on_open(layer, number)

    data = pack(head, {"weights": attention.weights.astype(np.float16)})
    _every_head(data=data, key=key, on_chosen_change=told)
