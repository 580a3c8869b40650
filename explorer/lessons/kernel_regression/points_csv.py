"""A reader's own points: two columns of a CSV, read strictly, with messages that name the row."""

import csv
import math
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from explorer.data.files import decoded
from explorer.lessons.kernel_regression.points import MOST_POINTS
from explorer.lessons.kernel_regression.records import Floats, Points
from explorer.records.language import Translate, english

MOST_BYTES = 100_000
FEWEST_POINTS = 3
#: Larger numbers would overflow when they are squared and summed.
LARGEST = 1e12

Row = tuple[int, list[str]]


class PointsError(ValueError):
    """A table that is not two columns of finite numbers; its message says which row and what to do."""


def parse_points(data: bytes | str, t: Translate = english) -> tuple[Points, tuple[str, ...]]:
    """Read x and y from text: comma, semicolon, tab or space between them, with or without a header.

    A decimal comma is understood where the columns are separated by anything else.

    Args:
        data: the file, UTF-8 or UTF-16 (headings of any code page), or pasted text.

    Returns:
        The points in the order of x, and remarks about them (rows with the same x).

    Raises:
        PointsError: if anything is not as it must be.
    """
    if len(data) > MOST_BYTES:
        raise PointsError(t("The table is larger than {limit} kB. Keep fewer rows.").format(limit=MOST_BYTES // 1000))
    separator, rows = _rows(_text(data, t), t)
    if rows and not any(_is_number(cell, separator) for cell in rows[0][1]):
        rows = rows[1:]
    if len(rows) > MOST_POINTS:
        message = t("The table has {rows} rows of numbers; at most {most} fit. Keep a part of them.")
        raise PointsError(message.format(rows=len(rows), most=MOST_POINTS))
    if len(rows) < FEWEST_POINTS:
        message = t("Rows of numbers in the table: {rows}. At least {fewest} are needed, each with x and y.")
        found = sum(any(_is_number(cell, separator) for cell in cells) for _, cells in rows)
        raise PointsError(message.format(rows=found, fewest=FEWEST_POINTS))
    pairs = [_pair(line, cells, separator, t) for line, cells in rows]
    x, y = np.array(pairs, dtype=np.float64).T
    if x.max() - x.min() <= 1e-9 * float(np.abs(x).max()):
        raise PointsError(t("Every x is {x}. A curve needs points at different x.").format(x=f"{x[0]:g}"))
    order = np.argsort(x, kind="stable")
    return Points(x=x[order], y=y[order]), _remarks([line for line, _ in rows], x, order, t)


def _text(data: bytes | str, t: Translate) -> str:
    """Return the text of a table; of one in an older code page, only the headings may hold more than ASCII."""
    try:
        return decoded(data)
    except UnicodeDecodeError as error:
        heading, _, numbers = error.object.partition(b"\n")
        if not numbers or not numbers.isascii():
            raise PointsError(t("The file is not text in UTF-8. Save it as CSV (UTF-8).")) from error
        return f"{heading.decode('latin-1')}\n{numbers.decode()}"


def _rows(text: str, t: Translate) -> tuple[str, list[Row]]:
    """Return the separator, and every row that is not empty with the number of its line."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    separator = next((mark for mark in "\t;," if mark in first), " ")
    lines = [line.rstrip(" ") for line in text.splitlines()]  # where blanks separate, the last ones separate nothing
    reader = csv.reader(lines, delimiter=separator, skipinitialspace=True)
    try:
        rows = [(reader.line_num, [cell.strip() for cell in cells]) for cells in reader]
    except csv.Error as error:
        message = t("Row {row} cannot be read as a table: {reason}")
        raise PointsError(message.format(row=reader.line_num, reason=error)) from error
    return separator, [(line, cells) for line, cells in rows if any(cells)]


def _pair(line: int, cells: list[str], separator: str, t: Translate) -> tuple[float, float]:
    if len(cells) != 2:
        message = t("Columns in row {row}: {columns}. There must be two, x and y.")
        raise PointsError(message.format(row=line, columns=len(cells)))
    x, y = (_number(line, cell, separator, t) for cell in cells)
    return x, y


def _number(line: int, cell: str, separator: str, t: Translate) -> float:
    if not _is_number(cell, separator):
        message = t("Row {row}: “{cell}” is not a number. Correct the row or remove it.")
        raise PointsError(message.format(row=line, cell=cell[:30]))
    value = _to_float(cell, separator)
    if not math.isfinite(value):
        message = t("Row {row}: “{cell}” is not a finite number. Correct the row or remove it.")
        raise PointsError(message.format(row=line, cell=cell[:30]))
    if abs(value) > LARGEST:
        message = t("Row {row}: {cell} is too large. Use other units, so that every number is at most {largest}.")
        raise PointsError(message.format(row=line, cell=cell[:30], largest=f"{LARGEST:.0e}"))
    return value


def _is_number(cell: str, separator: str) -> bool:
    try:
        _to_float(cell, separator)
    except ValueError:
        return False
    return "_" not in cell


def _to_float(cell: str, separator: str) -> float:
    return float(cell if separator == "," else cell.replace(",", "."))


def _remarks(lines: list[int], x: Floats, order: npt.NDArray[np.intp], t: Translate) -> tuple[str, ...]:
    """Return which rows share an x: allowed, since each is a key of its own, but worth knowing."""
    same = [(a, b) for a, b in pairwise(order) if x[a] == x[b]]
    if not same:
        return ()
    first, second = same[0]
    message = t("Rows {first} and {second} have the same x = {x}; both are kept, each as a key of its own.")
    remark = message.format(first=lines[first], second=lines[second], x=f"{x[first]:g}")
    more = t("({count} rows repeat an earlier x)").format(count=len(same))
    return (f"{remark} {more}" if len(same) > 1 else remark,)
