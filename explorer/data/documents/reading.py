"""Documents that people bring to be translated: lines of text and tables, read so that nothing in them is trusted."""

import io
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from explorer.data.documents.tables import MOST_CELL, MOST_COLUMNS, HowRead, TableUnreadable, open_table
from explorer.data.documents.workbook import WorkbookTooLarge, read_sheet

#: Rows that are used; of the rest of a text so many are counted, and all are left, and said to be.
MOST_ROWS, MOST_COUNTED = 200, 1_000
MOST_BYTES = 5_000_000
#: Of a spreadsheet, which is a zip archive: what it may unfold to, and how many files it may hold.
MOST_UNPACKED_BYTES, MOST_PARTS = 50_000_000, 1_000
#: How files begin that are no text, whatever they are called: archives and workbooks, PNG, JPEG, GIF, PDF, gzip.
_NO_TEXT = (b"PK\x03\x04", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"%PDF-", b"\x1f\x8b")
Problem = Literal["size", "kind", "damaged", "unpacked", "empty"]


class DocumentRefused(ValueError):
    """A document cannot be read.

    Attributes:
        problem: `size` if it is too large, `unpacked` if it would be once unpacked, `kind` if it is no text or table,
            `damaged` if it is not what its name says, `empty` if there is nothing in it.
        sheets: of a workbook of which another may have something in it.
    """

    def __init__(self, problem: Problem, detail: str = "", sheets: tuple[tuple[str, bool], ...] = ()) -> None:
        self.problem, self.detail, self.sheets = problem, detail, sheets
        super().__init__(f"{problem} {detail}".strip())


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows of text, all of the same length.

    Attributes:
        rows: cells, as text.
        how: they were read.
        left: rows beyond the last that was read, as far as they were counted.
        more: whether there are others beyond those.
        cut: whether some rows had more columns, or cells more letters, than are read.
    """

    rows: tuple[tuple[str, ...], ...]
    how: HowRead
    left: int = 0
    more: bool = False
    cut: bool = False

    @property
    def n_columns(self) -> int:
        """Number of cells of every row."""
        return len(self.rows[0]) if self.rows else 0


def read(name: str, data: bytes, *, separator: str | None = None, encoding: str = "", sheet: str = "") -> Table:
    """Read a document by the end of its name: `.txt` is a column of lines, `.csv`, `.tsv` and `.xlsx` are tables.

    Of a spreadsheet the first sheet is read that is to be seen and is not empty, and of a formula what it last came to:
    nothing is computed or executed.

    Args:
        name: of the file.
        data: what is in it.
        separator: between cells, if the reader knows better; likewise `encoding`.
        sheet: of a workbook, if the reader wants another.

    Raises:
        DocumentRefused: it cannot be read.
    """
    if len(data) > MOST_BYTES:
        raise DocumentRefused("size")
    kind = name.rpartition(".")[2].lower()
    if kind == "xlsx":
        table = _table(*_spreadsheet(data, sheet))
    elif kind in ("txt", "csv", "tsv"):
        table = _text(kind, data, separator, encoding)
    else:
        raise DocumentRefused("kind")
    if not any(cell.strip() for row in table.rows for cell in row):
        raise DocumentRefused("empty", sheets=table.how.sheets)
    return table


def _text(kind: str, data: bytes, separator: str | None, encoding: str) -> Table:
    """Read lines or a text table."""
    usual = "\t" if kind == "tsv" else ""
    table = open_table(data, separator="" if kind == "txt" else separator, encoding=encoding, usual=usual)
    if table.decoded.guessed and data.startswith(_NO_TEXT):
        raise DocumentRefused("kind")
    rows = ([cell.replace("\0", "") for cell in _bounded(cells)] for _, cells in table.rows())
    try:
        return _table(islice(rows, MOST_ROWS + MOST_COUNTED + 2), table.how, counted=MOST_COUNTED)
    except TableUnreadable as error:
        raise DocumentRefused("damaged", str(error)) from error


def _bounded(row: list[str]) -> list[str]:
    """Return the cells that are used, and of those beyond the last one used, one that is filled."""
    if len(row) <= MOST_COLUMNS:
        return row
    return [*row[:MOST_COLUMNS], next(filter(str.strip, row[MOST_COLUMNS:]), "")]


def _spreadsheet(data: bytes, name: str) -> tuple[list[list[str]], HowRead]:
    """Read rows of a sheet: those that are used, a heading, and one that tells that there are more."""
    _check_archive(data)
    try:
        sheet = read_sheet(data, name, rows=MOST_ROWS + 2, columns=MOST_COLUMNS + 1, letters=MOST_CELL)
    except WorkbookTooLarge as error:
        raise DocumentRefused("unpacked", str(error)) from error
    except Exception as error:  # whatever is none makes the XML parser and its reading raise
        raise DocumentRefused("damaged", f"{type(error).__name__}: {error}") from error
    return sheet.cells, HowRead(sheet=sheet.name, sheets=sheet.names)


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


def _table(rows: Iterable[Sequence[str]], how: HowRead, *, counted: int = 0) -> Table:
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
    return Table(rows=filled, how=how, left=left, more=more, cut=cut)
