"""What each architecture costs, under the pointer: the sizes move curves and bars before they are let go."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.attention.architectures_cost import cost
from explorer.lessons import architectures as lesson
from explorer.lessons.architectures import readings, state
from explorer.lessons.architectures.figures import costs as figures
from explorer.records.architectures import DRAWN, LayerSizes
from explorer.records.wording import FLOAT, begun, scales
from explorer.ui import appearance, scripts
from explorer.ui.language import t
from explorer.ui.live.pack import pack
from explorer.ui.scene import picture

_costs = scripts.component(Path(__file__).with_suffix(".js"))
#: Every size that the sliders can ask for, in the order of the arrays' axes.
STOPS = {**state.RANGES, "kernel": state.KERNELS, "heads": state.HEADS}


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
    look, names = appearance.current(), readings.names(t)
    return {
        "names": [names[each] for each in drawn],
        "colours": [figures.ink(each, look) for each in drawn],
        "widths": [figures.WIDTHS[each] for each in drawn],
        "stops": STOPS,
        "at": {name: getattr(params, name) for name in STOPS},
        "keys": {name: f"ar_{name}" for name in STOPS},
        "axis": axis,
        "zoom": picture.live_zoom(),
    }


def draw(params: lesson.Params, axis: str, quantity: str, *, key: str) -> None:
    """Draw one cost along an axis and, as bars, at the reader's sizes."""
    drawn = [name for name in DRAWN if name != "dilated" or quantity == "longest_path"]
    rows = [DRAWN.index(name) for name in drawn]
    unit = FLOAT / 2**20 if quantity == "peak" else 1.0
    head = layers(params, axis, drawn) | {
        "mebibytes": quantity == "peak",
        "pairs": quantity == "operations",
        "scales": scales(t),
        "said": {
            "counted": begun(figures.quantities(t)[quantity]),
            "across": {"n": t("n, length of the sequence"), "d": t("d, numbers per position")}[axis],
            "here": t("At n = {n}, d = {d}"),
            "value": t("at the reader’s sizes"),
        },
    }
    arrays = {"counts": counts(quantity)[rows] * np.float32(unit)}
    if quantity == "operations":
        arrays["compared"] = counts("compared")[rows]
    _costs(data=pack(head, arrays), key=key)
