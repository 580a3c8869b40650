"""Tables as people have them: every reader cuts them alike, and what is a guess is said to be one."""

import json
from collections.abc import Callable
from pathlib import Path

import opencc
import pytest

from explorer.data.documents.encoding import ENCODINGS, GUESSED, choice_of, decode
from explorer.data.documents.reading import read
from explorer.data.documents.tables import SEPARATORS, declare, open_table
from explorer.data.parallel.own_pairs import parse_pairs
from explorer.lessons.kernel_regression.points_csv import parse_points
from explorer.lessons.seq2seq_attention.length_sample import file_sample

Cells = list[list[str]]
#: Every reader of tables: of bytes, two columns.
READERS: dict[str, Callable[[bytes], Cells]] = {
    "document": lambda data: [list(row) for row in read("a.csv", data).rows],
    "pairs": lambda data: [list(pair) for pair in parse_pairs(data).pairs],
    "sample": lambda data: [list(pair) for pair in file_sample(data)],
    "points": lambda data: [[f"{x:g}", f"{y:g}"] for x, y in zip(*_points(data), strict=True)],
}
#: At least as many rows as the examples of a training need.
WORDS = [[f"eins {n}", f"one {n}"] for n in range(20)]
NUMBERS = [[f"{n}", f"{2 * n}"] for n in range(20)]
MARKS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|"}


def _points(data: bytes) -> tuple[list[float], list[float]]:
    points, _ = parse_points(data)
    return points.x.tolist(), points.y.tolist()


def rows_for(reader: str) -> Cells:
    return NUMBERS if reader == "points" else WORDS


def joined(rows: Cells, mark: str, end: str = "\n") -> str:
    return "".join(mark.join(row) + end for row in rows)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("mark", [*MARKS.values(), ":", "^"])
@pytest.mark.parametrize("said", ["sep={}", "SEP={}", '"sep={}"', "sep={};;"])
def test_a_declared_separator_is_obeyed_and_dropped(reader: str, mark: str, said: str) -> None:
    rows = rows_for(reader)
    assert READERS[reader](f"{said.format(mark)}\r\n{joined(rows, mark)}".encode("utf-8-sig")) == rows
    if mark == "\t":
        assert READERS[reader](f"sep=\\t\n{joined(rows, mark)}".encode()) == rows


def test_a_declaration_counts_as_a_line_and_is_no_guess() -> None:
    table = open_table("sep=;\na,b;c\nd,e;f")
    assert (table.separator, table.guessed) == (";", False)
    assert list(table.rows()) == [(2, ["a,b", "c"]), (3, ["d,e", "f"])]
    assert read("a.tsv", b"sep=;\na;b\n").rows == (("a", "b"),)
    assert open_table(declare("a;b", ";")).separator == ";"


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_every_separator_end_of_line_and_unicode_encoding(reader: str, mark: str, end: str, encoding: str) -> None:
    rows = rows_for(reader)
    assert READERS[reader](joined(rows, MARKS[mark], end).encode(encoding)) == rows


RAGGED = {
    "first": lambda rows: [[*rows[0], "nett"], *rows[1:]],
    "middle": lambda rows: [*rows[:2], [*rows[2], "nett"], *rows[3:]],
    "last": lambda rows: [*rows[:-1], [*rows[-1], "nett"]],
    "shorter": lambda rows: [rows[0][:1], *rows[1:]],
}


@pytest.mark.parametrize("mark", [";", "\t", "|"])
@pytest.mark.parametrize("ragged", RAGGED)
@pytest.mark.parametrize("n", [2, 3, 12])
def test_a_ragged_row_does_not_make_the_comma_the_separator(mark: str, ragged: str, n: int) -> None:
    rows = RAGGED[ragged]([[f"Ja, gern, {k}.", "Yes, please."] for k in range(max(n, 3))])
    table = read("a.csv", joined(rows[:n], mark).encode())
    assert table.how.separator == mark
    assert [list(filter(None, row)) for row in table.rows] == rows[:n]


@pytest.mark.parametrize(
    ("text", "separator", "guessed"),
    [
        ("Ja, gern.;Yes, please.;nett\n", ";", True),
        ("a,b\nc,d\n", ",", False),
        ("a\tb, c\nd\te, f\n", "\t", True),
        ("a;b\nc;d\n", ";", False),
        ("1,5;2,5\n3,5;4,5\n", ";", True),
        ("Name;Wert\nx;1,5\ny;2,5\n", ";", True),
        ('"a;b","c;d"\n"e;f","g"\n', ",", True),
        ('"a, b", "c, d"\n"e", "f"\n', ",", False),
        ("text\nHello, you.\nWell, well, well.\nBye.\n", "", True),
        ("one\ntwo\n", "", False),
        ("", "", False),
        ("a | b\nc | d\n", "|", False),
    ],
)
def test_the_separator_that_is_found(text: str, separator: str, guessed: bool) -> None:
    table = open_table(text)
    assert (table.separator, table.guessed) == (separator, guessed)


@pytest.mark.parametrize("separator", [*SEPARATORS, ""])
def test_a_reader_may_say_another_separator(separator: str) -> None:
    table = read("a.csv", b"a,b;c\td|e\n", separator=separator)
    assert table.rows[0] == tuple("a,b;c\td|e".split(separator) if separator else ["a,b;c\td|e"])
    assert not table.how.separator_guessed


#: Characters that str.splitlines takes for the end of a line, and tables do not.
NO_ENDS = "\v\f\x1c\x1d\x1e\x85\u2028\u2029"


@pytest.mark.parametrize("letter", NO_ENDS)
def test_a_line_ends_nowhere_else(letter: str) -> None:
    text = f"a{letter}b"
    assert read("a.txt", f"{text}\nc\n".encode()).rows == ((text,), ("c",))
    for mark in MARKS.values():
        assert read("a.csv", f"{text}{mark}x\nc{mark}y\n".encode()).rows == ((text, "x"), ("c", "y"))
    assert file_sample(f"{text}\tx\nc\ty\n".encode()) == ((text, "x"), ("c", "y"))
    rows = "".join(f"{n}{letter}{n}\t{n}\n" for n in range(20))
    assert len(parse_pairs(rows.encode()).pairs) == 20
    points, _ = parse_points(f"1{letter},2\n3,4\n5,6\n".encode())
    assert len(points.x) == 3


def chinese() -> list[str]:
    rows = Path(__file__).with_name("everyday_zh-en.tsv").read_text("utf8").split("\n")[1:-1]
    return [row.split("\t")[1] for row in rows]


JAPANESE = """\
猫が好きです。
今日は天気がいいですね。
東京タワーはどこにありますか。
彼は学生です。
ありがとうございます。
明日の朝八時に駅で会いましょう。
このコンピュータは速いです。
日本語を勉強しています。
新しいカメラを買いたい。
①番線に電車が来ます。
窓を開けてもいいですか。
毎朝コーヒーを飲みます。""".splitlines()
TEXTS = {
    "gb18030": chinese(),
    "big5": [opencc.OpenCC("s2t").convert(each) for each in chinese()],
    "cp932": JAPANESE,
}


@pytest.mark.parametrize("encoding", TEXTS)
def test_old_encodings_of_east_asia_are_guessed(encoding: str) -> None:
    for first in range(0, len(TEXTS[encoding]) - 3, 4):
        text = "\n".join(TEXTS[encoding][first : first + 4])
        try:
            data = text.encode(encoding)
        except UnicodeEncodeError:  # a name with letters that this encoding lacks
            continue
        found = decode(data)
        assert found.text == text
        assert not found.damaged
        assert found.guessed == (not text.isascii())


@pytest.mark.parametrize("file", ["fr-en", "de-en"])
def test_a_line_of_western_europe_is_taken_for_nothing_else(file: str) -> None:
    rows = Path(__file__).with_name(f"everyday_{file}.tsv").read_text("utf8").split("\n")[1:-1]
    for text in (row.split("\t")[1] for row in rows):
        try:
            data = text.encode("cp1252")
        except UnicodeEncodeError:
            continue
        assert decode(data).text == text


def test_letters_of_chinese_in_utf_16_without_a_mark() -> None:
    for encoding in ("utf-16-le", "utf-16-be"):
        assert decode("我喜欢猫\n你呢".encode(encoding)) == ("我喜欢猫\n你呢", encoding, True)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_reader_may_say_another_encoding(encoding: str) -> None:
    data = b"caf\xe9,\xb2\xa6\n"
    table = read("a.csv", data, encoding=encoding)
    assert table.how.encoding == encoding
    assert choice_of(encoding) == encoding
    assert {choice_of(each) for family in GUESSED.values() for each in family} <= set(ENCODINGS)


def test_what_a_file_leaves_open_is_plain_data() -> None:
    how = read("a.csv", "où;ça, là\nici;là, où\n".encode("latin-1")).how
    said = {name: getattr(how, name) for name in ("encoding", "encoding_guessed", "separator", "separator_guessed")}
    assert json.loads(json.dumps(said)) == {
        "encoding": "cp1252",
        "encoding_guessed": True,
        "separator": ";",
        "separator_guessed": True,
    }


@pytest.mark.parametrize("reader", ["pairs", "points", "sample"])
@pytest.mark.parametrize("mark", MARKS.values())
def test_a_separator_at_the_end_of_a_row_adds_no_column(reader: str, mark: str) -> None:
    rows = rows_for(reader)
    for end in (mark, f"{mark}{mark} "):
        assert READERS[reader](joined(rows, mark, f"{end}\n").encode()) == rows
