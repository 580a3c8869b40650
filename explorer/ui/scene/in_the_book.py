"""Folds at a lesson's end: the sections of *Dive into Deep Learning* it follows, and answers to their exercises."""

import streamlit as st

from explorer import scenes
from explorer.records.language import current_language, t
from explorer.scenes.book import Section
from explorer.scenes.spec import Lesson
from explorer.ui import layout
from explorer.ui.messages import NO_MODEL
from explorer.ui.scene import exercises


@st.fragment
def folds(stem: str) -> None:
    """Show a fold for each section; nothing is computed before it is opened."""
    lesson = scenes.lesson(stem)
    for section in lesson.book:
        key = section.prose.replace("-", "_")
        fold = st.expander(label(section), icon=":material/menu_book:", key=key, type="compact", on_change="rerun")
        if fold.open:
            with fold:
                _section(lesson, section)


def label(section: Section) -> str:
    """Name a section, that of the reader's own language first."""
    english = f"{section.number} {section.title}"
    if section.chinese is None:
        return t("In the book: {section}").format(section=english)
    chinese = section.chinese
    if current_language() == "zh":
        return t("In the book: {section} (English edition: {other})").format(
            section=f"{chinese.number} {chinese.title}", other=section.number
        )
    return t("In the book: {section} (Chinese edition: {other})").format(section=english, other=chinese.number)


def editions(lesson: Lesson, section: Section) -> list[tuple[str, str]]:
    """Return a link to each edition as Markdown, and the lesson's prose that answers it, empty where none does.

    That of the reader's own language comes first.
    """
    book = t("*Dive into Deep Learning*, edition 1.0.3, section {number}").format(number=section.number)
    found = [(f"[{book}]({section.address})", section.prose)]
    if chinese := section.chinese:
        book = t("*Dive into Deep Learning*, Chinese edition 2.0, section {number}").format(number=chinese.number)
        named = f"[{book}: {chinese.title}]({chinese.address})"
        first = lesson is scenes.first_with(section)
        found.append((named, chinese.prose if chinese.exercises and first else ""))
        if current_language() == "zh":
            found.reverse()
    if not all(prose for _, prose in found):
        found = [(t("; ").join(named for named, _ in found), section.prose)]
    return found


def _section(lesson: Lesson, section: Section) -> None:
    """Show both editions with their answers."""
    try:
        for named, prose in editions(lesson, section):
            st.markdown(named)
            layout.prose(lesson.stem, prose, **exercises.values(lesson))
    except NO_MODEL:
        st.caption(t("The answer needs a model that cannot be read."))
