"""Verse as a text to learn from: its form, its layout, its split; and letters that are repeated."""

import gzip
from pathlib import Path

import pytest

from explorer.data.corpus import VERSE_AT_LEAST, read_corpus
from explorer.data.repeats import LINE, repeats
from explorer.data.text import TextError
from explorer.data.verse import as_typed, format_poem, is_regulated, keeps_form, lay_out, read_poems, split, verse_lines

POEM = ("床前明月光", "疑是地上霜", "举头望明月", "低头思故乡")


def poems(count: int) -> list[tuple[str, ...]]:
    """Poems that share no line."""
    return [tuple(chr(0x4E00 + 4 * number + line) * 5 for line in range(4)) for number in range(count)]


def file_of(folder: Path, rows: list[str], name: str = "poems.tsv.gz") -> Path:
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(gzip.compress("\n".join(rows).encode()))
    return folder


def test_only_regulated_verse_is_read_each_poem_once(tmp_path: Path) -> None:
    text = format_poem(POEM)
    rows = [f"静夜思\t李白\t{text}", f"又\t李白\t{text}", "长\t甲\t天地玄黄，宇宙洪荒。日月盈昃，辰宿列张。"]
    rows += [f"序\t有序言\t乙\t{format_poem(poems(1)[0])}", "乱\t丙\t天地，宇宙洪荒。日月，辰宿。", "空\t丁\t"]
    assert read_poems(file_of(tmp_path, rows) / "poems.tsv.gz") == [POEM, poems(1)[0]]


@pytest.mark.parametrize(
    ("lines", "regulated"),
    [(POEM, True), (POEM * 2, True), (POEM * 3, False), (POEM[:3], False), (("天地玄黄",) * 4, False), ((), False)],
)
def test_four_or_eight_lines_of_five_or_seven(lines: tuple[str, ...], *, regulated: bool) -> None:
    assert is_regulated(lines) == regulated


def test_a_poem_is_a_line_of_the_text() -> None:
    assert lay_out([POEM]) == "\n床前明月光，疑是地上霜。举头望明月，低头思故乡。\n"
    assert verse_lines(format_poem(POEM)) == POEM


@pytest.mark.parametrize(
    "typed",
    ["床前明月光, 疑是地上霜.\n举头望明月；低头思故乡！", "床前明月光，疑是地上霜。\r\n举头望明月，低头思故乡。  "],
)
def test_what_readers_type_is_laid_out(typed: str) -> None:
    assert as_typed(typed) == format_poem(POEM)


@pytest.mark.parametrize(
    ("text", "keeps"),
    [
        (format_poem(POEM), True),
        (format_poem(POEM[:2]), False),
        (format_poem((*POEM[:3], "低头思故")), False),
        (format_poem(POEM).replace("。", "，"), False),
        ("春" + format_poem(POEM)[1:], False),
    ],
)
def test_whether_a_poem_keeps_the_form_of_its_opening(text: str, *, keeps: bool) -> None:
    assert keeps_form(text, POEM[0] + "，") == keeps


def test_no_poem_and_no_line_is_on_both_sides() -> None:
    many = poems(60)
    many[19] = (*many[19][:3], many[4][0])  # the twentieth borrows a line
    train, held_out = split(many)
    assert len(train) == 54
    assert held_out == [many[each] for each in (9, 29, 39, 49, 59)]
    assert not {line for poem in train for line in poem} & {line for poem in held_out for line in poem}


def test_a_folder_of_poems_is_a_corpus(tmp_path: Path) -> None:
    rows = [f"题\t人\t{format_poem(poem)}" for poem in poems(20)]
    corpus = read_corpus(file_of(tmp_path / "verse", rows))
    assert corpus.kind == "verse"
    assert corpus.train.count("\n") == 19
    assert corpus.held_out.count("\n") == 3
    tokenizer = corpus.tokenizer()
    assert {"，", "。", "\n"} < set(tokenizer.characters)
    rare = [each for each in tokenizer.characters if corpus.train.count(each) < VERSE_AT_LEAST]
    assert rare == []


def test_a_folder_with_a_text_is_a_text(tmp_path: Path) -> None:
    (tmp_path / "input.txt").write_text("abcdefghij")
    corpus = read_corpus(tmp_path)
    assert (corpus.kind, corpus.train, corpus.held_out) == ("text", "abcdefghi", "j")


@pytest.mark.parametrize("rows", [["题\t人\t" + format_poem(POEM)] * 3, ["no poem at all"], [""]])
def test_too_little_verse_is_refused(tmp_path: Path, rows: list[str]) -> None:
    with pytest.raises(TextError, match="poem"):
        read_corpus(file_of(tmp_path / "few", rows))


def test_letters_are_repeated() -> None:
    lines = repeats(3, 50).strip().split("\n")
    assert repeats(3, 50) == repeats(3, 50) != repeats(4, 50)
    assert {len(line) for line in lines} == {LINE}
    for line in lines:
        assert any(line == (line[:n] * LINE)[:LINE] for n in range(5, 21)), line
