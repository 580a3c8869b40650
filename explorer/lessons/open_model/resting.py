"""Weights beside the places where heads rest: without their columns, each row over what is left."""

from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.records.opened.look import OpenedTokens

#: A row with a larger share on the resting place only rests: to divide by what is left would blow up noise.
ONLY_RESTS = 0.98


def leave_out(weights: npt.NDArray[np.floating[Any]], keys: OpenedTokens) -> npt.NDArray[np.float32]:
    """Return weights `[..., queries, keys]` without resting places; NaN there, and in rows that only rest."""
    resting = np.array(keys.rest)
    left = 1 - weights[..., resting].sum(-1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        beside = np.where(left > 1 - ONLY_RESTS, weights / left, np.nan)
    return np.where(resting, np.nan, beside).astype(np.float32)
