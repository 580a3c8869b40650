"""Scorers as they learn, as a film: what each makes of the same keys at every moment, packed once."""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.lessons.scoring_functions import readings
from explorer.lessons.scoring_functions.figures.panels import diverging
from explorer.records.scoring import FittedScorersRecord
from explorer.ui.live.film import Film

PICTURE = Film(Path(__file__).with_suffix(".js"))


def pack(record: FittedScorersRecord) -> dict[str, Any]:
    """Return loss and accuracy of all moments; beside them weights, W and likeness to the dot product."""
    names = readings.short_names()
    return {
        "names": [names[name] for name in ("best", *record.scorers)],
        "guess": [record.guess_loss, record.chance],
        "signed": diverging(),
        "arrays": arrays(record),
    }


def arrays(record: FittedScorersRecord) -> dict[str, npt.NDArray[Any]]:
    """Return `curves` `[2, moments, scorers]`, `alike` `[moments, scorers]`, and `weights` and `w` as recorded."""
    return {
        "curves": np.stack([record.loss, record.accuracy]).astype(np.float32),
        "alike": record.correlation.astype(np.float32),
        "weights": record.weights.astype(np.float32),
        "w": record.bilinear.astype(np.float32),
    }
