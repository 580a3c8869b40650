"""Bytes as text: as their mark says, else as UTF-8, else by a guess that a reader may overrule."""

import codecs
import re
import unicodedata
from typing import NamedTuple

from charset_normalizer import from_bytes

#: Encodings that are guessed between, each with those that write more letters in the same way. Free to choose among
#: all, charset-normalizer takes short French for one of Central Europe.
GUESSED = {
    "cp1252": ("cp1252",),
    "gb18030": ("gb18030",),
    "big5": ("big5", "cp950", "big5hkscs"),
    "cp932": ("shift_jis", "cp932"),
}
#: Encodings that a reader may choose.
ENCODINGS = ("utf-8", "utf-16-le", "utf-16-be", "cp1252", "gb18030", "big5", "shift_jis")
_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
#: Two letters beyond ASCII, side by side: text of East Asia has them, that of Western Europe hardly.
_SIDE_BY_SIDE = re.compile(rb"[\x80-\xff]{2}")


class Decoded(NamedTuple):
    """A text, how its bytes were read, and whether that is a guess."""

    text: str
    encoding: str
    guessed: bool

    @property
    def damaged(self) -> bool:
        """Return whether there are bytes that no text has."""
        return "\0" in self.text or ("\ufffd" in self.text and (self.guessed or self.encoding == "utf-16"))


def decode(data: bytes | str, encoding: str = "") -> Decoded:
    """Decode bytes by their mark, else as the reader says, else as UTF-8, else by a guess.

    Args:
        data: a file; of text that is one already, only the mark is taken away.
        encoding: one of `ENCODINGS`.
    """
    if isinstance(data, str):
        return Decoded(data.removeprefix("\ufeff"), "utf-8", False)
    for mark, marked in _BOMS:
        if data.startswith(mark):
            return Decoded(data.decode(marked, "replace"), marked, False)
    if encoding in ENCODINGS:
        return Decoded(*_widest(data, _family(encoding)), True)
    if len(data) > 3 and data.count(0) > len(data) // 4:  # UTF-16 that forgot its mark
        return _sixteen(data)
    try:
        return Decoded(data.decode("utf-8"), "utf-8", False)
    except UnicodeDecodeError:
        pass
    if b"\0" in data and all(map(_is_written, (likewise := _sixteen(data)).text)):  # of letters beyond the first 256
        return likewise
    return Decoded(*_widest(data, GUESSED[_guess(data)]), True)


def _guess(data: bytes) -> str:
    """Return a key of `GUESSED`. Mostly katakana of half width, which hardly anybody writes, is Chinese."""
    if not _SIDE_BY_SIDE.search(data):
        return "cp1252"
    found = from_bytes(data, cp_isolation=list(GUESSED)).best()
    if found and found.encoding == "cp932":
        beyond = [letter for letter in str(found) if not letter.isascii()]
        if 2 * sum("\uff61" <= letter <= "\uff9f" for letter in beyond) > len(beyond):
            found = from_bytes(data, cp_isolation=["gb18030", "big5"]).best()
    return found.encoding if found else "cp1252"


def choice_of(encoding: str) -> str:
    """Return which of `ENCODINGS` an encoding belongs to."""
    return next((each for each in _family(encoding) if each in ENCODINGS), ENCODINGS[0])


def _family(encoding: str) -> tuple[str, ...]:
    return next((every for every in GUESSED.values() if encoding in every), (encoding,))


def _sixteen(data: bytes) -> Decoded:
    """Decode UTF-16 without a mark: most texts have spaces, digits or ends of lines, whose upper halves are zero."""
    encoding = "utf-16-le" if data[1::2].count(0) >= data[::2].count(0) else "utf-16-be"
    return Decoded(data.decode(encoding, "replace"), encoding, True)


def _is_written(letter: str) -> bool:
    """Return whether a text may have it: no control but ends of lines and tabs, and nothing that is no letter yet."""
    return letter in "\t\r\n" or (unicodedata.category(letter) not in ("Cc", "Cn", "Co", "Cs") and letter != "\ufffd")


def _widest(data: bytes, encodings: tuple[str, ...]) -> tuple[str, str]:
    """Return a text and the first of some encodings that reads all of it; the first reads what it can if none does."""
    for encoding in encodings:
        try:
            return data.decode(encoding), encoding
        except UnicodeDecodeError:
            pass
    return data.decode(encodings[0], "replace"), encodings[0]
