"""Folds at a lesson's end: the sections of *Dive into Deep Learning* it follows, and answers to their exercises."""

import streamlit as st

from explorer import scenes
from explorer.checkpoints.manifest import CheckpointError
from explorer.scenes.book import Section
from explorer.scenes.spec import Lesson
from explorer.ui import layout
from explorer.ui.language import t
from explorer.ui.scene import exercises


@st.fragment
def folds(stem: str) -> None:
    """Show a fold for each section; nothing is computed before it is opened."""
    lesson = scenes.lesson(stem)
    for section in lesson.book:
        label = t("In the book: {section}").format(section=f"{section.number} {section.title}")
        key = section.prose.replace("-", "_")
        fold = st.expander(label, icon=":material/menu_book:", key=key, type="compact", on_change="rerun")
        if fold.open:
            with fold:
                _section(lesson, section)


def _section(lesson: Lesson, section: Section) -> None:
    book = t("*Dive into Deep Learning*, edition 1.0.3, section {number}").format(number=section.number)
    st.markdown(f"[{book}]({section.address})")
    try:
        layout.prose(lesson.stem, section.prose, **exercises.values(lesson))
    except CheckpointError:
        st.caption(t("The answer needs a model that cannot be read."))
