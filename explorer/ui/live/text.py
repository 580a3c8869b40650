"""Attention over text: several heads at once, in words and ribbons that follow the pointer together."""

from collections.abc import Collection, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.figures import heatmap, theme
from explorer.figures.look import look
from explorer.records import AttentionRecord
from explorer.records.language import t
from explorer.records.wording import is_word, rests, token
from explorer.ui.live.live import Live

#: Of the weight of the words that ask, in the mean: a head rests or swaps, is sure, or spreads.
HALF, SURE, SPREAD = 0.5, 0.8, 0.35
PICTURE = Live(Path(__file__).with_suffix(".js"))


def pack(
    record: AttentionRecord,
    *,
    start: Sequence[int] = (0,),
    pinned: int | None = None,
    shown: Collection[int] = (),
    off: Collection[int] = (),
    keeps: bool = False,
    waits: bool = False,
) -> dict[str, Any]:
    """Return all heads of one attention; the reader chooses which are seen without asking Python.

    It tells `pinned`, whose `row` a click pins; `switched`, whose `head` is switched off, or on again; and `shown`, the
    `heads` that the reader chooses to see.

    Args:
        record: rows ask.
        start: one or two rows that ask first.
        pinned: row that asks until it is clicked again.
        shown: heads that are drawn until the reader chooses others; all of them if empty.
        off: heads that are switched off in the model: no ribbons.
        keeps: whether it tells which heads are shown.
        waits: whether the ribbons of the rows that ask first are not shown yet.
    """
    rows = len(record.query_labels)
    return {
        "asks": [token(label) for label in record.query_labels],
        "asked": [token(label) for label in record.key_labels],
        "rests": [list(map(rests, labels)) for labels in (record.query_labels, record.key_labels)],
        "weights": heatmap.mask_values(record.weights, record.allowed),
        "kinds": [kind(weights, record) for weights in record.weights],
        "colours": [theme.CATEGORICAL[number % len(theme.CATEGORICAL)] for number in range(record.n_heads)],
        "off": sorted(off),
        "start": [row for row in start if row < rows],
        "pinned": -1 if pinned is None else min(max(pinned, 0), rows - 1),
        "shown": sorted(shown) or list(range(record.n_heads)),
        "keeps": keeps,
        "waits": waits,
        "scale": look().weights,
        "masked": (look().line, look().hatch),
    }


def kind(weights: npt.NDArray[np.float32], record: AttentionRecord) -> str:
    """Say in a word what one head does with the words that ask: where most of their weight goes."""
    rows = [row for row, label in enumerate(record.query_labels) if is_word(label)]
    if not rows:
        return ""
    seen = weights[rows]
    first, sure = seen.argmax(-1), float(seen.max(-1).mean())
    if float(seen[:, [rests(label) for label in record.key_labels]].sum(-1).mean()) >= HALF:
        return t("rests")
    if any(after == before - 1 for before, after in pairwise(first.tolist())) and sure >= HALF:
        return t("swaps")
    return t("sure") if sure >= SURE else t("spread") if sure < SPREAD else t("mixed")
