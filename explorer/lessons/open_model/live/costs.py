"""What a model takes, under the pointer: the length of the text moves memory and maps before it is let go."""

from pathlib import Path
from typing import Any

from explorer.lessons.open_model import costs, wording
from explorer.lessons.open_model.costs import ModelCosts
from explorer.ui.live.live import Live
from explorer.ui.scene import picture

PICTURE = Live(Path(__file__).with_suffix(".js"))


def pack(found: ModelCosts, *, alone: bool = False) -> dict[str, Any]:
    """Return every size that the picture draws, in bytes and as it is said, at each stop of the slider.

    Args:
        alone: whether the maps of the chosen length stand alone: shorter texts beside it would show how they grow.
    """
    card, bounds = found.card, found.bounds
    return {
        "stops": costs.LENGTHS,
        "at": costs.LENGTHS.index(found.params.tokens),
        "key": "om_tokens",
        "download": _sized(found.download),
        "memory": _sized(*map(card.peak_bytes, costs.LENGTHS)),
        "bounds": _sized(bounds.download, bounds.memory),
        "bits": costs.BITS,
        "weights": _sized(*map(card.weight_bytes, costs.BITS)),
        "lengths": costs.DRAWN,
        "maps": _sized(*map(card.map_bytes, costs.DRAWN)),
        "rows": 1 if alone else len(found.lengths),
        "zoom": picture.live_zoom(),
    }


def _sized(*sizes: int) -> dict[str, list[Any]]:
    return {"bytes": list(sizes), "said": list(map(wording.megabytes, sizes))}
