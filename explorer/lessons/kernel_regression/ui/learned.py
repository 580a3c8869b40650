"""A width as it is learned, under the pointer: all epochs at once, so that none is asked of the server."""

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import streamlit as st

from explorer.lessons.kernel_regression.records import LearningRecord, RegressionRecord
from explorer.lessons.kernel_regression.ui import dragged
from explorer.ui import fields, scripts
from explorer.ui.language import t
from explorer.ui.live.pack import pack
from explorer.ui.live.ribbons import read

_learning = scripts.component(Path(__file__).with_name("learning.js"))


def draw(
    fit: RegressionRecord,
    chosen: LearningRecord,
    contrast: LearningRecord | None,
    epoch: int,
    numbers: npt.NDArray[np.int64],
    *,
    key: str,
) -> None:
    """Draw the fit of an epoch, and loss, w and error of all; epochs are dragged, stepped through and played.

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
    head: dict[str, Any] = {
        "fit": dragged.plot(fit, middle, numbers) | {"widths": None, "keys": {}, "ground": True},
        "epoch": epoch,
        "slider": "kr_epoch",
        "measures": list(measures),
        "even": [name == "w" for name in measures.values()],
        "left": chosen.leave_one_out,
        "names": [names[way.leave_one_out] for way in ways],
        "said": _said(),
    }
    arrays = {"widths": chosen.widths.astype(np.float32)}
    arrays |= {name: _packed(way, measures) for name, way in zip(("mine", "other"), (chosen, contrast), strict=True)}

    def told() -> None:
        moved = read(getattr(st.session_state.get(key), "moved", None), chosen.epochs + 1, "epoch")
        if moved is not None:
            fields.put({"kr_epoch": moved})

    put = partial(dragged.put_point, key, len(numbers))
    data = pack(head, arrays)
    _learning(data=data, key=key, on_moved_change=told, on_put_change=put)


def _measures(ways: list[LearningRecord]) -> dict[str, str]:
    """Return the fields that are drawn, by what they are called; the error only where some epoch has one."""
    found = {t("loss"): "loss", t("w = 1/width"): "w"}
    if any(way.against_truth is not None and np.isfinite(way.against_truth).any() for way in ways):
        found[t("error against the truth")] = "against_truth"
    return found


def _packed(way: LearningRecord | None, measures: dict[str, str]) -> npt.NDArray[np.float32]:
    """Return the measures by epoch, `[measures, epochs + 1]`; nothing of a way that is not seen."""
    if way is None:
        return np.zeros((0, 0), np.float32)
    return np.stack([getattr(way, field) for field in measures.values()]).astype(np.float32)


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
