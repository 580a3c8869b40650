"""Documents: every encoding and every trap, and nothing that is taken away is a formula."""

import csv
import io
import struct
import zipfile
from pathlib import Path

import openpyxl
import pytest

from explorer.data.cells import escape_formula
from explorer.data.documents import reading
from explorer.data.documents.encoding import decode
from explorer.data.documents.reading import DocumentRefused, read
from explorer.data.documents.writing import to_csv, to_txt, to_xlsx
from tests.data import hostile_files


def workbook(rows: list[list[object]]) -> bytes:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


GERMAN = "Der Hund läuft schnell.\nEin schönes Haus für alle Bürger.\nÄpfel, Öl und Übung.\n"
FRENCH = "Le général préfère le théâtre.\nL’élève a mangé des pâtes.\n"
MIXED = "我用Python写代码。\nTensorFlow和PyTorch都学过，阿尔法鹅也是。\n"


@pytest.mark.parametrize(
    ("data", "text", "encoding", "guessed"),
    [
        ("naïve 猫".encode(), "naïve 猫", "utf-8", False),
        ("naïve".encode("utf-8-sig"), "naïve", "utf-8-sig", False),
        ("naïve 猫".encode("utf-16"), "naïve 猫", "utf-16", False),
        ("naïve, cats".encode("utf-16-le"), "naïve, cats", "utf-16-le", True),
        ("naïve, cats".encode("utf-16-be"), "naïve, cats", "utf-16-be", True),
        ("Il a été là, où ça ?".encode("latin-1"), "Il a été là, où ça ?", "cp1252", True),
        (GERMAN.encode("cp1252"), GERMAN, "cp1252", True),
        (FRENCH.encode("cp1252"), FRENCH, "cp1252", True),
        (MIXED.encode("gb18030"), MIXED, "gb18030", True),
        ("我想你。你呢？".encode("gb18030"), "我想你。你呢？", "gb18030", True),
        (b"", "", "utf-8", False),
    ],
)
def test_encodings(data: bytes, text: str, encoding: str, guessed: bool) -> None:
    assert decode(data) == (text, encoding, guessed)


def test_lines_and_tables_are_read() -> None:
    assert read("a.TXT", b"One.\r\n\r\nTwo.\n\n").rows == (("One.",), ("",), ("Two.",))
    assert read("a.csv", b'en,n\n"a, b",1\nc\n').rows == (("en", "n"), ("a, b", "1"), ("c", ""))
    assert read("a.csv", b"en;n\na;1\nb;2\n").rows[1] == ("a", "1")
    assert read("a.tsv", b"a, b\tc\n").rows == (("a, b", "c"),)
    assert read("a.xlsx", workbook([["en", None, 3], ["=1+1"], ["猫"]])).rows[2] == ("猫", "", "")


def test_a_comma_of_the_text_is_no_separator() -> None:
    assert read("a.csv", b"1;Ja, gut;Yes\n2;Nein, danke;No\n").rows[0] == ("1", "Ja, gut", "Yes")
    assert read("a.csv", b"Hello; you,Bonjour\nBye; all,Salut\n").rows[0] == ("Hello; you", "Bonjour")


def test_quotation_marks_between_tabs_swallow_nothing() -> None:
    assert read("a.tsv", b'"Hello\tBonjour\nYes\tOui\n"No\tNon\n').rows[1:] == (("Yes", "Oui"), ('"No', "Non"))
    assert read("a.tsv", b'"Go!" he said.\tx\n').rows == (('"Go!" he said.', "x"),)
    assert read("a.tsv", b'"He said ""hi"", twice"\tx\n').rows == (('He said "hi", twice', "x"),)


def test_the_separator_is_seen_though_the_first_rows_are_long() -> None:
    rows = [f'"{"word, " * 600}";b{number}' for number in range(15)]
    table = read("a.csv", "\n".join(rows).encode())
    assert (table.n_columns, table.rows[14][1]) == (2, "b14")


def test_a_formula_is_never_computed() -> None:
    rows = read("a.xlsx", workbook([["x"], ["=1+1"], ["=cmd|'/c calc'!A1"], ["y"]])).rows
    assert [row[0] for row in rows] == ["x", "", "", "y"]  # nothing has computed them, so they came to nothing


def test_rows_beyond_the_limit_are_left_and_counted() -> None:
    table = read("a.txt", b"a\n" * 500)
    assert len(table.rows) == reading.MOST_ROWS + 1
    assert table.left == 500 - reading.MOST_ROWS - 1
    assert not table.cut
    wide = read("a.csv", b",".join([b"x"] * 200))
    assert (wide.n_columns, wide.cut) == (reading.MOST_COLUMNS, True)
    assert not read("a.csv", b",".join([b"x"] * reading.MOST_COLUMNS)).cut
    assert read("a.txt", b"x" * (reading.MOST_CELL + 1)).cut
    assert read("a.xlsx", workbook([["x"] * (reading.MOST_COLUMNS + 1)])).cut


def bomb() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b"0" * (reading.MOST_UNPACKED_BYTES + 1))
    return file.getvalue()


def liar() -> bytes:
    """Says that its largest part is one byte long."""
    data = bytearray(workbook([["x" * 1000]] * 50))
    position = data.rfind(b"PK\x01\x02", 0, data.find(b"xl/worksheets/sheet1.xml", data.rfind(b"PK\x03\x04")))
    data[position + 24 : position + 28] = struct.pack("<I", 1)
    return bytes(data)


def many_parts() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for number in range(reading.MOST_PARTS + 1):
            archive.writestr(str(number), "")
    return file.getvalue()


def repacked(method: int) -> bytes:
    """A sound workbook, compressed in another way."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(workbook([["x"]]))) as whole, zipfile.ZipFile(file, "w", method) as archive:
        for part in whole.namelist():
            archive.writestr(part, whole.read(part))
    return file.getvalue()


LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha">'
    + "".join(f'<!ENTITY {chr(98 + i)} "{f"&{chr(97 + i)};" * 10}">' for i in range(9))
    + "]><worksheet><sheetData><row><c t='inlineStr'><is><t>&j;</t></is></c></row></sheetData></worksheet>"
)


def laughing() -> bytes:
    """A workbook whose sheet unfolds to gigabytes by entities."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(workbook([["x"]]))) as whole, zipfile.ZipFile(file, "w") as archive:
        for part in whole.namelist():
            archive.writestr(part, LAUGHS if part.endswith("sheet1.xml") else whole.read(part))
    return file.getvalue()


@pytest.mark.parametrize(
    ("name", "data", "problem"),
    [
        ("a.txt", b"x" * (reading.MOST_BYTES + 1), "size"),
        ("a.exe", b"x", "kind"),
        ("noname", b"x", "kind"),
        ("a.csv", workbook([["x"]]), "kind"),
        ("a.xlsx", b"not a workbook", "damaged"),
        ("a.xlsx", workbook([["x"]])[:-200], "damaged"),
        ("a.xlsx", b"PK\x03\x04" + b"\0" * 100, "damaged"),
        ("a.xlsx", bomb(), "unpacked"),
        ("a.xlsx", liar(), "damaged"),
        ("a.xlsx", many_parts(), "unpacked"),
        ("a.xlsx", laughing(), "damaged"),
        ("a.xlsx", repacked(zipfile.ZIP_LZMA), "damaged"),
        ("a.xlsx", repacked(zipfile.ZIP_BZIP2), "damaged"),
        ("a.txt", b"", "empty"),
        ("a.csv", b" , \n,,,\n", "empty"),
        ("a.xlsx", workbook([]), "empty"),
    ],
    ids=lambda each: each[:12] if isinstance(each, str) else "",
)
def test_what_cannot_be_read_is_refused(name: str, data: bytes, problem: str) -> None:
    with pytest.raises(DocumentRefused) as refused:
        read(name, data)
    assert refused.value.problem == problem


@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.txt"])
@pytest.mark.parametrize("opening", ["", '"'])
def test_an_endless_cell_is_cut_whatever_holds_it(name: str, opening: str) -> None:
    table = read(name, (opening + "x" * 200_000).encode())
    assert table.cut
    assert [len(cell) for row in table.rows for cell in row] == [reading.MOST_CELL]


FORMULAS = ["=1+1", "+1+1", "-A1", "@SUM(A1)", "\t=1", "＝1+1", "＋1＋1", "－A1", "＠SUM(A1)", "fine", "It's", "猫\x0b"]


def test_nothing_that_is_taken_away_is_a_formula() -> None:
    rows = [[each, each] for each in FORMULAS]
    book = openpyxl.load_workbook(io.BytesIO(to_xlsx(rows)))
    for row in book.worksheets[0].iter_rows():
        assert all(cell.data_type == "s" for cell in row)
    cells = [row[0] for row in read("a.xlsx", to_xlsx(rows)).rows]
    assert cells == [each.replace("\x0b", "") for each in FORMULAS], "as they were: no apostrophe in a workbook"
    read_back = read("a.csv", to_csv(rows))
    assert not any(cell.startswith(tuple("=+-@\t＝＋－＠")) for row in read_back.rows for cell in row)
    assert escape_formula("fine") == "fine"


@pytest.mark.parametrize("number", ["-0.25", "+3", "-1e-05", "-3,5"])
def test_a_number_is_taken_away_as_one(number: str) -> None:
    assert escape_formula(number) == number


@pytest.mark.parametrize("cell", ["a\r=1+1", "\r=1+1", "a\r\n@x", "-1+1", "-2e", "\n=1"])
def test_no_row_ends_inside_a_cell_and_no_formula_begins_there(cell: str) -> None:
    ((kept, other),) = csv.reader(io.StringIO(to_csv([[cell, "b"]]).decode("utf-8-sig"), newline=""))
    assert "\r" not in kept
    assert not kept.startswith(("=", "+", "-", "@", "\n"))
    assert other == "b"


@pytest.mark.parametrize(
    "data", [b"\x89PNG\r\n\x1a\n\0", b"\xff\xd8\xff\xe0", b"%PDF-1.7\n%\xe2\xe3", b"GIF89a\xf7\0", b"\x1f\x8b\x08"]
)
@pytest.mark.parametrize("name", ["a.csv", "a.txt"])
def test_a_picture_is_no_text_whatever_it_is_called(name: str, data: bytes) -> None:
    with pytest.raises(DocumentRefused, match="kind"):
        read(name, data)


def test_words_that_begin_like_a_picture_are_words() -> None:
    assert read("pasted.txt", b"GIF89a is a format.").rows == (("GIF89a is a format.",),)
    assert read("pasted.txt", b"%PDF-1.7 too.").rows == (("%PDF-1.7 too.",),)


def test_what_is_written_can_be_read_again() -> None:
    rows = (("en", "fr"), ('a, "b"', "ligne 1"), ("猫", ""))
    assert read("a.csv", to_csv(rows)).rows == rows
    assert read("a.xlsx", to_xlsx(rows)).rows == rows
    assert to_txt(["a\nb", " c "]) == b"a b\nc\n"


def test_what_no_workbook_may_hold_is_left_out_of_it() -> None:
    assert read("a.xlsx", to_xlsx([["\ufffea\uffff\x0b", "b\ud800"]])).rows == (("a", "b"),)


def test_empty_rows_beyond_the_last_are_not_counted_as_left() -> None:
    lines = ["a"] * (reading.MOST_ROWS + 1) + [""] * 5 + ["b", "c"]
    assert read("x.txt", "\n".join(lines).encode()).left == 2


def test_chinese_sentences_in_the_encoding_of_old_files_are_read() -> None:
    rows = (Path(__file__).with_name("everyday_zh-en.tsv")).read_text().splitlines()[1:]
    texts = [row.split("\t")[1] for row in rows]
    for first in range(0, len(texts) - 9, 10):
        text = "\n".join(texts[first : first + 10])
        assert decode(text.encode("gb18030"))[:2] == (text, "gb18030")


def sheets(**cells: list[str]) -> openpyxl.Workbook:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, column in cells.items():
        sheet = book.create_sheet(name)
        for cell in column:
            sheet.append([cell])
    return book


def saved(book: openpyxl.Workbook) -> bytes:
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


@pytest.mark.parametrize("state", ["hidden", "veryHidden"])
def test_a_hidden_sheet_is_not_read_unless_it_is_asked_for(state: str) -> None:
    book = sheets(Lists=["internal"], Empty=[], Text=["The cat."], More=["A dog."])
    book["Lists"].sheet_state = state
    data = saved(book)
    table = read("a.xlsx", data)
    assert (table.rows, table.how.sheet) == ((("The cat.",),), "Text")
    assert table.how.sheets == (("Lists", True), ("Empty", False), ("Text", False), ("More", False))
    for name, text in (("Lists", "internal"), ("More", "A dog.")):
        other = read("a.xlsx", data, sheet=name)
        assert (other.rows, other.how.sheet) == (((text,),), name)
    with pytest.raises(DocumentRefused, match="empty") as refused:
        read("a.xlsx", data, sheet="Empty")
    assert refused.value.sheets == table.how.sheets
    assert read("a.xlsx", data, sheet="no such sheet").how.sheet == "Text"


def test_a_sheet_of_a_chart_is_passed_over() -> None:
    book = sheets(Text=["The cat."])
    book.create_chartsheet("Chart", 0)
    assert read("a.xlsx", saved(book)).how == read("a.xlsx", saved(sheets(Text=["x"]))).how


@pytest.mark.parametrize("kind", ["shared", "inline", "str"])
@pytest.mark.parametrize(
    ("stored", "text"),
    [
        ("a_x000D_\nb", "a\nb"),
        ("a_x000d_b", "a\nb"),
        ("_x005F_x000D_", "_x000D_"),
        ("_xD83D__xDE00_", "😀"),
        ("_xD83D_!", "\ufffd!"),
        ("a_x0000_b_x0009_c", "ab\tc"),
        ("_x00_ _x12345_ x000D_", "_x00_ _x12345_ x000D_"),
    ],
)
def test_letters_that_stand_for_others_in_a_workbook(kind: str, stored: str, text: str) -> None:
    cell = {
        "shared": '<c t="s"><v>0</v></c>',
        "inline": f'<c t="inlineStr"><is><t>{stored}</t></is></c>',
        "str": f'<c t="str"><f>A1</f><v>{stored}</v></c>',
    }[kind]
    data = hostile_files.workbook(f"<row>{cell}</row>".encode(), f"<si><t>{stored}</t></si>".encode())
    assert read("a.xlsx", data).rows == ((text,),)


def test_what_looks_like_such_letters_comes_back() -> None:
    rows = (("_x000D_", "a_x005F_b"), ("line\nbreak", "_x41_"))
    assert read("a.xlsx", to_xlsx(rows)).rows == rows
