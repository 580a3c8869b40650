"""Tokens of small tasks: the characters or the words that occur in the examples, and nothing else."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, Literal, get_args

from explorer.data.symbol_tokenizer import SymbolTokenizer

#: What a token is: a character, or a word with the space before it (a digit, a mark and a Chinese character are words).
Unit = Literal["characters", "words"]
UNITS: tuple[Unit, ...] = get_args(Unit)
#: Letters that are written together; Chinese and Japanese write none.
WORD = re.compile(r" ?[^\W\d_\u2e80-\u9fff\uf900-\ufaff]+|.", re.DOTALL)
#: Control, format and surrogate characters.
INVISIBLE = ("Cc", "Cf", "Cs")
#: Vocabularies of own examples are cut off here; rarer tokens read `<unk>`.
MOST_SYMBOLS = 4_000


class TaskTokenizer(SymbolTokenizer):
    """A token for every symbol of the examples; any other reads `<unk>`, which is never in an example.

    `decode(encode(text)) == text` where every symbol is known and the text is `tidy`.
    """

    kind = "task"

    def __init__(self, symbols: Sequence[str], unit: Unit = "characters") -> None:
        super().__init__(symbols)
        if unit not in UNITS:
            raise ValueError(f"unit {unit!r} is not known; choose one of {', '.join(UNITS)}")
        self.unit = unit

    @classmethod
    def train(cls, texts: Iterable[str], unit: Unit = "characters") -> "TaskTokenizer":
        """Learn the symbols of some texts, in order; of very many, the most frequent."""
        counts = Counter(chain.from_iterable(split(text, unit) for text in texts))
        often = sorted(counts, key=lambda symbol: (-counts[symbol], symbol))[:MOST_SYMBOLS]
        return cls(sorted(often), unit)

    @classmethod
    def _from(cls, content: dict[str, Any]) -> "TaskTokenizer":
        symbols = content.get(cls.field)
        if not isinstance(symbols, list) or not all(isinstance(symbol, str) for symbol in symbols):
            raise ValueError('"symbols" is no list of texts')
        return cls(symbols, content.get("unit", ""))

    def _content(self) -> dict[str, Any]:
        return {"unit": self.unit, "symbols": list(self.symbols)}

    def split(self, text: str) -> list[str]:
        """Return the characters or words of a text."""
        return split(text, self.unit)

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of ids; special ones are left out."""
        text = super().decode(ids)
        return text.removeprefix(" ") if self.unit == "words" else text


def tidy(text: str) -> str:
    """Return a text in composed form, without what cannot be seen, with single spaces and none at the ends."""
    if not (text.isascii() and text.isprintable()):
        spaced = "".join(" " if character.isspace() else character for character in text)
        seen = (character for character in spaced if unicodedata.category(character) not in INVISIBLE)
        text = unicodedata.normalize("NFC", "".join(seen))
    return " ".join(text.split())


def split(text: str, unit: Unit) -> list[str]:
    """Return the symbols of a text. A word at its beginning is the same symbol as one after a space."""
    text = tidy(text)
    if unit == "characters":
        return list(text)
    symbols: list[str] = WORD.findall(f" {text}")
    return symbols[1:] if symbols[0] == " " else symbols
