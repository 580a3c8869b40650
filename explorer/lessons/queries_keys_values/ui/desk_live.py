"""The desk under the pointer: what is wanted moves the discs before its slider is let go."""

from pathlib import Path

import numpy as np

from explorer.figures.look import LIGHT
from explorer.lessons.queries_keys_values import readings
from explorer.lessons.queries_keys_values.figures import desk, drawings
from explorer.lessons.queries_keys_values.records.scene import SceneRecord
from explorer.lessons.queries_keys_values.ui import sums_live
from explorer.ui import appearance, scripts
from explorer.ui.language import t
from explorer.ui.live.pack import pack

_desk = scripts.component(Path(__file__).with_name("desk.js"))


def draw(record: SceneRecord, *, key: str) -> None:
    """Draw the objects with the weights that they get, without the query and with it."""
    look, names = appearance.current(), readings.object_names(t)
    head = sums_live.followed(record) | {
        "objects": [names[each] for each in record.objects],
        "drawings": [[outline._asdict() for outline in drawings.DRAWINGS[each]] for each in record.objects],
        "edges": (desk.LEFT, desk.RIGHT, desk.LOW, desk.HIGH),
        "radius": desk.RADIUS,
        "wood": desk.WOOD[look.dark],
        "halo": desk.HALO,
        "mean": LIGHT.output,
        "said": {
            "title": t("One desk, looked at twice"),
            "hint": t("The larger the disc, the more weight; point at an object."),
            "with": t("weight with the query"),
            "without": t("weight without it"),
            "gaze": t("weighted mean of the places"),
            "score": t("score"),
            "object": t("{object}: weight {weight} (unasked {before}), score {score}"),
        },
    }
    arrays = {"keys": record.keys, "queries": record.queries, "places": record.places}
    _desk(data=pack(head, {name: each.astype(np.float32) for name, each in arrays.items()}), key=key)
