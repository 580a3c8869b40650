"""Famous couplets: a file in good order, every line of it learned from or held out, none of them both."""

import re

import opencc

from explorer.data.tasks import N_HELD_OUT_VERSES, split_task
from explorer.data.verses import FILE, verses

ROW = re.compile(r"([\u4e00-\u9fff]{5}\t[\u4e00-\u9fff]{5}|[\u4e00-\u9fff]{7}\t[\u4e00-\u9fff]{7})")


def test_both_lines_have_five_or_seven_characters_and_no_line_comes_twice() -> None:
    rows = FILE.read_text(encoding="utf-8").splitlines()
    assert [row for row in rows if not ROW.fullmatch(row)] == []
    assert len(rows) == len(verses()) >= 250
    lines = [line for row in rows for line in row.split("\t")]
    assert len(set(lines)) == len(lines)
    assert [f"{pair.source}\t{pair.targets[0]}" for pair in verses()] == rows


def test_characters_are_simplified() -> None:
    text = FILE.read_text(encoding="utf-8")
    assert opencc.OpenCC("t2s").convert(text) == text


def test_every_couplet_is_learned_or_held_out() -> None:
    data = split_task("verses", 20_000, seed=1)
    assert len(data.held_out) == N_HELD_OUT_VERSES
    assert {*data.train, *data.held_out} == set(verses())
    assert len(data.train) == len(verses()) - N_HELD_OUT_VERSES
    lines = [{line for pair in part for line in (pair.source, *pair.targets)} for part in (data.train, data.held_out)]
    assert not lines[0] & lines[1]
