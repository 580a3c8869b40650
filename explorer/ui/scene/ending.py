"""Below the first screen: why it is so, the lines that matter, and, at a lesson's end, what to take away."""

import importlib
from collections.abc import Mapping
from functools import partial
from html import escape
from typing import Any

import streamlit as st

from explorer import scenes
from explorer.records.language import current_language, t
from explorer.records.wording import typeset
from explorer.scenes import thread
from explorer.scenes.spec import Lesson, Scene
from explorer.ui import catalogue, downloads, language, layout
from explorer.ui.messages import NO_MODEL
from explorer.ui.scene import exercises, in_the_book, link, work_sheet

#: Where a lesson's end stands on its page.
_END = "know"


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
        if scene is lesson.core[-1] and not link.short(lesson):
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


def announce(lesson: Lesson, scene: Scene) -> None:
    """Say beside the tabs that the end of a lesson, or of the short way, stands below its last scene."""
    if link.short(lesson):
        last, said = lesson.stem == scenes.SHORT[-1], t("What you have seen")
    else:
        last, said = scene is lesson.core[-1], t("What you know now")
    if last:
        st.html(f'<a class="ending" href="#{_END}">{escape(said)} ↓</a>', width="content")


def _take_away(lesson: Lesson) -> None:
    """Show what the reader knows now."""
    st.subheader(t("What you know now"), anchor=_END)
    layout.prose(lesson.stem, "takeaway")
    asked, answer = t(thread.QUESTION), t(thread.ANSWERS[lesson.stem])
    st.markdown(
        t("**The thread:** “{sentence}” {question} {answer}").format(
            sentence=thread.SENTENCE, question=asked, answer=answer
        )
    )


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
    except NO_MODEL:
        st.caption(t("The answer needs a model that cannot be read."))


def _work_sheet(lesson: Lesson) -> None:
    """Offer the lesson on paper, and its answers; both are made when they are asked for."""
    st.subheader(t("On paper"), anchor=False)
    words, others = current_language(), link.reaches_others()
    address = link.base() if others else ""
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
    if not others:
        st.caption(t("The sheets have no links. {why}").format(why=link.alone()))


def _on(lesson: Lesson, scene: Scene) -> None:
    """Show the next scene of the way, or, behind the last core scene and the deeper ones, the next lesson."""
    if link.short(lesson):
        if lesson.stem == scenes.SHORT[-1]:
            _harvest()
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


def _harvest() -> None:
    """Say at the end of the short way what was seen, and what to do next."""
    st.subheader(t("What you have seen"), anchor=_END)
    st.markdown(f"“{thread.SENTENCE}” {t(thread.QUESTION)}")
    st.markdown(
        "\n".join(
            f"1. {sentence}"
            for sentence in (
                t("A *query* asks, *keys* say who fits; the answer is the mean of the *values*, weighted by the fit."),
                t("With attention a model looks back at all words while it writes: no vector must hold them all."),
                t("Many heads look at once, each in its own way. What a look is worth shows when it is forbidden."),
            )
        )
    )
    file, query = catalogue.page("translator").file, {"scene": "change"}
    label = t("Next: cross out a word, and see what the translator loses")
    st.page_link(file, label=label, icon=":material/arrow_forward:", icon_position="right", query_params=query)


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
    st.page_link(file, label=label, icon=icon, icon_position="right", query_params=link.kept_parts())
