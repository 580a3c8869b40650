"""A page of scenes, from its lesson in `explorer.scenes`."""

import importlib
import sys
from typing import Any

import streamlit as st

from explorer import scenes
from explorer.records.language import current_language, t
from explorer.scenes.spec import SIGHT, Lesson, Scene
from explorer.ui import catalogue, downloads, fields, language, layout, messages, server_setup
from explorer.ui.scene import ending, follow, link, predict, present, rail, room, runs_on, state, style

#: Height of the stage while its numbers are computed for the first time.
_WAITING = 480


def draw(stem: str) -> None:
    """Draw the shell, the tabs and the scene that is open."""
    lesson, page = scenes.lesson(stem), catalogue.page(stem)
    layout.configure(t(page.title))
    deeper = len(lesson.core) if len(lesson.core) < len(lesson.scenes) else None
    layout.shell()
    style.scenes(present=link.presenting(), first_deeper=deeper)
    _title(page, lesson)
    follow.draw(lesson)
    tabs = _tabs(lesson)
    for tab, scene in zip(tabs, lesson.scenes, strict=True):
        if tab.open:
            with tab:
                above, (below, why) = st.container(), ending.place()
                with above:
                    drawn = _scene(stem, scene.name, why)
                if drawn:
                    ending.draw(lesson, scene, below, why)
            if link.presenting():
                present.keys(lesson, scene)
    server_setup.configure_server()


def _title(page: catalogue.Page, lesson: Lesson) -> None:
    with st.container(key="titlerow", horizontal=True, vertical_alignment="center"):
        st.title(t(page.title), anchor=False, width="content")
        if link.short(lesson):
            number, count = scenes.SHORT.index(lesson.stem) + 1, len(scenes.SHORT)
            st.caption(t("Picture {number} of {count}").format(number=number, count=count))
            if not link.presenting():
                ending.short_way(lesson)
        else:
            number, count = catalogue.PAGES.index(page) + 1, len(catalogue.PAGES)
            st.caption(t("Lesson {number} of {count}").format(number=number, count=count))
        if not link.presenting():
            ending.announce(lesson, link.asked_scene(lesson))
        present.button()
        downloads.copy_link()


def _tabs(lesson: Lesson) -> Any:
    """Show a tab for each scene, the one in the address open; unbound, or Streamlit would write the label there."""
    key = f"scene_{lesson.stem}_{current_language()}"
    labels = [
        f"{place} {t(scene.title)}" if scene.core else t(scene.title) for place, scene in enumerate(lesson.scenes, 1)
    ]
    asked = link.asked_scene(lesson)
    label = labels[lesson.scenes.index(asked)]

    def turned() -> None:
        link.name(lesson.scenes[labels.index(st.session_state[key])])
        for each, usual in SIGHT.items():  # every scene opens with its picture
            fields.follow(each, usual)

    if st.session_state.get(key, label) != label:
        st.session_state[key] = label
    with st.container(key="tabs"):
        return st.tabs(labels, key=key, default=label, on_change=turned)


@st.fragment
def _scene(stem: str, name: str, why: Any) -> bool:
    """Show rail and stage, and the prose filled with their numbers; runs alone when one of its controls is moved.

    What a control changes is drawn anew with all that this draws: the less it is, the sooner it is seen.

    Args:
        stem: the lesson.
        name: the scene.
        why: takes the prose.

    Returns:
        Whether the scene could be drawn.
    """
    language.catch_up()
    runs_on.note("")
    link.meet_former_maps()
    lesson = scenes.lesson(stem)
    scene = lesson.scene(name)
    downloads.name_after(f"{stem}-{name}")
    with st.container(key="scene", horizontal=True):
        beside, stage = st.container(key="rail"), st.container(key="stage")
    with beside, st.container(key="asked"):
        rail.question(scene)
    module, said = _module(lesson, scene, stage), stage.container(key="said")
    link.keep(lesson, scene)
    values = None
    with messages.at(said):
        with beside, st.container(key="moved"):
            chosen = _controls(module)
            if scene.prediction:
                predict.card(lesson, scene, module.answer)
            if link.presenting():
                room.panel(lesson, scene, module)
            rail.presets(lesson, scene)
            if link.presenting():
                present.code(scene)
        link.say_left_out(state.current(lesson, scene), lesson.defaults(scene))
        predict.hold_back_readings(lesson, scene)
    with stage, messages.explain():
        values = module.stage(*chosen) or {} if chosen else None
    if values is None:
        why.empty()
        return False
    with why:
        ending.why(lesson, scene, values)
    return True


def _controls(module: Any) -> tuple[Any, ...]:
    """Show the scene's controls, and return what they are set to; nothing, and a message, where it cannot be computed.

    A checkpoint can be damaged at any time, and what was read before hides it.
    """
    with messages.explain():
        lost = module.find_unusable() if hasattr(module, "find_unusable") else None
        if not lost:
            return (module.controls(),)
        messages.no_file(*lost)
    return ()


def _module(lesson: Lesson, scene: Scene, stage: Any) -> Any:
    """Return the scene's file; a skeleton stands on the stage while it is imported for the first time, with torch."""
    path = lesson.module(scene.name)
    # In every run, or what follows would change its place after the first and begin anew.
    waiting = stage.container(key="waiting")
    if path in sys.modules:
        return importlib.import_module(path)  # waits, where another reader's visit is still importing it
    with waiting, st.skeleton(height=_WAITING):
        return importlib.import_module(path)
