"""“Efficient attention”: flash attention in steps, and what it never writes."""

from dataclasses import dataclass, replace

import numpy as np

from explorer.lessons.efficient_attention import comparison
from explorer.lessons.efficient_attention.captured_qkv import Captured
from explorer.lessons.efficient_attention.readings import ROUNDING
from explorer.lessons.efficient_attention.records.comparison import FlashRecord
from explorer.lessons.efficient_attention.state import TILES, USUAL, QKVSource
from explorer.records.language import Translate, english
from explorer.records.wording import FLOAT, joined, said_size

#: Positions of a long text.
LONG = 32_768


@dataclass(frozen=True, slots=True, kw_only=True)
class FlashParams:
    """A source, and how its first positions are cut into tiles; sizes are moved to the nearest of `TILES`."""

    source: QKVSource = USUAL
    tile_queries: int = 8
    tile_keys: int = 8
    positions: int = 32

    def __post_init__(self) -> None:
        for name in ("tile_queries", "tile_keys"):
            asked = getattr(self, name)
            object.__setattr__(self, name, sorted((abs(each - asked), each) for each in TILES)[0][1])


def steps(params: FlashParams, captured: Captured) -> FlashRecord:
    """Return every tile of one head over the first positions."""
    first, n = {}, max(1, params.positions)
    for name in ("query", "key", "value"):
        first[name] = getattr(captured, name)[:, :n]
    captured = replace(captured, labels=captured.labels[:n], **first)
    sizes = {"tile_queries": params.tile_queries, "tile_keys": params.tile_keys}
    return comparison.flash_steps(captured, head=params.source.head, **sizes)


def describe_row(record: FlashRecord, step: int, row: int, t: Translate = english) -> str:
    """Say whether this tile holds a larger score than any before, what that does to the sum, and how far off it is.

    Of a tile whose keys this row may not see it says so.
    """
    at = record.steps[step]
    before, now, error = float(at.maximum_before[row]), float(at.maximum[row]), float(at.error[row])
    if np.isnan(record.scores[at.queries[0] + row, slice(*at.keys)]).all():
        first = t("This row may see nothing of this tile.")
    elif at.keys[0] == 0:
        first = t("The first keys of this row: nothing is known yet, so nothing has to be rescaled.")
    elif now > before:
        text = t("A score of {now:.2f} beats {before:.2f}: all that was summed is multiplied by **{factor:.2g}**.")
        first = text.format(now=now, before=before, factor=float(at.rescale[row]))
    else:
        first = t("No score beats {before:.2f}: this tile is added, nothing is rescaled.").format(before=before)
    if error < ROUNDING:
        return joined([first, t("The row is complete, and the answer is **exact**.")], t)
    return joined([first, t("The answer is off by **{error:.0%}**.").format(error=error)], t)


def describe_tiles(record: FlashRecord, t: Translate = english) -> str:
    """Say how many scores are in memory at a time, and how little the result differs."""
    cells = max((at.queries[1] - at.queries[0]) * (at.keys[1] - at.keys[0]) for at in record.steps)
    return t(
        "Never more than **{cells}** of {all} scores exist. After the last tile the result differs from plain "
        "attention by {difference:.0e}."
    ).format(cells=f"{cells:,}", all=f"{len(record.labels) ** 2:,}", difference=record.difference)


def describe_kept(record: FlashRecord, t: Translate = english) -> str:
    """Say how many numbers a row keeps."""
    text = t("A row keeps **{n}** numbers, however long the text: largest score, sum, and an answer of {d}.")
    return text.format(n=record.d + 2, d=record.d)


def describe_written(record: FlashRecord, t: Translate = english) -> str:
    """Say which bytes of one head are written in float32, at the reader's length and at a long one."""
    (queries, keys), n = record.tiles, len(record.labels)
    tile = queries * (2 * record.d + 2) + keys * 2 * record.d + queries * keys  # queries, sums, keys, values, scores
    return t(
        "Plain attention writes scores and weights: {here} at n = {n}, {there} at n = 32,768, for one head. Flash "
        "writes the output ({output} there) and one number for each query ({log_sum}); it works in {tile}. A kernel "
        "that returned weights would have to write what it exists to avoid."
    ).format(
        here=said_size(2 * FLOAT * n * n),
        n=n,
        there=said_size(2 * FLOAT * LONG**2),
        output=said_size(FLOAT * LONG * record.d),
        log_sum=said_size(FLOAT * LONG),
        tile=said_size(FLOAT * tile),
    )
