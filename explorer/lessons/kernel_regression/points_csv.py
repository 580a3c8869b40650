"""A reader's own points: two columns of a CSV, read strictly, with messages that name the row."""

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from explorer.data.documents.numbers import Mark, decimal_mark, is_doubtful, to_float
from explorer.data.documents.tables import Row, TableUnreadable, TextTable, drop_empty_ends, open_table
from explorer.lessons.kernel_regression.points import MOST_POINTS
from explorer.lessons.kernel_regression.records import Points
from explorer.records.arrays import Float64
from explorer.records.language import t

MOST_BYTES = 100_000
FEWEST_POINTS = 3
#: Larger numbers would overflow when they are squared and summed.
LARGEST = 1e12
#: Names that pandas gives a column of numbers of rows, which has none.
_NAMELESS = {"", "unnamed: 0"}


class PointsError(ValueError):
    """A table that is not two columns of finite numbers; its message says which row and what to do."""


def open_points(data: bytes | str, *, separator: str | None = None, encoding: str = "") -> TextTable:
    """Find out how a table of points is written: two numbers in a row tell."""
    return open_table(data, separator=separator, encoding=encoding, spaces=True, fits=_fits)


def parse_points(data: bytes | str | TextTable) -> tuple[Points, tuple[str, ...]]:
    """Read x and y from text: comma, semicolon, tab, bar or space between them, with or without a header.

    Decimal commas and thousands in groups are understood; a column without a name that numbers the rows is left out.

    Args:
        data: the file, pasted text, or either as it was opened.

    Returns:
        The points in the order of x, and remarks about them (rows with the same x).

    Raises:
        PointsError: if anything is not as it must be.
    """
    table = data if isinstance(data, TextTable) else open_points(data)
    if table.size > MOST_BYTES:
        raise PointsError(t("The table is larger than {limit} kB. Keep fewer rows.").format(limit=MOST_BYTES // 1000))
    if table.decoded.damaged:
        raise PointsError(t("The file is not text in UTF-8. Save it as CSV (UTF-8)."))
    rows, left_out = _columns(_rows(table))
    if len(rows) > MOST_POINTS:
        message = t("The table has {rows} rows of numbers; at most {most} fit. Keep a part of them.")
        raise PointsError(message.format(rows=len(rows), most=MOST_POINTS))
    if len(rows) < FEWEST_POINTS:
        message = t("Rows of numbers in the table: {rows}. At least {fewest} are needed, each with x and y.")
        found = sum(any(map(_is_number, cells)) for _, cells in rows)
        raise PointsError(message.format(rows=found, fewest=FEWEST_POINTS))
    (x, y), doubtful = _numbers(rows, table)
    if x.max() - x.min() <= 1e-9 * float(np.abs(x).max()):
        raise PointsError(t("Every x is {x}. A curve needs points at different x.").format(x=f"{x[0]:g}"))
    order = np.argsort(x, kind="stable")
    index = (t("The first column has no name and is left out: it numbers the rows."),) if left_out else ()
    remarks = (*index, *doubtful, *_remarks([line for line, _ in rows], x, order))
    return Points(x=x[order], y=y[order]), remarks


def _fits(cells: Sequence[str]) -> bool:
    """Return whether a row is a point, perhaps behind its number."""
    kept = drop_empty_ends(cells, 2)
    return len(kept) in (2, 3) and all(map(_is_number, kept))


def _rows(table: TextTable) -> list[Row]:
    """Return every row that is not empty, without what separators at its end add."""
    try:
        rows = [(line, drop_empty_ends([cell.strip() for cell in cells], 2)) for line, cells in table.rows(strict=True)]
    except TableUnreadable as error:
        message = t("Row {row} cannot be read as a table: check its quotation marks.")
        raise PointsError(message.format(row=error.line)) from error
    return [(line, cells) for line, cells in rows if any(cells)]


def _columns(rows: list[Row]) -> tuple[list[Row], bool]:
    """Return the rows without a header and without a column that numbers them, and whether there was one."""
    if not rows:
        return [], False
    _, first = rows[0]
    header = not any(map(_is_number, first)) or (len(first) > 1 and first[0].casefold() in _NAMELESS)
    body = rows[1:] if header else rows
    nameless = header and (len(first) == 2 or (len(first) == 3 and first[0].casefold() in _NAMELESS))
    if not (nameless and body and all(len(cells) == 3 for _, cells in body)):
        return body, False
    return [(line, cells[1:]) for line, cells in body], True


def _numbers(rows: Sequence[Row], table: TextTable) -> tuple[npt.NDArray[np.float64], tuple[str, ...]]:
    """Return x and y of every row, and how a number was read that could be in thousands or have three decimals."""
    cells = [(line, cell) for line, pair in rows for cell in _pair(line, pair)]
    doubtful = [(line, cell) for line, cell in cells if is_doubtful(cell)]
    mark = decimal_mark((cell for _, cell in cells), "." if table.separator == "," else "")
    if mark is None:
        message = t(
            "Row {row}: “{cell}” could be in thousands or have three decimals, for the table has decimal points and "
            "decimal commas. Write one kind."
        )
        raise PointsError(message.format(row=doubtful[0][0], cell=doubtful[0][1][:30]))
    values = [_number(line, cell, mark, table) for line, cell in cells]
    told = t("Row {row}: “{cell}” is read as {number}.")
    remarks = (
        told.format(row=line, cell=cell[:30], number=f"{to_float(cell, mark):.12g}")
        for line, cell in doubtful
        if mark == "," or "," in cell
    )
    return np.array(values, dtype=np.float64).reshape(-1, 2).T, tuple(remarks)[:1]


def _pair(line: int, cells: list[str]) -> list[str]:
    if len(cells) != 2:
        message = t("Columns in row {row}: {columns}. There must be two, x and y.")
        raise PointsError(message.format(row=line, columns=len(cells)))
    return cells


def _number(line: int, cell: str, mark: Mark, table: TextTable) -> float:
    try:
        value = to_float(cell, mark)
    except ValueError as error:
        message = t("Row {row}: “{cell}” is not a number that can be read. Write it like 1234.5, or remove the row.")
        unsure = table.decoded.guessed and not cell.isascii()
        more = t("The file is not text in UTF-8. Save it as CSV (UTF-8).") if unsure else ""
        raise PointsError(f"{message.format(row=line, cell=cell[:30])} {more}".rstrip()) from error
    if not math.isfinite(value):
        message = t("Row {row}: “{cell}” is not a finite number. Correct the row or remove it.")
        raise PointsError(message.format(row=line, cell=cell[:30]))
    if abs(value) > LARGEST:
        message = t("Row {row}: {cell} is too large. Use other units, so that every number is at most {largest}.")
        raise PointsError(message.format(row=line, cell=cell[:30], largest=f"{LARGEST:.0e}"))
    return value


def _is_number(cell: str) -> bool:
    try:
        to_float(cell, ".")
    except ValueError:
        return False
    return True


def _remarks(lines: list[int], x: Float64, order: npt.NDArray[np.intp]) -> tuple[str, ...]:
    """Return which rows share an x: allowed, since each is a key of its own, but worth knowing."""
    same = [(a, b) for a, b in pairwise(order) if x[a] == x[b]]
    if not same:
        return ()
    first, second = same[0]
    message = t("Rows {first} and {second} have the same x = {x}; both are kept, each as a key of its own.")
    remark = message.format(first=lines[first], second=lines[second], x=f"{x[first]:g}")
    more = t("({count} rows repeat an earlier x)").format(count=len(same))
    return (f"{remark} {more}" if len(same) > 1 else remark,)
