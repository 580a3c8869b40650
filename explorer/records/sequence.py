"""Sequences: tokens and the words they make, translations, and what was likely at each step."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from explorer.records.attention import AttentionRecord
from explorer.records.heads import Part
from explorer.records.provenance import Provenance

#: How a tokenizer marks a piece that goes on with a word.
GOES_ON = "‑"


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenRow:
    """The tokens of one sequence, and how they make up words.

    Attributes:
        labels: one per token.
        words: positions of the tokens of each word, in order; together they are all positions.
        word_labels: one per word.
        special: for each token, whether it is text of no language, such as `</s>`.

    Raises:
        ValueError: if the words are not the positions in order, or a count differs.
    """

    labels: tuple[str, ...]
    words: tuple[tuple[int, ...], ...]
    word_labels: tuple[str, ...]
    special: tuple[bool, ...]

    def __post_init__(self) -> None:
        if [position for word in self.words for position in word] != list(range(len(self.labels))):
            raise ValueError(f"the words {self.words} are not the {len(self.labels)} tokens in order")
        if len(self.word_labels) != len(self.words) or len(self.special) != len(self.labels):
            raise ValueError("there must be one label for each word and one mark for each token")

    def merged(self) -> "TokenRow":
        """The words as tokens of their own."""
        return TokenRow(
            labels=self.word_labels,
            words=tuple((position,) for position in range(len(self.words))),
            word_labels=self.word_labels,
            special=tuple(all(self.special[position] for position in word) for word in self.words),
        )

    def without_special(self) -> "TokenRow":
        """Return the row without its special tokens."""
        kept = [position for position, special in enumerate(self.special) if not special]
        number = {position: rank for rank, position in enumerate(kept)}
        words = [
            (tuple(number[position] for position in word if position in number), label)
            for word, label in zip(self.words, self.word_labels, strict=True)
        ]
        return TokenRow(
            labels=tuple(self.labels[position] for position in kept),
            words=tuple(word for word, _ in words if word),
            word_labels=tuple(label for word, label in words if word),
            special=(False,) * len(kept),
        )

    def add_pieces(self, values: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Return the sum of a value over the tokens of each word, `[words]`."""
        return word_matrix(self.words, len(self.labels)) @ values

    def word_of(self, token: int) -> int:
        """Number of the word a token belongs to."""
        return next(number for number, word in enumerate(self.words) if token in word)


@dataclass(frozen=True, slots=True, kw_only=True)
class Likely:
    """A token and its probability."""

    label: str
    probability: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of writing.

    Attributes:
        written: the token that was written, with its probability given all before it.
        likeliest: the likeliest tokens at this step, the best first.
        chosen: rank of the written token among them, from 0; None if it is not among them.
    """

    written: Likely
    likeliest: tuple[Likely, ...]
    chosen: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One translation of a text.

    Attributes:
        labels: its tokens, `</s>` included.
        log_probability: in nats.
        score: log-probability over the length factor: what candidates are ranked by.
        finished: False if it was cut off.
        ids: the tokens as numbers; empty where nobody asks for them.
    """

    text: str
    labels: tuple[str, ...]
    log_probability: float
    score: float
    finished: bool
    ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """Everything that a translator computed while it wrote one target.

    Attributes:
        source: tokens of the source, `</s>` last.
        read: target tokens the decoder read, `<s>` first: rows and columns of its self-attention.
        written: target tokens it wrote, `</s>` last: rows of its cross-attention. Row i of both comes from the same
            step: it read `read[i]` and wrote `written[i]`.
        steps: one for each written token.
        attentions: of every layer: encoder self, decoder self, cross.
        source_ids: the tokens of the source as numbers; empty where nobody asks for them.
        written_ids: the tokens that were written as numbers; empty where nobody asks for them.
    """

    source: TokenRow
    read: TokenRow
    written: TokenRow
    steps: tuple[Step, ...]
    attentions: tuple[AttentionRecord, ...]
    source_ids: tuple[int, ...] = ()
    written_ids: tuple[int, ...] = ()

    @property
    def n_heads(self) -> int:
        """Number of heads of every attention."""
        return self.attentions[0].n_heads

    def layers(self, part: Part) -> tuple[AttentionRecord, ...]:
        """Return the attentions of one part, layer by layer, as the model computed them."""
        kind = {"cross": "cross", "encoder": "self", "decoder": "causal"}[part]
        return tuple(record for record in self.attentions if record.kind == kind)

    def tokens(self, part: Part) -> tuple[TokenRow, TokenRow]:
        """Return the tokens of the rows (queries) and of the columns (keys) of one part."""
        return {
            "cross": (self.written, self.source),
            "encoder": (self.source, self.source),
            "decoder": (self.read, self.read),
        }[part]

    def attention(self, site: str) -> AttentionRecord:
        """Return the attention of one site.

        Raises:
            KeyError: if there is no such site.
        """
        return {record.site: record for record in self.attentions}[site]


class ReadAs(NamedTuple):
    """Something that was typed, and what is read for it.

    Attributes:
        typed: as it was typed.
        read: as it is read; empty where it is only copied.
        is_slip: whether it is read for good, as what was meant; otherwise what was typed is put back.
    """

    typed: str
    read: str
    is_slip: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TranslationRecord:
    """A text, its translations, and the trace of the best.

    Attributes:
        source: the text as it was read, after cleaning.
        candidates: no two with the same text, the best first.
        typed: the text before anything was read as something else.
        said: every candidate with what was typed put back.
        replaced: what was read as something else.
    """

    source: str
    candidates: tuple[Candidate, ...]
    trace: Trace
    provenance: Provenance
    typed: str = ""
    said: tuple[str, ...] = ()
    replaced: tuple[ReadAs, ...] = ()

    @property
    def best(self) -> Candidate:
        """The candidate that is shown."""
        return self.candidates[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Translated:
    """A translation and everything that was attended to for it."""

    translation: TranslationRecord

    @property
    def trace(self) -> Trace:
        """Return the trace of the best translation."""
        return self.translation.trace

    @property
    def provenance(self) -> Provenance:
        """Return the provenance of the translation."""
        return self.translation.provenance

    @property
    def n_heads(self) -> int:
        """Return the number of heads of every attention."""
        return self.trace.n_heads

    def n_layers(self, site: Part) -> int:
        """Return the number of layers that have such an attention."""
        return len(self.trace.layers(site))


def mark_cuts(pieces: Sequence[str], words: Sequence[Sequence[int]]) -> tuple[str, ...]:
    """Return the pieces of a text with the sign of a cut word on both sides of each cut: `man‑`, `‑ques`."""
    cut = {position for word in words for position in word[:-1] if pieces[position + 1].startswith(GOES_ON)}
    return tuple(piece + GOES_ON * (position in cut) for position, piece in enumerate(pieces))


def word_matrix(words: tuple[tuple[int, ...], ...], n_tokens: int) -> npt.NDArray[np.float32]:
    """`[words, tokens]`: 1 where a token belongs to a word."""
    matrix = np.zeros((len(words), n_tokens), np.float32)
    for number, word in enumerate(words):
        matrix[number, list(word)] = 1
    return matrix


def word_shares(written: TokenRow, steps: Sequence[Step]) -> list[float]:
    """Return the probability of each written word: the product over its pieces."""
    return [math.prod(steps[position].written.probability for position in word) for word in written.words]


def match_tokens(before: Sequence[str], after: Sequence[str]) -> tuple[tuple[bool, ...], tuple[bool, ...]]:
    """Mark the tokens that stand in both sequences, by their longest matching blocks (Ratcliff and Obershelp 1988)."""
    kept = [False] * len(before), [False] * len(after)
    for block in SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks():
        for step in range(block.size):
            kept[0][block.a + step] = kept[1][block.b + step] = True
    return tuple(kept[0]), tuple(kept[1])
