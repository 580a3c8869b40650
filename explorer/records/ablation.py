"""Removals from a model or its input, and what becomes of the output."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from explorer.records.arrays import Float32
from explorer.records.heads import HeadName, Part
from explorer.records.provenance import Provenance
from explorer.records.readonly import record
from explorer.records.sequence import Candidate

#: `off`: the head adds nothing to the output. `uniform`: it weighs all that it may see the same.
How = Literal["off", "uniform"]


class Rescored:
    """An old translation read again under a change; its words, and their log-probabilities (nats), are fields.

    A word's log-probability is the sum over its pieces.
    """

    __slots__ = ()
    before_words: tuple[str, ...]
    log_probability_before: Float32
    log_probability_after: Float32

    @property
    def change(self) -> Float32:
        """Return the change of each old word's log-probability, nats: below 0 it became less likely."""
        difference: Float32 = self.log_probability_after - self.log_probability_before
        return difference

    @property
    def total_change(self) -> float:
        """Return the change of the old translation's log-probability, nats."""
        return float(self.change.sum(dtype=np.float64))


@record
class AblationRecord(Rescored):
    """A translation before and after some heads were taken away.

    Attributes:
        heads: those taken away; none of them is missing in the model.
        how: what was done to them.
        before: the translation by the whole model.
        after: the translation without them.
        before_words: words of `before`, its end included.
        after_words: words of `after`.
        before_kept: for each word of `before`, whether it stands in `after` too (longest matching blocks).
        after_kept: for each word of `after`, whether it stood in `before`.
        log_probability_before: of each word of `before` under the whole model, nats, `[words of before]`.
        log_probability_after: of the same words without the heads, `[words of before]`.
    """

    heads: tuple[HeadName, ...]
    how: How
    before: Candidate
    after: Candidate
    before_words: tuple[str, ...]
    after_words: tuple[str, ...]
    before_kept: tuple[bool, ...]
    after_kept: tuple[bool, ...]
    log_probability_before: Float32
    log_probability_after: Float32
    provenance: Provenance


@record
class AblationSweepRecord:
    """Every head taken away alone: how much less likely the old translation becomes. NaN where not yet measured.

    Attributes:
        done: heads measured so far.
        total: heads there are.
        sites: rows of the map: encoder, decoder self and cross, layer by layer.
        token_change: of each old token's log-probability, nats, `[sites, heads, tokens]`; below 0 it became less
            likely.
        flips: positions of the old translation whose likeliest token is another one then, `[sites, heads]`.
    """

    done: int
    total: int
    sites: tuple[str, ...]
    token_change: Float32
    flips: Float32
    provenance: Provenance

    @property
    def change(self) -> Float32:
        """Return the change of the old translation's log-probability, nats, `[sites, heads]`."""
        total: Float32 = self.token_change.sum(-1)
        return total

    def head(self, row: int, column: int) -> HeadName:
        """The head of a cell of the map."""
        where, _, layer, what = self.sites[row].split(".")
        part: Part = "cross" if what == "cross" else "encoder" if where == "encoder" else "decoder"
        return HeadName(part=part, layer=int(layer), head=column)


@record
class EffectRecord:
    """Every source token hidden alone, from the encoder's attention and from cross-attention. NaN: not yet measured.

    Attributes:
        done: source tokens hidden so far.
        total: source tokens there are.
        drop: fall of each output token's log-probability, nats, `[target, source]`: above 0 the source token helped.
        query_labels: output tokens, as written.
        key_labels: source tokens.
    """

    done: int
    total: int
    drop: Float32
    query_labels: tuple[str, ...]
    key_labels: tuple[str, ...]
    provenance: Provenance


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """The agreement of an attention map's order of source tokens with the effect of hiding them.

    Attributes:
        name: of the map, as a summary of heads is called.
        here: Spearman's rank correlation for the chosen output token, −1…1; NaN where a row has no order.
        mean: its mean over all output tokens where it exists.
        tokens: how many those are.
        top: share of those tokens for which the source token with the largest weight is the one whose hiding costs
            most; NaN where there are none.
    """

    name: Literal["mean", "max", "layers", "rollout"]
    here: float
    mean: float
    tokens: int
    top: float
