"""Documents that people bring to be translated: lines of text and tables, read so that nothing in them is trusted."""

import codecs
import csv
import io
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from charset_normalizer import from_bytes

from explorer.data.documents.workbook import WorkbookTooLarge, first_sheet

#: Rows that are used; of the rest of a text so many are counted, and all are left, and said to be.
MOST_ROWS, MOST_COLUMNS, MOST_COUNTED = 200, 50, 1_000
MOST_BYTES = 5_000_000
#: Of a spreadsheet, which is a zip archive: what it may unfold to, and how many files it may hold.
MOST_UNPACKED_BYTES, MOST_PARTS = 50_000_000, 1_000
#: Of one cell, and of one line of a table, in letters.
MOST_CELL = 10_000
MOST_LINE = MOST_COLUMNS * MOST_CELL
csv.field_size_limit(MOST_LINE)  # a cell is cut; Python would refuse one of more than 131,072
#: Encodings that are guessed between. Free to choose among all, charset-normalizer takes short French for one of
#: Central Europe.
GUESSED = ("cp1252", "gb18030")
_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
#: How files begin that are no text, whatever they are called: archives and workbooks, PNG, JPEG, GIF, PDF, gzip.
_NO_TEXT = (b"PK\x03\x04", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"%PDF-", b"\x1f\x8b")
Problem = Literal["size", "kind", "damaged", "unpacked", "empty"]


class DocumentRefused(ValueError):
    """A document cannot be read.

    Attributes:
        problem: `size` if it is too large, `unpacked` if it would be once unpacked, `kind` if it is no text or table,
            `damaged` if it is not what its name says, `empty` if there is nothing in it.
    """

    def __init__(self, problem: Problem, detail: str = "") -> None:
        self.problem, self.detail = problem, detail
        super().__init__(f"{problem} {detail}".strip())


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows of text, all of the same length.

    Attributes:
        rows: cells, as text.
        encoding: how the bytes were read.
        guessed: whether that is a guess.
        left: rows beyond the last that was read, as far as they were counted.
        more: whether there are others beyond those.
        cut: whether some rows had more columns, or cells more letters, than are read.
    """

    rows: tuple[tuple[str, ...], ...]
    encoding: str
    guessed: bool = False
    left: int = 0
    more: bool = False
    cut: bool = False

    @property
    def n_columns(self) -> int:
        """Number of cells of every row."""
        return len(self.rows[0]) if self.rows else 0


def read(name: str, data: bytes) -> Table:
    """Read a document by the end of its name: `.txt` is a column of lines, `.csv`, `.tsv` and `.xlsx` are tables.

    Of a spreadsheet the first sheet is read, and of a formula what it last came to: nothing is computed or executed.

    Raises:
        DocumentRefused: it cannot be read.
    """
    if len(data) > MOST_BYTES:
        raise DocumentRefused("size")
    kind = name.rpartition(".")[2].lower()
    if kind == "xlsx":
        table = _table(_spreadsheet(data), "xlsx")
    elif kind in ("txt", "csv", "tsv"):
        text, encoding, guessed = decode(data)
        if guessed and data.startswith(_NO_TEXT):
            raise DocumentRefused("kind")
        rows = _lines(text) if kind == "txt" else _cells(text, kind)
        table = _table(rows, encoding, guessed=guessed, counted=MOST_COUNTED)
    else:
        raise DocumentRefused("kind")
    if not any(cell.strip() for row in table.rows for cell in row):
        raise DocumentRefused("empty")
    return table


def decode(data: bytes) -> tuple[str, str, bool]:
    """Decode bytes by their mark, else as UTF-8, else by a guess; return text, encoding, and whether it is guessed."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return _printable(data.decode(encoding, "replace")), encoding, False
    if len(data) > 3 and data.count(0) > len(data) // 4:  # UTF-16 that forgot its mark
        encoding = "utf-16-le" if data[1::2].count(0) >= data[::2].count(0) else "utf-16-be"
        return _printable(data.decode(encoding, "replace")), encoding, True
    try:
        return _printable(data.decode("utf-8")), "utf-8", False
    except UnicodeDecodeError:
        pass
    guess = from_bytes(data, cp_isolation=list(GUESSED)).best()
    encoding = guess.encoding if guess else "cp1252"
    return _printable(data.decode(encoding, "replace")), encoding, True


def _printable(text: str) -> str:
    return text.replace("\0", "")


def _lines(text: str) -> Iterator[list[str]]:
    """Return rows of a plain text; none is cut out of it before it is asked for."""
    return ([line] for lines in io.StringIO(text, newline=None) for line in lines.splitlines())


def _cells(text: str, kind: str) -> Iterable[list[str]]:
    """Return rows of a text table."""
    try:
        if kind == "tsv":
            return _split(text, "\t")
        suiting = [each for each in ",;\t|" if _suits(text, each)]
        # Prose has a space behind its commas.
        return _split(text, min(suiting, key=lambda each: text.count(f"{each} ") / text.count(each), default=","))
    except csv.Error as error:
        raise DocumentRefused("damaged", str(error)) from error


#: Letters of a table by which its separator is judged.
JUDGED = 20_000


def _suits(text: str, separator: str) -> bool:
    """Return whether it cuts the first rows into the same number of cells, more than one."""
    rows = _split(text[:JUDGED], separator)
    whole = rows[:-1] if len(text) > JUDGED and len(rows) > 1 else rows  # the last one may be cut
    widths = {len(row) for row in whole[:20] if row}
    return len(widths) == 1 and min(widths) > 1


def _split(text: str, separator: str) -> list[list[str]]:
    """Cut a text into cells. Between tabs quotation marks are often only that: then they stay."""
    if separator == "\t":
        try:
            return _first(csv.reader(_cut(text), delimiter="\t", strict=True))
        except csv.Error:
            return _first(csv.reader(_cut(text), delimiter="\t", quoting=csv.QUOTE_NONE))
    return _first(csv.reader(_cut(text), delimiter=separator))


def _cut(text: str) -> Iterator[str]:
    """Cut each line, with its end, to where the cells that are used can reach."""
    return (line[:MOST_LINE] for line in io.StringIO(text, newline=""))


def _first(rows: Iterable[list[str]]) -> list[list[str]]:
    """Take the rows that are used or counted, and one more; of cells beyond the last one used, one that is filled."""
    return [
        row if len(row) <= MOST_COLUMNS else [*row[:MOST_COLUMNS], next(filter(str.strip, row[MOST_COLUMNS:]), "")]
        for row in islice(rows, MOST_ROWS + MOST_COUNTED + 2)
    ]


def _spreadsheet(data: bytes) -> list[list[str]]:
    """Read rows of the first sheet: those that are used, a heading, and one that tells that there are more."""
    _check_archive(data)
    try:
        rows, _ = first_sheet(data, rows=MOST_ROWS + 2, columns=MOST_COLUMNS + 1, letters=MOST_CELL)
    except WorkbookTooLarge as error:
        raise DocumentRefused("unpacked", str(error)) from error
    except Exception as error:  # whatever is none makes the XML parser and its reading raise
        raise DocumentRefused("damaged", f"{type(error).__name__}: {error}") from error
    return rows


def _check_archive(data: bytes) -> None:
    """Refuse what would unfold to more than is good, before anything is unfolded: no part can exceed what it says."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = archive.infolist()
    except Exception as error:  # whatever a broken archive makes zipfile raise
        raise DocumentRefused("damaged", str(error)) from error
    if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > MOST_UNPACKED_BYTES:
        raise DocumentRefused("unpacked")
    if any(part.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for part in parts):
        raise DocumentRefused("damaged", "no program compresses a workbook so, and it may ask for any memory")


def _table(rows: Iterable[Sequence[str]], encoding: str, *, guessed: bool = False, counted: int = 0) -> Table:
    """Make rows of equal length; empty ones at the end go, those between stay, so that rows keep their places."""
    found: list[tuple[str, ...]] = []
    left, more, cut = 0, False, False
    for number, row in enumerate(rows):
        if number > MOST_ROWS + counted:
            more = any(cell.strip() for cell in row)
            break
        whole = [str(cell) for cell in row]
        cells = tuple(cell[:MOST_CELL] for cell in whole[:MOST_COLUMNS])
        if len(found) <= MOST_ROWS:  # one more, which may be a heading
            found.append(cells)
            cut |= any(cell.strip() for cell in whole[MOST_COLUMNS:]) or max(map(len, whole), default=0) > MOST_CELL
        elif any(cell.strip() for cell in cells):
            left += 1
    while found and not any(cell.strip() for cell in found[-1]):
        found.pop()
    filled_places = (place for row in found for place, cell in enumerate(row, 1) if cell.strip())
    width = max(filled_places, default=0)
    filled = tuple((row + ("",) * width)[:width] for row in found)
    return Table(rows=filled, encoding=encoding, guessed=guessed, left=left, more=more, cut=cut)
