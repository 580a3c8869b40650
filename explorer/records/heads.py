"""Heads of attention: their names, what is measured of each, and what happens inside one."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from explorer.records.arrays import Float32
from explorer.records.provenance import Provenance
from explorer.records.readonly import record

#: The three kinds of attention in a translator: self-attention of the encoder and of the decoder, and cross-attention.
Part = Literal["encoder", "decoder", "cross"]
PARTS: tuple[Part, ...] = ("encoder", "decoder", "cross")
Label = Literal["previous", "same", "next", "first", "punctuation", "special", "diagonal", "broad", "sharp"]
#: Columns of a table of heads, in order; all are attributes of `HeadMeasures`.
MEASURES = (
    "entropy", "effective", "distance", "previous", "same", "next", "first", "punctuation", "special", "diagonal",
    "evenness", "largest",
)  # fmt: skip
_LETTERS: dict[str, Part] = {"E": "encoder", "D": "decoder", "C": "cross"}
_CODE = re.compile(r"([EDC])(\d{1,2})\.(\d{1,3})", re.ASCII | re.IGNORECASE)
_SPACE_MARKS = "▁Ġ"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class HeadName:
    """A head: `E0.3` is head 3 of the encoder's layer 0, `D` the decoder's self-attention, `C` cross-attention."""

    part: Part
    layer: int
    head: int

    @property
    def site(self) -> str:
        """Dotted name of its attention, such as `decoder.layers.1.cross`."""
        where = "encoder" if self.part == "encoder" else "decoder"
        return f"{where}.layers.{self.layer}.{'cross' if self.part == 'cross' else 'self'}"

    @property
    def code(self) -> str:
        """Short name for axes and links, such as `C1.7`."""
        return f"{self.part[0].upper()}{self.layer}.{self.head}"


def head_names(text: str) -> tuple[HeadName, ...]:
    """Every head named in a text such as `E0.3 C2.1`, each once, in order; whatever else stands there is ignored."""
    found = {
        HeadName(part=_LETTERS[part.upper()], layer=int(layer), head=int(head))
        for part, layer, head in _CODE.findall(text)
    }
    return tuple(sorted(found, key=in_order))


def codes(heads: Iterable[HeadName]) -> str:
    """Return what `head_names` reads: every head once, in order."""
    return " ".join(head.code for head in sorted(set(heads), key=in_order))


def in_order(name: HeadName) -> tuple[int, int, int]:
    """Sorts heads by part (encoder, decoder, cross), layer and number."""
    return PARTS.index(name.part), name.layer, name.head


def punctuation(labels: Sequence[str]) -> tuple[bool, ...]:
    """For each token, whether it is nothing but punctuation (Unicode categories P…), a space mark aside."""
    bare = [label.strip(_SPACE_MARKS).strip() for label in labels]
    return tuple(bool(text) and all(unicodedata.category(char)[0] == "P" for char in text) for text in bare)


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadLabel:
    """A rule that a head keeps on this sentence.

    Attributes:
        score: the number that the rule is about.
        chance: what a head that spreads its weight evenly over all it may see would have scored.
    """

    name: Label
    score: float
    chance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadMeasures:
    """One head on one sentence, in numbers. NaN where a measure has no meaning: cross-attention has no previous token.

    All are means over the rows that have a choice: a query that may see one key only is left out.

    Attributes:
        head: which one.
        entropy: of a row, in nats.
        effective: exp(entropy): over how many tokens a row that is spread evenly would lie.
        distance: Σ w |i − j|, in tokens; in cross-attention from the place where the source would be if it were read
            at the pace of writing, i (m − 1) / (n − 1) for output token i of n and m source tokens.
        previous: share of the weight on the token before, over the rows that have one.
        same: share on the token itself.
        next: share on the token after.
        first: share on the first token.
        punctuation: share on punctuation.
        special: share on special tokens such as `</s>`.
        diagonal: cross-attention: share within one token of the place read at the pace of writing.
        evenness: entropy / ln(keys that may be seen), 0…1.
        largest: largest weight of a row.
        labels: every rule that holds, the most telling first.
    """

    head: HeadName
    entropy: float
    effective: float
    distance: float
    previous: float
    same: float
    next: float
    first: float
    punctuation: float
    special: float
    diagonal: float
    evenness: float
    largest: float
    labels: tuple[HeadLabel, ...] = ()

    @property
    def label(self) -> HeadLabel | None:
        """The most telling rule that holds; None where none does."""
        return self.labels[0] if self.labels else None


@record
class AttentionInputs:
    """The inputs of one attention and its scores.

    Attributes:
        query_input: gave its queries, `[queries, d_model]`.
        context: gave its keys and values, `[keys, d_model]`.
        scores: before the mask and the softmax, `[heads, queries, keys]`.
    """

    query_input: Float32
    context: Float32
    scores: Float32


@record
class InsideRecord:
    """One head, one query token and one key token: how their score comes about.

    Attributes:
        query_label: the token that asks.
        key_label: the token that is asked.
        query: q_i, `[d_key]`.
        key: k_j, `[d_key]`.
        product: q_i ⊙ k_j, `[d_key]`; its sum over √d_key is the score.
        score: Σ product / √d_key.
        traced_score: the score the model computed.
        weight: what softmax made of it.
        row_scores: scores of the query with every key, `[keys]`; NaN where it may not look.
        row_weights: its weights, `[keys]`.
        key_labels: one per key.
    """

    query_label: str
    key_label: str
    query: Float32
    key: Float32
    product: Float32
    score: float
    traced_score: float
    weight: float
    row_scores: Float32
    row_weights: Float32
    key_labels: tuple[str, ...]
    provenance: Provenance

    @property
    def d_key(self) -> int:
        """Length of query and key."""
        return len(self.query)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapeStep:
    """One step of multi-head attention as a shape.

    Attributes:
        symbol: such as `Q`, `W_O` or `concat`.
        axes: names of the axes, such as `("heads", "queries", "d_key")`.
        sizes: the reader's numbers for them.
        learned: whether these are parameters.
    """

    symbol: str
    axes: tuple[str, ...]
    sizes: tuple[int, ...]
    learned: bool = False


@record
class DropoutRecord:
    """One row of weights under dropout.

    Attributes:
        share: p, the probability of being dropped.
        draws: over which the mean is.
        key_labels: tokens that the row may look at.
        before: the weights, `[keys]`; they sum to 1.
        drawn: after the first draw: 0, or the weight divided by 1 − p.
        mean: over the draws.
        error: standard error of the mean.
        sums: of the row after each draw, `[draws]`.

    Raises:
        ValueError: if the shapes disagree.
    """

    share: float
    draws: int
    key_labels: tuple[str, ...]
    before: Float32
    drawn: npt.NDArray[np.float64]
    mean: npt.NDArray[np.float64]
    error: npt.NDArray[np.float64]
    sums: npt.NDArray[np.float64]
    provenance: Provenance

    def __post_init__(self) -> None:
        shapes = {each.shape for each in (self.before, self.drawn, self.mean, self.error)}
        if shapes != {(len(self.key_labels),)} or self.sums.shape != (self.draws,):
            raise ValueError(f"{shapes} do not fit {len(self.key_labels)} keys")


@record
class ContributionRecord:
    """The part of each head in the output of one attention: o_h = weights_h V_h W_O[h]; all o_h and the bias are it.

    Attributes:
        norm: ‖o_h‖, `[heads, queries]`.
        cosine: between o_h and the whole output, `[heads, queries]`; 0 where one of them is 0.
        share: (o_h · o) / ‖o‖², `[heads, queries]`: with `bias_share` they sum to 1.
        bias_share: of the output's bias, `[queries]`.
        bias_norm: ‖b_O‖.
        query_labels: one per query.
    """

    norm: Float32
    cosine: Float32
    share: Float32
    bias_share: Float32
    bias_norm: float
    query_labels: tuple[str, ...]
    provenance: Provenance
