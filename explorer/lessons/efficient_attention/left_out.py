"""“Efficient attention”: what a pattern leaves out, as masks and in words."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.attention.efficient.variants import SETTINGS
from explorer.lessons.efficient_attention.readings import ROUNDING
from explorer.lessons.efficient_attention.records.comparison import TaskPoint, TaskRecord, VariantRecord
from explorer.lessons.efficient_attention.state import OPTIONS, REACH, Params
from explorer.records.language import t
from explorer.service.kept import made_once


def cells(square: npt.NDArray[Any], *, causal: bool) -> npt.NDArray[Any]:
    """Return what stands in the cells that exact attention uses, row by row."""
    return square[np.tril_indices(len(square))] if causal else square.ravel()


def stops(setting: str) -> Sequence[int]:
    """Return what a setting can be."""
    return OPTIONS[setting] if setting in OPTIONS else range(REACH[setting][0], REACH[setting][1] + 1)


@made_once
def every_stop(params: Params, n: int, *, causal: bool) -> Mapping[str, npt.NDArray[np.bool_]]:
    """Return for each setting of the pattern, but not for its seed, `cells` of its mask at each of `stops`."""
    found = {}
    for setting in SETTINGS[params.name]:
        if setting == "seed":
            continue  # as many stops again as all others have together
        settings: list[dict[str, Any]] = [{setting: stop} for stop in stops(setting)]
        made = [replace(params, **each).variant(params.name).mask(n, causal=causal) for each in settings]
        found[setting] = np.stack([cells(mask.numpy(), causal=causal) for mask in made if mask is not None])
    return found


def lost_share(record: VariantRecord) -> float:
    """Return the share of the head's exact weight that lies in cells left out, mean over the queries."""
    return float(np.where(record.allowed, 0, record.exact).sum(-1).mean())


def describe_kept(record: VariantRecord) -> str:
    """Say how much of its weight the head loses, and how many cells are computed."""
    cost = record.cost
    assert cost.share is not None
    text = t("With {share:.0%} of the cells, this head loses **{lost:.0%}** of its weight.")
    if cost.output_error < ROUNDING:
        text = t("With {share:.0%} of the cells, this head loses nothing.")
    return text.format(share=cost.share, lost=lost_share(record))


def describe_share(name: str, share: float) -> str:
    """Say how many cells a mechanism computes, whose name begins the sentence."""
    return t("{name}: **{share:.0%}** of the cells are computed.").format(name=name, share=share)


def describe_model(record: TaskRecord, point: TaskPoint) -> str:
    """Say between how many letters the model hesitates, and with every cell."""
    text = t("With this pattern everywhere, the model hesitates between **{now:.3g}** letters instead of {exact:.3g}.")
    if f"{point.letters:.3g}" == f"{record.letters:.3g}":
        text = t(
            "With this pattern everywhere, the model hesitates between **{now:.3g}** letters, as many as with every "
            "cell."
        )
    return text.format(now=point.letters, exact=record.letters)
