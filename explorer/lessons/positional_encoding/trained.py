"""Positions in trained models: a shuffled sentence, a sum that enters, a table, a turned pair.

Each function raises `CheckpointError` where its model cannot be used, and `InputRefused` for an empty or long sentence.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from explorer.inference.gpt import generate
from explorer.inference.translator import translate as translator
from explorer.lessons.positional_encoding import extrapolation, trained_decoders, trained_encoder
from explorer.lessons.positional_encoding.records.extrapolation import BeyondProgress, Kind
from explorer.lessons.positional_encoding.records.trained import (
    EntryRecord,
    LearnedTableRecord,
    OrdersRecord,
    PermutationRecord,
    RotaryPairRecord,
)
from explorer.nn.positions import POSITION_KINDS
from explorer.records.language import t
from explorer.scenes.positional_encoding import TEXT, WINDOWS

#: The translator whose encoder is tested, and a sentence of one token a word that it gets right in either order.
CHECKPOINT = "translator-en-fr"
EXAMPLE: str = TEXT.default
MOST_SEED = 999
_PLACES = re.compile(r"[0-9]{1,3}(?: [0-9]{1,3})*")
#: What the rotary model reads; it was trained on plays, character by character.
LINE = "The dog bit the man. The man bit the dog."
MOST_CHARACTERS = TEXT.most
#: Positions of a line that a reader can choose from.
MOST_LINE = 64
MOST_WINDOWS = WINDOWS.high
#: Shape of the small language models.
N_LAYERS, N_HEADS = 4, 4
KINDS: tuple[Kind, ...] = POSITION_KINDS
LEARNED: Kind = "learned"


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderParams:
    """A sentence, and how its words are put into another order.

    Attributes:
        text: anything; at most `MOST_CHARACTERS` of it are read.
        order: which word stands at each position, from 1, as in `3 1 2` (for another number of words: none moves); or
            as `typed`, `back` to front, at `random`, or a `swap` of two words.
        one: position of a word to swap, from 0; clamped to the sentence.
        other: position of the other one.
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
        """Return which of n words stands at each position."""
        if self.order == "random":
            drawn: list[int] = np.random.default_rng(self.seed).permutation(n).tolist()
            return drawn
        order = list(range(n))
        if self.order == "back":
            return order[::-1]
        if self.order == "typed":
            return order
        if written := _PLACES.fullmatch(self.order):
            positions = [int(each) - 1 for each in written[0].split()]
            return positions if sorted(positions) == order else order
        one, other = (min(max(position, 0), n - 1) for position in (self.one, self.other))
        order[one], order[other] = order[other], order[one]
        return order


@dataclass(frozen=True, slots=True, kw_only=True)
class RotaryPairParams:
    """A query and a key of a rotary model: positions in a line, layer and head. Positions are clamped to the line.

    Attributes:
        text: at most `MOST_LINE` characters are read.
        query: position of the asking character, from 0.
        key: position of the asked one, not after the query.
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


def test_permutation(asked: OrderParams) -> PermutationRecord:
    """Return the permutation test on the translator's encoder."""
    seed = asked.seed if asked.order == "random" else None
    return trained_encoder.permutation_test(translator.load(CHECKPOINT), asked.text, asked.arrange, seed=seed)


def every_order(text: str) -> OrdersRecord:
    """Return what the translator writes for every order of a short sentence's words."""
    return trained_encoder.every_order(translator.load(CHECKPOINT), text)


def measure_lengths(text: str) -> EntryRecord:
    """Return lengths of embedding and code where they are added."""
    return trained_encoder.entry(translator.load(CHECKPOINT), text[:MOST_CHARACTERS])


def load_learned_table(kind: Kind) -> LearnedTableRecord:
    """Return the learned table of a trained model."""
    return trained_decoders.learned_table(generate.load(trained_decoders.checkpoint(kind)))


def turn_query_and_key(asked: RotaryPairParams) -> RotaryPairRecord:
    """Return a trained query and key at every distance."""
    model = generate.load(trained_decoders.checkpoint("rotary"))
    positions = {"query": asked.query, "key": asked.key, "layer": asked.layer, "head": asked.head}
    return trained_decoders.rotary_pair(model, asked.text, **positions)


def kind_names() -> dict[str, str]:
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


def vocabulary(kind: Kind) -> int:
    """Return among how many characters the model of one kind chooses."""
    return int(generate.load(trained_decoders.checkpoint(kind)).model.config.vocab_size)


def measure(asked: WindowsParams) -> Iterator[BeyondProgress]:
    """Yield the same, measured here: ever more windows of the held-out text."""
    yield from extrapolation.extrapolate(n_windows=asked.n_windows, seed=asked.seed)
