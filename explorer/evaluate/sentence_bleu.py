"""BLEU of one sentence, taken apart: n-grams, clipped counts, precisions, brevity penalty, product."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh

Tokens = Literal["words", "characters"]
Words = tuple[str, ...]
MOST_ORDER = 4


@dataclass(frozen=True, slots=True)
class Order:
    """All n-grams of one length.

    Attributes:
        n: their length.
        matched: for each n-gram of the hypothesis, by where it begins, whether a reference has one left for it.
        found: for each n-gram of the first reference, by where it begins, whether the hypothesis has one for it.
    """

    n: int
    matched: tuple[bool, ...]
    found: tuple[bool, ...]

    @property
    def correct(self) -> int:
        """Number of n-grams that match, each counted at most as often as a reference has it (clipped)."""
        return sum(self.matched)

    @property
    def total(self) -> int:
        """Number of n-grams of the hypothesis."""
        return len(self.matched)

    @property
    def precision(self) -> float:
        """Share of the hypothesis' n-grams that match; 0 where it has none."""
        return self.correct / self.total if self.total else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceBleu:
    """BLEU of one sentence.

    Attributes:
        hypothesis: tokens that are judged.
        references: tokens of each reference; the first is the one that is drawn.
        orders: of length 1, 2, …
    """

    hypothesis: Words
    references: tuple[Words, ...]
    orders: tuple[Order, ...]

    @property
    def reference_length(self) -> int:
        """Tokens of the reference whose length is nearest to the hypothesis'; of two, the shorter."""
        mine = len(self.hypothesis)
        return min((len(each) for each in self.references), key=lambda length: (abs(length - mine), length))

    @property
    def brevity(self) -> float:
        """Brevity penalty, 0…1: 1 unless the hypothesis is shorter than the reference."""
        return math.exp(min(0.0, 1 - self.reference_length / len(self.hypothesis))) if self.hypothesis else 0.0

    @property
    def book(self) -> float:
        """BLEU of *Dive into Deep Learning*, 0…1: order n weighs 1/2^n, so that longer n-grams weigh less."""
        return self.brevity * math.prod(math.pow(each.precision, math.pow(0.5, each.n)) for each in self._there)

    @property
    def standard(self) -> float:
        """BLEU of Papineni et al. 2002, 0…1: the geometric mean of the precisions, all orders alike."""
        return self._geometric([each.precision for each in self._there])

    @property
    def smoothed(self) -> float:
        """The standard score with sacreBLEU's smoothing of sentences, 0…1.

        The j-th order without a match counts as 1/2^j of one; an order that is longer than the hypothesis is left out.
        """
        there, halves = self._there, 0
        precisions = []
        for each in there:
            halves += not each.correct
            precisions.append(each.precision or 0.5**halves / each.total)
        return self._geometric(precisions) if any(each.correct for each in there) else 0.0

    @property
    def _there(self) -> list[Order]:
        return [each for each in self.orders if each.total]

    def _geometric(self, precisions: Sequence[float]) -> float:
        return (
            self.brevity * math.prod(math.pow(each, 1 / len(precisions)) for each in precisions) if precisions else 0.0
        )


def tokenise(text: str, tokens: Tokens, *, lowercase: bool = True) -> Words:
    """Cut a text as sacreBLEU does: `13a` sets marks apart from words, `zh` cuts Chinese into characters as well."""
    cut = TokenizerZh() if tokens == "characters" else Tokenizer13a()  # type: ignore[no-untyped-call]
    return tuple(cut(text.lower() if lowercase else text).split())


def sentence_bleu(hypothesis: Words, references: Sequence[Words], most: int = MOST_ORDER) -> SentenceBleu:
    """Take the BLEU of one sentence apart.

    Args:
        hypothesis: tokens that are judged.
        references: tokens of each reference.
        most: longest n-grams that count, k.

    Raises:
        ValueError: there is no reference.
    """
    if not references:
        raise ValueError("BLEU compares with at least one reference")
    orders = tuple(_order(n, hypothesis, references) for n in range(1, most + 1))
    return SentenceBleu(hypothesis=hypothesis, references=tuple(references), orders=orders)


def ngrams(tokens: Words, n: int) -> list[Words]:
    """All runs of n tokens, by where they begin."""
    return [tokens[start : start + n] for start in range(len(tokens) - n + 1)]


def _order(n: int, hypothesis: Words, references: Sequence[Words]) -> Order:
    there: Counter[Words] = Counter()
    for each in references:
        there |= Counter(ngrams(each, n))
    first = ngrams(references[0], n)
    return Order(n, _taken(ngrams(hypothesis, n), there), _taken(first, Counter(ngrams(hypothesis, n))))


def _taken(each: Sequence[Words], there: Counter[Words]) -> tuple[bool, ...]:
    """For each n-gram in turn, whether one is left for it: what is matched is used up (clipping)."""
    left, matched = Counter(there), []
    for ngram in each:
        matched.append(left[ngram] > 0)
        left[ngram] -= matched[-1]
    return tuple(matched)
