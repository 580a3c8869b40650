"""Numbers in the answers of the exercises."""

import numpy as np

from explorer.lessons import scoring_functions as lesson
from explorer.lessons.scoring_functions import beside, lanes, plane
from explorer.lessons.scoring_functions.state import parse_valid_lengths
from explorer.scenes.scoring_functions import BESIDE
from explorer.ui import cache


def values() -> dict[str, str]:
    """Return what fills the placeholders of the answers."""
    return {**_behind(), **_frozen(), **_heated(), **_moved()}


def _behind() -> dict[str, str]:
    """Turn the query round: whom dot product and cosine choose, and with which weight."""
    record = cache.compute(plane.compute, plane.Plane(turn=plane.FIRST[1] + 180.0))
    found: dict[str, str] = {}
    for name in ("dot", "cosine"):
        winner = record.order(name)[0]
        found |= {name: winner, f"{name}_weight": f"{record.weight(name, winner):.0%}"}
    return found


def _frozen() -> dict[str, str]:
    """Find the first d at which most queries are frozen, and the share there with and without the division."""
    record = cache.compute(lanes.compute, lanes.Lanes())
    position = int(np.argmax(record.frozen[0] > 0.5))
    shares = {"frozen": f"{record.frozen[0, position]:.0%}", "thawed": f"{record.frozen[1, position]:.0%}"}
    return {"d": str(record.lengths[position]), **shares}


def _heated() -> dict[str, str]:
    """Measure how far the dot product at temperature √d is from the scaled one at temperature 1."""
    hot, plain = (cache.compute(lesson.compute, lesson.Params(temperature=each)) for each in (4.0, 1.0))
    apart = np.abs(hot.record("dot").weights - plain.record("scaled_dot").weights).max()
    return {"apart": f"{apart:.1g}", "largest": f"{hot.record('dot').measures.largest:.2f}"}


def _moved() -> dict[str, str]:
    """Take key A out of the textbook's ten equal ones: what both untrained scores give it for query 1."""
    preset = next(each.state for each in BESIDE.presets if "sf_valid" in each.state)
    queries, keys = (beside.parse_points(preset[key], beside.MOST_KEYS) for key in ("sf_queries", "sf_points"))
    lengths = parse_valid_lengths(preset["sf_valid"])
    moved = beside.Beside(rule=beside.UNTRAINED, queries=queries, keys=((2.0, -1.0), *keys[1:]), valid_lengths=lengths)
    dot, additive = cache.compute(beside.compute, moved).weights[:, 0, 0]
    return {"dot_moved": f"{dot:.0%}", "additive_moved": f"{additive:.0%}"}
