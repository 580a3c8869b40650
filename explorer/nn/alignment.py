"""Alignments of a decoder with its source: attention with one of several scores, a fixed alignment, or nothing."""

import math
from typing import Literal

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.nn import functional as F

from explorer.attention import scoring
from explorer.attention.attend import Attended, attend
from explorer.nn.scorers import Additive, Concat, General

Mechanism = Literal["none", "fixed", "dot", "scaled_dot", "general", "concat", "additive"]
#: From no look at the source to the first attention, in the order in which the lesson shows them.
MECHANISMS: tuple[Mechanism, ...] = ("none", "fixed", "dot", "scaled_dot", "general", "concat", "additive")
#: Those that compare a query with every key; the others need no query.
ATTENTIONS: tuple[Mechanism, ...] = ("dot", "scaled_dot", "general", "concat", "additive")
#: Those without weights between query and key, which must be equally long.
EQUAL_LENGTHS: tuple[Mechanism, ...] = ("dot", "scaled_dot")


class Alignment(nn.Module):
    """Attention of a decoder's states over an encoder's, with what depends on the source alone computed once.

    A decoder asks many times and the source stays the same: `offer` maps the keys once (W k for general, W_k k + b for
    additive and concat), and `forward` compares each query with the result. The scores are those of
    `explorer.attention.scoring`.

    The W of general is the parameter divided by √d_query. Trained itself, one step of Adam at rate 0.002 can move a
    score between states of 320 numbers by tens, and the softmax saturates before it has learned where to look
    (measured on Multi30k: BLEU 22 on `dev` after 750 steps, where scaled dot has 31).

    Args:
        mechanism: one of `ATTENTIONS`.
        d_query: length of a decoder state.
        d_key: length of an encoder state.
        d_hidden: hidden units of additive and concat.
        bias: whether these have one.

    Raises:
        ValueError: `mechanism` is no attention, or needs equal lengths.
    """

    def __init__(self, mechanism: Mechanism, d_query: int, d_key: int, d_hidden: int, *, bias: bool = False) -> None:
        super().__init__()
        if mechanism not in ATTENTIONS:
            raise ValueError(f"{mechanism!r} compares nothing; choose one of {', '.join(ATTENTIONS)}")
        if mechanism in EQUAL_LENGTHS and d_query != d_key:
            raise scoring.LengthMismatchError(mechanism, d_query, d_key)
        self.mechanism, self.d_query = mechanism, d_query
        self.scorer: General | Additive | Concat | None = None
        if mechanism == "general":
            self.scorer = General(d_query, d_key)
        elif mechanism == "additive":
            self.scorer = Additive(d_query, d_key, d_hidden, bias=bias)
        elif mechanism == "concat":
            self.scorer = Concat(d_query, d_key, d_hidden, bias=bias)

    def offer(self, keys: Float[Tensor, "batch keys d_key"]) -> Float[Tensor, "batch keys d_offered"]:
        """Map the keys as far as they can be without a query."""
        if isinstance(self.scorer, General):
            return F.linear(keys, self.scorer.weight / math.sqrt(self.d_query))
        if isinstance(self.scorer, Additive):
            return F.linear(keys, self.scorer.key_weight, self.scorer.bias)
        if isinstance(self.scorer, Concat):
            return F.linear(keys, self.scorer.weight[:, self.d_query :], self.scorer.bias)
        return keys

    def ask(self, query: Float[Tensor, "*batch d_query"]) -> Float[Tensor, "*batch d_offered"]:
        """Map queries to what is compared with keys that `offer` mapped: W_q q for additive and concat."""
        if isinstance(self.scorer, Additive):
            return F.linear(query, self.scorer.query_weight)
        if isinstance(self.scorer, Concat):
            return F.linear(query, self.scorer.weight[:, : self.d_query])
        return query

    def score(
        self, query: Float[Tensor, "batch queries d_query"], offered: Float[Tensor, "batch keys d_offered"]
    ) -> Float[Tensor, "batch queries keys"]:
        """Score every query against every key that `offer` mapped."""
        if isinstance(self.scorer, Additive | Concat):
            return scoring.score_projected(self.ask(query), offered, v=self.scorer.v)
        return scoring.scaled_dot(query, offered) if self.mechanism == "scaled_dot" else scoring.dot(query, offered)

    def forward(
        self,
        query: Float[Tensor, "batch queries d_query"],
        offered: Float[Tensor, "batch keys d_offered"],
        values: Float[Tensor, "batch keys d_value"],
        allowed: Bool[Tensor, "batch queries_or_1 keys"],
    ) -> Attended:
        """Average the encoder states, weighted by how well each fits the query.

        Args:
            query: decoder states.
            offered: from `offer`.
            values: encoder states.
            allowed: True = may attend.
        """
        return attend(query, offered, values, score=self.score, allowed=allowed)


def align_fixed(
    values: Float[Tensor, "batch keys d_value"], allowed: Bool[Tensor, "batch keys"], *, first: int, steps: int
) -> Attended:
    """Align step t with token t of the source alone, and past its end with the last one: a straw man.

    There is nothing to compare; the weights stand in for the scores.

    Args:
        values: encoder states.
        allowed: True where there is a token; tokens stand before padding.
        first: number of the first step.
    """
    last = allowed.sum(-1, keepdim=True) - 1
    looked_at = torch.arange(first, first + steps, device=values.device).minimum(last)  # [batch, steps]
    weights = F.one_hot(looked_at, values.shape[1]).to(values.dtype)
    return Attended(weights @ values, weights, weights)
