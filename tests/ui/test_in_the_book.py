"""The folds of the book: both editions, that of the reader's own language first."""

import pytest

from explorer import scenes
from explorer.records.language import speaking
from explorer.scenes.book import Section
from explorer.ui.scene import in_the_book

BOTH = [
    pytest.param(lesson.stem, section, id=section.number)
    for lesson in scenes.LESSONS
    for section in lesson.book
    if section.chinese and scenes.first_with(section) is lesson
]


@pytest.mark.parametrize("words", ["en", "zh"])
@pytest.mark.parametrize(("stem", "section"), BOTH)
def test_the_edition_of_the_readers_language_comes_first(
    stem: str, section: Section, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []
    monkeypatch.setattr(in_the_book.st, "markdown", shown.append)
    monkeypatch.setattr(in_the_book.layout, "prose", lambda _, prose, **values: shown.append(f"<{prose}>"))
    monkeypatch.setattr(in_the_book.exercises, "values", lambda _: {})
    chinese = section.chinese
    assert chinese is not None
    with speaking(words):
        label = in_the_book.label(section)
        in_the_book._section(scenes.lesson(stem), section)
    said = " ".join(shown)
    positions = [said.index(each) for each in (section.address, chinese.address)]
    numbers = [label.index(each) for each in (section.number, chinese.number)]
    prose = [said.index(f"<{each}>") for each in (section.prose, chinese.prose) if f"<{each}>" in said]
    assert len(prose) == (2 if chinese.exercises else 1)
    for found in (positions, numbers, prose):
        assert found == sorted(found, reverse=words == "zh")
