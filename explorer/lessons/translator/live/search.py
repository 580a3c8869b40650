"""A search as a film: every hypothesis packed once, grown step by step in the browser."""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.lessons.translator.figures import hypotheses as told
from explorer.records.search import SearchRecord
from explorer.ui.live.film import Film

PICTURE = Film(Path(__file__).with_suffix(".js"))


def pack(record: SearchRecord, *, dropped: bool) -> dict[str, Any]:
    """Return the tree; with `dropped` also the candidates that were not kept."""
    shown = [number for number, node in enumerate(record.nodes) if dropped or node.fate != "dropped"]
    best = set(record.path(record.found[0]))
    pieces = [
        {
            "text": told.piece(record.nodes[number]),
            "mark": told.MARKS[record.nodes[number].fate],
            "told": _told(record, number),
            "won": number in best,
            "dropped": record.nodes[number].fate == "dropped",
        }
        for number in shown
    ]
    return {"pieces": pieces, "beam": record.beam, "arrays": {"nodes": nodes(record, shown)}}


def nodes(record: SearchRecord, shown: list[int]) -> npt.NDArray[np.float32]:
    """Return step, rank, place of the parent among those shown (−1 for none), log-probability and sum `[shown, 5]`."""
    places = {number: place for place, number in enumerate(shown)}
    rows = [
        (each.step, each.rank, -1 if each.parent is None else places[each.parent], each.log_probability, each.total)
        for each in (record.nodes[number] for number in shown)
    ]
    return np.array(rows, np.float32)


def _told(record: SearchRecord, number: int) -> list[str]:
    """Return what is told of a hypothesis while it is the newest, and once its fate is known."""
    step = record.nodes[number].step
    return [told.tell(record, number, after) for after in (step, record.n_steps)]
