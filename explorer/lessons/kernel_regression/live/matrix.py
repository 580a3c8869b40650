"""The weights of every query under the pointer, and what comes of each."""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.figures.look import look
from explorer.lessons.kernel_regression.live import regression
from explorer.lessons.kernel_regression.records import RegressionRecord
from explorer.ui.live.live import Live

PICTURE = Live(Path(__file__).with_suffix(".js"))


def pack_matrix(
    fit: RegressionRecord, query: float, widths: tuple[float, float], numbers: npt.NDArray[np.int64]
) -> dict[str, Any]:
    """Return what the picture draws; arguments as of `regression.pack_regression`."""
    shown = regression.pack_regression(fit, query, widths, numbers)
    return shown | {"scale": look().weights}
