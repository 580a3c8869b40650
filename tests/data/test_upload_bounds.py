"""No upload, whatever is in it, takes much memory or reads much more than is used of it."""

import io
import subprocess
import sys
from pathlib import Path

import openpyxl
import pytest
from PIL import Image

from explorer.data.documents import reading, xml_parts
from explorer.data.documents.reading import DocumentRefused, read
from explorer.data.documents.workbook import read_sheet
from explorer.data.parallel.own_pairs import MOST_BYTES, OwnPairsError, parse_pairs
from explorer.data.pictures import PictureRefused, read_picture
from tests.conftest import ROOT
from tests.data import hostile_files
from tests.data.upload_memory import MAKERS

MOST_MEGABYTES = 150
#: A progressive JPEG is kept whole until all of it is read; one at a time is.
MORE = {"progressive": 350}
#: Workbooks that are read as far as is used; the others hold more than they say, and are refused.
READ = {"huge cells", "a huge format"}


@pytest.mark.parametrize("kind", MAKERS)
def test_no_upload_takes_much_memory(kind: str, tmp_path: Path) -> None:
    if not Path("/proc/self/clear_refs").exists():
        pytest.skip("memory is measured under /proc")
    for step in ("make", "read"):  # in a process each, since making them takes much
        said = subprocess.run(
            [sys.executable, "-m", "tests.data.upload_memory", step, kind, str(tmp_path)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    rows = [line.split("\t") for line in said.splitlines()]
    assert {name for _, _, name in rows} == set(MAKERS[kind])
    assert {name: more for more, _, name in rows if int(more) > MORE.get(name, MOST_MEGABYTES)} == {}
    if kind == "workbooks":
        assert {name: end for _, end, name in rows} == {
            name: "read" if name in READ else "unpacked" for name in hostile_files.WORKBOOKS
        }
    if kind == "pictures":
        assert {end for _, end, _ in rows} == {"read"}


@pytest.mark.parametrize("kind", ["a wide row", "a deep row", "tags of many attributes"])
def test_what_no_workbook_has_is_refused_when_it_is_met(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xml_parts, "MOST_XML_BYTES", 1_000_000)
    with pytest.raises(DocumentRefused, match="than any workbook has"):
        read("a.xlsx", hostile_files.WORKBOOKS[kind]())


def test_a_number_format_of_a_million_letters_is_cut() -> None:
    assert read("a.xlsx", hostile_files.WORKBOOKS["a huge format"]()).rows == (("1",),)


def test_of_a_long_sheet_the_beginning_is_read() -> None:
    data = hostile_files.workbook(b'<row><c t="s"><v>1</v></c></row>' * 1_000_000, b"<si><t>a</t></si>" * 500_000)
    rows, _, _, parts = read_sheet(data, rows=202, columns=51, letters=100)
    assert rows == [["a"]] * 202
    assert parts.n_bytes < 200_000
    assert read("a.xlsx", data).more


def test_of_a_long_table_the_beginning_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = []

    class Watched(io.StringIO):
        def __next__(self) -> str:
            lines.append(super().__next__())
            return lines[-1]

    monkeypatch.setattr(reading.io, "StringIO", Watched)
    table = read("a.csv", b"a,b\n" * 1_000_000)
    assert (len(table.rows), table.left, table.more) == (201, reading.MOST_COUNTED, True)
    assert len(lines) < 20_000


def test_examples_beyond_the_most_are_counted_and_not_kept() -> None:
    with pytest.raises(OwnPairsError) as refused:
        parse_pairs(b"a,b\n" * (MOST_BYTES // 4))
    assert (refused.value.reason, refused.value.found) == ("many", MOST_BYTES // 4)


@pytest.mark.filterwarnings("ignore:Workbook contains no default style")
def test_a_workbook_says_what_openpyxl_reads_in_it() -> None:
    sheet = (
        b'<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>2</v></c>'
        b'<c r="D1" t="inlineStr"><is><t>in</t></is></c></row>'
        b'<row r="3"><c t="b"><v>1</v></c><c t="e"><v>#DIV/0!</v></c><c t="str"><f>A1</f><v>a &amp; b</v></c>'
        b'<c><v>3</v></c><c><v>0.10000000000000001</v></c><c><v>1E+20</v></c><c s="1"><v>45000.5</v></c>'
        b'<c s="2"><v>1.5</v></c><c s="3"><v>7</v></c><c t="d"><v>2020-01-02T03:04:05</v></c><c/>'
        b'<c t="s"><v>1</v></c><c s="1"><v>0.25</v></c></row>'
    )
    strings = (
        "<si><t>猫</t></si><si/>"
        "<si><r><t>r</t></r><r><t xml:space='preserve'>i </t></r><rPh sb='0' eb='1'><t>no</t></rPh></si>"
    )
    styles = (
        b'<numFmts count="1"><numFmt numFmtId="164" formatCode="[h]:mm:ss"/></numFmts><cellStyleXfs><xf numFmtId="14"/>'
        b'</cellStyleXfs><cellXfs count="4"><xf numFmtId="0"/><xf numFmtId="22"/><xf numFmtId="164"/><xf numFmtId="2"/>'
        b"</cellXfs>"
    )
    for book in (b"<workbookPr/>", b'<workbookPr date1904="1"/>'):
        data = hostile_files.workbook(sheet, strings.encode(), styles, book)
        opened = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        expected = [["" if cell is None else str(cell) for cell in row] for row in opened.worksheets[0].values]
        opened.close()
        rows, *_ = read_sheet(data, rows=9, columns=99, letters=99)
        assert [row + [""] * (13 - len(row)) for row in rows] == [row + [""] * (13 - len(row)) for row in expected]
        assert rows[2][6].startswith("20")


def test_a_budget_is_for_all_parts_together(monkeypatch: pytest.MonkeyPatch) -> None:
    data = hostile_files.workbook(b"<row><c><v>1</v></c></row>" * 5)
    *_, parts = read_sheet(data, rows=9, columns=9, letters=9)
    monkeypatch.setattr(xml_parts, "MOST_EVENTS", parts.n_events - 1)
    with pytest.raises(DocumentRefused, match="unpacked"):
        read("a.xlsx", data)


@pytest.mark.parametrize(
    ("kind", "mode", "side", "options", "most"),
    [
        ("WEBP", "RGB", 3_600, {}, 7),
        ("JPEG", "RGB", 7_200, {"progressive": True}, 50),
        ("JPEG", "CMYK", 6_300, {"progressive": True}, 37.5),
        ("PNG", "1", 5_100, {}, 25),
        ("GIF", "L", 5_100, {}, 25),
    ],
)
def test_a_picture_that_takes_more_of_a_pixel_may_have_fewer(
    kind: str, mode: str, side: int, options: dict[str, bool], most: float
) -> None:
    file = io.BytesIO()
    Image.new(mode, (side, side)).save(file, kind, **options)
    with pytest.raises(PictureRefused) as refused:
        read_picture(file.getvalue())
    assert (refused.value.reason, refused.value.most) == ("pixels", most * 1_000_000)
