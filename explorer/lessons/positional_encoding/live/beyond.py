"""Models on a text longer than any before, as a film: what all of them lose packed once, read on in the browser."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.lessons.positional_encoding import trained
from explorer.lessons.positional_encoding.figures.compared import STYLE
from explorer.lessons.positional_encoding.records.extrapolation import BeyondRecord
from explorer.ui.live.film import Film

PICTURE = Film(Path(__file__).with_suffix(".js"))
#: How a dash is drawn, in pixels.
_DASHES = {"solid": "none", "dot": "2 5", "dash": "9 6"}


def pack(records: Sequence[BeyondRecord], *, whole: bool) -> dict[str, Any]:
    """Return the models' lines.

    Args:
        records: of the same positions.
        whole: whether what follows the position that is read is drawn as well, faintly.
    """
    names = trained.kind_names()
    styles = [(names[record.kind], *STYLE[record.kind]) for record in records]
    return {
        "models": [{"name": name, "ink": ink, "dash": _DASHES[dash]} for name, ink, dash in styles],
        "trained": records[0].trained_length,
        "last": int(records[0].edges[-1]),
        "signs": trained.vocabulary(records[0].kind),
        "whole": whole,
        "arrays": arrays(records),
    }


def arrays(records: Sequence[BeyondRecord]) -> dict[str, npt.NDArray[np.float32]]:
    """Return `wavering` `[models, steps]`, exp(loss), NaN where one cannot read, and their `middles` `[steps]`."""
    return {
        "wavering": np.stack([record.wavering for record in records]).astype(np.float32),
        "middles": records[0].middles.astype(np.float32),
    }
