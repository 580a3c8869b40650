"""A reader's own examples: two columns of a file or of pasted text, read strictly, with messages that name the row."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from explorer.data.documents.tables import Row, TableUnreadable, TextTable, drop_empty_ends, open_table
from explorer.data.task_tokenizer import Unit, split, tidy
from explorer.records.language import t

MOST_BYTES = 1_000_000
FEWEST_PAIRS, MOST_PAIRS = 20, 20_000
#: Tokens of a source or target: characters or words.
MOST_TOKENS = 60
#: What a reader finds at first: the Roman numerals to 99; few, and enough to see what few do.
OWN_EXAMPLE = Path(__file__).with_name("roman_numerals.tsv").read_text(encoding="utf-8").rstrip("\n")
#: Names of columns that make a first row a header.
HEADERS = {"source", "target", "input", "output", "from", "to", "src", "tgt", "x", "y", "源", "目标", "输入", "输出"}

Reason = Literal["bytes", "encoding", "columns", "table", "empty_cell", "long_cell", "few", "many", "alike"]


class OwnPairsError(ValueError):
    """A table that is not two columns of short texts; `explain` says which row and what to do.

    Attributes:
        reason: what is wrong.
        row: its line in the file, from 1; 0 where it is about the whole.
        found: how many there are.
        limit: how many there may be, or must be.
    """

    def __init__(self, reason: Reason, *, row: int = 0, found: int = 0, limit: int = 0) -> None:
        self.reason, self.row, self.found, self.limit = reason, row, found, limit
        super().__init__(self.explain())

    def explain(self) -> str:
        """Return the message, in the reader's language."""
        messages = {
            "bytes": t("The table is larger than {limit} kB. Keep fewer rows."),
            "encoding": t("The file is not text in UTF-8. Save it as CSV (UTF-8)."),
            "columns": t("Columns in row {row}: {found}. There must be two: what is read, and what is to be written."),
            "table": t("Row {row} cannot be read as a table: check its quotation marks."),
            "empty_cell": t("Row {row} has an empty cell. Fill it or remove the row."),
            "long_cell": t("Row {row} has a text of {found} tokens; at most {limit} fit. Shorten it."),
            "few": t("The table has {found} different sources; at least {limit} are needed to learn and to test."),
            "many": t("The table has {found} rows; at most {limit} fit. Keep a part of them."),
            "alike": t("Every target is the same. There is nothing to learn: give different ones."),
        }
        limit = self.limit // 1000 if self.reason == "bytes" else self.limit
        return messages[self.reason].format(row=self.row, found=f"{self.found:,}", limit=f"{limit:,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnPairs:
    """A reader's examples.

    Attributes:
        pairs: source and target, in the order of the file, every source once.
        repeated: rows that were left out since their source had come before.
    """

    pairs: tuple[tuple[str, str], ...]
    repeated: int


def open_pairs(data: bytes | str, *, separator: str | None = None, encoding: str = "") -> TextTable:
    """Find out how a table of examples is written: two filled cells in a row tell."""
    return open_table(data, separator=separator, encoding=encoding, fits=_fits)


def parse_pairs(data: bytes | str | TextTable, unit: Unit = "characters") -> OwnPairs:
    """Read sources and targets from text: tab, semicolon, bar or comma between them, with or without a header.

    Raises:
        OwnPairsError: if anything is not as it must be.
    """
    table = data if isinstance(data, TextTable) else open_pairs(data)
    if table.size > MOST_BYTES:
        raise OwnPairsError("bytes", limit=MOST_BYTES)
    if table.decoded.damaged:
        raise OwnPairsError("encoding")
    rows = _examples(table)
    found: dict[str, str] = {}
    for row, cells in rows:
        if len(cells) != 2:
            raise OwnPairsError("columns", row=row, found=len(cells))
        if not all(cells):
            raise OwnPairsError("empty_cell", row=row)
        source, target = cells
        length = max(len(split(source, unit)), len(split(target, unit)))
        if length > MOST_TOKENS:
            raise OwnPairsError("long_cell", row=row, found=length, limit=MOST_TOKENS)
        found.setdefault(source, target)
    if len(found) < FEWEST_PAIRS:
        raise OwnPairsError("few", found=len(found), limit=FEWEST_PAIRS)
    if len(set(found.values())) == 1:
        raise OwnPairsError("alike")
    return OwnPairs(pairs=tuple(found.items()), repeated=len(rows) - len(found))


def _fits(cells: Sequence[str]) -> bool:
    kept = drop_empty_ends(cells, 2)
    return len(kept) == 2 and all(map(str.strip, kept))


def _examples(table: TextTable) -> list[Row]:
    """Return the rows without a header; of too many, none but their number is kept."""
    rows, count = [], 0
    for count, row in enumerate(_rows(table), 1):
        if count <= MOST_PAIRS + 1:
            rows.append(row)
    if rows and {cell.casefold() for cell in rows[0][1]} <= HEADERS:
        rows, count = rows[1:], count - 1
    if count > MOST_PAIRS:
        raise OwnPairsError("many", found=count, limit=MOST_PAIRS)
    return rows


def _rows(table: TextTable) -> Iterator[Row]:
    """Yield every row that is not empty, with the number of its line."""
    try:
        for line, cells in table.rows(strict=True):
            tidied = [tidy(cell) for cell in drop_empty_ends(cells, 2)]
            if any(tidied):
                yield line, tidied
    except TableUnreadable as error:
        raise OwnPairsError("table", row=error.line) from error
