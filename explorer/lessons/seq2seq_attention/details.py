"""“Recurrent attention”: which details of a sentence have arrived. They are listed by hand for the examples."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from explorer.data.parallel.multi30k import lower
from explorer.lessons.seq2seq_attention.numbers import by_words
from explorer.records.recurrent import RecurrentRecord
from explorer.records.wording import token
from explorer.scenes.seq2seq_attention import BALL, CAR, DRESSES, FLOWERS, LONG, SOFA, STAIRS


@dataclass(frozen=True, slots=True)
class Detail:
    """Something that a sentence says.

    Attributes:
        label: what it is called: English, or the source word itself where nobody has listed details.
        source: words of the source that say it, from 0.
        said: pattern of the English words that say it: a phrase, so that “old man” is no “old car”. None: unknown.
    """

    label: str
    source: tuple[int, ...]
    said: str | None = None


#: Of a sentence: each detail by its name, the source words that say it, and the English that does.
DETAILS: Mapping[str, Sequence[tuple[str, str, str]]] = {
    SOFA: (
        ("a small cat", "kleine katze", "(small|little) cat"),
        ("sleeping", "schläft", "sleep\\w*|asleep"),
        ("on the sofa", "sofa", "couch|sofa"),
    ),
    CAR: (
        ("an old car", "alten auto", "old car"),
        ("next to", "neben", "next to|beside"),
        ("a man", "mann", "man"),
        ("a black suit", "schwarzen anzug", "black suit"),
    ),
    BALL: (
        ("two children", "zwei kinder", "two (children|kids)"),
        ("playing", "spielen", "play\\w*"),
        ("in the park", "park", "in (the|a) park"),
        ("a red ball", "roten ball", "red ball"),
    ),
    STAIRS: (
        ("a skateboarder", "skateboardfahrer", "skateboarder"),
        ("jumping", "springt", "jump\\w*"),
        ("over stairs", "treppe", "(stair\\w*|steps)"),
    ),
    DRESSES: (
        ("three women", "drei frauen", "three( young)? women"),
        ("young", "junge", "young"),
        ("colourful dresses", "bunte kleider", "(color\\w*|bright\\w*) (dress|dresses|cloth\\w*)"),
        ("dancing", "tanzen", "danc\\w*"),
        ("on the street", "straße", "(on|in) the street"),
    ),
    FLOWERS: (
        ("a man", "mann", "man"),
        ("a beard", "bart", "beard"),
        ("a green hat", "grünen hut", "green hat"),
        ("selling", "verkauft", "sell\\w*"),
        ("flowers", "blumen", "flowers?"),
        ("on the street", "straße", "(on|in) the street"),
    ),
    LONG: (
        ("an old man", "alter mann", "old man"),
        ("a gray beard", "grauem bart", "(gray|grey) beard"),
        ("a black hat", "schwarzen hut", "black hat"),
        ("a wooden bench", "holzbank", "wood\\w* bench"),
        ("a small store", "kleinen laden", "small (store|shop)"),
        ("playing guitar", "spielt gitarre", "play\\w*( the| a)? guitar"),
        ("two children", "zwei kinder", "two (children|kids)"),
        ("listening", "zuhören", "listen\\w*"),
    ),
}


def details(record: RecurrentRecord) -> tuple[Detail, ...]:
    """Return the details of what was read; where nobody has listed any, every source word but the punctuation."""
    words = record.trace.source.word_labels
    listed = {lower(sentence): each for sentence, each in DETAILS.items()}.get(record.source)
    if listed is not None:
        return tuple(
            Detail(label, tuple(map(words.index, source.split())), said)
            for label, source, said in listed
            if set(source.split()) <= set(words)
        )
    some = [position for position, word in enumerate(words) if _says_something(word)] or list(range(len(words)))
    return tuple(Detail(token(words[position]), (position,)) for position in some)


def said_by(record: RecurrentRecord, detail: Detail) -> tuple[int, ...]:
    """Return the output words that say a detail; none where it is missing, or nobody knows what would say it."""
    words = record.trace.written.word_labels
    ends = [0]
    for word in words:
        ends.append(ends[-1] + len(word) + 1)
    match = re.search(rf"\b({detail.said})\b", " ".join(words)) if detail.said else None
    if match is None:
        return ()
    return tuple(
        position for position, end in enumerate(ends[1:]) if ends[position] < match.end() and match.start() < end - 1
    )


def looking_at(record: RecurrentRecord, detail: Detail) -> tuple[int, ...]:
    """Return the output words whose heaviest look lies on a detail's source words; none without attention."""
    alignment = by_words(record)
    if alignment is None:
        return ()
    best = alignment.weights[0].argmax(-1).tolist()
    words = record.trace.written.word_labels
    return tuple(row for row, position in enumerate(best) if position in detail.source and _says_something(words[row]))


def _says_something(word: str) -> bool:
    return word != "</s>" and any(map(str.isalnum, word))


def find_words(record: RecurrentRecord) -> frozenset[int]:
    """Return the output words that say a detail."""
    return frozenset(position for detail in details(record) for position in said_by(record, detail))


def count_details(record: RecurrentRecord) -> tuple[int, int]:
    """Return how many details stand in the output, and how many somebody has listed."""
    every = [detail for detail in details(record) if detail.said]
    return sum(bool(said_by(record, detail)) for detail in every), len(every)
