"""The textbook's layer as a film: 40 strips of 20 numbers that move from axis to axis, and the maps of its blocks."""

from pathlib import Path
from typing import Any

import numpy as np

from explorer.figures import theme
from explorer.lessons.multi_head.figures import split as figures
from explorer.lessons.multi_head.records import BATCH, HEADS, LENGTHS, NUMBERS, QUERIES, WIDTH, SplitRecord
from explorer.lessons.multi_head.split_readings import block_title
from explorer.records.language import t
from explorer.ui.live.film import Film

PICTURE = Film(Path(__file__).with_suffix(".js"))


def pack(record: SplitRecord, followed: int) -> dict[str, Any]:
    """Return the strips of every step, and the code with the line that runs.

    It tells `picked`, the query `followed`, counted from 1 over both sentences, that the reader has pointed at.

    Args:
        record: of the layer.
        followed: query whose strips stand out, counted the same way; 0 for all.
    """
    return {
        "followed": followed,
        "layouts": record.layouts,
        "shapes": [f"({', '.join(map(str, shape))})" for shape in record.shapes],
        "axes": [_axes(record, position) for position in range(len(record.layouts))],
        "code": code(record),
        "runs": runs(record),
        "lengths": LENGTHS,
        "colours": [theme.colour(each) for each in range(HEADS)],
        "titles": [block_title(record, block) for block in range(BATCH * HEADS)],
        "strips": len(record.before),
        "numbers": NUMBERS,
        "swapped": record.params.swap,
        "arrays": {
            "positions": record.positions.astype(np.float32),
            "before": record.before,
            "after": record.after,
            "weights": figures.seen_weights(record),
        },
    }


def _axes(record: SplitRecord, step: int) -> str:
    """Name the axes of a step's array."""
    names = {
        "rows": t("sentences, queries, numbers"),
        "parts": t("sentences, queries, heads, numbers"),
        "heads": t("sentences, heads, queries, numbers"),
        "blocks": t("sentences × heads, queries, numbers"),
        "weights": t("sentences × heads, queries, keys"),
    }
    if not record.params.swap and record.layouts[step] in ("blocks", "weights"):
        return t("so it seems: {axes}").format(axes=names[record.layouts[step]])
    return names[record.layouts[step]]


def code(record: SplitRecord) -> list[list[str]]:
    """Return what runs, in three parts; the first line of each names it."""
    swap = [".permute(0, 2, 1, 3)"] if record.params.swap else []
    cut, swapped, folded = ((BATCH, QUERIES, HEADS, NUMBERS), (BATCH, HEADS, QUERIES, NUMBERS), (-1, QUERIES, NUMBERS))
    return [
        [f"transpose_qkv(X, {HEADS})", f"X.reshape{cut}", *swap, f".reshape{folded}"],
        ["attention", f"repeat_interleave({list(LENGTHS)}, {HEADS})", f"softmax(QKᵀ / √{NUMBERS})", "· V"],
        [
            f"transpose_output(X, {HEADS})",
            f"X.reshape{swapped if swap else cut}",
            *swap,
            f".reshape{(BATCH, QUERIES, WIDTH)}",
        ],
    ]


def runs(record: SplitRecord) -> list[list[tuple[int, int]]]:
    """Return which lines run before each step: their parts and their places."""
    if record.params.swap:
        return [[], [(0, 1)], [(0, 2)], [(0, 3), (1, 1)], [(1, 2)], [(1, 3)], [(2, 1)], [(2, 2)], [(2, 3)]]
    return [[], [(0, 1)], [(0, 2), (1, 1)], [(1, 2)], [(1, 3)], [(2, 1)], [(2, 2)]]
