"""Letters that a translation is never written with: those of scripts that its language does not use."""

import re
from collections.abc import Sequence
from dataclasses import replace

from explorer.data.parallel.directions import parse_directions
from explorer.data.tokenizer import BYTES, Tokenizer
from explorer.inference.engine.prepared import NO_TAG, Prepared
from explorer.inference.translator.trace import AnyTokenizer

#: Letters of one or another script; first bytes, in UTF-8, of letters of it. Chinese text may hold Latin names.
_LATIN = re.compile(r"[A-Za-zªºÀ-ÖØ-öø-ɏḀ-ỿ]")
_HAN = re.compile("[\u3005-\u3007\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_HAN_STARTS, _LATIN_STARTS = frozenset((*range(0xE3, 0xEA), 0xEF, 0xF0)), frozenset((*range(0xC3, 0xCA), 0xE1))
#: No letters begin with these: signs such as “ … € do, and so do flags and faces.
_SIGNS = frozenset((0xC2, 0xE2, 0xEF, 0xF0))


def restrict_scripts(prepared: Prepared, tokenizer: AnyTokenizer) -> Prepared:
    """Return the same, and a search with it writes no letter of a foreign script."""
    if not isinstance(tokenizer, Tokenizer):
        return prepared
    directions = parse_directions(prepared.config.directions)
    languages = {tokenizer.tags.get(direction.tag, NO_TAG): direction.target for direction in directions}
    barred = {tag: foreign(tokenizer, language) for tag, language in languages.items()}
    chinese = (tag for tag, language in languages.items() if language == "zh")
    return replace(prepared, barred=barred, unheld=dict.fromkeys(chinese, Unheld(tokenizer)))


class Unheld:
    """Finds Latin letters that a source does not hold: its Chinese translation is written without them."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        ids = [token for token in tokenizer.ids.values() if token not in tokenizer.special_ids]
        texts = {token: tokenizer.decode([token]).strip().casefold() for token in ids}
        self._decode = tokenizer.decode
        self._latin = {token: text for token, text in texts.items() if _LATIN.search(text)}

    def __call__(self, source: Sequence[int]) -> list[int]:
        """Return the ids of the Latin sub-words that are no part of a source."""
        text = self._decode(source).casefold()
        return [token for token, letters in self._latin.items() if letters not in text]


def foreign(tokenizer: Tokenizer, language: str) -> tuple[int, ...]:
    """Ids of the sub-words that hold, or begin, a letter of a script that a language does not use."""
    text_ids = {text: token for text, token in tokenizer.ids.items() if token not in tokenizer.special_ids}
    return tuple(sorted(token for text, token in text_ids.items() if _is_foreign(text, language)))


def _is_foreign(symbols: str, language: str) -> bool:
    raw = bytes(BYTES[symbol] for symbol in symbols)
    chinese = language == "zh"
    starts = _SIGNS | _LATIN_STARTS | (_HAN_STARTS if chinese else frozenset())
    if any(byte >= 0xC0 and byte not in starts for byte in raw):
        return True
    letters = (char for char in raw.decode(errors="ignore") if char.isalpha())
    return any(not (_LATIN.match(char) or (chinese and _HAN.match(char))) for char in letters)
