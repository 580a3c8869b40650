"""One head as a heat map."""

from typing import Any

import numpy as np

from explorer.figures import heatmap, weight_map
from explorer.lessons.open_model.one_word import LongText
from explorer.lessons.open_model.resting import leave_out
from explorer.records.attention import AttentionRecord
from explorer.records.opened.look import OpenedTokens


def head(
    record: AttentionRecord,
    number: int,
    keys: OpenedTokens,
    names: tuple[tuple[str, ...], tuple[str, ...]],
    *,
    beside: bool,
    row: int | None = None,
) -> Any:
    """Draw one head of an attention; what a mask hides, and what is left out, is hatched.

    Args:
        keys: tokens that are asked.
        names: of rows and columns, as they are shown.
        beside: whether the resting places are left out.
        row: is framed.
    """
    weights = record.weights[number]
    shown = heatmap.mask_values(leave_out(weights, keys) if beside else weights, record.allowed)
    return weight_map.draw_weights(shown, *names, row=row)


def draw_text_map(
    record: LongText,
    number: int | None,
    names: tuple[tuple[str, ...], tuple[str, ...]],
    *,
    beside: bool,
    row: int | None = None,
) -> Any:
    """Draw one head of a long text, or the mean of all; arguments as of `head`."""
    weights = record.head(number)
    allowed = np.tri(*weights.shape, dtype=np.bool_) if record.causal else None
    cells = heatmap.mask_values(leave_out(weights, record.keys) if beside else weights, allowed)
    return weight_map.draw_weights(cells, *names, row=row)
