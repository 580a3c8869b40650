"""All heads as small maps, layer by layer; a click chooses one."""

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from explorer.figures import heatmap
from explorer.records import AttentionRecord
from explorer.ui import appearance, scripts
from explorer.ui.language import t
from explorer.ui.live import pack

#: A head's group, its layer (place among the group's records) and its number.
Place = tuple[int, int, int]
#: No tile has more pixels than this beside or below each other; of longer sentences it shows the largest weights.
MOST_CELLS = 48
_tiles = scripts.component(Path(__file__).with_suffix(".js"))


def draw(
    groups: Mapping[str, Sequence[AttentionRecord]],
    *,
    key: str,
    chosen: Place | None,
    on_choose: Callable[[Place], None],
    marks: Mapping[Place, tuple[str, str]] | None = None,
    off: Collection[Place] = (),
) -> None:
    """Draw every head of every record as a tile; masked cells are hatched, the chosen head is framed.

    A click, or the arrow keys and Enter, tell Python which head was chosen.

    Args:
        groups: heading (translated; may be empty) to the records of its layers, from the first.
        chosen: the head that is shown elsewhere.
        on_choose: called with the head that the reader chooses, which may be the chosen one again.
        marks: sign and its meaning (translated) by head; if given, heads without a mark are faded.
        off: heads that are switched off: crossed out.
    """
    look = appearance.current()
    layers = [list(records) for records in groups.values()]
    data: dict[str, Any] = {
        "groups": [
            {"title": title, "layers": [_layer(record) for record in records]}
            for title, records in zip(groups, layers, strict=True)
        ],
        "chosen": list(chosen) if chosen else None,
        "marks": None if marks is None else {_name(place): mark for place, mark in marks.items()},
        "off": [_name(place) for place in off],
        "scale": look.weights,
        "masked": (look.line, look.hatch),
        "label": t("layer {layer}, head {head}"),
        "crossed": t("switched off"),
    }

    def told() -> None:
        place = read(getattr(st.session_state.get(key), "chosen", None), layers)
        if place is not None:
            on_choose(place)

    _tiles(data=data, key=key, on_chosen_change=told)


def read(told: Any, layers: Sequence[Sequence[AttentionRecord]]) -> Place | None:
    """Return the head that the browser told; None if there is none such."""
    if not isinstance(told, dict):
        return None
    places = [
        (group, layer, head)
        for group, records in enumerate(layers)
        for layer, record in enumerate(records)
        for head in range(record.n_heads)
    ]
    asked = tuple(told.get(each) for each in ("group", "layer", "head"))
    return next((place for place in places if place == asked), None)


def pooled(weights: np.ndarray[Any, np.dtype[np.float32]]) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Return the largest weight of each block, so that at most `MOST_CELLS` rows and columns remain."""
    for axis in (1, 2):
        size = weights.shape[axis]
        if size > MOST_CELLS:
            weights = np.fmax.reduceat(weights, np.arange(MOST_CELLS) * size // MOST_CELLS, axis=axis)
    return weights


def _layer(record: AttentionRecord) -> dict[str, Any]:
    shown = pooled(heatmap.masked(record.weights, record.allowed))
    heads, queries, keys = shown.shape
    return {"heads": heads, "queries": queries, "keys": keys, "weights": pack.floats(shown)}


def _name(place: Place) -> str:
    return ".".join(map(str, place))
