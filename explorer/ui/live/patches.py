"""The picture under the pointer: the patch that is pointed at asks, and the browser shows its weights."""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.figures import patches
from explorer.records.image import patch_name
from explorer.ui.live.live import Live

PICTURE = Live(Path(__file__).with_suffix(".js"))


def pack(
    uri: str, weights: npt.NDArray[np.float32], query: int, *, note: str, line: str, light: bool, small: bool = False
) -> dict[str, Any]:
    """Return a square picture, and over it what a token looks at, or the patch that is pointed at.

    It tells `chosen`, whose `query` is clicked, or chosen by Enter.

    Args:
        uri: of the picture.
        weights: `[tokens, tokens]`; token 0 is the class token, then the patches row by row.
        query: token that asks while nobody points.
        note: small print beside the heading: which weights these are.
        line: what is said of a row, with {query}, {best} and {share} to fill in.
        light: whether light falls where weight goes, or colour stands for it.
        small: whether the picture has as few pixels as the models see.
    """
    grid = round((len(weights) - 1) ** 0.5)
    return {
        "weights": weights,
        "picture": uri,
        "grid": grid,
        "query": query,
        "names": [patch_name(token, grid) for token in range(len(weights))],
        "light": light,
        "small": small,
        "scale": patches.HEAT,
        "note": note,
        "line": line,
    }
