"""What the foreign words of a live picture mean to the reader: `gloss.js` says it where they are pointed at."""

from collections.abc import Iterable, Sequence
from typing import Any

from explorer.data.parallel.glosses import gloss
from explorer.records.language import current_language
from explorer.records.sequence import TokenRow


def explain_words(words: Iterable[str], language: str, *, others: Iterable[str] = ()) -> dict[str, Any]:
    """Return what words of a language mean to the reader, to be packed with what is drawn; nothing where nobody knows.

    Args:
        words: of the language, as they are drawn.
        language: its code, such as `fr`.
        others: words of another language that are drawn there, too: what both have is not explained.
    """
    asked = sorted(set(words) - set(others))
    found = {word: said for word in asked if (said := gloss(word, language, current_language()))}
    return {"glosses": found} if found else {}


def explain_pieces(rows: Sequence[TokenRow], language: str, *, others: Iterable[str] = ()) -> dict[str, Any]:
    """Return the same where pieces are drawn: a piece of a word means what the word means; arguments as above."""
    words = [pair for row in rows for pair in zip(row.words, row.word_labels, [row] * len(row.words), strict=True)]
    found = explain_words((label for _, label, _ in words), language, others=others).get("glosses", {})
    pieces = {row.labels[position]: found[label] for word, label, row in words if label in found for position in word}
    return {"glosses": pieces} if pieces else {}
