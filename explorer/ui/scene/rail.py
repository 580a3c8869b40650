"""Rail beside the stage: question, controls, prediction, presets."""

import html
from collections.abc import Mapping
from typing import Any

import streamlit as st

from explorer.records.language import t
from explorer.scenes.controls import find_declared
from explorer.scenes.spec import Lesson, Preset, Scene
from explorer.ui import choice
from explorer.ui.scene import state


def question(scene: Scene) -> None:
    """Show the question, and one to three sentences."""
    st.html(f'<h2 class="question">{html.escape(t(scene.question))}</h2>')
    st.markdown(t(scene.lead))


def more() -> Any:
    """Open the fold for what is set seldom: `with rail.more(): …`; it belongs to the link all the same."""
    return st.expander(t("More settings"), icon=":material/tune:", type="compact")


def ask(controls: Mapping[str, Any]) -> dict[str, Any]:
    """Draw the controls that are declared, those of *More settings* in it; return what they hold, by name."""
    asked = find_declared(controls)
    found = {key: choice.ask(key) for key, each in asked.items() if not each.more}
    if len(found) < len(asked):
        with more():
            found |= {key: choice.ask(key) for key, each in asked.items() if each.more}
    return {asked[key].field_of(key): value for key, value in found.items()}


def presets(lesson: Lesson, scene: Scene) -> None:
    """Show states worth seeing, the one that holds marked, and what to look for in it."""
    if not scene.presets:
        return
    active = next((each for each in scene.presets if state.holds(lesson, scene, each.state)), None)
    with st.container(key="try"):
        with st.container(key="presets", horizontal=True):
            st.html(f'<p class="try">{html.escape(t("Try"))}</p>', width="content")
            for place, preset in enumerate(scene.presets):
                _preset(lesson, scene, place, preset, preset is active)
        if active:
            st.html(f'<p class="look">{html.escape(t(active.look))}</p>')


def _preset(lesson: Lesson, scene: Scene, place: int, preset: Preset, active: bool) -> None:
    st.button(
        t(preset.label),
        key=f"try_{scene.name}_{place}",
        type="primary" if active else "secondary",
        on_click=state.put,
        args=(lesson, scene, preset.state),
    )
