"""Flash attention, tile by tile: the map of which one tile exists at a time."""

from pathlib import Path
from typing import Any

import numpy as np

from explorer.figures import theme
from explorer.figures.look import look
from explorer.lessons.efficient_attention import flash as flash_of_lesson
from explorer.lessons.efficient_attention.records.comparison import FlashRecord
from explorer.ui.live.film import Film

PICTURE = Film(Path(__file__).with_suffix(".js"))
#: What a row of a tile keeps, in the order that the browser reads it.
KEPT = ("maximum_before", "maximum", "total_before", "total", "rescale", "error")


def pack(record: FlashRecord, row: int) -> dict[str, Any]:
    """Return the map of which one tile exists, and what each of its rows keeps."""
    return {
        "row": row,
        "labels": [theme.visible(each, 6) for each in record.labels],
        "tiles": [[*tile.queries, *tile.keys] for tile in record.steps],
        "causal": bool(np.isnan(record.scores).any()),
        "long": _long(record.d),
        "strong": strong(record),
        "masked": (look().line, look().hatch),
        "arrays": {
            "scores": record.scores.astype(np.float32),
            "kept": list_kept(record),
        },
    }


def strong(record: FlashRecord) -> tuple[float, float]:
    """Return the scores that are drawn palest and strongest."""
    return float(np.nanpercentile(record.scores, 10)), float(np.nanpercentile(record.scores, 98))


def list_kept(record: FlashRecord) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Return what each row of each tile keeps, `[tiles, rows, 6]`; NaN where a tile has fewer rows."""
    numbers = np.full((len(record.steps), record.tiles[0], len(KEPT)), np.nan, np.float32)
    for at, tile in enumerate(record.steps):
        numbers[at, : len(tile.error)] = np.stack([getattr(tile, name) for name in KEPT], -1)
    return numbers


def sentences(record: FlashRecord) -> list[list[str]]:
    """Return what is said of each row of each tile."""
    return [
        [flash_of_lesson.describe_row(record, step, row) for row in range(len(tile.error))]
        for step, tile in enumerate(record.steps)
    ]


def _long(d: int) -> dict[str, Any]:
    """Return sizes of a long text, written, and their shares of its map."""
    text, tile = flash_of_lesson.LONG_SHOWN, flash_of_lesson.TILE_SHOWN
    sizes = {"text": text, "map": text**2, "tile": tile**2, "rows": text * (d + 2)}
    return {
        "shares": flash_of_lesson.shares_of_long(d),
        "sizes": {name: f"{size:,}" for name, size in sizes.items()},
    }
