"""Prose splits into sections; a missing one is an error; messages fall back to English."""

import itertools
import os
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from explorer.records.language import speaking, t
from explorer.ui import catalogue, language
from tests.conftest import ROOT


def test_sections_split_at_their_marks() -> None:
    text = "<!-- section: a -->\nOne\n\n<!-- section: b-2 of: 0a1b -->\nTwo $x^{2}$\n"
    assert language.sections(text) == {"a": ("", "One"), "b-2": ("0a1b", "Two $x^{2}$")}


def test_prose_that_was_changed_is_read_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language, "LOCALE", tmp_path)
    file = tmp_path / "content" / "en" / "page.md"
    file.parent.mkdir(parents=True)
    for number, text in enumerate(("One", "Two")):
        file.write_text(f"<!-- section: a -->\n{text}\n")
        os.utime(file, (number, number))
        assert language.prose("page", "a") == text


def test_outside_a_session_messages_are_english() -> None:
    assert t("Kernel regression") == "Kernel regression"


@pytest.mark.parametrize(
    ("asked", "expected"),
    [("zh", "核回归"), ("en", "Kernel regression"), ("fr", "Kernel regression"), ("<b>", "Kernel regression")],
)
def test_language_comes_from_the_link(monkeypatch: pytest.MonkeyPatch, asked: str, expected: str) -> None:
    monkeypatch.chdir(ROOT)
    script = "import streamlit as st\nfrom explorer.records.language import t\nst.write(t('Kernel regression'))"
    app = AppTest.from_string(script)
    app.query_params["lang"] = asked
    assert app.run().markdown[0].value == expected


def test_pages_follow_each_other_as_in_the_catalogue() -> None:
    for before, after in itertools.pairwise(catalogue.PAGES):
        assert catalogue.following(before.stem) is after
    assert catalogue.following(catalogue.PAGES[-1].stem) is None
    with pytest.raises(KeyError):
        catalogue.page("no such page")


def test_sentences_that_were_put_together_stand_close_in_chinese() -> None:
    text = "甲。 乙，丙！ **丁** 戊: a b"
    assert language.closed_up(text) == text
    with speaking("zh"):
        assert language.closed_up(text) == "甲。乙，丙！**丁** 戊：a b"
