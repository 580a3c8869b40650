"""Names at the ends of lines, instead of a legend."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from explorer.figures import theme
from explorer.figures.look import look


class End(NamedTuple):
    """The end of a line: its height on the axis, its name, its colour."""

    height: float
    name: str
    ink: str


def write_names(ends: Iterable[End], at: float, apart: float) -> list[dict[str, Any]]:
    """Return each line's name as an annotation above its end; a name that would touch another one moves up.

    Args:
        ends: heights as the axis counts them: logarithms where it is logarithmic.
        at: place of the ends across, counted in the same way.
        apart: least distance of two names.
    """
    words: list[dict[str, Any]] = []
    below = -np.inf
    for end, name, ink in sorted(ends):
        below = max(end, below + apart)
        position = {"x": at, "y": float(below), "xanchor": "right", "yanchor": "bottom", "showarrow": False}
        letters = {"font": {"color": ink, "size": look().close(14)}, "bgcolor": look().paper, "borderpad": 0}
        words.append(position | letters | {"text": f"<b>{theme.label(name, None)}</b>"})
    return words
