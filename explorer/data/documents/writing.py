"""A table to take away: as text, or as a spreadsheet, in which nothing is a formula."""

import csv
import io
import re
from collections.abc import Sequence

import openpyxl
from openpyxl.cell import WriteOnlyCell

from explorer.data.cells import escape_formula

#: What no XML may hold: control characters but tab and line ends, halves of a pair, and the two that are no character.
_NO_XML = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
#: Text that a spreadsheet would take for a letter in hexadecimal digits.
_LIKE_A_LETTER = re.compile("_(?=x[0-9A-Fa-f]{4}_)")


def to_csv(rows: Sequence[Sequence[str]]) -> bytes:
    """Write UTF-8 with a byte-order mark, which spreadsheets need."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([escape_formula(cell) for cell in row] for row in rows)
    return text.getvalue().encode("utf-8-sig")


def to_txt(lines: Sequence[str]) -> bytes:
    """Write one line for each row."""
    return "".join(" ".join(line.split()) + "\n" for line in lines).encode()


def to_xlsx(rows: Sequence[Sequence[str]]) -> bytes:
    """Write a workbook of one sheet; every cell is text, whatever it begins with."""
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("translation")
    for row in rows:
        cells = []
        for text in row:
            cell = WriteOnlyCell(sheet)
            cell.value = _LIKE_A_LETTER.sub("_x005F_", _NO_XML.sub("", text))[:32_767]
            cell.data_type = "s"
            cells.append(cell)
        sheet.append(cells)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()
