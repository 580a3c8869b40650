"""Every head over small copies of the picture: the browser shows who asks while the slider is moved."""

from pathlib import Path
from typing import Any

import numpy as np

from explorer.figures import patches
from explorer.lessons import vision as lesson
from explorer.records.image import Picture, patch_name
from explorer.ui.live.live import Live

PICTURE = Live(Path(__file__).with_suffix(".js"))


def pack(picture: Picture, result: lesson.Result, query: int) -> dict[str, Any]:
    """Return a tile for each head: colour lies on the grey picture where the query looks.

    It tells `opened`, the `layer` and the `head` whose tile is clicked, or chosen by Enter.

    Args:
        query: token that asks: 0 for the class token, then the patches row by row.
    """
    attention = result.attention
    return {
        "weights": attention.weights.astype(np.float16),
        "picture": picture.thumbnail,
        "grid": attention.grid,
        "query": query,
        "scale": patches.HEAT,
        "names": [patch_name(token, attention.grid) for token in range(attention.weights.shape[-1])],
    }
