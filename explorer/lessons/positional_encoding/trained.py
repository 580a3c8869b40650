"""Positions in trained models: a shuffled sentence, a sum that enters, a table, a turned pair."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from explorer.inference.gpt import generate
from explorer.inference.translator import translate as translator
from explorer.lessons.positional_encoding import extrapolation, trained_decoders, trained_encoder
from explorer.lessons.positional_encoding.records.extrapolation import BeyondProgress, BeyondRecord, Kind
from explorer.lessons.positional_encoding.records.trained import (
    DecayRecord,
    EntryRecord,
    LearnedTableRecord,
    OrdersRecord,
    PermutationRecord,
    RotaryPairRecord,
)
from explorer.records.language import Translate, english
from explorer.records.provenance import Provenance

#: The translator whose encoder is tested, and a sentence of one token a word that it gets right in either order.
CHECKPOINT = "translator-en-fr"
EXAMPLE = "My dog loves your cat"
MOST_SEED = 999
#: What the rotary model reads; it was trained on plays, character by character.
LINE = "The dog bit the man. The man bit the dog."
MOST_CHARACTERS = 160
#: Places of a line that a reader can choose from.
MOST_LINE = 64
MOST_WINDOWS = 64
#: Shape of the small language models.
N_LAYERS, N_HEADS = 4, 4
KINDS: tuple[Kind, ...] = trained_decoders.kinds()
LEARNED: Kind = "learned"


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderParams:
    """A sentence, and how its words are put into another order.

    Attributes:
        text: anything; at most `MOST_CHARACTERS` of it are read.
        order: `swap` two words, put them `back` to front, or at `random`.
        one: place of a word to swap, from 0; clamped to the sentence.
        other: place of the other one.
        seed: of the random order.
    """

    text: str = EXAMPLE
    order: str = "swap"
    one: int = 1
    other: int = 4
    seed: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", self.text[:MOST_CHARACTERS])
        object.__setattr__(self, "seed", max(self.seed, 0))

    def arrange(self, n: int) -> Sequence[int]:
        """Return which of n words stands at each place."""
        if self.order == "random":
            drawn: list[int] = np.random.default_rng(self.seed).permutation(n).tolist()
            return drawn
        order = list(range(n))
        if self.order == "back":
            return order[::-1]
        one, other = (min(max(place, 0), n - 1) for place in (self.one, self.other))
        order[one], order[other] = order[other], order[one]
        return order


@dataclass(frozen=True, slots=True, kw_only=True)
class RotaryPairParams:
    """A query and a key of a rotary model: places in a line, layer and head. Places are clamped to the line.

    Attributes:
        text: at most `MOST_LINE` characters are read.
        query: place of the asking character, from 0.
        key: place of the asked one, not after the query.
        layer: from 0; the model clamps it.
        head: from 0; the model clamps it.
    """

    text: str = LINE
    query: int = 37
    key: int = 4
    layer: int = 0
    head: int = 0

    def __post_init__(self) -> None:
        text = self.text[:MOST_LINE] or LINE[:MOST_LINE]
        query = min(max(self.query, 0), len(text) - 1)
        object.__setattr__(self, "text", text)
        object.__setattr__(self, "query", query)
        object.__setattr__(self, "key", min(max(self.key, 0), query))


def words(text: str) -> tuple[str, ...]:
    """Return the words of a sentence that can be moved.

    Raises:
        InputRefused: nothing visible was typed, or too much.
        CheckpointError: the checkpoint cannot be used.
    """
    return trained_encoder.words(translator.load(CHECKPOINT), text[:MOST_CHARACTERS])


def reordered(asked: OrderParams) -> PermutationRecord:
    """Return the permutation test on the translator's encoder.

    Raises:
        InputRefused: nothing visible was typed, or too much.
        CheckpointError: the checkpoint cannot be used.
    """
    seed = asked.seed if asked.order == "random" else None
    return trained_encoder.permutation_test(translator.load(CHECKPOINT), asked.text, asked.arrange, seed=seed)


def every_order(text: str) -> OrdersRecord:
    """Return what the translator writes for every order of a short sentence's words.

    Raises:
        CheckpointError: the checkpoint cannot be used.
    """
    return trained_encoder.every_order(translator.load(CHECKPOINT), text)


def entered(text: str) -> EntryRecord:
    """Return lengths of embedding and code where they are added.

    Raises:
        InputRefused: nothing visible was typed, or too much.
        CheckpointError: the checkpoint cannot be used.
    """
    return trained_encoder.entry(translator.load(CHECKPOINT), text[:MOST_CHARACTERS])


def learned(kind: Kind) -> LearnedTableRecord:
    """Return the learned table of a trained model.

    Raises:
        CheckpointError: the checkpoint cannot be used.
        ValueError: the positions of that kind are not learned.
    """
    return trained_decoders.learned_table(generate.load(trained_decoders.checkpoint(kind)))


def turned(asked: RotaryPairParams) -> RotaryPairRecord:
    """Return a trained query and key at every distance.

    Raises:
        CheckpointError: the checkpoint cannot be used.
    """
    return trained_decoders.rotary_pair(
        generate.load(trained_decoders.checkpoint("rotary")),
        asked.text,
        query=asked.query,
        key=asked.key,
        layer=asked.layer,
        head=asked.head,
    )


def decay(kind: Kind) -> DecayRecord:
    """Return attention against distance in the model of one kind.

    Raises:
        CheckpointError: the checkpoint cannot be used.
    """
    return trained_decoders.decay(kind)


def together(parts: Sequence[Provenance]) -> Provenance:
    """Return the provenance of numbers of several models: what they share, and every model with its revision."""
    named = ", ".join(f"{each.model}@{each.revision}" for each in parts)
    return replace(parts[0], model=named, revision="")


def kind_names(t: Translate = english) -> dict[str, str]:
    """Return the kinds of positions in the reader's language, in the order of the page."""
    return {
        "none": t("no codes"),
        "sinusoidal": t("sinusoidal"),
        "learned": t("learned"),
        "rotary": t("rotary"),
        "alibi": "ALiBi",
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowsParams:
    """A measurement beyond the training length: which text is read.

    Attributes:
        seed: of the windows that are drawn from the held-out text.
        n_windows: how many, 4…`MOST_WINDOWS`; clamped.
    """

    seed: int = 0
    n_windows: int = 16

    def __post_init__(self) -> None:
        object.__setattr__(self, "seed", max(self.seed, 0))
        object.__setattr__(self, "n_windows", min(max(self.n_windows, 4), MOST_WINDOWS))


def beyond(kind: Kind) -> BeyondRecord:
    """Return the stored measurement of one kind beyond its training length.

    Raises:
        CheckpointError: it, or the model it belongs to, cannot be used.
    """
    return extrapolation.stored(kind)


def vocabulary(kind: Kind) -> int:
    """Return among how many characters the model of one kind chooses.

    Raises:
        CheckpointError: a checkpoint cannot be used.
    """
    return int(generate.load(trained_decoders.checkpoint(kind)).model.config.vocab_size)


def measure(asked: WindowsParams) -> Iterator[BeyondProgress]:
    """Yield the same, measured here: ever more windows of the held-out text.

    Raises:
        CheckpointError: a checkpoint cannot be used.
    """
    yield from extrapolation.extrapolate(n_windows=asked.n_windows, seed=asked.seed)
