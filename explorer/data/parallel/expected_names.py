"""Names of a sentence that a translation must hold, each in the form that it has there.

A translator has read them, so it may copy or translate them well; where it does not, something else is read for them
(`explorer.data.parallel.placeholders`).
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from explorer.data.parallel.places import find_places
from explorer.data.parallel.unknown_names import first_names, is_unknown, runs

_WORD_BEFORE = re.compile(r"([^\W\d_]+) $")
#: First names that languages exchange.
_SAME = (
    "Mary Marie Maria",
    "John Jean Johann Hans",
    "Peter Pierre",
    "George Georges Georg",
    "Charles Karl Carl",
    "William Guillaume Wilhelm",
    "Henry Henri Heinrich",
    "Louis Ludwig",
    "Frederick Frédéric Friedrich",
    "Elizabeth Élisabeth Elisabeth",
    "Catherine Katherine Katharina",
    "Alexander Alexandre",
    "Ann Anne Anna",
    "Joseph Josef",
    "Jacob Jacques Jakob",
    "Francis François Franz",
    "Eric Éric Erich",
    "Julia Julie",
    "Philip Philippe Philipp",
    "Leonardo Léonard",
)


class ExpectedName(NamedTuple):
    """A name, where it begins, of what it is, and what a translation must hold: of each group, one form.

    Attributes:
        there: the usual form in the other language.
    """

    typed: str
    start: int
    kind: str
    there: str
    groups: tuple[tuple[str, ...], ...]

    def is_in(self, translation: str) -> bool:
        """Return whether a translation holds it; of a country, an adjective such as “Polish” will do."""
        if self.kind.startswith("country") and re.search(rf"\b{re.escape(self.there[:2])}[a-z]", translation):
            return True
        return all(any(form in translation for form in group) for group in self.groups)


def expected_names(text: str, source: str, target: str) -> Iterator[ExpectedName]:
    """Yield what a translation must hold: places, and people who have a title, a first name, or two names.

    In Chinese, which may write people in its own characters, only those whose last name it most likely copies.
    """
    people = list(_people(text, source)) if source != "zh" else []
    for name, start, kind, several in people:
        if target != "zh" or several:
            words = name.split(" ")[-1:] if target == "zh" else re.split("[ -]", name)
            groups = tuple((*_same(word), *("·",) * (target == "zh")) for word in words if word[:1].isupper())
            yield ExpectedName(name, start, kind, name, groups)
    for name, start, place in find_places(text, source):
        inside = any(first <= start < first + len(person) for person, first, *_ in people)
        if not inside and not _is_part(text, start, source):
            yield ExpectedName(name, start, place.kind, place.forms[target][0], (place.forms[target],))


def _is_part(text: str, start: int, language: str) -> bool:
    """Return whether a name stands before a place: Livingston *Island* is not Iceland."""
    before = _WORD_BEFORE.search(text, 0, start)
    if before is None or language == "zh":
        return False
    place = next(find_places(before[1], language), None)
    return place is None and is_unknown(text, before.start(1), before.end(1), language)


def _people(text: str, language: str) -> Iterator[tuple[str, int, str, bool]]:
    """Yield people, where each begins, of what it is a name, and whether there is a title or more than one word."""
    places = {each.start for each in find_places(text, language)}
    nouns = language == "de"  # two of them are no name
    for run in runs(text, language):
        name = text[run[0].start : run[-1].end]
        first = any(text[word.start : word.end] in first_names() for word in run)
        several = run[0].titled or len(run) > 1
        names = len(run) > 1 and not nouns and not any(word.start in places for word in run)
        if run[0].titled or first or names:
            yield name, run[0].start, "surname" if run[0].titled else "person", several


def _same(name: str) -> tuple[str, ...]:
    """Return the forms of a first name; of another name, itself."""
    return (name, *(each for row in _SAME for each in row.split(" ") if name in row.split(" ") and each != name))
