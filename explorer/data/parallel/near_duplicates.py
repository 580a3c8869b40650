"""Test sources that a training source nearly is: a score on them says what was kept, not what was learnt."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

Words = tuple[str, ...]
#: A word: letters and digits, with what joins them; other marks are not compared.
WORD = re.compile(r"[\w'’-]+")
#: Stands for the word that was exchanged; no text in small letters holds it.
ANY = "ANY"


def near_duplicates(sources: Sequence[str], training: Iterable[str], language: str = "") -> list[bool]:
    """Return whether each source is at most one word away from a training source: exchanged, inserted or left out.

    Two texts are within one edit if they are equal, if they are equal but for one place, or if one is the other without
    one word. So the sources are kept under every such key, and the training texts, of which there are many, only looked
    up.

    Args:
        sources: of a test set.
        training: sources that a model was trained on.
        language: of both. Words are compared in small letters and without punctuation; in Chinese (`zh`), which does
            not part them, each character stands for one.
    """
    known: dict[Words, set[int]] = defaultdict(set)  # as they are, and with any word in one place
    shorter: dict[Words, set[int]] = defaultdict(set)
    for number, source in enumerate(sources):
        words = _words(source, language)
        for key in (words, *_with_any(words)):
            known[key].add(number)
        for key in _without_one(words):
            shorter[key].add(number)
    found: set[int] = set()
    for text in training:
        words = _words(text, language)
        keys = (words, *_with_any(words), *_without_one(words))
        found.update(shorter.get(words, ()), *(known.get(key, ()) for key in keys))
    return [number in found for number in range(len(sources))]


def _words(text: str, language: str) -> Words:
    words = WORD.findall(text.lower())
    return tuple("".join(words)) if language == "zh" else tuple(words)


def _without_one(words: Words) -> Iterator[Words]:
    return (words[:place] + words[place + 1 :] for place in range(len(words)))


def _with_any(words: Words) -> Iterator[Words]:
    return ((*words[:place], ANY, *words[place + 1 :]) for place in range(len(words)))
