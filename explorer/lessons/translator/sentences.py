"""Split a text into sentences, each of which is translated for itself and can be looked into."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from explorer.data import sentences as texts
from explorer.inference.search.decode import Hypothesis
from explorer.inference.translator.piece import Piece
from explorer.inference.translator.pieces import NONE, again, write_pieces
from explorer.inference.translator.request import Params, pieces_of
from explorer.inference.translator.translate import InputRefused, LoadedTranslator
from explorer.lessons.translator.compute import look_into
from explorer.lessons.translator.state import Result

#: Of one text on the page; documents have a place of their own.
MOST_SENTENCES = 24
#: Clauses, into which long sentences are cut: no text may fill the translation queue alone.
MOST_CLAUSES = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundSentence:
    """One sentence with what a search found for it; the cache key of its trace.

    Attributes:
        revision: of the checkpoint.
        hypotheses: the best first.
        piece: how the sentence came to be read so.
    """

    params: Params
    revision: str
    hypotheses: tuple[Hypothesis, ...]
    piece: Piece


def sentences(params: Params, *, most: int = MOST_SENTENCES, attempts: Mapping[int, int] = NONE) -> tuple[Piece, ...]:
    """Return the sentences of a text as the translator reads them, each with what was changed in it.

    Args:
        most: sentences.
        attempts: for sentences of which something could not be put back, how often they were read otherwise.

    Raises:
        InputRefused: nothing visible was typed, or too much.
        CheckpointError: the checkpoint cannot be used.
    """
    found = pieces_of(params, attempts)
    if (count := found[-1].sentence + 1) > most:
        raise InputRefused("too_long", length=count, limit=most, unit="sentences")
    if len(found) > MOST_CLAUSES:
        raise InputRefused("too_long", length=len(found), limit=MOST_CLAUSES, unit="clauses")
    return found


def requests(params: Params, found: Sequence[Piece]) -> tuple[Params, ...]:
    """Return a request for each sentence, as if it had been typed alone."""
    return tuple(replace(params, text=piece.text) for piece in found)


def attempts(translator: LoadedTranslator, ids: Sequence[tuple[int, ...]], found: Sequence[Piece]) -> Mapping[int, int]:
    """Return which sentences are to be read otherwise, because something cannot be put back; none if all is well."""
    return again(found, [translator.tokenizer.decode(each) for each in ids])


def looked_into(found: FoundSentence) -> Result:
    """Return a sentence and its trace, whose search is over."""
    return look_into(found.params, found.hypotheses, found.piece)


def detokenize(
    translator: LoadedTranslator, ids: Sequence[tuple[int, ...]], found: Sequence[Piece], *, ended: bool = True
) -> tuple[str, ...]:
    """Return the text of each translation, as far as it is known, without a last half character.

    Names that were read as others are put back, what was typed in capitals is translated into capitals again, and the
    clauses of a long sentence follow one another.
    """
    return write_pieces(found, [translator.tokenizer.decode(each).rstrip("\ufffd") for each in ids], ended=ended)


def join(parts: Sequence[str], shown: Sequence[str] = ()) -> str:
    """Join translations to one text, what is shown of each in its place; those that are not there yet are left out."""
    kept = [(part, put) for part, put in zip(parts, shown or parts, strict=True) if part]
    return texts.join([part for part, _ in kept], [put for _, put in kept])
