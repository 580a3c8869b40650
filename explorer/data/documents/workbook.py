"""A sheet of a workbook, as text, and the names of the others."""

import io
import re
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from openpyxl.styles.numbers import BUILTIN_FORMATS, is_date_format, is_timedelta_format
from openpyxl.utils.cell import column_index_from_string
from openpyxl.utils.datetime import CALENDAR_MAC_1904, CALENDAR_WINDOWS_1900, from_excel, from_ISO8601

from explorer.data.documents.xml_parts import Attributes, Item, Parts, WorkbookTooLarge

__all__ = ["Sheet", "SheetName", "WorkbookTooLarge", "read_sheet"]

#: Of a number format, in letters: no spreadsheet program allows a longer one.
MOST_FORMAT = 255
#: Letters that a workbook cannot hold as such stand in it as `_x000D_`.
_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")


class SheetName(NamedTuple):
    """A sheet as a spreadsheet program lists it."""

    name: str
    hidden: bool


class Sheet(NamedTuple):
    """Cells of a sheet, its name, all names, and what was read for them."""

    cells: list[list[str]]
    name: str
    names: tuple[SheetName, ...]
    parts: Parts


class _Cell(NamedTuple):
    """A cell as it is stored: `t` and `s` of the element, and its text."""

    kind: str
    style: int
    text: str


class _Book(NamedTuple):
    """Sheets of cells with the names of their parts, what else there is, and the day from which dates count."""

    sheets: dict[SheetName, str]
    there: dict[str, str]
    epoch: datetime


def read_sheet(data: bytes, name: str = "", *, rows: int, columns: int, letters: int) -> Sheet:
    """Read the cells of a sheet, as text; of a formula what it last came to.

    Args:
        data: the file.
        name: of the sheet; without one, the first that is to be seen and is not empty.
        rows: that are read at most.
        columns: likewise.
        letters: of a cell, likewise.

    Raises:
        WorkbookTooLarge: too much would have to be read.
        Exception: nearly any other, if it is no workbook.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = Parts(archive)
        book = _book(parts)
        seen = [each for each in book.sheets if not each.hidden] or list(book.sheets)
        asked = [each for each in book.sheets if each.name == name] or seen
        cells: dict[int, dict[int, _Cell]] = {}
        for sheet in asked:
            cells = _cells(parts.items(book.sheets[sheet], letters, columns), rows, columns)
            if cells:
                break
        found = _texts(cells, parts, book, letters)
    chosen = sheet if cells else next(iter(asked), SheetName("", False))
    return Sheet(found, chosen.name, tuple(book.sheets), parts)


def _book(parts: Parts) -> _Book:
    """Find the sheets of cells, and what else belongs to the workbook."""
    book = next(target for kind, target in parts.relations("").values() if kind == "officeDocument")
    relations = parts.relations(book)
    sheets, epoch = {}, CALENDAR_WINDOWS_1900
    for tag, given, begins in parts.elements(book):
        if begins and tag == "workbookPr" and given.get("date1904") in ("1", "true"):
            epoch = CALENDAR_MAC_1904
        elif begins and tag == "sheet":
            place = next(value for key, value in given.items() if key.rpartition(":")[2] == "id")
            kind, target = relations[place]
            if kind == "worksheet":
                hidden = given.get("state", "visible") != "visible"
                sheets[SheetName(_unescaped(given.get("name", "")), hidden)] = target
    return _Book(sheets, dict(relations.values()), epoch)


def _texts(cells: Mapping[int, Mapping[int, _Cell]], parts: Parts, book: _Book, letters: int) -> list[list[str]]:
    """Return rows of texts; the empty ones between them, too."""
    every = [cell for row in cells.values() for cell in row.values()]
    wanted = {int(cell.text) for cell in every if cell.kind == "s" and cell.text}
    strings = _strings(parts.items(book.there["sharedStrings"], letters), wanted) if wanted else {}
    styled = "styles" in book.there and any(cell.kind == "n" and cell.style for cell in every)
    formats = _formats(parts.elements(book.there["styles"])) if styled else []
    texts = {
        number: {place: _text(cell, strings, formats, book.epoch) for place, cell in row.items()}
        for number, row in cells.items()
    }
    filled = [texts.get(number, {}) for number in range(1, max(texts, default=0) + 1)]
    return [[row.get(place, "") for place in range(1, max(row, default=0) + 1)] for row in filled]


def _unescaped(text: str) -> str:
    """Return a text with the letters that `_x000D_` and the like stand for; halves of a pair meet again."""
    if "_x" not in text:
        return text
    letters = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)
    whole = letters.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return whole.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")


def _cells(items: Iterable[Item], rows: int, columns: int) -> dict[int, dict[int, _Cell]]:
    """Return cells by the number of their row, then of their column; where a file leaves them out, they go on."""
    found: dict[int, dict[int, _Cell]] = {}
    row = column = 0
    for tag, text, given in items:
        if tag == "row":
            row, column = int(given.get("r", row + 1)), 0
            if row > rows:
                break
        elif tag == "c":
            column = column_index_from_string(given["r"].rstrip("0123456789")) if "r" in given else column + 1
            if column <= columns and text:
                cell = _Cell(given.get("t", "n"), int(given.get("s", 0)), text)
                found.setdefault(row, {})[column] = cell
    return found


def _strings(items: Iterable[Item], wanted: set[int]) -> dict[int, str]:
    """Return those shared strings that are wanted, by their number."""
    last, found = max(wanted), {}
    for number, (_, text, _) in enumerate(items):
        if number in wanted:
            found[number] = text
        if number == last:
            break
    return found


def _formats(elements: Iterable[tuple[str, Attributes, bool]]) -> list[str]:
    """Return the number format of every style of a cell."""
    codes = dict(BUILTIN_FORMATS)
    found: list[str] = []
    inside = False
    for tag, given, begins in elements:
        if tag == "cellXfs":
            inside = begins
        elif begins and tag == "numFmt":
            codes[int(given["numFmtId"])] = given["formatCode"][:MOST_FORMAT]
        elif begins and tag == "xf" and inside:
            found.append(codes.get(int(given.get("numFmtId", 0)), ""))
    return found


def _text(cell: _Cell, strings: Mapping[int, str], formats: Sequence[str], epoch: datetime) -> str:
    """Return the text of a cell."""
    if cell.kind == "s":
        return _unescaped(strings[int(cell.text)])
    if cell.kind == "b":
        return str(bool(int(cell.text)))
    if cell.kind == "d":
        return str(from_ISO8601(cell.text))
    if cell.kind != "n":
        return _unescaped(cell.text)
    number = float(cell.text) if set(cell.text) & set(".eE") else int(cell.text)
    code = formats[cell.style] if formats else ""
    if not is_date_format(code):
        return str(number)
    try:
        return str(from_excel(number, epoch, timedelta=is_timedelta_format(code)))
    except (OverflowError, ValueError):
        return "#VALUE!"
