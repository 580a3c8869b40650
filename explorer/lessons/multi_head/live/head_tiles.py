"""All heads as small maps, layer by layer; a click chooses one."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from explorer.figures import heatmap
from explorer.figures.look import look
from explorer.records import AttentionRecord
from explorer.records.wording import token
from explorer.ui.live.live import Live

#: A head's group, its layer (place among the group's records) and its number.
Place = tuple[int, int, int]
#: No tile has more pixels than this beside or below each other; of longer sentences it shows the largest weights.
MOST_CELLS = 48
PICTURE = Live(Path(__file__).with_suffix(".js"))
#: Heading (translated; may be empty) to the records of its layers, from the first.
Groups = Mapping[str, Sequence[AttentionRecord]]


def pack(
    groups: Groups,
    *,
    chosen: Place | None = None,
    marks: Mapping[Place, tuple[str, str]] | None = None,
    off: Collection[Place] = (),
) -> dict[str, Any]:
    """Return every head of every record as a tile; masked cells are hatched, the chosen head is framed.

    The group of the chosen head is open, else the last one in which a head is off: there it costs most.

    A click, or the arrow keys and Enter, tell `chosen`, its `position` among all (`positions`), even of the chosen one.

    Args:
        chosen: the head that is shown elsewhere.
        marks: sign and its meaning (translated) by head; if given, heads without a mark are faded.
        off: heads that are switched off: crossed out.
    """
    return {
        "groups": [
            {
                "title": title,
                "asks": _names(records[0].query_labels),
                "asked": _names(records[0].key_labels),
                "layers": [pool_weights(heatmap.mask_values(record.weights, record.allowed)) for record in records],
            }
            for title, records in groups.items()
        ],
        "chosen": chosen,
        "open": next(iter([chosen] if chosen else sorted(off, reverse=True)), (0,))[0],
        "marks": None if marks is None else {_name(position): mark for position, mark in marks.items()},
        "off": [_name(position) for position in off],
        "scale": look().weights,
        "masked": (look().line, look().hatch),
    }


def positions(groups: Groups) -> list[Place]:
    """Return every head in the order of the tiles."""
    return [
        (group, layer, head)
        for group, records in enumerate(groups.values())
        for layer, record in enumerate(records)
        for head in range(record.n_heads)
    ]


def _names(labels: Sequence[str]) -> list[str]:
    """Name the rows or columns of a tile: where one stands for several tokens, by the first and the last."""
    named = [token(label) for label in labels]
    starts = np.arange(MOST_CELLS) * len(named) // MOST_CELLS
    if len(named) <= MOST_CELLS:
        return named
    blocks = np.split(np.array(named, object), starts[1:])
    return [block[0] if len(block) == 1 else f"{block[0]} … {block[-1]}" for block in blocks]


def pool_weights(weights: np.ndarray[Any, np.dtype[np.float32]]) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Return the largest weight of each block, so that at most `MOST_CELLS` rows and columns remain."""
    for axis in (1, 2):
        size = weights.shape[axis]
        if size > MOST_CELLS:
            weights = np.fmax.reduceat(weights, np.arange(MOST_CELLS) * size // MOST_CELLS, axis=axis)
    return weights


def _name(position: Place) -> str:
    return ".".join(map(str, position))
