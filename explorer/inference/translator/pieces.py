"""From what somebody typed to the pieces that a translator reads one by one, and from their translations to a text."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from explorer.data.parallel.clauses import continued, cut, joint
from explorer.data.parallel.directions import Direction
from explorer.data.parallel.normalisation import Normalised, normalise
from explorer.data.parallel.stand_ins import StandIn, put_back, stand_in
from explorer.data.sentences import join, split
from explorer.inference.translator.trace import AnyTokenizer

#: Sub-words of a piece; a longer sentence is cut at its clauses. With 96, more translations of sentences of 40 words
#: were wrong (59 of 120 against 36, all directions), and chrF on FLORES dev was lower by 1 to 3.
LONGEST = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A sentence, or a clause of a long one.

    Attributes:
        text: what the translator reads.
        sentence: number of the sentence it belongs to.
        of: the whole sentence and what was changed in it.
        stand_ins: what is read in the sentence for what cannot be copied.
        target: language of the translation.
    """

    text: str
    sentence: int
    of: Normalised
    stand_ins: tuple[StandIn, ...] = ()
    target: str = ""

    def restored(self, translation: str) -> str:
        """Return a translation with what was typed put back, and in capitals if that was."""
        return self.of.restored(put_back(translation, self.stand_ins, self.target))


def pieces(
    text: str, tokenizer: AnyTokenizer, direction: Direction | None, *, longest: int = LONGEST
) -> tuple[Piece, ...]:
    """Return a text as a translator reads it; empty if nothing visible was typed."""

    def count(part: str) -> int:
        return len(tokenizer.encode(part))

    language, target = direction or ("", "")
    found = []
    for number, sentence in enumerate(split(text)):
        normal = normalise(sentence, language, lambda word: rarity(tokenizer, word))
        read, stand_ins = stand_in(normal.text, language, target)
        found += [
            Piece(text=part, sentence=number, of=normal, stand_ins=stand_ins, target=target)
            for part in cut(read, longest, count)
            if part
        ]
    return tuple(found)


def rarity(tokenizer: AnyTokenizer, word: str) -> tuple[int, int]:
    """The more sub-words, the rarer a word; of single ones, those that were merged later in learning the vocabulary."""
    ids = tokenizer.encode(word)
    return len(ids), ids[0] if len(ids) == 1 else 0


def written(parts: Sequence[Piece], translations: Sequence[str]) -> tuple[str, ...]:
    """Return what the text holds of each translation: a clause goes on, and what was typed is put back."""
    found = list(translations)
    for place, (piece, following) in enumerate(pairwise(parts)):
        if piece.sentence == following.sentence:
            found[place] = joint(found[place], piece.text, piece.target)
            if piece.text[-1:] in ",，":
                found[place + 1] = continued(found[place + 1], piece.target)
    return tuple(piece.restored(each) for piece, each in zip(parts, found, strict=True))


def joined(parts: Sequence[Piece], translations: Sequence[str]) -> str:
    """Return the translation of the text whose pieces were translated."""
    return join(written(parts, translations))
