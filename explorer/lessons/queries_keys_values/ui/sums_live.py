"""Query, keys, scores and weights under the pointer: what is wanted moves them before its slider is let go."""

from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from explorer.figures import theme
from explorer.lessons.queries_keys_values import readings, state
from explorer.lessons.queries_keys_values.figures import colours
from explorer.lessons.queries_keys_values.records.scene import WITH, SceneRecord
from explorer.lessons.queries_keys_values.ui import controls
from explorer.ui import appearance, fields, scripts
from explorer.ui.language import t
from explorer.ui.live.pack import pack
from explorer.ui.live.ribbons import read
from explorer.ui.scene import picture

_sums = scripts.component(Path(__file__).with_name("sums.js"))


def followed(record: SceneRecord) -> dict[str, Any]:
    """Return the sliders that a picture of the scene follows: the features' in their order, then the temperature's."""
    return {
        "keys": [*(f"qk_{feature}" for feature in record.features), "qk_calm"],
        "choices": controls.CALM,
        "temperature": record.temperature,
        "zoom": picture.live_zoom(),
    }


def draw(record: SceneRecord, chosen: int, *, key: str) -> None:
    """Draw query and keys in numbers, the parts of each score, and each weight; the row that is clicked is kept.

    Args:
        record: of what is wanted.
        chosen: number of the object that is framed.
    """
    look = appearance.current()
    objects, features = readings.object_names(t), readings.feature_names(t)
    head = followed(record) | {
        "objects": [objects[each] for each in record.objects],
        "features": [features[each] for each in record.features],
        "colours": [theme.colour(place) for place in range(len(record.features))],
        "chosen": chosen,
        "asked": ((0.0, look.muted), (0.5, look.paper), (1.0, look.query)),
        "offered": colours.ramp(look.key, look).weights,
        "scale": look.weights,
        "said": {
            "title": t("Query times key, added up, put through softmax"),
            "hint": t("Query times key, added up, put through softmax; click a row to write it out."),
            "query": t("query"),
            "score": t("score"),
            "weight": t("weight"),
            "adds": t("{feature} adds"),
        },
    }

    def told() -> None:
        row = read(getattr(st.session_state.get(key), "chosen", None), len(record.objects))
        if row is not None:
            fields.put({"qk_object": list(state.OBJECTS)[row]})

    arrays = {"keys": record.keys.astype(np.float32), "query": record.queries[WITH].astype(np.float32)}
    _sums(data=pack(head, arrays), key=key, on_chosen_change=told)
