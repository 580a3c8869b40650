"""Rules that say which key is right for a query in the plane, and two scores trained to follow each."""

from functools import lru_cache, partial

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.attention import scoring
from explorer.data.retrieval import Examples
from explorer.lessons.scoring_functions.fitted_scorers import train
from explorer.nn.scorers import Additive, General

#: The key that lies nearest; that whose direction is nearest to the query's; the same, once the query is turned left.
RULES = ("nearest", "ahead", "left")
#: Hidden units of the additive score, and unseen examples.
HIDDEN, UNSEEN = 16, 1024
#: Training: keys of an example, steps and seed.
N_KEYS, STEPS, SEED = 8, 200, 0


def merit(
    rule: str, query: Float[Tensor, "*batch queries 2"], key: Float[Tensor, "*batch keys 2"]
) -> Float[Tensor, "*batch queries keys"]:
    """Return how good each key is for each query under a rule: the best one is right."""
    if rule == "nearest":
        return scoring.gaussian(query, key)
    if rule == "left":
        query = torch.stack([-query[..., 1], query[..., 0]], -1)
    return scoring.cosine(query, key)


def draw(rule: str, examples: int, generator: torch.Generator) -> Examples:
    """Draw queries and keys in any direction, 0.5 to 3.5 long."""
    vectors = torch.randn(examples, N_KEYS + 1, 2, generator=generator)
    lengths = 0.5 + 3 * torch.rand(examples, N_KEYS + 1, 1, generator=generator)
    vectors = torch.nn.functional.normalize(vectors, dim=-1) * lengths
    query, key = vectors[:, :1], vectors[:, 1:]
    return Examples(query, key, merit(rule, query, key).squeeze(-2).argmax(-1))


def draw_unseen(rule: str) -> Examples:
    """Draw the examples on which what was learned is measured."""
    return draw(rule, UNSEEN, torch.Generator().manual_seed(SEED + 1))


@lru_cache(maxsize=len(RULES))
def train_rule(rule: str) -> tuple[General, Additive]:
    """Train a bilinear and an additive score for a rule: once, on the same examples, on one thread."""
    with torch.inference_mode(False), torch.enable_grad():
        generator = torch.Generator().manual_seed(SEED)
        scorers = (General(2, 2, generator=generator), Additive(2, 2, HIDDEN, bias=True, generator=generator))
        train(scorers, partial(draw, rule), steps=STEPS, seed=SEED)
        for scorer in scorers:
            scorer.requires_grad_(False)
    return scorers
