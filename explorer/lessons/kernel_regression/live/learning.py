"""A width as it is learned, under the pointer: all epochs at once, so that none is asked of the server."""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.lessons.kernel_regression.live import regression
from explorer.lessons.kernel_regression.records import LearningRecord, RegressionRecord
from explorer.records.language import t
from explorer.ui.live.live import Live

PICTURE = Live(Path(__file__).with_suffix(".js"))


def pack_learning(
    fit: RegressionRecord,
    chosen: LearningRecord,
    contrast: LearningRecord | None,
    epoch: int,
    numbers: npt.NDArray[np.int64],
) -> dict[str, Any]:
    """Return the fit of an epoch, and loss, w and error of all; epochs are dragged, stepped through and played.

    Args:
        fit: gives points, places, truth and kernel.
        chosen: the width by epoch.
        contrast: the other way of learning, if it may be seen.
        epoch: that is shown first.
        numbers: that each point had before any was moved.
    """
    ways = [chosen] if contrast is None else [chosen, contrast]
    measures = _measures(ways)
    names = {True: t("each point left out"), False: t("each point kept in")}
    middle = float(fit.queries[len(fit.queries) // 2])
    return {
        "fit": regression.pack_fit(fit, middle, numbers) | {"widths": None, "keys": {}, "ground": True},
        "epoch": epoch,
        "slider": "kr_epoch",
        "measures": list(measures),
        "even": [name == "w" for name in measures.values()],
        "left": chosen.leave_one_out,
        "names": [names[way.leave_one_out] for way in ways],
        "widths": chosen.widths,
        "ways": [np.stack([getattr(way, field) for field in measures.values()]) for way in ways],
        "said": _said(),
    }


def _measures(ways: list[LearningRecord]) -> dict[str, str]:
    """Return the fields that are drawn, by what they are called; the error only where some epoch has one."""
    found = {t("loss"): "loss", t("w = 1/width"): "w"}
    if any(way.against_truth is not None and np.isfinite(way.against_truth).any() for way in ways):
        found[t("error against the truth")] = "against_truth"
    return found


def _said() -> dict[str, str]:
    return {
        "learning": t("Learning w, epoch by epoch"),
        "title": t("The fit after epoch {epoch}: width {width}"),
        "epoch": t("Epoch shown"),
        "epochs": t("epoch"),
        "at": t("epoch {epoch}"),
        "width": t("width"),
        "play": t("Play"),
        "pause": t("Pause"),
    }
