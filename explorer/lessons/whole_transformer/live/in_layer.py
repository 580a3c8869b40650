"""One word inside of a layer: what each part reads of the others, and what it adds."""

from pathlib import Path
from typing import Any

from explorer.lessons.whole_transformer import ride
from explorer.lessons.whole_transformer.live import passing
from explorer.lessons.whole_transformer.state import Result
from explorer.ui.live.live import Live

PICTURE = Live(Path(__file__).with_suffix(".js"))


def pack(result: Result, layer: str, row: int, *, numbers: bool) -> dict[str, Any]:
    """Return one word inside of a layer.

    Args:
        layer: such as `dec.1`.
        row: word that is large.
        numbers: whether weights, means and scales are written.
    """
    along, whole = tuple(ride.in_layer(layer, row)), result.whole
    return passing.pack(result, along) | {
        "numbers": numbers,
        "norms": [{each: float(whole[f"{stop.part}.{each}"][row]) for each in ("mean", "scale")} for stop in along],
        "heads": [ride.weights_heard(whole, stop).round(4).tolist() if stop.hears else [] for stop in along],
        "title": passing.layer_name(result, along[0].part),
        "at": row,
        "active": ride.active(whole, along[-1]),
    }
