"""The fit under the pointer: query, width and points are dragged in the picture, or follow their sliders."""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.lessons.kernel_regression.records import RegressionRecord
from explorer.ui.live.live import Live

PICTURE = Live(Path(__file__).with_suffix(".js"))


def pack_regression(
    fit: RegressionRecord, query: float, widths: tuple[float, float], numbers: npt.NDArray[np.int64]
) -> dict[str, Any]:
    """Return what a picture draws whose query and width have sliders.

    Args:
        fit: gives points, places, truth and kernel.
        query: where is asked.
        widths: the smallest width, which is also the step, and the largest.
        numbers: that each point had before any was moved.
    """
    return pack_fit(fit, query, numbers) | {"widths": widths, "keys": {"query": "kr_query", "width": "kr_width"}}


def pack_fit(fit: RegressionRecord, query: float, numbers: npt.NDArray[np.int64]) -> dict[str, Any]:
    """Return what every picture of a fit draws, as `fitted.js` reads it; arguments as of `pack_regression`."""
    shown = {name: getattr(fit, name) for name in ("kernel", "width", "points", "queries", "truth")}
    return shown | {"numbers": numbers, "query": query}
