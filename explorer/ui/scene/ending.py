"""Below the first screen: why it is so, the lines that matter, and, at a lesson's end, what to take away."""

import importlib
from collections.abc import Mapping
from functools import partial
from typing import Any

import streamlit as st

from explorer import scenes
from explorer.checkpoints.manifest import CheckpointError
from explorer.records.wording import typeset
from explorer.scenes.spec import Lesson, Scene
from explorer.ui import catalogue, downloads, language, layout
from explorer.ui.language import t
from explorer.ui.scene import exercises, in_the_book, link, work_sheet


def place() -> tuple[Any, Any]:
    """Make room below the first screen.

    Returns:
        What takes all of it, and what takes the scene's prose.
    """
    below = st.container(key="below")
    return below, below.container(key="why")


def why(lesson: Lesson, scene: Scene, values: Mapping[str, str]) -> None:
    """Show the scene's prose, filled with what its stage computed."""
    st.subheader(t("Why it is so"), anchor=False)
    layout.prose(lesson.stem, scene.name, **{name: typeset(value) for name, value in values.items()})


def draw(lesson: Lesson, scene: Scene, below: Any, why: Any) -> None:
    """Show the lines that matter, and the way on: what stays as it is while the scene is drawn anew.

    Args:
        lesson: its take-away and exercises stand below the last core scene.
        scene: the one that is open.
        below: takes all of it.
        why: has the scene's prose.
    """
    with why:
        _code(lesson.module(scene.name))
    with below:
        if scene is lesson.core[-1]:
            with st.container(key="takeaway"):
                _take_away(lesson)
                _work_sheet(lesson)
            if lesson.exercises:
                with st.container(key="exercises"):
                    _exercises(lesson.stem)
            with st.container(key="book"):
                in_the_book.folds(lesson.stem)
        with st.container(key="on"):
            _on(lesson, scene)


@st.fragment
def _code(path: str) -> None:
    """Show the lines that matter, if the scene's file names any."""
    functions = getattr(importlib.import_module(path), "CODE", ())
    if functions:
        layout.code(*functions)


def _take_away(lesson: Lesson) -> None:
    """Show what the reader knows now."""
    st.subheader(t("What you know now"), anchor=False)
    layout.prose(lesson.stem, "takeaway")


@st.fragment
def _exercises(stem: str) -> None:
    """Show the exercises side by side."""
    lesson = scenes.lesson(stem)
    st.subheader(t("Exercises"), anchor=False)
    for number, column in enumerate(st.columns(lesson.exercises, gap="medium"), 1):
        with column:
            st.markdown(f"**{number}.** {language.prose(lesson.stem, f'exercise_{number}')}")
            fold = st.expander(t("Answer"), key=f"exercise_{number}", type="compact", on_change="rerun")
            if fold.open:
                with fold:
                    _answer(lesson, number)


def _answer(lesson: Lesson, number: int) -> None:
    try:
        layout.prose(lesson.stem, f"answer_{number}", **exercises.values(lesson))
    except CheckpointError:
        st.caption(t("The answer needs a model that cannot be read."))


def _work_sheet(lesson: Lesson) -> None:
    """Offer the lesson on paper, and its answers; both are made when they are asked for."""
    st.subheader(t("On paper"), anchor=False)
    words, address = language.current(), link.base()
    with st.container(key="on_paper", horizontal=True):
        for name, label, make in (
            ("work_sheet", t("Work sheet"), work_sheet.sheet),
            ("answers", t("Answers to the work sheet"), work_sheet.answers),
        ):
            downloads.file(
                label,
                partial(make, lesson, words, address),
                f"{lesson.stem}_{name}_{words}.html",
                "text/html",
                key=f"paper_{name}",
                said=t("One file to print; it opens offline"),
                large=True,
                icon=":material/print:",
            )


def _on(lesson: Lesson, scene: Scene) -> None:
    """Show the next scene of the way, or, behind the last core scene and the deeper ones, the next lesson."""
    if link.short(lesson):
        short_way(lesson)
        return
    place = lesson.core.index(scene) + 1 if scene.core else len(lesson.core)
    if place < len(lesson.core):
        after = lesson.core[place]
        label = t("Next: {what}").format(what=t(after.title))
        icon = ":material/arrow_forward:"
        st.button(label, key="next_scene", icon=icon, icon_position="right", on_click=link.name, args=(after,))
        return
    page = catalogue.following(lesson.stem)
    if page:
        _link(page.file, t("Next lesson: {what}").format(what=t(page.title)))


def short_way(lesson: Lesson) -> None:
    """Link the next picture of the short way; behind the last, all lessons."""
    place = scenes.SHORT.index(lesson.stem) + 1
    if place < len(scenes.SHORT):
        there, target = scenes.walk(short=True)[place]
        _link(catalogue.page(there.stem).file, t("Next: {what}").format(what=t(target.title)))
    else:
        st.page_link(catalogue.HOME.file, label=t("All lessons"), icon=":material/home:")


def _link(file: str, label: str) -> None:
    icon = ":material/arrow_forward:"
    st.page_link(file, label=label, icon=icon, icon_position="right", query_params=link.kept())
