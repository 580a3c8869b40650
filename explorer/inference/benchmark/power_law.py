"""Straight lines and crossings on logarithmic scales."""

import numpy as np

from explorer.records.architectures import CostCurves
from explorer.records.arrays import Floats
from explorer.records.timing import Crossing, PowerLaw


def power_law(sizes: Floats, values: Floats, *, all_points: bool = False) -> PowerLaw | None:
    """Least squares on logarithms through the upper half of the points that are there; None for fewer than three.

    The lower half is left to what does not grow: starting an operator costs the same for a short sequence.
    """
    there = np.flatnonzero(np.isfinite(values) & (values > 0))
    upper = there if all_points else there[-max(3, (len(there) + 1) // 2) :]
    if len(upper) < 3:
        return None
    exponent, offset = np.polyfit(np.log(sizes[upper]), np.log(values[upper]), 1)
    return PowerLaw(
        exponent=float(exponent),
        factor=float(np.exp(offset)),
        first=int(sizes[upper[0]]),
        last=int(sizes[upper[-1]]),
        points=len(upper),
    )


def counted_law(curves: CostCurves, name: str, law: PowerLaw | None) -> PowerLaw | None:
    """The exponent of an architecture's operations over the sizes that a measured one was fitted to."""
    if law is None:
        return None
    within = (curves.values >= law.first) & (curves.values <= law.last)
    return power_law(curves.values[within].astype(float), curves.along("operations", name)[within], all_points=True)


def crossing(sizes: Floats, first: Floats, second: Floats) -> Crossing | None:
    """Return where the median of `first` crosses that of `second` for the last time; None if it does not.

    Args:
        sizes: ascending.
        first: `[sizes, rounds]`, NaN where not measured.
        second: the same of the other curve.
    """
    there = np.isfinite(first).any(-1) & np.isfinite(second).any(-1)
    if there.sum() < 2:
        return None
    sizes, first, second = sizes[there], first[there], second[there]
    whole = np.isfinite(first).all(0) & np.isfinite(second).all(0)
    found = _last_root(sizes, np.nanmedian(first, -1), np.nanmedian(second, -1))
    if found is None:
        return None
    each = [_last_root(sizes, first[:, turn], second[:, turn]) for turn in np.flatnonzero(whole)]
    # A round without a crossing has it beyond the sizes: where the curve that will be lower is lower already, below.
    over = (first[-1, whole] < second[-1, whole]) == found[2]
    beyond = sizes[np.where(over, 0, -1)]
    at = [beyond[turn] if one is None else one[0] for turn, one in enumerate(each)]
    low, high = np.quantile(at or [found[0]], [0.25, 0.75])
    return Crossing(
        at=found[0],
        value=found[1],
        low=min(float(low), found[0]),
        high=max(float(high), found[0]),
        rounds=(sum(one is not None for one in each), len(each)),
        cheaper_above=found[2],
    )


def _last_root(sizes: Floats, first: Floats, second: Floats) -> tuple[float, float, bool] | None:
    """Size and value where two curves cross last, straight between points on logarithms; is the first lower after?"""
    gap = np.log(first) - np.log(second)
    turns = np.flatnonzero(np.sign(gap[:-1]) * np.sign(gap[1:]) < 0)
    if not len(turns):
        return None
    left = int(turns[-1])
    share = gap[left] / (gap[left] - gap[left + 1])
    at, value = (
        np.exp(np.log(curve[left]) * (1 - share) + np.log(curve[left + 1]) * share) for curve in (sizes, first)
    )
    return float(at), float(value), bool(gap[left + 1] < 0)
