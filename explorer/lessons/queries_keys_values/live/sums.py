"""Query, keys, scores and weights under the pointer: what is wanted moves them before its slider is let go."""

from pathlib import Path
from typing import Any

from explorer.figures.look import look
from explorer.lessons.queries_keys_values import readings, state
from explorer.lessons.queries_keys_values.figures import colours
from explorer.lessons.queries_keys_values.records.scene import WITH, SceneRecord
from explorer.ui.live.live import Live
from explorer.ui.scene import picture

PICTURE = Live(Path(__file__).with_suffix(".js"))


def list_sliders(record: SceneRecord) -> dict[str, Any]:
    """Return the sliders that a picture of the scene follows: the features' in their order, then the temperature's."""
    return {
        "sliders": [*(f"qk_{feature}" for feature in record.features), "qk_calm"],
        "choices": state.CALM,
        "temperature": record.temperature,
        "zoom": picture.live_zoom(),
    }


def pack_sums(record: SceneRecord, chosen: int) -> dict[str, Any]:
    """Return query and keys in numbers, the parts of each score, and each weight.

    Args:
        record: of what is wanted.
        chosen: number of the object that is framed.
    """
    objects, features = readings.object_names(), readings.feature_names()
    return list_sliders(record) | {
        "keys": record.keys,
        "query": record.queries[WITH],
        "objects": [objects[each] for each in record.objects],
        "features": [features[each] for each in record.features],
        "colours": colours.of_features(record.features),
        "chosen": chosen,
        "asked": ((0.0, look().muted), (0.5, look().paper), (1.0, look().query)),
        "offered": colours.ramp(look().key),
        "scale": look().weights,
    }
