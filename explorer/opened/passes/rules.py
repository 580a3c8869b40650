"""Say which plain rule each head keeps on a text: how much rests, and where the remainder lies.

In trained models most weight lies on one resting place, so that every head would be called the same. What tells heads
apart is what is left: `explorer.attention.head_measures.share` measures it, each row by its own remainder.
"""

from functools import lru_cache

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from explorer.attention import head_measures
from explorer.attention.softmax_measures import entropy
from explorer.records.opened.look import HeadRule, OpenedTokens, RuleName

#: A rule holds from this share of the remainder, and this many times what an even spread would put there;
HOLDS, TIMES = 0.4, 2.0
#: it is leant to from these.
LEANS, LEANS_TIMES = 0.2, 3.0
#: Nearness includes the neighbours, so that it must hold more clearly.
NEAR, NEAR_TIMES = 0.7, 1.5
#: Evenness of a spread that is called even, and the share at rest from which a head does nothing else.
BROAD, RESTING = 0.85, 0.95


def judge(
    weights: Float[Tensor, "heads queries keys"],
    queries: OpenedTokens,
    keys: OpenedTokens,
    allowed: Bool[Tensor, "queries keys"] | None = None,
) -> tuple[HeadRule, ...]:
    """Judge each head of one attention.

    Args:
        queries: what asks; the same object as `keys` where a sequence attends to itself.
        keys: what is asked.
        allowed: True = may attend; None allows everything.
    """
    rest, resting_rows = torch.tensor(keys.rest), torch.tensor(queries.rest)
    seen = torch.ones(weights.shape[1:], dtype=torch.bool) if allowed is None else allowed
    left = seen & ~rest
    if queries is keys:
        left &= ~resting_rows[:, None]  # the resting place asks nothing
    targets = _targets(queries, keys, queries is keys)
    measured = {name: head_measures.share(weights, target, left) for name, target in targets.items()}
    measured = {name: each for name, each in measured.items() if each.rows >= head_measures.FEWEST_ROWS}
    rows = left.sum(-1) > 1
    rested = weights[:, rows][:, :, rest].sum(-1).mean(-1).nan_to_num(1.0).tolist()
    evenness = _evenness(weights * left, left).tolist()
    return tuple(
        _rule({name: (float(each.values[head]), each.chance) for name, each in measured.items()}, *of_head)
        for head, of_head in enumerate(zip(rested, evenness, strict=True))
    )


@lru_cache(maxsize=4)
def _targets(queries: OpenedTokens, keys: OpenedTokens, itself: bool) -> dict[RuleName, Bool[Tensor, "queries keys"]]:
    """Return the cells that each rule is about, once for all layers of a text."""
    return grid_targets(keys.grid, len(keys)) if keys.grid else text_targets(queries, keys, itself)


def text_targets(
    queries: OpenedTokens, keys: OpenedTokens, itself: bool
) -> dict[RuleName, Bool[Tensor, "queries keys"]]:
    """Return the cells that each rule about a text is about.

    Args:
        itself: whether a sequence attends to itself.
    """
    n, m = len(queries), len(keys)
    punctuation = torch.tensor(keys.punctuation).expand(n, m)
    if not itself:
        away = torch.arange(m) - head_measures.pace(n, m)[:, None]  # [queries, keys]
        return {"diagonal": away.abs() <= 1, "punctuation": punctuation}
    away = torch.arange(n) - torch.arange(n)[:, None]  # [queries, keys]
    twin, after = head_measures.repeats(torch.tensor(keys.ids))
    return {
        "previous": away == -1,
        "same": away == 0,
        "next": away == 1,
        "after": after,
        "twin": twin,
        "punctuation": punctuation,
        "near": (away.abs() <= head_measures.NEAR) & (away != 0),
    }


def grid_targets(grid: tuple[int, int], n: int) -> dict[RuleName, Bool[Tensor, "n n"]]:
    """Return the cells of rules about a picture: a patch itself, and the eight around it."""
    rows, columns = grid
    before = n - rows * columns
    position = torch.cartesian_prod(torch.arange(rows), torch.arange(columns))
    apart = (position[:, None] - position).abs().amax(-1)  # [patches, patches]
    near = torch.zeros(n, n, dtype=torch.bool)
    near[before:, before:] = apart == 1
    return {"same": torch.eye(n, dtype=torch.bool), "near": near}


def _evenness(kept: Float[Tensor, "heads queries keys"], left: Bool[Tensor, "queries keys"]) -> Float[Tensor, " heads"]:
    """Entropy of each row's remainder over that of an even spread, mean by remainder; NaN where nothing is left."""
    mass, choices = kept.sum(-1), left.sum(-1)
    rows = choices > 1
    spread = entropy(kept / mass.clamp(min=1e-9)[..., None])[:, rows] / choices[rows].log()
    return (spread * mass[:, rows]).sum(-1) / mass[:, rows].sum(-1)


def _rule(measured: dict[RuleName, tuple[float, float]], rested: float, evenness: float) -> HeadRule:
    def best(share: float, times: float, names: set[RuleName]) -> RuleName | None:
        found = [name for name in names if measured[name][0] >= max(share, times * measured[name][1])]
        return max(found, key=lambda name: measured[name][0], default=None)

    positions = measured.keys() - {"near"}
    held = best(HOLDS, TIMES, positions) or best(NEAR, NEAR_TIMES, measured.keys() & {"near"})
    leant = None if held else best(LEANS, LEANS_TIMES, positions)
    name: RuleName = held or leant or ("broad" if evenness > BROAD else "mixed")
    if rested > RESTING or evenness != evenness:
        name, leant = "resting", None
    score, chance = measured.get(name, (0.0 if evenness != evenness else evenness, 0.0))
    return HeadRule(rest=rested, rule=name, leans=leant is not None, score=score, chance=chance)
