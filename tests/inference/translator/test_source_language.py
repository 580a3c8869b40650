"""A text in a wrong language is told from one in the right one; false alarms are counted on real sentences."""

from pathlib import Path

import pytest

from explorer.inference.translator.source_language import language_of


@pytest.mark.parametrize(
    ("text", "expected", "found"),
    [
        ("Je suis déjà français", "en", "fr"),
        ("wir gehen nach hause", "en", "de"),
        ("Hello my friend, I am a banana!", "de", "en"),
        ("asdf qwer zxcv", "en", ""),
        ("Привет мир", "en", ""),
        ("你好世界", "en", "zh"),
        ("I am here today", "zh", "en"),
        ("我爱 Python", "zh", "zh"),
        ("ein hund", "de", "de"),
        ("Where is Khumbulani Nkosi?", "en", "en"),
        ("Tom", "en", "en"),
        ("😀 12:30", "en", "en"),
        ("", "en", "en"),
    ],
)
def test_the_language_of_a_text_is_told(text: str, expected: str, found: str) -> None:
    assert language_of(text, expected) == found


def everyday(language: str) -> set[str]:
    """Sentences that somebody might type."""
    files = Path(__file__).parent.glob(f"everyday_{language}-*.tsv")
    lines = [line for file in files for line in file.read_text(encoding="utf8").splitlines()[1:]]
    return {line.split("\t")[1] for line in lines}


@pytest.mark.parametrize("language", ["en", "de", "fr", "zh"])
def test_everyday_sentences_are_hardly_ever_taken_for_another_language(language: str) -> None:
    """At most one of a hundred is; of those in the wrong field one of seven is not told: names, greetings, numbers."""
    texts = everyday(language)
    assert sum(language_of(text, language) != language for text in texts) <= 0.01 * len(texts)
    for other in {"en", "de", "fr", "zh"} - {language}:
        assert sum(language_of(text, other) == other for text in texts) <= 0.15 * len(texts), other
