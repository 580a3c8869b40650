"""A text as a table: which separator cuts it, and its rows with the numbers of their lines."""

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from explorer.data.documents.encoding import Decoded, decode

#: Separators, those before the others that cut a text less often by accident.
SEPARATORS = ("\t", ";", "|", ",")
#: Columns that are used, letters of a cell, and letters of a line.
MOST_COLUMNS, MOST_CELL = 50, 10_000
MOST_LINE = MOST_COLUMNS * MOST_CELL
csv.field_size_limit(MOST_LINE)  # a cell is cut; Python would refuse one of more than 131,072
#: Letters and rows of a table by which its separator is judged.
JUDGED, JUDGED_ROWS = 20_000, 100
#: A separator that scores less cuts nothing: what looks like one belongs to sentences.
_LEAST = 0.22
#: Spreadsheet programs say so in a first line: `sep=;`.
_DECLARED = re.compile(r'"?sep=(\\t|[^"\r\n\w])"?[;,\t ]*(?:\r\n|\r|\n|$)', re.IGNORECASE)

Row = tuple[int, list[str]]


class TableUnreadable(ValueError):
    """Quotation marks of a table do not fit: the row of this line."""

    def __init__(self, line: int) -> None:
        self.line = line
        super().__init__(f"row {line}")


@dataclass(frozen=True, slots=True, kw_only=True)
class HowRead:
    """Answers to what a file of a table leaves open, as it was read.

    Attributes:
        encoding: of a text; empty if it is a workbook.
        encoding_guessed: whether that is a guess.
        separator: between cells; empty if there is none.
        separator_guessed: likewise.
        sheet: of a workbook.
        sheets: all that it has, and whether they are hidden.
    """

    encoding: str = ""
    encoding_guessed: bool = False
    separator: str = ""
    separator_guessed: bool = False
    sheet: str = ""
    sheets: tuple[tuple[str, bool], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TextTable:
    """A text and how it is cut.

    Attributes:
        decoded: the text, and how its bytes were read.
        size: bytes of the file, or letters of what was typed.
        separator: between cells; empty if every line is one cell.
        guessed: whether another separator might be meant.
    """

    decoded: Decoded
    size: int
    separator: str
    guessed: bool

    @property
    def how(self) -> HowRead:
        """Return how it was read."""
        return HowRead(
            encoding=self.decoded.encoding,
            encoding_guessed=self.decoded.guessed,
            separator=self.separator,
            separator_guessed=self.guessed,
        )

    def rows(self, *, strict: bool = False) -> Iterator[Row]:
        """Yield cells, and the line on which a row ends. Lines end with CR, LF or both, and with nothing else.

        Args:
            strict: whether quotation marks that do not fit are refused; else they are letters.

        Raises:
            TableUnreadable: they are.
        """
        return _rows(self.decoded.text, self.separator, strict=strict)


def open_table(
    data: bytes | str,
    *,
    separator: str | None = None,
    encoding: str = "",
    usual: str = "",
    spaces: bool = False,
    fits: Callable[[Sequence[str]], bool] = lambda _: False,
) -> TextTable:
    """Find out how a table is written.

    Args:
        data: a file, or what was typed.
        separator: what the reader says; empty if every line is one cell.
        encoding: likewise.
        usual: separator of such a file, which is no guess.
        spaces: whether spaces, too, may separate.
        fits: tells cells that are as the caller needs them.
    """
    decoded = decode(data, encoding)
    declared = _DECLARED.match(decoded.text)
    guessed = False
    if separator is None and declared:
        separator = "\t" if declared[1] == "\\t" else declared[1]
    elif separator is None and usual:
        separator = usual
    elif separator is None:
        separator, guessed = _separator(decoded.text, (*SEPARATORS, *(" " * spaces)), fits)
    return TextTable(decoded=decoded, size=len(data), separator=separator, guessed=guessed)


def declare(text: str, separator: str) -> str:
    """Return a text whose first line says its separator."""
    return f"sep={separator}\n{text}"


def drop_empty_ends(cells: Sequence[str], columns: int) -> list[str]:
    """Return cells without those that separators at the end of a row add to so many columns."""
    kept = list(cells)
    while len(kept) > columns and not kept[-1].strip():
        kept.pop()
    return kept


def _separator(text: str, candidates: Sequence[str], fits: Callable[[Sequence[str]], bool]) -> tuple[str, bool]:
    """Return what cuts a text best, and whether something else might be meant."""
    sample = text[:JUDGED]
    found = {each: _sample(sample, each, whole=len(text) <= JUDGED) for each in candidates if each in sample}
    fitting = {each: sum(map(fits, rows)) / max(len(rows), 1) for each, rows in found.items()}
    scores = {each: _score(rows, each) for each, rows in found.items()}
    best = max(found, key=lambda each: (fitting[each], scores[each]), default="")
    if not best:
        return "", False
    if fitting[best]:
        return best, sum(map(bool, fitting.values())) > 1
    if scores[best] < _LEAST:
        return "", True
    return best, scores[best] < 0.5 or sum(score >= 0.1 for score in scores.values()) > 1


def _sample(sample: str, separator: str, *, whole: bool) -> list[list[str]]:
    """Return the first rows that are not empty; of a text that is cut, not the last one."""
    rows = [cells for _, cells in islice(_rows(sample, separator), JUDGED_ROWS) if any(map(str.strip, cells))]
    return rows if whole or len(rows) < 2 else rows[:-1]


def _score(rows: Sequence[Sequence[str]], separator: str) -> float:
    """Return how well a separator cuts rows, 0 to 1: all of them, into as many cells, and not where prose has it too.

    One row that has a cell more costs little, rows that are not cut at all cost much. In prose a space follows; between
    digits a comma may be a decimal one.
    """
    widths = [len(row) for row in rows if len(row) > 1]
    if not widths:
        return float(not rows)  # nothing is in the table but separators
    cut, alike = len(widths) / len(rows), Counter(widths).most_common(1)[0][1] / len(widths)
    places = [place for row in rows for place in pairwise(row)]
    prose = sum(after.startswith(" ") for _, after in places) / len(places) if separator in ",;" else 0.0
    digits = (a[-1:].isdigit() and b[:1].isdigit() for a, b in places) if separator == "," else ()
    return cut**2 * (1 + alike) / 2 * (1 - 0.75 * prose) * (1 - 0.3 * sum(digits) / len(places))


def _rows(text: str, separator: str, *, strict: bool = False) -> Iterator[Row]:
    declared = _DECLARED.match(text)
    begin, skipped = (declared.end(), 1) if declared else (0, 0)
    if not separator:
        for number, line in enumerate(_lines(text, begin), 1 + skipped):
            yield number, [line.rstrip("\r\n")]
        return
    # Where blanks separate, those at the end separate nothing; where they follow a mark before quotation marks, they
    # belong to neither.
    spaces, blanks = separator == " ", separator not in " \t" and f'{separator} "' in text
    lines = (line.rstrip(" \r\n") if spaces else line for line in _lines(text, begin))
    literal = separator == "\t" and not strict and not _quoted(text, begin)
    reader = csv.reader(
        lines,
        delimiter=separator,
        skipinitialspace=spaces or blanks,
        strict=strict,
        quoting=csv.QUOTE_NONE if literal else csv.QUOTE_MINIMAL,
    )
    last = 0
    try:
        for cells in reader:
            last = reader.line_num
            yield last + skipped, cells
    except csv.Error as error:
        raise TableUnreadable(last + 1 + skipped) from error


def _quoted(text: str, begin: int) -> bool:
    """Return whether quotation marks enclose cells; between tabs they are often only that."""
    try:
        for _ in islice(csv.reader(_lines(text, begin), delimiter="\t", strict=True), 2_000):
            pass
    except csv.Error:
        return False
    return True


def _lines(text: str, begin: int) -> Iterator[str]:
    """Cut each line, with its end, to where the cells that are used can reach."""
    lines = io.StringIO(text, newline="")
    lines.seek(begin)
    return (line[:MOST_LINE] for line in lines)
