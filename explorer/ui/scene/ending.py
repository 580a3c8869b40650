"""Below the first screen: why it is so, the lines that matter, and, at a lesson's end, what to take away."""

import importlib
from collections.abc import Mapping
from typing import Any

import streamlit as st

from explorer import scenes
from explorer.scenes.spec import Lesson, Scene
from explorer.ui import catalogue, language, layout
from explorer.ui.language import t
from explorer.ui.scene import link


def draw(lesson: Lesson, scene: Scene, module: Any, values: Mapping[str, str]) -> None:
    """Show the scene's prose, filled with what its stage computed; then the way on."""
    with st.container(key="below"):
        with st.container(key="why"):
            st.subheader(t("Why it is so"), anchor=False)
            layout.prose(lesson.stem, scene.name, **values)
            for function in getattr(module, "CODE", ()):
                layout.code(function)
        if scene is lesson.core[-1]:
            with st.container(key="takeaway"):
                _take_away(lesson)
        with st.container(key="on"):
            _on(lesson, scene)


def _take_away(lesson: Lesson) -> None:
    """Show what the reader knows now, and exercises whose answers are computed and hidden."""
    st.subheader(t("What you know now"), anchor=False)
    layout.prose(lesson.stem, "takeaway")
    if not lesson.exercises:
        return
    st.subheader(t("Exercises"), anchor=False)
    for number in range(1, lesson.exercises + 1):
        st.markdown(f"**{number}.** {language.prose(lesson.stem, f'exercise_{number}')}")
        fold = st.expander(t("Answer"), key=f"exercise_{number}", type="compact", on_change="rerun")
        if fold.open:
            with fold:
                layout.prose(lesson.stem, f"answer_{number}", **exercise_values(lesson))


def exercise_values(lesson: Lesson) -> Mapping[str, str]:
    """Return what fills the placeholders of the answers: `values()` of the lesson's file `exercises`."""
    values: Mapping[str, str] = importlib.import_module(lesson.module("exercises")).values()
    return values


def _on(lesson: Lesson, scene: Scene) -> None:
    """Show the next scene of the way, or, behind the last core scene and the deeper ones, the next lesson."""
    if link.short() and lesson.stem in scenes.SHORT[:-1]:
        there, target = scenes.walk(short=True)[scenes.SHORT.index(lesson.stem) + 1]
        _link(catalogue.page(there.stem).file, t("Next: {what}").format(what=t(target.title)))
        return
    place = lesson.core.index(scene) + 1 if scene.core else len(lesson.core)
    if place < len(lesson.core):
        after = lesson.core[place]
        label = t("Next: {what}").format(what=t(after.title))
        icon = ":material/arrow_forward:"
        if st.button(label, key="next_scene", icon=icon, icon_position="right"):
            link.name(after)
            st.rerun()
        return
    page = catalogue.neighbours(lesson.stem)[1]
    if page:
        _link(page.file, t("Next lesson: {what}").format(what=t(page.title)))


def _link(file: str, label: str) -> None:
    icon = ":material/arrow_forward:"
    st.page_link(file, label=label, icon=icon, icon_position="right", query_params=link.kept())
