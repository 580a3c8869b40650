"""Tokens that are symbols of a list: base of the tokenizers of characters, of couplets and of small tasks."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

from explorer.data.files import read_vocabulary, write_vocabulary

PAD, BOS, EOS, UNKNOWN = "<pad>", "<s>", "</s>", "<unk>"
READABLE = {"\n": "⏎", "\t": "⇥"}


class SymbolTokenizer:
    """A tokenizer with an id for each symbol of a list, behind those of special tokens.

    Attributes:
        special: names of the special tokens; the last stands for every symbol that the list lacks.
        kind: what a stored vocabulary says of its type; empty where it says nothing.
        field: of a stored vocabulary, which has the symbols.
    """

    special: ClassVar[tuple[str, ...]] = (PAD, BOS, EOS, UNKNOWN)
    kind: ClassVar[str] = ""
    field: ClassVar[str] = "symbols"
    pad_id, bos_id, eos_id = 0, 1, 2

    def __init__(self, symbols: Sequence[str]) -> None:
        if not symbols or len(set(symbols)) != len(symbols) or not all(symbols):
            raise ValueError(f"a vocabulary is a list of distinct symbols: make one with `{type(self).__name__}.train`")
        self.symbols = tuple(symbols)
        self._names = (*self.special, *symbols)
        self._ids = {symbol: number for number, symbol in enumerate(symbols, len(self.special))}

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a `tokenizer.json`.

        Raises:
            ValueError: if the file is no such vocabulary.
        """
        content = read_vocabulary(path)
        if content.get("type", "") != cls.kind:
            raise ValueError(f'the vocabulary of a {cls.__name__} has "type": "{cls.kind}"')
        return cls._from(content)

    def save(self, path: Path) -> None:
        """Write a `tokenizer.json`."""
        write_vocabulary(path, ({"type": self.kind} if self.kind else {}) | self._content())

    @classmethod
    def _from(cls, content: dict[str, Any]) -> Self:
        """Make the tokenizer of a stored vocabulary."""
        if not isinstance(content.get(cls.field), str):
            raise ValueError(f'"{cls.field}" is no text')
        return cls(content[cls.field])

    def _content(self) -> dict[str, Any]:
        """Return what a stored vocabulary has beside its type."""
        return {self.field: self.characters}

    @property
    def characters(self) -> str:
        """The symbols in a row."""
        return "".join(self.symbols)

    @property
    def vocab_size(self) -> int:
        """Number of ids, special ones included."""
        return len(self._names)

    @property
    def unknown_id(self) -> int:
        """Id of every symbol that the list lacks."""
        return len(self.special) - 1

    def split(self, text: str) -> list[str]:
        """Return the symbols of a text."""
        return list(text)

    def encode(self, text: str) -> list[int]:
        """Return an id for each symbol, without special ones."""
        return [self._ids.get(symbol, self.unknown_id) for symbol in self.split(text)]

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of ids; special ones are left out."""
        return "".join(self._names[token] for token in ids if token >= len(self.special))

    def pieces(self, ids: Sequence[int]) -> list[str]:
        """Return a readable label for each id: ␣ for a space, ⏎ for the end of a line."""
        return [_label(self._names[token]) for token in ids]

    def word_groups(self, ids: Sequence[int]) -> list[tuple[int, ...]]:
        """Return every token as a word of its own."""
        return [(position,) for position in range(len(ids))]

    def unknown(self, text: str) -> list[str]:
        """Return labels of the symbols of a text that have no id of their own, each once, in order."""
        return list(dict.fromkeys(_label(symbol) for symbol in self.split(text) if symbol not in self._ids))


def _label(symbol: str) -> str:
    return READABLE.get(symbol) or symbol.strip() or "␣"
