"""One row of a head from left to right: the query meets the keys, scores become weights, the values are mixed."""

from pathlib import Path
from typing import Any

import numpy as np

from explorer.lessons.whole_transformer import readings
from explorer.lessons.whole_transformer.live.whole import explain_french
from explorer.lessons.whole_transformer.state import Result
from explorer.records.wording import token
from explorer.ui.live.live import Live

PICTURE = Live(Path(__file__).with_suffix(".js"))


def pack(result: Result, part: str, head: int, row: int) -> dict[str, Any]:
    """Return the numbers of one row of a head; a key that the mask hides has no score and no weight.

    Args:
        part: an attention, such as `dec.1.cross`.
        head: from 0.
        row: word that asks.
    """
    whole, (asks, asked) = result.whole, readings.rows_of(result, part)
    size = whole[f"{part}.q"].shape[1] // whole.n_heads
    inside = slice(head * size, (head + 1) * size)
    weights = readings.seen_weights(result, part, head)[row]
    scores = np.where(np.isnan(weights), np.nan, whole[f"{part}.scores"][head, row])
    return {
        "asks": token(asks[row]),
        "asked": [token(each) for each in asked],
        "query": whole[f"{part}.q"][row, inside].astype(np.float32),
        "keys": whole[f"{part}.k"][:, inside].astype(np.float32),
        "scores": scores.astype(np.float32),
        "weights": weights,
        "values": whole[f"{part}.v"][:, inside].astype(np.float32),
        "output": whole[f"{part}.joined"][row, inside].astype(np.float32),
    } | explain_french(whole)
