"""Flash attention, one row of it: its keys a tile at a time, and the running mean that is kept of them."""

from pathlib import Path
from typing import Any

import numpy as np

from explorer.figures import theme
from explorer.lessons.efficient_attention import flash as flash_of_lesson
from explorer.lessons.efficient_attention.live.flash import list_kept
from explorer.lessons.efficient_attention.records.comparison import FlashRecord
from explorer.ui.live.film import Film

PICTURE = Film(Path(__file__).with_suffix(".js"))


def pack(record: FlashRecord, positions: range, row: int) -> dict[str, Any]:
    """Return the keys of one row, tile by tile, their values, and what the row keeps after each tile.

    Args:
        record: of a head.
        positions: steps of the tiles that hold the row.
        row: in these tiles, from 0.
    """
    query = record.steps[positions.start].queries[0] + row
    return {
        "query": query,
        "labels": [theme.visible(each, 6) for each in record.labels],
        "tiles": [[*record.steps[step].keys] for step in positions],
        "seen": int(np.isfinite(record.scores[query]).sum()),
        "number": flash_of_lesson.moves_most(record)[query],
        "arrays": {
            "scores": record.scores[query].astype(np.float32),
            "kept": list_kept(record)[positions.start : positions.stop, row],
            "values": record.values.astype(np.float32),
        },
    }


def sentences(record: FlashRecord, positions: range, row: int) -> list[str]:
    """Return what is said of the row after each of its tiles."""
    return [flash_of_lesson.describe_row(record, step, row) for step in positions]
