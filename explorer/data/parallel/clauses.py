"""A sentence far longer than those of the training data, cut at its clauses."""

import re
from collections.abc import Callable

#: Where a clause may end, the best first: a semicolon, colon or dash; a comma.
_ENDS = (re.compile(r"[;:；：]\s*|\s[–—-]\s|——"), re.compile(r",\s+|，"))
#: No part is shorter than this share of the whole.
SHORTEST = 0.2


def cut(sentence: str, longest: int, count: Callable[[str], int]) -> tuple[str, ...]:
    """Return parts of a sentence, each at most `longest` if its marks allow; nothing but white space is lost.

    Args:
        longest: that a part may be, as `count` counts; a shorter sentence is left alone.
        count: of a text.
    """
    if count(sentence) <= longest:
        return (sentence,)
    for ends in _ENDS:
        places = [found.end() for found in ends.finditer(sentence)]
        inside = [place for place in places if SHORTEST <= place / len(sentence) <= 1 - SHORTEST]
        if inside:
            middle = min(inside, key=lambda place: abs(place - len(sentence) / 2))
            halves = sentence[:middle].strip(), sentence[middle:].strip()
            return tuple(part for half in halves for part in cut(half, longest, count))
    return (sentence,)
