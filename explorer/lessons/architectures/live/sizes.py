"""What each architecture costs at every size that the sliders can ask for."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.attention.architectures_cost import cost
from explorer.lessons import architectures as lesson
from explorer.lessons.architectures import readings
from explorer.lessons.architectures.figures import costs as figures
from explorer.lessons.architectures.state import STOPS
from explorer.records.architectures import DRAWN, LayerSizes
from explorer.ui.scene import picture


@lru_cache(maxsize=8)
def counts(quantity: str) -> npt.NDArray[np.float32]:
    """Return one cost of each of `DRAWN` at every size, `[architectures, n, d, kernels, heads]`."""
    sizes = [LayerSizes(**dict(zip(STOPS, each, strict=True))) for each in product(*STOPS.values())]
    found = np.array([[getattr(cost(name, each), quantity) for each in sizes] for name in DRAWN], np.float32)
    return found.reshape(len(DRAWN), *map(len, STOPS.values()))


def layers(params: lesson.Params, axis: str, drawn: Sequence[str]) -> dict[str, Any]:
    """Return what a picture says of architectures and of the sliders that move their sizes.

    Args:
        axis: what grows.
        drawn: architectures, in their order.
    """
    names = readings.names()
    return {
        "names": [names[each] for each in drawn],
        "colours": [figures.ink(each) for each in drawn],
        "widths": [figures.WIDTHS[each] for each in drawn],
        "stops": STOPS,
        "at": {name: getattr(params, name) for name in STOPS},
        "keys": {name: f"ar_{name}" for name in STOPS},
        "axis": axis,
        "zoom": picture.live_zoom(),
    }
