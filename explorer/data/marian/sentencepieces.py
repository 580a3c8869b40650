"""Sub-words of a Marian translator: SentencePiece cuts the text, a vocabulary of its own numbers the pieces."""

import base64
import itertools
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tokenizers import Regex, pre_tokenizers

from explorer.data.tokenizer import BOS, EOS, PAD, WORD, label

UNKNOWN = "<unk>"
#: What a Marian vocabulary calls the tag of a language to write.
LANGUAGE = re.compile(r">>(\w+)<<")
#: A vocabulary of 60,000 sub-words with both models of SentencePiece takes some four megabytes.
MAX_BYTES = 64_000_000
#: SentencePiece writes a space so, and a byte that no piece holds so.
_SPACE, _BYTE = "▁", re.compile("<0x([0-9A-F]{2})>")


@dataclass(frozen=True, slots=True, kw_only=True)
class SentencePieceFiles:
    """The sub-words of a folder of Marian.

    Attributes:
        source: the SentencePiece model that cuts a source, serialised.
        target: the one that joins a target.
        vocabulary: the id of every piece.
    """

    source: bytes
    target: bytes
    vocabulary: Mapping[str, int]

    def to_json(self) -> str:
        """Return the content of a `tokenizer.json`."""
        models = {name: base64.b64encode(getattr(self, name)).decode() for name in ("source", "target")}
        return json.dumps({"type": "sentencepiece", **models, "vocabulary": dict(self.vocabulary)}, ensure_ascii=False)

    @classmethod
    def of_json(cls, text: str) -> "SentencePieceFiles":
        """Parse the content of a `tokenizer.json`.

        Raises:
            ValueError: it is none of `to_json`.
        """
        content = json.loads(text)
        if not isinstance(content, dict) or content.get("type") != "sentencepiece":
            raise ValueError("it holds no SentencePiece models")
        source, target = (base64.b64decode(content[name], validate=True) for name in ("source", "target"))
        return cls(source=source, target=target, vocabulary=content["vocabulary"])


class SentencePieces:
    """Sub-words of SentencePiece (Kudo & Richardson 2018), as Marian reads and writes them.

    One vocabulary numbers the pieces of both languages; a piece that is not in it is unknown. `<pad>` starts targets.
    Where one model writes several languages, a tag (`>>cmn_Hans<<`) begins a source.
    """

    def __init__(self, files: SentencePieceFiles) -> None:
        self._ids = dict(_checked(files.vocabulary))
        self._pieces = {token: piece for piece, token in self._ids.items()}
        self._source, self._target = _processor(files.source), _processor(files.target)
        self.pad_id = self.bos_id = self._ids[PAD]
        self.eos_id, self.unknown_id = self._ids[EOS], self._ids[UNKNOWN]
        found = {piece: LANGUAGE.fullmatch(piece) for piece in self._ids if piece.startswith(">>")}
        self.tags = {f"<2{match[1]}>": self._ids[piece] for piece, match in found.items() if match}
        self.special_ids = frozenset((self.pad_id, self.eos_id, *self.tags.values()))
        self._words = pre_tokenizers.Split(Regex(WORD), "isolated")

    @classmethod
    def load(cls, path: Path) -> "SentencePieces":
        """Read a `tokenizer.json` that `SentencePieceFiles.to_json` wrote.

        Raises:
            ValueError: it is none.
        """
        if path.stat().st_size > MAX_BYTES:
            raise ValueError(f"sub-words of more than {MAX_BYTES:,} bytes are none")
        return cls(SentencePieceFiles.of_json(path.read_text(encoding="utf-8")))

    @property
    def vocab_size(self) -> int:
        """Number of ids."""
        return len(self._ids)

    def encode(self, text: str) -> list[int]:
        """Return ids of a text, without special ones."""
        return [self._ids.get(piece, self.unknown_id) for piece in self._source.encode(text, out_type=str)]

    def unknown(self, text: str) -> list[str]:
        """Return the characters of a text that no piece holds, each once."""
        return [each for each in dict.fromkeys(text) if self.unknown_id in self.encode(each)]

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of ids; special and unknown ones are left out."""
        left_out = self.special_ids | {self.unknown_id}
        text = str(self._target.decode_pieces([self._pieces[token] for token in ids if token not in left_out]))
        return text.replace(_SPACE, " ").strip()

    def pieces(self, ids: Sequence[int]) -> list[str]:
        """Return a readable label for each id, as `explorer.data.tokenizer.Tokenizer.pieces` does."""
        return [self._piece(token) for token in ids]

    def word_groups(self, ids: Sequence[int]) -> list[tuple[int, ...]]:
        """Return the positions of the ids that make up each word, in order; together they are all positions.

        A word is a stretch of letters, of digits or of punctuation; special and unknown ids stand alone.
        """
        surface = ["" if self._stands_alone(token) else self._text(token) for token in ids]
        starts = {begin for _, (begin, _) in self._words.pre_tokenize_str("".join(surface))}
        groups: list[list[int]] = []
        goes_on = False
        for position, begin in zip(range(len(ids)), itertools.accumulate(map(len, surface), initial=0), strict=False):
            alone = not surface[position]
            if alone or not goes_on or begin in starts:
                groups.append([])
            groups[-1].append(position)
            goes_on = not alone
        return [tuple(group) for group in groups]

    def _stands_alone(self, token: int) -> bool:
        return token in self.special_ids or token == self.unknown_id

    def _text(self, token: int) -> str:
        piece = self._pieces[token]
        return "\ufffd" if _BYTE.fullmatch(piece) else piece.replace(_SPACE, " ")

    def _piece(self, token: int) -> str:
        piece = self._pieces[token]
        if token == self.bos_id:
            return BOS
        if self._stands_alone(token):
            return piece
        byte = _BYTE.fullmatch(piece)
        return f"⟨{byte[1]}⟩" if byte else label(self._text(token))


def _processor(model: bytes) -> Any:
    """Return a SentencePiece model.

    Raises:
        ValueError: the bytes are none.
    """
    import sentencepiece  # only such models need it

    try:
        made = sentencepiece.SentencePieceProcessor(model_proto=model)
        pieces = made.get_piece_size()
    except RuntimeError as error:
        raise ValueError("its SentencePiece model cannot be read") from error
    if not pieces:
        raise ValueError("its SentencePiece model is empty")
    return made


def _checked(vocabulary: Any) -> Mapping[str, int]:
    """Refuse a vocabulary whose ids are not 0, 1, 2 and so on, or which lacks a special piece."""
    if not isinstance(vocabulary, dict) or not {PAD, EOS, UNKNOWN} <= vocabulary.keys():
        raise ValueError(f"its vocabulary lacks one of {PAD} {EOS} {UNKNOWN}")
    if any(type(token) is not int for token in vocabulary.values()):
        raise ValueError("an id of its vocabulary is no whole number")
    if sorted(vocabulary.values()) != list(range(len(vocabulary))):
        raise ValueError(f"the ids of its vocabulary are not 0 to {len(vocabulary) - 1:,}, each once")
    return vocabulary
