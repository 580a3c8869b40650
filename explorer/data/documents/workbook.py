"""The first sheet of a workbook, streamed: what is not used is not kept, and what a file may cost is bounded.

(openpyxl, which writes workbooks here and knows what a number in a cell means, reads a row, the styles and the shared
strings whole before it gives anything: a row of 2,900,000 cells in a file of 86 kB took 1.2 GB.)
"""

import io
import posixpath
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import NamedTuple
from xml.parsers import expat

from openpyxl.styles.numbers import BUILTIN_FORMATS, is_date_format, is_timedelta_format
from openpyxl.utils.cell import column_index_from_string
from openpyxl.utils.datetime import CALENDAR_MAC_1904, CALENDAR_WINDOWS_1900, from_excel, from_ISO8601

#: Of the XML that is read, of all parts together: bytes, and beginnings, ends, attributes and texts of elements.
MOST_XML_BYTES, MOST_EVENTS = 30_000_000, 600_000
#: Of one tag or comment, in bytes: the parser keeps it whole.
MOST_TAG_BYTES = 1_000_000
#: Of a number format, in letters: no spreadsheet program allows a longer one.
MOST_FORMAT = 255
_CHUNK = 1 << 15

Event = tuple[str, str, Mapping[str, str]]


class WorkbookTooLarge(ValueError):
    """More would have to be read than is good."""


class _Cell(NamedTuple):
    """A cell as it is stored: `t` and `s` of the element, and its text."""

    kind: str
    style: int
    text: str


class _Parts:
    """The XML of a workbook's parts, within one budget for all of them."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self.n_bytes = self.n_events = 0

    def events(self, part: str) -> Iterator[Event]:
        """Yield beginnings of elements with their attributes, ends, and texts; whoever has enough stops.

        Raises:
            WorkbookTooLarge: the budget is spent.
            ValueError: it declares a document type, which no workbook does, and which could declare entities.
            expat.ExpatError: it is no XML.
        """
        found: list[Event] = []
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = lambda tag, given: found.append(("start", tag.rpartition(":")[2], given))
        parser.EndElementHandler = lambda tag: found.append(("end", tag.rpartition(":")[2], {}))
        parser.CharacterDataHandler = lambda text: found.append(("text", text, {}))
        parser.StartDoctypeDeclHandler = _no_document_type
        with self._archive.open(part) as file:
            fed = 0
            while chunk := file.read(_CHUNK):
                parser.Parse(chunk, False)
                fed += len(chunk)
                self._spend(len(chunk), found)
                if fed - parser.CurrentByteIndex > MOST_TAG_BYTES:
                    raise WorkbookTooLarge(f"a tag of more than {MOST_TAG_BYTES:,} bytes")
                yield from found
                found.clear()
        parser.Parse(b"", True)
        yield from found

    def _spend(self, n_bytes: int, events: Iterable[Event]) -> None:
        self.n_bytes += n_bytes
        self.n_events += sum(1 + len(given) for _, _, given in events)
        if self.n_bytes > MOST_XML_BYTES or self.n_events > MOST_EVENTS:
            raise WorkbookTooLarge(f"{self.n_bytes:,} bytes and {self.n_events:,} events of XML")

    def relations(self, part: str) -> dict[str, tuple[str, str]]:
        """Return what a part refers to: kind and name, by id."""
        folder, name = posixpath.split(part)
        found = {}
        for what, tag, given in self.events(posixpath.join(folder, "_rels", f"{name}.rels")):
            if (what, tag) == ("start", "Relationship"):
                target = posixpath.normpath(posixpath.join(folder, given["Target"])).lstrip("/")
                found[given["Id"]] = (given["Type"].rpartition("/")[2], target)
        return found


def first_sheet(data: bytes, *, rows: int, columns: int, letters: int) -> tuple[list[list[str]], _Parts]:
    """Read the cells of the first sheet, as text; of a formula what it last came to.

    Args:
        rows: that are read at most.
        columns: likewise.
        letters: of a cell, likewise.

    Returns:
        The rows, and what was read for them.

    Raises:
        WorkbookTooLarge: too much would have to be read.
        Exception: nearly any other, if it is no workbook.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = _Parts(archive)
        book = next(target for kind, target in parts.relations("").values() if kind == "officeDocument")
        relations = parts.relations(book)
        sheet, epoch = _sheet(parts.events(book), relations)
        if not sheet:
            return [], parts
        cells = _cells(_items(parts.events(sheet), letters), rows, columns)
        every = [cell for row in cells.values() for cell in row.values()]
        there = dict(relations.values())
        wanted = {int(cell.text) for cell in every if cell.kind == "s" and cell.text}
        strings = _strings(_items(parts.events(there["sharedStrings"]), letters), wanted) if wanted else {}
        styled = "styles" in there and any(cell.kind == "n" and cell.style for cell in every)
        formats = _formats(parts.events(there["styles"])) if styled else []
        texts = {
            number: {place: _text(cell, strings, formats, epoch) for place, cell in row.items()}
            for number, row in cells.items()
        }
    filled = [texts.get(number, {}) for number in range(1, max(texts, default=0) + 1)]
    return [[row.get(place, "") for place in range(1, max(row, default=0) + 1)] for row in filled], parts


def _no_document_type(*_: object) -> None:
    raise ValueError("a document type is declared")


def _sheet(events: Iterable[Event], relations: Mapping[str, tuple[str, str]]) -> tuple[str, datetime]:
    """Find the first sheet of cells, and the day from which dates count."""
    first, epoch = "", CALENDAR_WINDOWS_1900
    for what, tag, given in events:
        if what == "start" and tag == "workbookPr" and given.get("date1904") in ("1", "true"):
            epoch = CALENDAR_MAC_1904
        elif what == "start" and tag == "sheet" and not first:
            name = next(value for key, value in given.items() if key.rpartition(":")[2] == "id")
            kind, target = relations[name]
            first = target if kind == "worksheet" else ""
    return first, epoch


def _items(events: Iterable[Event], letters: int) -> Iterator[Event]:
    """Yield rows as they begin; cells and shared strings as they end: tag, text and attributes, no phonetics."""
    pieces: list[str] = []
    given: Mapping[str, str] = {}
    length, reads, aside = 0, False, False
    for what, name, attributes in events:
        if what == "start":
            aside = aside or name == "rPh"
            reads = name in ("v", "t") and not aside
            if name == "row":
                yield name, "", attributes
            elif name in ("c", "si"):
                pieces, given, length = [], attributes, 0
        elif what == "text" and reads and length <= letters:
            pieces.append(name)
            length += len(name)
        elif what == "end":
            reads, aside = False, aside and name != "rPh"
            if name in ("c", "si"):
                yield name, "".join(pieces)[: letters + 1], given


def _cells(items: Iterable[Event], rows: int, columns: int) -> dict[int, dict[int, _Cell]]:
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


def _strings(items: Iterable[Event], wanted: set[int]) -> dict[int, str]:
    """Return those shared strings that are wanted, by their number."""
    last, found = max(wanted), {}
    for number, (_, text, _) in enumerate(items):
        if number in wanted:
            found[number] = text
        if number == last:
            break
    return found


def _formats(events: Iterable[Event]) -> list[str]:
    """Return the number format of every style of a cell."""
    codes = dict(BUILTIN_FORMATS)
    found: list[str] = []
    inside = False
    for what, tag, given in events:
        if tag == "cellXfs" and what != "text":
            inside = what == "start"
        elif what == "start" and tag == "numFmt":
            codes[int(given["numFmtId"])] = given["formatCode"][:MOST_FORMAT]
        elif what == "start" and tag == "xf" and inside:
            found.append(codes.get(int(given.get("numFmtId", 0)), ""))
    return found


def _text(cell: _Cell, strings: Mapping[int, str], formats: list[str], epoch: datetime) -> str:
    """Return the text of a cell."""
    if cell.kind == "s":
        return strings[int(cell.text)]
    if cell.kind == "b":
        return str(bool(int(cell.text)))
    if cell.kind == "d":
        return str(from_ISO8601(cell.text))
    if cell.kind != "n":
        return cell.text
    number = float(cell.text) if set(cell.text) & set(".eE") else int(cell.text)
    code = formats[cell.style] if formats else ""
    if not is_date_format(code):
        return str(number)
    try:
        return str(from_excel(number, epoch, timedelta=is_timedelta_format(code)))
    except (OverflowError, ValueError):
        return "#VALUE!"
