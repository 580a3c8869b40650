"""Measure what one head does on one sentence, and which plain word for it is earned.

All means are over rows that have a choice: a query that may see one key only gives it 1 whatever the head has learned.
"""

from collections.abc import Mapping
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from explorer.attention.softmax_measures import entropy
from explorer.records.heads import HeadLabel, Label

#: A label on a share of the weight asks for this share at least,
SHARE = 0.5
#: and for this many times what an even spread would put there,
TIMES_CHANCE = 2.0
#: and for this many rows to judge by.
FEWEST_ROWS = 3
#: Tokens that are near stand at most so far away.
NEAR = 4
#: An evenness from which a head is `broad`; a mean largest weight from which it is `sharp`.
BROAD, SHARP = 0.9, 0.8
#: Labels about where the weight goes. Of equal shares the first one names: the decoder's first token is special.
PLACES: tuple[Label, ...] = ("previous", "same", "next", "special", "first", "punctuation", "diagonal")


class MeasuredHeads(NamedTuple):
    """A measure of every head, `[heads]`; what an even spread would score; over how many rows it is a mean."""

    values: Float[Tensor, " heads"]
    chance: float
    rows: int


def share(
    weights: Float[Tensor, "heads queries keys"],
    target: Bool[Tensor, "queries keys"],
    allowed: Bool[Tensor, "queries keys"],
) -> MeasuredHeads:
    """Weight on the target cells over that on all allowed cells, in the rows that have a target and a choice.

    Where each row's allowed weights sum to 1 it is the mean over these rows; where columns are left out of `allowed`,
    each row counts by what it has left. NaN where there is no such row.

    Args:
        target: the cells that count.
        allowed: True = may attend, and is measured.
    """
    target = target & allowed
    rows = target.any(-1) & _choice(allowed)
    even = target.sum(-1).double() / allowed.sum(-1).clamp(min=1)
    kept = weights[:, rows]  # [heads, rows, keys]
    values = (kept * target[rows]).sum((-1, -2)) / (kept * allowed[rows]).sum((-1, -2))
    return MeasuredHeads(values, float(even[rows].mean()), int(rows.sum()))


def repeats(ids: Int[Tensor, " n"]) -> tuple[Bool[Tensor, "n n"], Bool[Tensor, "n n"]]:
    """Return where each token stands elsewhere in the text, and what followed its earlier copies, `[queries, keys]`.

    A head that looks at the second copies by induction (Olsson et al. 2022).
    """
    n = len(ids)
    equal, here = ids[:, None] == ids, torch.arange(n)
    after = torch.zeros(n, n, dtype=torch.bool)
    after[:, 1:] = (equal & (here < here[:, None]))[:, :-1]
    itself = torch.eye(n, dtype=torch.bool)
    return equal & ~itself, after & ~itself


def spread(
    weights: Float[Tensor, "heads queries keys"], allowed: Bool[Tensor, "queries keys"]
) -> dict[str, MeasuredHeads]:
    """Measure how weight spreads: entropy (nats), exp(entropy), entropy / ln(allowed keys), the largest weight."""
    rows = _choice(allowed)
    kept, n_keys = weights[:, rows], allowed.sum(-1)[rows].to(weights.dtype)
    nats = entropy(kept)
    values = {
        "entropy": (nats, n_keys.log()),
        "effective": (nats.exp(), n_keys),
        "evenness": (nats / n_keys.log(), torch.ones_like(n_keys)),
        "largest": (kept.amax(-1), 1 / n_keys),
    }
    return {
        name: MeasuredHeads(each.mean(-1), float(even.mean()), int(rows.sum())) for name, (each, even) in values.items()
    }


def distance(
    weights: Float[Tensor, "heads queries keys"],
    allowed: Bool[Tensor, "queries keys"],
    positions: Float[Tensor, " queries"],
) -> MeasuredHeads:
    """Mean of Σ_j w_ij |p_i − j|, in tokens.

    Args:
        allowed: True = may attend.
        positions: where each query stands among the keys.
    """
    far = (positions[:, None] - torch.arange(weights.shape[-1], dtype=positions.dtype)).abs()
    rows = _choice(allowed)
    even = (far * allowed).sum(-1) / allowed.sum(-1).clamp(min=1)
    return MeasuredHeads((weights * far).sum(-1)[:, rows].mean(-1), float(even[rows].mean()), int(rows.sum()))


def pace(queries: int, keys: int) -> Float[Tensor, " queries"]:
    """Return the key where each query would stand if both were read at the same pace: i (keys − 1) / (queries − 1)."""
    return torch.arange(queries, dtype=torch.float64) * ((keys - 1) / max(queries - 1, 1))


def measure(
    weights: Float[Tensor, "heads queries keys"],
    *,
    crossed: bool,
    special: Bool[Tensor, " keys"],
    punctuation: Bool[Tensor, " keys"],
    allowed: Bool[Tensor, "queries keys"] | None = None,
) -> dict[str, MeasuredHeads]:
    """Every measure of every head; those that have no meaning are left out.

    Args:
        weights: of all heads; each row sums to 1.
        crossed: whether queries and keys are different sequences: then no key is the previous one.
        special: keys that are text of no language, such as `</s>`.
        punctuation: keys that are nothing but punctuation.
        allowed: True = may attend; None allows everything.
    """
    weights = weights.double()
    _, queries, keys = weights.shape
    seen = torch.ones(queries, keys, dtype=torch.bool) if allowed is None else allowed
    positions = pace(queries, keys) if crossed else torch.arange(queries, dtype=torch.float64)
    away = torch.arange(keys) - positions[:, None]  # [queries, keys]
    targets = (
        {"diagonal": away.abs() <= 1} if crossed else {"previous": away == -1, "same": away == 0, "next": away == 1}
    )
    first = torch.arange(keys) == 0
    columns = {"first": first, "punctuation": punctuation, "special": special}
    targets |= {name: column.expand(queries, keys) for name, column in columns.items()}
    return (
        spread(weights, seen)
        | {"distance": distance(weights, seen, positions)}
        | {name: share(weights, target, seen) for name, target in targets.items()}
    )


def labels(measured: Mapping[str, MeasuredHeads], head: int) -> tuple[HeadLabel, ...]:
    """Every label whose rule holds for a head, the most telling first.

    A place (`previous`, `same`, `next`, `first`, `punctuation`, `special`, `diagonal`): at least `SHARE` of the weight
    and at least `TIMES_CHANCE` times what an even spread would put there. `broad`: evenness from `BROAD`. `sharp`: a
    mean largest weight from `SHARP` and `TIMES_CHANCE` times that of an even spread. All from `FEWEST_ROWS` rows on.
    """
    positions = [_held(measured, name, name, head, SHARE, TIMES_CHANCE) for name in PLACES]
    held = sorted((label for label in positions if label), key=lambda label: -label.score)
    others = [
        _held(measured, "evenness", "broad", head, BROAD, 0.0),
        _held(measured, "largest", "sharp", head, SHARP, TIMES_CHANCE),
    ]
    return (*held, *(label for label in others if label))


def _held(
    measured: Mapping[str, MeasuredHeads], name: str, label: Label, head: int, threshold: float, times: float
) -> HeadLabel | None:
    if name not in measured:
        return None
    values, chance, rows = measured[name]
    score = float(values[head])
    if rows < FEWEST_ROWS or not score >= max(threshold, times * chance):
        return None
    return HeadLabel(name=label, score=score, chance=chance)


def _choice(allowed: Bool[Tensor, "queries keys"]) -> Bool[Tensor, " queries"]:
    return allowed.sum(-1) > 1
