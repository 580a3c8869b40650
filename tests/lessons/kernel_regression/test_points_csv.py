"""A reader's own table: what is understood, and what each bad row is told."""

import re

import pytest

from explorer.lessons.kernel_regression.points import MOST_POINTS
from explorer.lessons.kernel_regression.points_csv import MOST_BYTES, PointsError, parse_points
from explorer.records.language import speaking

X, Y = [1.0, 2.0, 3.5], [4.0, 5.5, -6.0]


@pytest.mark.parametrize(
    "table",
    [
        "1,4\n2,5.5\n3.5,-6",
        "x,y\n1,4\n2,5.5\n3.5,-6\n",
        "x;y\n1;4\n2;5,5\n3,5;-6",
        "speed\tdist\r\n1\t4\r\n2\t5,5\r\n3,5\t-6\r\n",
        "1 4\n2 5.5\n3.5 -6",
        "1 4 \n2 5.5  \n3.5 -6 ",
        "\n\n 3.5 , -6\n\n1,4\n2,5.5\n\n",
        '"x","y"\n"1","4"\n"2","5.5"\n"3.5","-6"',
        "\ufeffx,y\n1,4e0\n2,5.5\n3.5,-6",
        b"\xef\xbb\xbfx,y\n1,4\n2,5.5\n3.5,-6",
        "x,y\n1,4\n2,5.5\n3.5,-6".encode("utf-16"),
        "距离,高度\n1,4\n2,5.5\n3.5,-6".encode(),
        "Länge;Höhe\r\n1;4\r\n2;5,5\r\n3,5;-6".encode("cp1252"),
    ],
)
def test_understood(table: str | bytes) -> None:
    points, remarks = parse_points(table)
    assert points.x.tolist() == X
    assert points.y.tolist() == Y
    assert remarks == ()


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ("", "the table: 0. At least 3"),
        ("x,y\n", "the table: 0. At least 3"),
        ("1,2", "the table: 1. At least 3"),
        ("a,b\nx,y\n1,2", "the table: 1. At least 3"),
        ("x,y\n1,2\n3,four\n5,6", "Row 3: “four” is not a number"),
        ("1,2\n\n3,nan\n5,6", "Row 3: “nan” is not a finite number"),
        ("1,2\n3,inf\n5,6", "Row 2: “inf” is not a finite number"),
        ("1,2\n3,1e999\n5,6", "Row 2: “1e999” is not a finite number"),
        ("1,2\n3,\n5,6", "Row 2: “” is not a number"),
        ("1,2\n3,4,5\n5,6", "Columns in row 2: 3"),
        ("1\n2\n3", "Columns in row 1: 1"),
        ("1,2\n3,1e200\n5,6", "Row 2: 1e200 is too large"),
        ("1,2\n3,=1+1\n5,6", "Row 2: “=1\\+1” is not a number"),
        ("1,2\n3,1_000\n5,6", "Row 2: “1_000” is not a number"),
        ("1,abc\n3,4\n5,6\n7,8", "Row 1: “abc” is not a number"),
        ("2,1\n2,3\n2,4", "Every x is 2"),
        ("1e10,1\n10000000001,3\n10000000009,4", "Every x is 1e\\+10"),
        ("\n".join(f"{i},{i}" for i in range(MOST_POINTS + 1)), f"{MOST_POINTS + 1} rows.*at most {MOST_POINTS}"),
        ("1" * (MOST_BYTES + 1), "larger than 100 kB"),
        (b"1,2\n\xff\xff,3\n4,5", "Row 2: “ÿÿ” is not a number.*not text in UTF-8"),
        (b"\xff\xfe1", "not text in UTF-8"),
        ("1,2\n3,<script>alert(1)</script>\n5,6", "Row 2: “<script>"),
    ],
)
def test_refused_with_the_row(table: str | bytes, says: str) -> None:
    with pytest.raises(PointsError, match=says):
        parse_points(table)


def test_the_same_x_twice_is_kept_and_said() -> None:
    points, remarks = parse_points("x,y\n5,1\n2,2\n5,3\n2,4\n2,5")
    assert points.x.tolist() == [2, 2, 2, 5, 5]
    assert points.y.tolist() == [2, 4, 5, 1, 3]
    assert remarks == (
        "Rows 3 and 5 have the same x = 2; both are kept, each as a key of its own. (3 rows repeat an earlier x)",
    )


def test_the_message_is_in_the_readers_language() -> None:
    with speaking("zh"), pytest.raises(PointsError, match="第 2 行"):
        parse_points("1,2\n3,x\n4,5")


#: Three points, by how people and programs write them.
WRITTEN = {
    "minus U+2212": ("x,y\n1,\u22124\n2,5.5\n3.5,\u22126", [1, 2, 3.5], [-4, 5.5, -6]),
    "en dash": ("1;\u20134\n2;5,5\n3,5;\u20136", [1, 2, 3.5], [-4, 5.5, -6]),
    "full width": ("１,－４\n２,５．５\n３．５,－６", [1, 2, 3.5], [-4, 5.5, -6]),
    "separator at the end": ("x;y;\n1;4;\n2;5,5;\n3,5;-6;", X, Y),
    "separator at the end of some rows": ("x,y\n1,4,\n2,5.5\n3.5,-6,,", X, Y),
    "pandas' index": (",x,y\n0,1.0,4.0\n1,2.0,5.5\n2,3.5,-6.0\n", X, Y),
    "pandas' index, numbered columns": (",0,1\n0,1.0,4.0\n1,2.0,5.5\n2,3.5,-6.0\n", X, Y),
    "pandas' index, read and written again": ("Unnamed: 0,x,y\n0,1.0,4.0\n1,2.0,5.5\n2,3.5,-6.0\n", X, Y),
    "pandas' index of a day": (",x,y\n2026-01-01,1.0,4.0\n2026-01-02,2.0,5.5\n2026-01-03,3.5,-6\n", X, Y),
    "a series of pandas": (",0\n1,4.0\n2,5.5\n3,-6.0\n", [1, 2, 3], Y),
    "printed by pandas": ("     x    y\n0  1.0  4.0\n1  2.0  5.5\n2  3.5 -6.0\n", X, Y),
    "row names of R": ('"x" "y"\n"1" 1 4\n"2" 2 5.5\n"3" 3.5 -6\n', X, Y),
    "row names of R, CSV": ('"","x","y"\n"1",1,4\n"2",2,5.5\n"3",3.5,-6\n', X, Y),
    "German thousands": ("1.234,5;4\n2.000,0;5,5\n-1.000.000;-6", [-1e6, 1234.5, 2000], [-6, 4, 5.5]),
    "English thousands": ("1,234.5\t4\n2,000.0\t5.5\n3,000,000\t-6", [1234.5, 2000, 3e6], Y),
    "English thousands in quotes": ('"1,234.5",4\n"2,000",5.5\n"3,000",-6', [1234.5, 2000, 3000], Y),
    "French thousands": ("1\u202f234,5;4\n2\u00a0000;5,5\n3 000;-6", [1234.5, 2000, 3000], Y),
    "Swiss thousands": ("1'234.5,4\n2’000,5.5\n3000,-6", [1234.5, 2000, 3000], Y),
    "thousands beside decimal commas": ("1.234;4\n2.000;5,5\n3000;-6", [1234, 2000, 3000], Y),
    "three decimals": ("1.234;4\n2.001;5.5\n3.5;-6", [1.234, 2.001, 3.5], Y),
    "three decimals with a comma": ("0,125;4\n2,001;5,5\n3,5;-6", [0.125, 2.001, 3.5], Y),
    "exponents": ("1e0;4,0E+00\n2;5,5\n0,35e1;-6", X, Y),
    "bars": ("x|y\n1|4\n2|5.5\n3.5|-6", X, Y),
    "decimal commas in quotes": ('"1,0","4,0"\n"2,0","5,5"\n"3,5","-6,0"', X, Y),
    "decimal commas between spaces": ("1,0 4,0\n2,0 5,5\n3,5 -6,0", X, Y),
    "sep": ("sep=;\nx;y\n1;4\n2;5,5\n3,5;-6", X, Y),
}


@pytest.mark.parametrize("how", WRITTEN)
@pytest.mark.parametrize("encoding", ["", "utf-8-sig", "utf-16"])
def test_numbers_as_they_are_written(how: str, encoding: str) -> None:
    text, x, y = WRITTEN[how]
    points, _ = parse_points(text.encode(encoding) if encoding else text)
    assert points.x.tolist() == pytest.approx(x)
    assert points.y.tolist() == pytest.approx(y)


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ("1.234;4,5\n2.5;5,5\n3;6", "Row 1: “1.234” could be in thousands or have three decimals"),
        ("1,234;1.234\n2;5\n3;6", "Row 1: “1,234” could be in thousands or have three decimals"),
        ("1.23.4;4\n2;5\n3;6", "Row 1: “1.23.4” is not a number that can be read"),
        ("1,23,456;4\n2;5\n3;6", "Row 1: “1,23,456” is not a number that can be read"),
        ("1;4 kg\n2;5\n3;6", "Row 1: “4 kg” is not a number that can be read"),
        ("1;50%\n2;5\n3;6", "Row 1: “50%” is not a number that can be read"),
        ("n,x,y\n0,1,4\n1,2,5\n2,3,6", "Columns in row 2: 3"),
        ('1,"4\n2,5\n3,6', "Row 1 cannot be read as a table: check its quotation marks"),
    ],
)
def test_what_is_not_read_is_told_truly(table: str, says: str) -> None:
    with pytest.raises(PointsError, match=re.escape(says)):
        parse_points(table)


def test_a_doubtful_number_and_a_column_left_out_are_said() -> None:
    assert parse_points("1.234;4\n2;5,5\n3;6")[1] == ("Row 1: “1.234” is read as 1234.",)
    assert parse_points("1,234\t4\n2\t5\n3\t6")[1] == ("Row 1: “1,234” is read as 1.234.",)
    assert parse_points(",x,y\n0,1,4\n1,2,5\n2,3,6")[1] == (
        "The first column has no name and is left out: it numbers the rows.",
    )
