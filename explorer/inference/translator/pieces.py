"""From what somebody typed to the pieces that a translator reads one by one, and from their translations to a text."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from types import MappingProxyType

from explorer.data.parallel.clauses import continue_sentence, cut, joint
from explorer.data.parallel.directions import Direction
from explorer.data.parallel.expected_names import expected_names
from explorer.data.parallel.lifted import take_out
from explorer.data.parallel.literals import SIGN, Literal, mark_literals, restore_literals
from explorer.data.parallel.normalisation import Normalised, normalise
from explorer.data.parallel.placeholders import LANGUAGES, ROWS, Placeholder, insert_placeholders
from explorer.data.parallel.slips import correct
from explorer.data.sentences import join, split
from explorer.inference.translator.piece import LAST_ATTEMPT, NAMES, Piece
from explorer.inference.translator.trace import AnyTokenizer

#: Sub-words of a piece; a longer sentence is cut at its clauses. With 96, more translations of sentences of 40 words
#: were wrong (59 of 120 against 36, all directions), and chrF on FLORES dev was lower by 1 to 3.
LONGEST = 32
#: Characters of a text that is all emoji and is read as it is, although its translation is copied.
_FEW = 12
NONE: Mapping[int, int] = MappingProxyType({})


def pieces(
    text: str,
    tokenizer: AnyTokenizer,
    direction: Direction | None,
    *,
    longest: int = LONGEST,
    attempts: Mapping[int, int] = NONE,
    as_typed: bool = False,
) -> tuple[Piece, ...]:
    """Return a text as a translator reads it; empty if nothing visible was typed.

    Args:
        longest: sub-words of a piece.
        attempts: for sentences of which something could not be put back, how often they were read otherwise.
        as_typed: nothing is read as something else, and no slip as what was meant.
    """
    language, target = direction or ("", "")
    signed, literals = mark_literals(text, language, target) if direction else (text, {})
    found: list[Piece] = []
    for number, sentence in enumerate(split(signed)):
        normal = normalise(sentence, language, partial(rarity, tokenizer))
        attempt = LAST_ATTEMPT if as_typed else attempts.get(number, 0)
        read, slips = (normal.text, ()) if as_typed else correct(normal.text, language, partial(rarity, tokenizer))
        whole = Piece(text=read, sentence=number, of=normal, target=target, attempt=attempt, slips=slips)
        found += _parts(
            whole, literals, language, lambda read: cut(read, longest, lambda part: len(tokenizer.encode(part)))
        )
    return _with_words(found, language)


def readings(
    text: str,
    tokenizer: AnyTokenizer,
    direction: Direction | None,
    of: Callable[[str], Normalised],
    *,
    as_typed: bool = False,
) -> Iterator[Piece]:
    """Yield a text as a translator reads it in one pass; the next where something of it was lost.

    Args:
        of: brings a text into the form of the training data.
        as_typed: nothing is read as something else, and no slip as what was meant.
    """
    language, target = direction or ("", "")
    signed, literals = mark_literals(text, language, target) if direction else (text, {})
    normal = of(signed)
    attempt = LAST_ATTEMPT if as_typed else 0
    read, slips = (normal.text, ()) if as_typed else correct(normal.text, language, partial(rarity, tokenizer))
    while attempt <= LAST_ATTEMPT:
        whole = Piece(text=read, sentence=0, of=normal, target=target, attempt=attempt, slips=slips)
        piece = _with_words([*_parts(whole, literals, language, lambda read: (read,))], language)[0]
        yield piece
        attempt = piece.next_attempt


def _parts(
    whole: Piece, literals: Mapping[str, Literal], source: str, cut: Callable[[str], Sequence[str]]
) -> Iterator[Piece]:
    """Yield the parts of a sentence, each without what is not read."""
    read, placeholders = _read(whole.text, source, whole.target, literals, whole.attempt)
    at_first = not whole.attempt and {source, whole.target} <= {*LANGUAGES}
    expected = tuple(expected_names(read, source, whole.target)) if at_first else ()
    expected = tuple(each for each in expected if all(each.typed != other.source_form for other in placeholders))
    held = tuple((sign, literals[sign]) for sign in re.findall(SIGN, whole.text) if sign in literals)
    for part in cut(read):
        without, lifted = take_out(part, set(re.findall(SIGN, part)))
        alone = part if held and not any(map(str.isalnum, without)) else ""
        if part:
            yield replace(
                whole,
                text=without,
                placeholders=tuple(each for each in placeholders if each.source_form in without),
                literals=held,
                lifted=lifted,
                alone=alone,
                expected=expected,
                slips=tuple(each for each in whole.slips if each[1] in without),
            )


def _read(
    text: str, source: str, target: str, literals: Mapping[str, Literal], attempt: int
) -> tuple[str, tuple[Placeholder, ...]]:
    """Return a sentence as it is read, with the signs that are not: at last all of them, and nothing stands in."""
    if attempt >= LAST_ATTEMPT:
        return text, ()
    loose = "".join(sign for sign, each in literals.items() if each.kind in ("mark", "tag"))
    spoken = re.sub(rf"{SIGN}(?<![{loose}])", "x", text) if loose else ""
    edges = re.findall(rf"^[\s{loose}]+|[\s{loose}]+(?=\W*$)", spoken) if loose else []
    kept = {sign: each for sign, each in literals.items() if sign not in "".join(edges)}
    return insert_placeholders(text, source, target, kept, every_name=attempt == NAMES, again=attempt > NAMES)


def _with_words(found: Sequence[Piece], language: str) -> tuple[Piece, ...]:
    """Let what has no words go along with the piece before it, or behind it; if all has none, something is read."""
    spoken: list[Piece] = []
    waiting: list[Piece] = []
    for piece in found:
        if not piece.alone:
            before = " ".join(each.alone for each in waiting)
            literals = tuple(pair for each in (*waiting, piece) for pair in each.literals)
            spoken.append(replace(piece, literals=literals, around=(before, "")))
            waiting = []
        elif spoken:
            last = spoken[-1]
            behind = f"{last.around[1]} {piece.alone}".strip()
            spoken[-1] = replace(last, around=(last.around[0], behind), literals=(*last.literals, *piece.literals))
        else:
            waiting.append(piece)
    return (*spoken, *(_something(each, language) for each in waiting))


def _something(piece: Piece, language: str) -> Piece:
    """Return a piece of which all is copied, with something that is read in its place; a few emoji are read."""
    literals = dict(piece.literals)
    typed = restore_literals(piece.alone, literals)
    emoji = len(typed) <= _FEW and all(each.kind == "mark" for each in literals.values())
    if emoji or language not in LANGUAGES:
        return replace(piece, text=typed[:_FEW], lifted=())
    read = ROWS["person"][0].split(" ")[LANGUAGES.index(language)].split("/")[0]
    return replace(piece, text=read, lifted=(), placeholders=(Placeholder(typed, typed, read, (read,)),))


def again(parts: Sequence[Piece], translations: Sequence[str]) -> Mapping[int, int]:
    """Return which sentences are to be read otherwise, and as which attempt; none if all is well.

    Those that were read otherwise already stay among them as long as there is another.
    """
    failed = [piece for piece, said in zip(parts, translations, strict=True) if not piece.kept(said)]
    attempts = {piece.sentence: piece.attempt for piece in parts if piece.attempt}
    return attempts | {piece.sentence: piece.next_attempt for piece in failed} if failed else {}


def rarity(tokenizer: AnyTokenizer, word: str) -> tuple[int, int]:
    """The more sub-words, the rarer a word; of single ones, those that were merged later in learning the vocabulary."""
    ids = tokenizer.encode(word)
    return len(ids), ids[0] if len(ids) == 1 else 0


def write_pieces(parts: Sequence[Piece], translations: Sequence[str], *, ended: bool = True) -> tuple[str, ...]:
    """Return what the text holds of each translation: a clause goes on, and what was typed is put back."""
    found = list(translations)
    for position, (piece, following) in enumerate(pairwise(parts)):
        if piece.sentence == following.sentence:
            found[position] = joint(found[position], piece.text, piece.target)
            if piece.text[-1:] in ",，;；:：":
                found[position + 1] = continue_sentence(found[position + 1], piece.target)
    return tuple(piece.restored(each, ended=ended) for piece, each in zip(parts, found, strict=True))


def join_pieces(parts: Sequence[Piece], translations: Sequence[str]) -> str:
    """Return the translation of the text whose pieces were translated."""
    return join(write_pieces(parts, translations))
