"""Predictions of opened models: layer by layer, with heads switched off, and with heads carried over."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from explorer.records.arrays import Float32
from explorer.records.opened.look import OpenedTokens, Site
from explorer.records.provenance import Provenance
from explorer.records.readonly import check, record
from explorer.records.sequence import Likely

Integers = npt.NDArray[np.int32]
#: In place of its output a head adds nothing, or what it adds on average over the text.
Instead = Literal["nothing", "average"]


@record
class LensRecord:
    """Each layer's prediction at each place, as if the layers after it were not there (the logit lens).

    Attributes:
        tokens: that were read; of a model of two stacks, those that it wrote.
        words: every word that is named below.
        likeliest: numbers in `words`, `[layers + 1, places, top]`, the best first; row 0 stands before the first layer.
        probability: of these, same shape.
        share: probability of the word that the last layer puts first, `[layers + 1, places]`.
        rank: how many words are likelier than that one, `[layers + 1, places]`.
        off: largest difference between the lens at the last layer and the model's own logits.

    Raises:
        ValueError: if shapes disagree.
    """

    tokens: OpenedTokens
    words: tuple[str, ...]
    likeliest: Integers
    probability: Float32
    share: Float32
    rank: Integers
    off: float
    provenance: Provenance

    def __post_init__(self) -> None:
        check(self.likeliest.shape == self.probability.shape, "there must be a probability for each word")
        check(self.share.shape == self.rank.shape == self.likeliest.shape[:2], "there must be a share for each place")

    def top(self, layer: int, position: int) -> tuple[Likely, ...]:
        """Return the likeliest words after a layer; layer 0 is before the first."""
        pairs = zip(self.likeliest[layer, position], self.probability[layer, position], strict=True)
        return tuple(Likely(label=self.words[number], probability=float(chance)) for number, chance in pairs)

    def leads_from(self, position: int) -> int:
        """Return the row from which on the last layer's word leads for good."""
        behind = np.flatnonzero(self.rank[:, position])
        return int(behind[-1]) + 1 if len(behind) else 0


@record
class SiteEffects:
    """Each head of one attention changed alone, and what the model says then.

    Attributes:
        answer: the whole model's word at the place that is asked, with its probability; None where the model has no
            prediction head: then `chance` is the cosine between the text's vector with and without the head.
        chance: of that word when the head is changed, `[heads]`.
        likeliest: of each head the words that are likeliest then; empty without a prediction head.
        carried: the other text's word where outputs of heads were carried over from it, with its probability here.
        carried_chance: of that word when the head is carried over, `[heads]`; empty where nothing was carried.
    """

    site: Site
    answer: Likely | None
    chance: Float32
    likeliest: tuple[tuple[Likely, ...], ...]
    carried: Likely | None
    carried_chance: Float32
    provenance: Provenance


@record
class HeadEffects:
    """Each head of a model changed alone, site by site, as far as it has been measured.

    Attributes:
        sites: measured so far, in the order of the pass.
        n_sites: how many there are.
        n_heads: of the site with most heads.

    Raises:
        ValueError: if there is none yet.
    """

    sites: tuple[SiteEffects, ...]
    n_sites: int
    n_heads: int

    def __post_init__(self) -> None:
        check(bool(self.sites), "there must be a site")

    @property
    def answer(self) -> Likely | None:
        """Return the whole model's word."""
        return self.sites[0].answer

    @property
    def complete(self) -> bool:
        """Return whether every site has been measured."""
        return len(self.sites) == self.n_sites

    @property
    def chance(self) -> Float32:
        """Return the answer's probability without each head, `[sites, heads]`; NaN where it is not measured."""
        return self._filled([each.chance for each in self.sites])

    @property
    def carried_chance(self) -> Float32:
        """Return the other text's answer's probability with each head carried over, `[sites, heads]`."""
        return self._filled([each.carried_chance for each in self.sites])

    @property
    def change(self) -> Float32:
        """Return by how much each head's absence changes the answer's probability (or the cosine, from 1)."""
        whole = 1.0 if self.answer is None else self.answer.probability
        difference: Float32 = self.chance - np.float32(whole)
        return difference

    def strongest(self) -> tuple[int, int]:
        """Return site and head whose absence changes most."""
        row, column = np.unravel_index(int(np.nanargmax(np.abs(self.change))), self.change.shape)
        return int(row), int(column)

    def count_beyond(self, change: float) -> int:
        """Count the heads whose absence alone changes the answer by more than so much."""
        return int((np.abs(self.change) > change).sum())

    def _filled(self, rows: list[Float32]) -> Float32:
        made = np.full((self.n_sites, self.n_heads), np.nan, np.float32)
        for number, row in enumerate(rows):
            made[number, : len(row)] = row
        return made


@dataclass(frozen=True, slots=True, kw_only=True)
class WithoutRecord:
    """Some heads weakened or switched off together.

    Attributes:
        off: site and head of each.
        left: how much of each is left, 0 (off) … 1 (whole).
        instead: what stands in for what is taken.
        place: the token at which the model is asked.
        before: likeliest words of the whole model, the best first; empty without a prediction head.
        after: likeliest words then.
        chance: probability of the whole model's word then; without a prediction head, the cosine between the vectors.
    """

    off: tuple[tuple[int, int], ...]
    left: float
    instead: Instead
    place: int
    before: tuple[Likely, ...]
    after: tuple[Likely, ...]
    chance: float
    provenance: Provenance

    @property
    def chance_before(self) -> float:
        """Return the probability of the whole model's word; 1 without a prediction head."""
        return self.before[0].probability if self.before else 1.0


@record
class SlopesRecord:
    """The estimate of each head's effect that one backward pass gives: −∂/∂(how much of the head is left).

    Attributes:
        log_probability: of the answer's log-probability, nats, `[sites, heads]`: flat where the model is sure, so that
            the head that matters most may look like one that does not.
        difference: of the difference between the first and the second word's scores, `[sites, heads]`.
    """

    answer: Likely
    second: Likely
    log_probability: Float32
    difference: Float32
    provenance: Provenance
