"""A reader's own table is read, or refused with the row and the reason."""

import re

import pytest

from explorer.data.parallel.own_pairs import MOST_BYTES, MOST_PAIRS, OwnPairsError, parse_pairs
from explorer.records.language import speaking


def table(mark: str = "\t", n: int = 25, header: str = "") -> str:
    return header + "".join(f"a{i}{mark}{i}b\n" for i in range(n))


@pytest.mark.parametrize("mark", ["\t", ";", ","])
@pytest.mark.parametrize("header", ["", "source{}target\n", "Input{}Output\n"])
def test_two_columns(mark: str, header: str) -> None:
    found = parse_pairs(table(mark, header=header.format(mark)))
    assert found.pairs[:2] == (("a0", "0b"), ("a1", "1b"))
    assert (len(found.pairs), found.repeated) == (25, 0)


@pytest.mark.parametrize(
    "data",
    [
        table().encode("utf-8"),
        table().encode("utf-8-sig"),
        table().encode("utf-16"),
        table().replace("\n", "\r\n").encode(),
        table().replace("\n", "\n\n") + "\n \n",
        "\ufeff" + table(),
    ],
)
def test_files_as_programs_write_them(data: bytes | str) -> None:
    assert len(parse_pairs(data).pairs) == 25


def test_quotes_spaces_and_what_cannot_be_seen() -> None:
    rows = table(",") + '"one, two",three\n"a ""b""",c\n  x \u200b y  ,\u202ez\x07\n'
    assert parse_pairs(rows).pairs[-3:] == (("one, two", "three"), ('a "b"', "c"), ("x y", "z"))


def test_a_source_is_taken_once() -> None:
    found = parse_pairs(table() + "a3\tother\n")
    assert (dict(found.pairs)["a3"], found.repeated) == ("3b", 1)


@pytest.mark.parametrize(
    ("data", "reason", "row"),
    [
        ("", "few", 0),
        (table(n=19), "few", 0),
        ("x" * (MOST_BYTES + 1), "bytes", 0),
        (b"\xff\x00\x81\t\x80\n", "encoding", 0),
        (b"\x80\x81", "encoding", 0),
        (table() + "one\n", "columns", 26),
        (table() + "one\ttwo\tthree\n", "columns", 26),
        (table() + "one\t\n", "empty_cell", 26),
        (table() + "\u200b\tone\n", "empty_cell", 26),
        (table() + "x" * 61 + "\ty\n", "long_cell", 26),
        (table() + '"one\ttwo\n', "table", 26),
        (table(n=MOST_PAIRS + 1), "many", 0),
        ("".join(f"{i}\tsame\n" for i in range(30)), "alike", 0),
        ("<script>alert(1)</script>\n" * 30, "columns", 1),
    ],
)
def test_anything_else_is_refused(data: bytes | str, reason: str, row: int) -> None:
    with pytest.raises(OwnPairsError) as refused:
        parse_pairs(data)
    assert (refused.value.reason, refused.value.row) == (reason, row)
    assert str(refused.value) == refused.value.explain()
    assert "{" not in str(refused.value)


def test_words_may_be_longer_than_characters() -> None:
    row = "word " * 50 + "\ty\n"
    assert len(parse_pairs(table() + row, "words").pairs) == 26
    with pytest.raises(OwnPairsError, match="249 tokens; at most 60"):
        parse_pairs(table() + row, "characters")


def test_in_the_readers_language() -> None:
    with speaking("zh"):
        assert re.search("[一-鿿]", OwnPairsError("alike").explain())
