"""The picture under the pointer: the patch that is pointed at asks, and the browser shows its weights."""

from pathlib import Path
from typing import Any

from explorer.lessons import vision as lesson
from explorer.lessons.vision import readings, shown
from explorer.lessons.vision.figures import patches
from explorer.records.image import Picture
from explorer.ui.live.live import Live

PICTURE = Live(Path(__file__).with_suffix(".js"))


def pack(picture: Picture, result: lesson.Result, view: lesson.View, note: str, *, small: bool) -> dict[str, Any]:
    """Return the picture, and over it what the query of the view looks at, or the patch that is pointed at.

    It tells `chosen`, whose `query` is clicked, or chosen by Enter.

    Args:
        note: small print beside the heading: which weights these are.
        small: whether it is drawn as the models see it.
    """
    view, grid = shown.clamp_view(result, view), result.attention.grid
    weights = shown.shown_rows(result, view)
    return {
        "weights": weights,
        "picture": picture.seen_uri if small else picture.uri,
        "grid": grid,
        "query": view.query,
        "names": [readings.patch_name(token, grid) for token in range(len(weights))],
        "light": view.look == "light",
        "small": small,
        "scale": patches.HEAT,
        "note": note,
        "line": readings.said_of_map(view),
    }
