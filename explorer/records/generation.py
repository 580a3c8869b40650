"""A text that a decoder-only model writes: its tokens, how surprising each was, and what else could have come."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from explorer.records.arrays import Float32
from explorer.records.provenance import Provenance
from explorer.records.readonly import record

#: Why a token could not be drawn: it could, or what took it away.
Fate = Literal["kept", "top_k", "top_p", "min_p"]
FATES: tuple[Fate, ...] = ("kept", "top_k", "top_p", "min_p")
#: Prefix matching that an induction head reaches: half of its weight, as much as on all other tokens together.
LEAST_PREFIX = 0.5
#: Copying that it reaches, in times of what it would be if it raised every token of the sequence alike. Heads of models
#: that nobody trained, whose values mean nothing, stay below twice that (a test holds it).
LEAST_COPYING = 3


@record
class TextRecord:
    """A text, token by token.

    Attributes:
        labels: one for each token; a space reads ␣, an end of line ⏎.
        surprisal: −ln of the probability that the model gave to each token, in nats; NaN where it gave none: to the
            first token, and to those of a prompt that are too far back to be read.
        n_given: how many tokens were there before the model wrote.

    Raises:
        ValueError: if there is not one number for each token.
    """

    labels: tuple[str, ...]
    surprisal: Float32
    n_given: int
    provenance: Provenance

    def __post_init__(self) -> None:
        if self.surprisal.shape != (len(self.labels),):
            raise ValueError(f"{len(self.labels)} tokens and numbers of shape {self.surprisal.shape}")


@dataclass(frozen=True, slots=True, kw_only=True)
class NextToken:
    """A token that could come next.

    Attributes:
        label: how it reads.
        model: the model's own probability.
        drawn: its probability when the sampler draws; 0 if it was cut away.
        fate: whether it can be drawn, or what took it away.
    """

    label: str
    model: float
    drawn: float
    fate: Fate


@dataclass(frozen=True, slots=True, kw_only=True)
class NextRecord:
    """The next token of one place.

    Attributes:
        likeliest: the likeliest by the model, the best first; the token that stands there is the last, if it is not
            among them.
        chosen: number of the token that stands there, among them; None at the end of the text.
        rank: of that token among all, from 0; None at the end of the text.
        n_kept: how many tokens can be drawn.
    """

    likeliest: tuple[NextToken, ...]
    chosen: int | None
    rank: int | None
    n_kept: int
    n_tokens: int
    provenance: Provenance


@record
class InductionRecord:
    """The induction scores of every head on random repeated sequences; means over the sequences.

    Attributes:
        prefix: prefix matching, `[layers, heads]`, 0…1: weight on the tokens that followed the same token before.
        copying: `[layers, heads]`, 0…1: how much of what a head raises is the token it looks at.
        previous: `[layers, heads]`, 0…1: weight on the token before.
        even: what a head that spreads its weight evenly would score in each of the three, in this order.
        labels: of the first sequence, start and all repetitions.
        period: tokens until a sequence repeats.
        loss: −ln probability of each token of the first run and of the others, mean, in nats.
    """

    prefix: Float32
    copying: Float32
    previous: Float32
    even: tuple[float, float, float]
    labels: tuple[str, ...]
    period: int
    sequences: int
    loss: tuple[float, float]
    provenance: Provenance

    def __post_init__(self) -> None:
        if not self.prefix.shape == self.copying.shape == self.previous.shape:
            raise ValueError("the three scores are not of the same heads")

    @property
    def least(self) -> tuple[float, float]:
        """Prefix matching and copying that make an induction head by this test."""
        return LEAST_PREFIX, LEAST_COPYING * self.even[1]

    @property
    def matches(self) -> npt.NDArray[np.bool_]:
        """Return which heads reach enough prefix matching, `[layers, heads]`."""
        return np.asarray(self.prefix >= self.least[0])

    @property
    def inducts(self) -> npt.NDArray[np.bool_]:
        """Return which of them copy enough as well: the induction heads by this test."""
        return np.asarray(self.matches & (self.copying >= self.least[1]))
