"""The XML of a workbook's parts, streamed: what is not used is not kept, and what a file may cost is bounded.

(openpyxl, which writes workbooks here and knows what a number in a cell means, reads a row, the styles and the shared
strings whole before it gives anything: a row of 2,900,000 cells in a file of 86 kB took 1.2 GB.)
"""

import posixpath
import zipfile
from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar
from xml.parsers import expat

#: XML that is read of all parts together: bytes, and beginnings, ends, attributes and texts of elements.
MOST_XML_BYTES, MOST_EVENTS = 30_000_000, 600_000
#: Bytes of one tag or comment: the parser keeps it whole.
MOST_TAG_BYTES = 1_000_000
#: Elements in one another, cells of a row, and attributes of a tag: no workbook has more.
MOST_DEPTH, MOST_CELLS, MOST_ATTRIBUTES = 64, 16_384, 256
_CHUNK = 1 << 15

Attributes = Mapping[str, str]
Item = tuple[str, str, Attributes]
Found = TypeVar("Found")


class WorkbookTooLarge(ValueError):
    """More would have to be read than is good."""


class Parts:
    """The parts of a workbook, within one budget for all of them."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self.n_bytes = self.n_events = 0

    def elements(self, part: str) -> Iterator[tuple[str, Attributes, bool]]:
        """Yield beginnings and ends of elements: local name, attributes, and whether it begins.

        Raises:
            WorkbookTooLarge: the budget is spent.
            ValueError: it declares a document type, which no workbook does, and which could declare entities.
            expat.ExpatError: it is no XML.
        """
        found: list[tuple[str, Attributes, bool]] = []
        parser = expat.ParserCreate()
        parser.StartElementHandler = lambda tag, given: found.append((_local(tag), given, True))
        parser.EndElementHandler = lambda tag: found.append((_local(tag), {}, False))
        return self._parsed(part, parser, found, lambda: sum(1 + len(given) for _, given, _ in found))

    def items(self, part: str, letters: int, columns: int = 0) -> Iterator[Item]:
        """Yield rows as they begin; cells and shared strings as they end: tag, text and attributes, no phonetics.

        Args:
            part: a sheet, or the shared strings.
            letters: of a text that are read at most, and one more.
            columns: cells of a row that are read at most; all strings if not given.

        Raises:
            WorkbookTooLarge: the budget is spent, or there is what no workbook has.
            ValueError: as for `elements`; likewise `expat.ExpatError`.
        """
        reader = _Items(letters, columns)
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler, parser.EndElementHandler = reader.start, reader.end
        parser.CharacterDataHandler = reader.text
        return self._parsed(part, parser, reader.found, reader.spent)

    def relations(self, part: str) -> dict[str, tuple[str, str]]:
        """Return what a part refers to: kind and name, by id."""
        folder, name = posixpath.split(part)
        found = {}
        for tag, given, begins in self.elements(posixpath.join(folder, "_rels", f"{name}.rels")):
            if begins and tag == "Relationship":
                target = posixpath.normpath(posixpath.join(folder, given["Target"])).lstrip("/")
                found[given["Id"]] = (given["Type"].rpartition("/")[2], target)
        return found

    def _parsed(
        self, part: str, parser: expat.XMLParserType, found: list[Found], spent: Callable[[], int]
    ) -> Iterator[Found]:
        """Feed a part to a parser piece by piece, and yield what its handlers have found; whoever has enough stops."""
        parser.StartDoctypeDeclHandler = _no_document_type
        with self._archive.open(part) as file:
            fed = 0
            while chunk := file.read(_CHUNK):
                parser.Parse(chunk, False)
                fed += len(chunk)
                self.n_bytes += len(chunk)
                self.n_events += spent()
                if self.n_bytes > MOST_XML_BYTES or self.n_events > MOST_EVENTS:
                    raise WorkbookTooLarge(f"{self.n_bytes:,} bytes and {self.n_events:,} events of XML")
                if fed - parser.CurrentByteIndex > MOST_TAG_BYTES:
                    raise WorkbookTooLarge(f"a tag of more than {MOST_TAG_BYTES:,} bytes")
                yield from found
                found.clear()
        parser.Parse(b"", True)
        yield from found


class _Items:
    """Handlers that gather rows, cells and shared strings, in as few steps for each element as will do."""

    def __init__(self, letters: int, columns: int) -> None:
        self.found: list[Item] = []
        self._letters, self._columns = letters, columns
        self._given: Attributes = {}
        self._pieces: list[str] = []
        self._length = self._depth = self._cells = self._spent = 0
        self._reads = self._aside = False

    def spent(self) -> int:
        """Return how many events there were since it was asked last."""
        spent, self._spent = self._spent, 0
        return spent

    def start(self, tag: str, given: dict[str, str]) -> None:
        """Note the beginning of an element."""
        self._spent += 1 + len(given)
        self._depth += 1
        tag = _local(tag)
        if tag == "c" or tag == "si":
            self._given, self._pieces, self._length = given, [], 0
            self._cells += tag == "c"
        elif tag == "row":
            self._cells = 0
            self.found.append((tag, "", given))
        self._aside = self._aside or tag == "rPh"
        self._reads = tag in ("v", "t") and not self._aside
        if self._depth > MOST_DEPTH or self._cells > MOST_CELLS or len(given) > MOST_ATTRIBUTES:
            raise WorkbookTooLarge("more cells in a row, elements in one another or attributes than any workbook has")

    def text(self, text: str) -> None:
        """Note a text."""
        self._spent += 1
        if self._reads and self._length <= self._letters:
            self._pieces.append(text)
            self._length += len(text)

    def end(self, tag: str) -> None:
        """Note the end of an element."""
        self._spent += 1
        self._depth -= 1
        tag = _local(tag)
        self._reads, self._aside = False, self._aside and tag != "rPh"
        if tag == "si" or (tag == "c" and self._cells <= self._columns):
            self.found.append((tag, "".join(self._pieces)[: self._letters + 1], self._given))


def _local(tag: str) -> str:
    return tag.rpartition(":")[2]


def _no_document_type(*_: object) -> None:
    raise ValueError("a document type is declared")
