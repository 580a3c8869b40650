"""Several texts, or several models: heads over a corpus, and the same text in two models."""

from collections import Counter
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from explorer.records.opened.look import HeadRule, OpenedTokens, RuleName, Site
from explorer.records.provenance import Provenance
from explorer.records.readonly import check, record

#: Places of a corpus that are kept of each head.
MOST_EXAMPLES = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadExample:
    """A place where a head looks hard at one word.

    Attributes:
        text: number in the corpus.
        query: the token that asks.
        key: the token that it looks at; never a resting place.
    """

    text: int
    query: int
    key: int
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadOver:
    """One head over many texts.

    Attributes:
        rest: mean share of its weight on the resting place.
        rules: how many texts each rule was kept on.
        examples: where it looks hardest beside the resting place, the hardest first, one a text.
    """

    rest: float
    rules: dict[RuleName, int]
    examples: tuple[HeadExample, ...]

    @property
    def rule(self) -> RuleName:
        """Return the rule that it keeps most often."""
        return max(self.rules, key=lambda name: self.rules[name])


@record
class CorpusLook:
    """Every head of a model over many texts.

    Attributes:
        texts: tokens of each.
        sites: every attention.
        heads: of each site.
    """

    texts: tuple[OpenedTokens, ...]
    sites: tuple[Site, ...]
    heads: tuple[tuple[HeadOver, ...], ...]
    provenance: Provenance

    def joined(self, other: "CorpusLook") -> "CorpusLook":
        """Return both corpora as one; the other's texts are numbered after these.

        Raises:
            ValueError: they are not of one model.
        """
        check(self.sites == other.sites, "the two corpora were read by different models")
        n, m = len(self.texts), len(other.texts)
        heads = tuple(
            tuple(_joined(mine, theirs, n, m) for mine, theirs in zip(*pair, strict=True))
            for pair in zip(self.heads, other.heads, strict=True)
        )
        return CorpusLook(
            texts=self.texts + other.texts, sites=self.sites, heads=heads, provenance=self.provenance
        )  # fmt: skip


def head_over(rule: HeadRule, example: HeadExample | None) -> HeadOver:
    """Return a head over one text."""
    return HeadOver(rest=rule.rest, rules={rule.rule: 1}, examples=() if example is None else (example,))


def _joined(mine: HeadOver, theirs: HeadOver, n: int, m: int) -> HeadOver:
    moved = [
        HeadExample(text=each.text + n, query=each.query, key=each.key, weight=each.weight) for each in theirs.examples
    ]
    examples = sorted([*mine.examples, *moved], key=lambda each: -each.weight)[:MOST_EXAMPLES]
    rest = (mine.rest * n + theirs.rest * m) / (n + m)
    return HeadOver(rest=rest, rules=dict(Counter(mine.rules) + Counter(theirs.rules)), examples=tuple(examples))


@record
class ComparedModels:
    """The same text in two models that cut it alike, such as a base model and one made of it.

    Attributes:
        distance: of each head: mean over the rows of ½ Σ |difference of the weights|, 0…1, `[sites, heads]`.
    """

    tokens: OpenedTokens
    sites: tuple[Site, ...]
    distance: npt.NDArray[np.float32]
    provenance: Provenance
    other: Provenance
