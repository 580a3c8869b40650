"""A width as it is learned, under the pointer: all epochs at once, so that none is asked of the server."""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.lessons.kernel_regression.live import regression
from explorer.lessons.kernel_regression.records import LearningRecord, RegressionRecord
from explorer.ui.live.live import Live

PICTURE = Live(Path(__file__).with_suffix(".js"))


def pack_learning(
    fit: RegressionRecord,
    chosen: LearningRecord,
    contrast: LearningRecord | None,
    epoch: int,
    numbers: npt.NDArray[np.int64],
    *,
    every: bool,
) -> dict[str, Any]:
    """Return the fit of an epoch, and the error of all; epochs are dragged, stepped through and played.

    Args:
        fit: gives points, places, truth and kernel.
        chosen: the width by epoch.
        contrast: the other way of learning, if it may be seen.
        epoch: that is shown first.
        numbers: that each point had before any was moved.
        every: whether loss and w are drawn, too.
    """
    ways = [chosen] if contrast is None else [chosen, contrast]
    measures = _measures(ways, every)
    middle = float(fit.queries[len(fit.queries) // 2])
    return {
        "fit": regression.pack_fit(fit, middle, numbers) | {"widths": None, "keys": {}, "ground": True},
        "epoch": epoch,
        "slider": "kr_epoch",
        "measures": measures,
        "left": chosen.leave_one_out,
        "widths": chosen.widths,
        "ways": [np.stack([getattr(way, field) for field in measures]) for way in ways],
    }


def _measures(ways: list[LearningRecord], every: bool) -> list[str]:
    """Return the fields that are drawn: the error, or the loss where no epoch has an error; or all of them."""
    known = any(way.against_truth is not None and np.isfinite(way.against_truth).any() for way in ways)
    error = ["against_truth"] if known else []
    return ["loss", "w", *error] if every else error or ["loss"]
