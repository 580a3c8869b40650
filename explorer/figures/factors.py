"""Axes for changes of log-probabilities: how many times less likely, or likelier, something became."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.records.language import t

#: Factors from one tick to the next; the largest that gives three ticks is taken.
_STEPS = (1e9, 1e6, 1e3, 100.0, 10.0, 2.0, 1.5, 1.1)
#: Powers of ten that the axis has at least: a change by less than a half does not fill it.
_LEAST = 0.25


def axis(change: npt.NDArray[np.floating[Any]]) -> dict[str, Any]:
    """Return an axis whose ticks are factors such as 1/10 and 1/100, as long as the changes are large.

    Args:
        change: of log-probabilities, nats; drawn are its `tens`.
    """
    drawn = tens(change[np.isfinite(change)])
    low, high = float(drawn.min(initial=0)), float(drawn.max(initial=0))
    room = 0.08 * max(high - low, _LEAST)
    low, high = min(low - room, -_LEAST), high + room
    ticks = next(found for step in _STEPS if len(found := _ticks(step, low, high)) >= 3)
    title = {"text": t("times as likely as before")}
    said = {"tickvals": ticks, "ticktext": [_factor(tick) for tick in ticks]}
    return {"title": title, "range": [low, high], "zeroline": True} | said


def tens(change: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.float32]:
    """Return changes in nats as powers of ten."""
    return np.asarray(change / math.log(10), np.float32)


def _ticks(step: float, low: float, high: float) -> list[float]:
    wide = math.log10(step)
    return [turn * wide for turn in range(math.ceil(low / wide), math.floor(high / wide) + 1)]


def _factor(tick: float) -> str:
    """Say a power of ten as a factor: 1/100, 2, 10⁷ above a million."""
    factor = 10 ** abs(tick)
    said = (
        f"10<sup>{abs(tick):.0f}</sup>" if factor > 1e6 else f"{round(factor):,}" if factor >= 10 else f"{factor:.2g}"
    )
    return said if said == "1" or tick > 0 else f"1/{said}"
