"""“Efficient attention”: what a pattern leaves out, as masks and in words."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.attention.efficient.variants import SETTINGS
from explorer.lessons.efficient_attention.readings import ROUNDING, mechanism_names
from explorer.lessons.efficient_attention.records.comparison import TaskPoint, TaskRecord, VariantRecord
from explorer.lessons.efficient_attention.state import OPTIONS, REACH, SPARSE, Params
from explorer.records.language import t
from explorer.records.wording import capitalise, join_sentences
from explorer.service.kept import made_once

#: Positions of the small maps.
SMALL = 72


def masks(params: Params) -> Mapping[str, npt.NDArray[np.bool_]]:
    """Return the cells of every pattern with the reader's settings, over a few positions, past only."""
    made = {}
    for name in SPARSE:
        mask = params.variant(name).mask(SMALL, causal=True)
        assert mask is not None
        made[name] = mask.numpy()
    return made


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
    """Say how many cells are computed, what the head loses, and how far its output is off."""
    cost = record.cost
    assert cost.share is not None
    first = describe_share(capitalise(mechanism_names()[cost.name]), cost.share)
    if cost.output_error < ROUNDING:
        return join_sentences([first, t("This head loses nothing.")])
    share = lost_share(record)
    if f"{share:.0%}" == f"{cost.output_error:.0%}" == "0%":
        return join_sentences([first, t("This head loses hardly any of its weight, and its output hardly changes.")])
    text = t("This head loses **{lost:.0%}** of its weight, and its output is off by {error:.0%}.")
    return join_sentences([first, text.format(lost=share, error=cost.output_error)])


def describe_share(name: str, share: float) -> str:
    """Say how many cells a mechanism computes, whose name begins the sentence."""
    return t("{name}: **{share:.0%}** of the cells are computed.").format(name=name, share=share)


def describe_model(record: TaskRecord, point: TaskPoint) -> str:
    """Say between how many letters the model hesitates, and with every cell."""
    text = t(
        "With this pattern in every head the model hesitates between **{now:.3g}** letters instead of {exact:.3g}."
    )
    if f"{point.letters:.3g}" == f"{record.letters:.3g}":
        text = t(
            "With this pattern in every head the model hesitates between **{now:.3g}** letters, as many as with every "
            "cell."
        )
    return text.format(now=point.letters, exact=record.letters)
