"""Additive attention beside the scaled dot product: the same queries, the same keys, trained for the same rule."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from explorer.attention import masking, scoring, scoring_cost
from explorer.attention.attend import Score
from explorer.lessons.scoring_functions import rules
from explorer.lessons.scoring_functions.fitted_scorers import measure
from explorer.lessons.scoring_functions.records import BesideRecord
from explorer.nn.scorers import Additive, General
from explorer.records.provenance import Provenance
from explorer.scenes import DEFAULTS
from explorer.service.kept import made_once

Points = tuple[tuple[float, float], ...]
#: No rule: both scores are as they begin.
UNTRAINED = "none"
#: Queries and keys that there may be, and their largest distance from 0 along each axis.
FEWEST, MOST_QUERIES, MOST_KEYS, REACH = 1, 4, 10, 3.5
#: Digits behind the point to which a place is kept.
DIGITS = 2
_NUMBER = re.compile(r"[-−+]?(?:\d+\.?\d*|\.\d+)")
_BETWEEN = re.compile(r"[\s,;()，；、（）]*")


class PlacesError(ValueError):
    """Text typed as points of the plane that is no list of pairs of numbers."""


def format_points(points: Sequence[Sequence[float]]) -> str:
    """Write points as the link and the fields have them: “2.2 0.7, -1.2 1.5”."""
    return ", ".join(f"{round(x, DIGITS) + 0.0:g} {round(y, DIGITS) + 0.0:g}" for x, y in points)


def parse_points(text: str, most: int) -> Points:
    """Read points of the plane: pairs of numbers, with anything between them that separates.

    Raises:
        PlacesError: if there is anything else, an odd number of numbers, too many, or a place beyond `REACH`.
    """
    numbers = [float(each.replace("−", "-")) for each in _NUMBER.findall(text)]
    rest = _BETWEEN.sub("", _NUMBER.sub("", text))
    pairs = tuple(zip(numbers[::2], numbers[1::2], strict=False))
    if rest or len(numbers) % 2 or not FEWEST <= len(pairs) <= most or max(map(abs, numbers)) > REACH:
        raise PlacesError(f"points must be {FEWEST} to {most} pairs of numbers from {-REACH} to {REACH}")
    return pairs


#: Places of both at first.
QUERIES, KEYS = (parse_points(DEFAULTS[field], MOST_KEYS) for field in ("sf_queries", "sf_points"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """Settings of the comparison.

    Attributes:
        rule: that both scores are trained for, one of `rules.RULES`, or `UNTRAINED`.
        second: score beside the dot product, `additive` or `sum`.
        queries: their places.
        keys: their places.
        valid_lengths: how many keys each query may see, the last one for all further queries; empty for all.
        seed: of the additive score, if it is untrained.
    """

    rule: str = "ahead"
    second: str = "additive"
    queries: Points = QUERIES
    keys: Points = KEYS
    valid_lengths: tuple[int, ...] = ()
    seed: int = 0


def compute(params: Beside) -> BesideRecord:
    """Score and weigh all keys for all queries in both ways."""
    query, key = torch.tensor(params.queries), torch.tensor(params.keys)
    allowed = _allowed(params)
    both = scorers(params)
    with torch.inference_mode():
        scores = torch.stack([score(query, key) for score in both])
        weights = masking.masked_softmax(scores, allowed)
    sizes = scoring_cost.ScorerSizes(queries=len(query), keys=len(key), d_query=2, d_key=2, d_hidden=rules.HIDDEN)
    plain = params.rule == UNTRAINED
    return BesideRecord(
        names=("scaled_dot", params.second),
        queries=query.numpy(),
        keys=key.numpy(),
        scores=scores.numpy(),
        weights=weights.numpy(),
        allowed=allowed.numpy(),
        right=_right(params.rule, query, key, allowed),
        found=None if plain else _found(params.rule, params.second),
        parameters=(_learned(both[0]), _learned(both[1])),
        flops=(
            scoring_cost.flops("scaled_dot" if plain else "general", sizes),
            sum_flops(sizes) if params.second == "sum" else scoring_cost.flops("additive", sizes),
        ),
        learned=_arrays(both),
        provenance=Provenance.of(compute, seed=params.seed if plain else rules.SEED, detail=_detail(params)),
    )


def _allowed(params: Beside) -> Bool[Tensor, "queries keys"]:
    lengths = params.valid_lengths or (len(params.keys),)
    each = [lengths[min(query, len(lengths) - 1)] for query in range(len(params.queries))]
    return masking.valid(torch.tensor(each), len(params.keys))


def vector_sum(
    query: Float[Tensor, "*batch queries d"], key: Float[Tensor, "*batch keys d"]
) -> Float[Tensor, "*batch queries keys"]:
    """Add up all numbers of query and key, 1·(q + k): what additive attention is without v, W and tanh."""
    return query.sum(-1).unsqueeze(-1) + key.sum(-1).unsqueeze(-2)


def sum_flops(sizes: scoring_cost.ScorerSizes) -> int:
    """Count operations of `vector_sum`, by the conventions of `scoring_cost`."""
    once = sizes.queries * (sizes.d_query - 1) + sizes.keys * (sizes.d_key - 1)
    return once + sizes.queries * sizes.keys


def scorers(params: Beside) -> tuple[Score, Score]:
    """Return both scores: trained for the rule, or as they begin."""
    first, second = _untrained(params.seed) if params.rule == UNTRAINED else rules.train_rule(params.rule)
    return first, (vector_sum if params.second == "sum" else second)


@made_once
def _untrained(seed: int) -> tuple[Score, Additive]:
    """Return the scaled dot product, and an additive score as `xavier` draws it, without a bias."""
    additive = Additive(2, 2, rules.HIDDEN, generator=torch.Generator().manual_seed(seed)).requires_grad_(False)
    return scoring.scaled_dot, additive


@made_once
def _found(rule: str, second: str) -> tuple[float, float]:
    unseen = rules.draw_unseen(rule)
    one, other = scorers(Beside(rule=rule, second=second))
    return measure(one, unseen)[1], measure(other, unseen)[1]


def _right(
    rule: str,
    query: Float[Tensor, "queries 2"],
    key: Float[Tensor, "keys 2"],
    allowed: Bool[Tensor, "queries keys"],
) -> npt.NDArray[np.int64]:
    """Return the best key that may be seen under a rule; -1 without a rule, or where several are the best."""
    if rule == UNTRAINED:
        return np.full(len(query), -1)
    merits = rules.merit(rule, query, key).masked_fill(~allowed, -math.inf)
    alone = torch.isclose(merits, merits.amax(-1, keepdim=True)).sum(-1) == 1
    return torch.where(alone, merits.argmax(-1), -1).numpy()


def _learned(score: Score) -> int:
    return sum(part.numel() for part in score.parameters()) if isinstance(score, nn.Module) else 0


def _arrays(both: tuple[Score, Score]) -> dict[str, npt.NDArray[np.float32]]:
    """Return weights as `closed_forms.js` takes them: the scaled dot product is a bilinear score, too."""
    first, second = both
    found = {"general": first.weight if isinstance(first, General) else torch.eye(2) / math.sqrt(2)}
    if isinstance(second, Additive):
        found |= {"bias": torch.zeros(rules.HIDDEN), **dict(second.named_parameters())}
    return {name: part.numpy() for name, part in found.items()}


def _detail(params: Beside) -> str:
    trained = "untrained" if params.rule == UNTRAINED else f"trained for {rules.STEPS} steps, rule “{params.rule}”"
    lengths = f"; valid lengths {', '.join(map(str, params.valid_lengths))}" if params.valid_lengths else ""
    return f"queries {format_points(params.queries)}; keys {format_points(params.keys)}; {trained}{lengths}"
