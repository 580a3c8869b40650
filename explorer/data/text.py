"""Plain text: read from a file, as characters with ids, split in two, and cut into windows anew for every epoch."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from explorer.data.files import read_utf8
from explorer.data.symbol_tokenizer import SymbolTokenizer

UNKNOWN_ID = 0
UNKNOWN = "\ufffd"
TRAIN_SHARE = 0.9
#: The beginning of the held-out part of tiny Shakespeare (github.com/karpathy/char-rnn, data/tinyshakespeare): speeches
#: from The Taming of the Shrew. Shakespeare's text is in the public domain. No bundled model was trained on it.
EXCERPT = Path(__file__).with_name("shakespeare_excerpt.txt")


class TextError(ValueError):
    """A text is missing, unreadable or too short; the message says what to do."""


class CharacterTokenizer(SymbolTokenizer):
    """A tokenizer with an id for every character of a text; id 0 stands for any that the vocabulary lacks.

    Line ends are first made plain. `decode(encode(text)) == normalise(text)` where every character is known.
    """

    special, kind, field = (UNKNOWN,), "characters", "characters"

    def __init__(self, characters: str) -> None:
        if UNKNOWN in characters:
            raise ValueError(f"{UNKNOWN} stands for characters that a vocabulary lacks")
        super().__init__(characters)

    @classmethod
    def train(cls, texts: Iterable[str], *, at_least: int = 1) -> "CharacterTokenizer":
        """Learn the characters that some texts have at least so often, in code point order."""
        counts = Counter(character for text in texts for character in normalise(text))
        return cls("".join(sorted(each for each, n in counts.items() if n >= at_least and each != UNKNOWN)))

    def split(self, text: str) -> list[str]:
        """Return the characters of a text."""
        return list(normalise(text))

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of ids; an unknown one reads `�`."""
        return "".join(self._names[token] if 0 <= token < self.vocab_size else UNKNOWN for token in ids)


def normalise(text: str) -> str:
    """Return the same text with plain line ends."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_text(path: Path) -> str:
    """Read a text file, plain or gzipped.

    Raises:
        TextError: if it is missing, empty or no UTF-8.
    """
    if not path.is_file():
        raise TextError(f"{path} does not exist; expected a text file in UTF-8, .txt or .txt.gz")
    text = read_utf8(path, TextError)
    if not text.strip():
        raise TextError(f"{path} holds no text")
    return normalise(text)


@cache
def excerpt() -> str:
    """Read the held-out text that comes with the project, some 40,000 characters (see `EXCERPT`)."""
    return read_text(EXCERPT)


def find_text(folder: Path) -> Path:
    """Return the text of a data folder: `input.txt.gz` or `input.txt`; a file is taken as it is.

    Raises:
        TextError: there is none.
    """
    for path in (folder, folder / "input.txt.gz", folder / "input.txt"):
        if path.is_file():
            return path
    raise TextError(f"{folder} has no input.txt or input.txt.gz")


def parts(text: str) -> tuple[str, str]:
    """Return training and validation part, by position: the end of the text is held out."""
    border = int(len(text) * TRAIN_SHARE)
    return text[:border], text[border:]


@dataclass(frozen=True, slots=True)
class TextBatch:
    """Windows of a text: at each place `read` has a token and `following` the one after it."""

    read: Tensor
    following: Tensor

    def to(self, device: torch.device) -> "TextBatch":
        """Return the batch on a device."""
        return TextBatch(self.read.to(device), self.following.to(device))


class Windows:
    """A text as windows of one length, cut at new borders and in a new order for every `(seed, epoch)`.

    Args:
        ids: of the whole text.
        length: tokens read in a window; each also has the token after its last.
        seed: of borders and order.

    Raises:
        TextError: the text is shorter than one window.
    """

    def __init__(self, ids: Sequence[int], *, length: int, seed: int) -> None:
        self._ids = np.asarray(ids, np.int64)
        self.length, self._seed = length, seed
        if len(self._ids) <= length:
            raise TextError(f"a text of {len(self._ids):,} characters has no window of {length:,} and one more")

    def epoch(self, number: int, *, rows: int) -> Iterator[npt.NDArray[np.int64]]:
        """Yield where the windows of each batch start: `rows` of them, the last batch may have fewer."""
        draw = np.random.default_rng((self._seed, number))
        most = len(self._ids) - self.length - 1
        starts = np.arange(draw.integers(0, min(self.length, most + 1)), most + 1, self.length)
        order = draw.permutation(starts)
        return (order[first : first + rows] for first in range(0, len(order), rows))

    def batch(self, starts: npt.NDArray[np.int64]) -> TextBatch:
        """Return the windows that start there."""
        whole = torch.from_numpy(self._ids[starts[:, None] + np.arange(self.length + 1)])
        return TextBatch(whole[:, :-1].contiguous(), whole[:, 1:].contiguous())
