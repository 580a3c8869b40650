"""“Efficient attention”: flash attention in steps, and what it never writes."""

from dataclasses import dataclass, replace

import numpy as np

from explorer.lessons.efficient_attention import comparison
from explorer.lessons.efficient_attention.captured_qkv import Captured
from explorer.lessons.efficient_attention.records.comparison import FlashRecord
from explorer.lessons.efficient_attention.state import TILES, USUAL, QKVSource
from explorer.records.language import t
from explorer.records.wording import FLOAT, said_size

#: Positions of a long text.
LONG = 32_768
#: Of the text that is drawn to scale: its tokens, and the queries and keys of a tile as kernels cut it.
LONG_SHOWN, TILE_SHOWN = 4096, 128


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


def tiles_of_row(record: FlashRecord, step: int) -> range:
    """Return the steps whose tiles hold the same queries as this one's."""
    queries = record.steps[step].queries
    same = [at for at, tile in enumerate(record.steps) if tile.queries == queries]
    return range(same[0], same[-1] + 1)


def moves_most(record: FlashRecord) -> list[int]:
    """Return for each query the number of the answer, from 0, that the tiles move most."""
    scores = np.nan_to_num(record.scores, nan=-np.inf)
    weights = np.exp(scores - scores.max(1, keepdims=True))
    ends = sorted({tile.keys[1] for tile in record.steps})
    answers = np.stack(
        [weights[:, :end] @ record.values[:end] / weights[:, :end].sum(1, keepdims=True) for end in ends]
    )
    moved: list[int] = np.ptp(np.nan_to_num(answers), axis=0).argmax(-1).tolist()
    return moved


def shares_of_long(d: int) -> dict[str, float]:
    """Return which share of a long text's map one tile is, and all that its rows keep."""
    return {"tile": TILE_SHOWN**2 / LONG_SHOWN**2, "rows": (d + 2) / LONG_SHOWN}


def describe_row(record: FlashRecord, step: int, row: int) -> str:
    """Say how many keys were seen, and what this tile counts in the answer; of a row that sees none of it, that."""
    at = record.steps[step]
    scores = record.scores[at.queries[0] + row]
    every, seen = int(np.isfinite(scores).sum()), int(np.isfinite(scores[: at.keys[1]]).sum())
    if np.isnan(scores[slice(*at.keys)]).all():
        return t("This row may see nothing of this tile.")
    if seen == every:
        return t("All **{every}** keys were seen, {tile} at a time: the answer is **exact**.").format(
            every=every, tile=record.tiles[1]
        )
    share = 1 - float(at.total_before[row] * at.rescale[row] / at.total[row])
    text = t("**{seen}** of {every} keys seen. This tile counts **{share:.0%}**, the answer before the rest.")
    if at.keys[0] == 0:
        text = t("**{seen}** of {every} keys seen: the first ones are the whole answer so far.")
    return text.format(seen=seen, every=every, share=share)


def describe_tiles(record: FlashRecord) -> str:
    """Say how many scores are in memory at a time."""
    cells = max((at.queries[1] - at.queries[0]) * (at.keys[1] - at.keys[0]) for at in record.steps)
    return t(
        "Never more than **{cells}** of {all} scores exist; but for rounding, the answers are plain attention’s."
    ).format(cells=f"{cells:,}", all=f"{len(record.labels) ** 2:,}")


def describe_kept(record: FlashRecord) -> str:
    """Say how many numbers a row keeps."""
    text = t("A row keeps **{n}** numbers, however long the text: largest score, sum, and an answer of {d}.")
    return text.format(n=record.d + 2, d=record.d)


def describe_written(record: FlashRecord) -> str:
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
