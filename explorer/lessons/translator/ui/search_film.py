"""A search as a film: every hypothesis packed once, grown step by step in the browser."""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.lessons.translator import search_readings
from explorer.lessons.translator.figures import search as figures
from explorer.records.search import SearchRecord
from explorer.ui import scripts
from explorer.ui.language import t
from explorer.ui.live import film

_film = scripts.component(Path(__file__).with_suffix(".js"))


def draw(record: SearchRecord, step: int, dropped: bool, *, key: str, of: object, **taken: Any) -> None:
    """Draw the tree.

    Args:
        step: after which it is shown, from 1.
        dropped: whether candidates that were not kept are drawn.
        of: what the record depends on.
        taken: as of `film.show`.
    """
    shown = [number for number, node in enumerate(record.nodes) if dropped or node.fate != "dropped"]
    best = set(record.path(record.found[0]))
    pieces = [
        {
            "text": figures.piece(record.nodes[number], t),
            "mark": figures.MARKS[record.nodes[number].fate].strip(),
            "told": _told(record, number),
            "won": number in best,
            "dropped": record.nodes[number].fate == "dropped",
        }
        for number in shown
    ]
    film.show(
        _film,
        {"pieces": pieces, "beam": record.beam},
        {"nodes": nodes(record, shown)},
        key=key,
        step=step - 1,
        first=1,
        sentences=lambda: [search_readings.describe_tree(record, each, t) for each in range(1, record.n_steps + 1)],
        said=_said(record),
        of=(of, dropped),
        link_key="tr_tree_step",
        **taken,
    )


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
    return [figures.told(record, number, after, t) for after in (step, record.n_steps)]


def _said(record: SearchRecord) -> dict[str, str]:
    return {
        "where": t("Which step? {n} in all").format(n=record.n_steps),
        "place": t("Step {n} of {m}").format(n="{n}", m=record.n_steps),
        "alt": t("The hypotheses of a beam search as they grow"),
        "token": t("token"),
        "probability": t("probability"),
        "sum": t("sum (nats)"),
    }
