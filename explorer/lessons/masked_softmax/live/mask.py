"""A mask under the pointer: the browser draws every row anew while cells are painted."""

from pathlib import Path
from typing import Any

from explorer.figures.look import look
from explorer.lessons.masked_softmax.records import HeadRecord, names
from explorer.ui.live.live import Live

PICTURE = Live(Path(__file__).with_suffix(".js"))


def pack(record: HeadRecord, row: int) -> dict[str, Any]:
    """Return the map of a head, to be painted, and one of its rows before and after the mask.

    Args:
        record: the head's scores, and the cells that are forbidden.
        row: which word asks.
    """
    return {
        "labels": names(record),
        "scores": record.scores,
        "hidden": ~record.allowed,
        "row": row,
        "scale": look().weights,
        "hatch": look().hatch,
    }
