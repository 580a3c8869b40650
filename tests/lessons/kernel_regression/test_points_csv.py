"""A reader's own table: what is understood, and what each bad row is told."""

import pytest

from explorer.lessons.kernel_regression.points import MOST_POINTS
from explorer.lessons.kernel_regression.points_csv import MOST_BYTES, PointsError, parse_points

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
        (b"1,2\n\xff\xff,3\n4,5", "not text in UTF-8"),
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
    with pytest.raises(PointsError, match="LINE 2"):
        parse_points("1,2\n3,x\n4,5", lambda message: message.replace("Row {row}", "LINE {row}"))
