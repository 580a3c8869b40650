"""Sub-words: text as ids of one vocabulary for both languages, from which no text is shut out."""

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import tokenizers
from tokenizers import Regex, decoders, models, normalizers, pre_tokenizers, trainers

PAD, BOS, EOS = "<pad>", "<s>", "</s>"
#: What a model that fills in blanks reads in the place of a blank; other models have none.
MASK = "<mask>"
#: What a tag reads: it begins a source and names the language to write.
TAG = re.compile("<2([a-z]{2})>")
#: Characters of scripts that write no spaces between words: Chinese and kana. Each is a word: in small corpora whole
#: clauses would become words otherwise.
UNSPACED = "[\u3005-\u3007\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
#: How often a character that shall have a sub-word of its own is read at least, while merges are learned.
OFTEN = 1000
#: A word with the space before it. An elided French article keeps its apostrophe (l'|enfant), an English contraction
#: is split before it (don|'t). Every digit is a word, so that a number is copied digit by digit.
WORD = (
    rf"{UNSPACED}"
    rf"| ?(?:(?!{UNSPACED})\p{{L}})+(?:'(?!(?:s|t|re|ve|m|ll|d)\b)(?=\p{{L}}))?"
    r"|'(?:s|t|re|ve|m|ll|d)\b"
    r"| ?\p{N}"
    r"| ?[^\s\p{L}\p{N}]+"
    r"|\s+(?!\S)|\s+"
)


class Tokenizer:
    """Byte-level BPE (Sennrich et al. 2016; bytes as in GPT-2): every text has ids, none is unknown.

    Text is first normalised: NFC, the typographic apostrophe to the plain one, no space at the ends.
    `decode(encode(text)) == normalise(text)` for every text.
    """

    def __init__(self, tokenizer: tokenizers.Tokenizer) -> None:
        self._tokenizer = tokenizer
        tokenizer.encode_special_tokens = True  # "</s>" typed by a user is text
        vocabulary: dict[str, int] = tokenizer.get_vocab()
        if not {PAD, BOS, EOS} <= vocabulary.keys():
            raise ValueError(f"this tokenizer lacks one of {PAD} {BOS} {EOS}: train one with `Tokenizer.train`")
        self.pad_id, self.bos_id, self.eos_id = vocabulary[PAD], vocabulary[BOS], vocabulary[EOS]
        self.tags = {tag: vocabulary[tag] for tag in sorted(filter(TAG.fullmatch, vocabulary))}
        self.mask_id = vocabulary.get(MASK)
        blank = () if self.mask_id is None else (self.mask_id,)
        self.special_ids = frozenset((self.pad_id, self.bos_id, self.eos_id, *blank, *self.tags.values()))

    @classmethod
    def train(
        cls, texts: Iterable[str], vocab_size: int, tags: Sequence[str] = (), *, n_characters: int = 0
    ) -> "Tokenizer":
        """Learn the merges that shorten `texts` most.

        Args:
            texts: are read twice if `n_characters` is above 0.
            vocab_size: special sub-words included.
            tags: get ids beside `<pad>`, `<s>` and `</s>`; so may `MASK`.
            n_characters: so many of the most frequent `UNSPACED` characters each get a sub-word of their own, however
                rare they are; the others are read byte by byte.
        """
        tokenizer = tokenizers.Tokenizer(models.BPE())
        tokenizer.normalizer = normalizers.Sequence(
            [
                *(normalizers.NFC(), normalizers.Replace("’", "'"), normalizers.Strip()),
                *(normalizers.Prepend(" "), normalizers.Replace(Regex(rf"\A (?={UNSPACED})"), "")),
            ]
        )
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
            [
                pre_tokenizers.Split(Regex(WORD), "isolated"),
                pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
            ]
        )
        tokenizer.decoder = decoders.ByteLevel()
        trainer = trainers.BpeTrainer(
            vocab_size=vocab_size,
            special_tokens=[PAD, BOS, EOS, *tags],
            initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
            show_progress=False,
        )
        if n_characters:
            texts = list(texts)
            counts = Counter(character for text in texts for character in re.findall(UNSPACED, text))
            # Often enough to be merged before anything that is rarer in the texts.
            texts += [character * OFTEN for character, _ in counts.most_common(n_characters)]
        tokenizer.train_from_iterator(texts, trainer)
        return cls(tokenizer)

    @classmethod
    def load(cls, path: Path) -> "Tokenizer":
        """Read a `tokenizer.json`."""
        return cls(tokenizers.Tokenizer.from_file(str(path)))

    def save(self, path: Path) -> None:
        """Write a `tokenizer.json`."""
        self._tokenizer.save(str(path))

    def to_json(self) -> str:
        """Return the content of a `tokenizer.json`."""
        return str(self._tokenizer.to_str())

    @property
    def vocab_size(self) -> int:
        """Number of ids."""
        return int(self._tokenizer.get_vocab_size())

    @property
    def ids(self) -> dict[str, int]:
        """The id of every sub-word, in the byte alphabet of the vocabulary."""
        return dict(self._tokenizer.get_vocab())

    def encode(self, text: str) -> list[int]:
        """Return ids of a text, without special ones."""
        return list(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of ids; special ones are left out."""
        return str(self._tokenizer.decode(list(ids), skip_special_tokens=True)).removeprefix(" ")

    def pieces(self, ids: Sequence[int]) -> list[str]:
        """Return a readable label for each id: `‑eur` where it goes on with a word, ⟨hex⟩ where nothing can be printed.

        A character outside the vocabulary takes several ids, none of which is text: `日` reads ⟨E6⟩ ⟨97⟩ ⟨A5⟩.
        """
        return [self._piece(token) for token in ids]

    def word_groups(self, ids: Sequence[int]) -> list[tuple[int, ...]]:
        """Return the positions of the ids that make up each word, in order; together they are all positions.

        A word is a stretch of letters, of digits or of punctuation; special ids stand alone, and so does every id of a
        sequence that is not text (a model can stop in the middle of a character).
        """
        surface = ["" if self._is_special(token) else str(self._tokenizer.id_to_token(token)) for token in ids]
        text = bytes(BYTES[symbol] for symbol in "".join(surface)).decode("utf-8", "replace")
        words = [word for word, _ in self._tokenizer.pre_tokenizer.pre_tokenize_str(text)]
        starts = {0, *itertools.accumulate(map(len, words))}
        is_text = "".join(words) == "".join(surface)
        groups: list[list[int]] = []
        previous_special = True
        for position, start in zip(range(len(ids)), itertools.accumulate(map(len, surface), initial=0), strict=False):
            special = not surface[position]
            if special or previous_special or not is_text or start in starts:
                groups.append([])
            groups[-1].append(position)
            previous_special = special
        return [tuple(group) for group in groups]

    def words(self, text: str) -> list[str]:
        """Return the stretches of a text that no token crosses, in the byte alphabet of the vocabulary."""
        normal = self._tokenizer.normalizer.normalize_str(text)
        return [word for word, _ in self._tokenizer.pre_tokenizer.pre_tokenize_str(normal)]

    def _is_special(self, token: int) -> bool:
        return token in self.special_ids

    def _piece(self, token: int) -> str:
        symbols = str(self._tokenizer.id_to_token(token))
        if self._is_special(token):
            return symbols
        raw = bytes(BYTES[symbol] for symbol in symbols)
        try:
            text = raw.decode()
        except UnicodeDecodeError:
            return "".join(f"⟨{byte:02X}⟩" for byte in raw)
        return label(text)


def label(text: str) -> str:
    """Return a sub-word as a reader is shown it; `text` begins with a space where a word begins with it."""
    begins, text = text.startswith(" "), text.removeprefix(" ") or " "
    shown = "".join("␣" if char == " " else char if char.isprintable() else f"⟨{ord(char):02X}⟩" for char in text)
    goes_on = text[0].isalnum() and not begins and not re.match(UNSPACED, text)
    return f"\u2011{shown}" if goes_on else shown


def _byte_alphabet() -> dict[str, int]:
    """Return the printable character that stands for each byte (GPT-2's `bytes_to_unicode`, turned round)."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = (byte for byte in range(256) if byte not in printable)
    return {chr(byte): byte for byte in printable} | {chr(0x100 + i): byte for i, byte in enumerate(others)}


BYTES = _byte_alphabet()
