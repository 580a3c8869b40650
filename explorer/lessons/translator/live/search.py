"""A search as a film: every hypothesis packed once, grown step by step in the browser."""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.lessons.translator.figures import hypotheses as told
from explorer.records.search import SearchRecord
from explorer.ui.live.film import Film
from explorer.ui.live.glosses import explain_words

PICTURE = Film(Path(__file__).with_suffix(".js"))


def pack(record: SearchRecord, *, dropped: bool, language: str = "") -> dict[str, Any]:
    """Return the tree.

    Args:
        dropped: whether the candidates that were not kept are drawn, too.
        language: code of what is written, for readers who do not read it; empty where it has no name.
    """
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
    drawn = {"pieces": pieces, "beam": record.beam, "arrays": {"nodes": nodes(record, shown)}}
    return drawn | _explain(record, shown, language)


def _explain(record: SearchRecord, shown: list[int], language: str) -> dict[str, Any]:
    """Return what the cells mean: of a piece, what the word means that it ends, as far as that is written."""
    words = {number: (record.nodes[number].text.split() or [""])[-1] for number in shown}
    known = explain_words(words.values(), language).get("glosses", {})
    found: dict[str, str] = {}
    for number, word in words.items():
        node = record.nodes[number]
        if word in known:  # of equal pieces the first, which is the likelier
            for cell in (told.piece(node), f"{told.MARKS[node.fate]} {told.piece(node)}"):
                found.setdefault(cell.strip(), known[word])
    return {"glosses": found} if found else {}


def nodes(record: SearchRecord, shown: list[int]) -> npt.NDArray[np.float32]:
    """Return step, rank, place of the parent among those shown (−1 for none), log-probability and sum `[shown, 5]`."""
    positions = {number: position for position, number in enumerate(shown)}
    rows = [
        (each.step, each.rank, -1 if each.parent is None else positions[each.parent], each.log_probability, each.total)
        for each in (record.nodes[number] for number in shown)
    ]
    return np.array(rows, np.float32)


def _told(record: SearchRecord, number: int) -> list[str]:
    """Return what is told of a hypothesis while it is the newest, and once its fate is known."""
    step = record.nodes[number].step
    return [told.tell(record, number, after) for after in (step, record.n_steps)]
