"""Queries and keys under the pointer: whom two scores choose, while a point is dragged."""

from pathlib import Path
from typing import Any

import numpy as np

from explorer.lessons.scoring_functions import beside, beside_readings
from explorer.lessons.scoring_functions.records import EVEN, BesideRecord
from explorer.records.arrays import Floats
from explorer.ui import fields
from explorer.ui.live.live import Live
from explorer.ui.live.told import Action, ListOf, Number

#: Distance by which an arrow key moves a point.
STEP = 0.1
#: Keys of the texts that hold the points, by what these are, and how many there may be.
FIELDS = {"queries": ("sf_queries", beside.MOST_QUERIES), "keys": ("sf_points", beside.MOST_KEYS)}
PICTURE = Live(Path(__file__).with_suffix(".js"))


def pack(record: BesideRecord, rule: str, *, alone: bool, costs: bool, waits: bool = False) -> dict[str, Any]:
    """Return the plane, the row of the query that asks, and what both scores cost.

    Args:
        record: of both scores.
        rule: that says which key is right, as of `rules.merit`, or `beside.UNTRAINED`.
        alone: whether the picture has the stage to itself; else rows of all queries stand beside it.
        costs: whether they are shown.
        waits: whether what both scores say of the query that asks first is not shown yet.
    """
    return {
        "learned": record.learned,
        "queries": _places(record.queries),
        "keys": _places(record.keys),
        "letters": record.letters,
        "scores": ["general", record.names[1]],
        "names": beside_readings.score_names(record),
        "asking": int(np.abs(record.difference).max(-1).argmax()),
        "seen": record.allowed.sum(-1).tolist(),
        "rule": rule,
        "alone": alone,
        "waits": waits,
        "costs": [
            {"name": name, "shares": [each / max(*both, 1e-9) for each in both], "written": list(map(_written, both))}
            for name, both in beside_readings.costs(record).items()
            if costs
        ],
        "reach": beside.REACH,
        "step": STEP,
        "digits": beside.DIGITS,
        "even": EVEN,
    }


def keep_points() -> Action:
    """Return what is done with points that are dragged: the link keeps them."""
    position = ListOf(Number(-beside.REACH, beside.REACH), 2, 2)
    return Action(_keep, **{name: ListOf(position, 1, most) for name, (_, most) in FIELDS.items()})


def _keep(**points: list[list[float]]) -> None:
    fields.set_values({FIELDS[name][0]: beside.format_points(positions) for name, positions in points.items()})


def _places(points: Floats) -> list[list[float]]:
    """Return points as the link holds them."""
    found: list[list[float]] = points.astype(float).round(beside.DIGITS).tolist()
    return found


def _written(value: int | float) -> str:
    """Write a share as a percentage, a count with its thousands."""
    return f"{value:.0%}" if isinstance(value, float) else f"{value:,}"
