"""What each architecture costs, under the pointer: the sizes move curves and bars before they are let go."""

from pathlib import Path
from typing import Any

import numpy as np

from explorer.lessons import architectures as lesson
from explorer.lessons.architectures.figures import costs as figures
from explorer.lessons.architectures.live.sizes import counts, layers
from explorer.records.architectures import DRAWN
from explorer.records.wording import FLOAT, capitalise, scales
from explorer.ui.live.live import Live

PICTURE = Live(Path(__file__).with_suffix(".js"))


def pack(params: lesson.Params, axis: str, quantity: str) -> dict[str, Any]:
    """Return one cost along an axis and, as bars, at the reader's sizes."""
    shown = [name for name in DRAWN if name != "dilated" or quantity == "longest_path"]
    rows = [DRAWN.index(name) for name in shown]
    unit = np.float32(FLOAT / 2**20 if quantity == "peak" else 1)
    return layers(params, axis, shown) | {
        "counts": counts(quantity)[rows] * unit,
        "compared": counts("compared")[rows] if quantity == "operations" else None,
        "mebibytes": quantity == "peak",
        "scales": scales(),
        "counted": capitalise(figures.quantities()[quantity]),
    }
