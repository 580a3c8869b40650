"""Shown to a room: ← → walk through the core scenes and into the next lesson, Esc leaves, a QR code has the link."""

import segno
import streamlit as st

from explorer import scenes
from explorer.scenes.spec import Lesson, Scene
from explorer.ui import catalogue
from explorer.ui.language import t
from explorer.ui.scene import link


def button() -> None:
    """Begin to present."""
    st.button(
        t("Present"),
        key="present",
        type="tertiary",
        icon=":material/present_to_all:",
        help=t("For a room: large, without the menu; ← → walk on, Esc ends"),
        on_click=link.present,
        args=(True,),
    )


def keys(lesson: Lesson, scene: Scene) -> None:
    """Hear the arrow keys and Esc. The buttons stand off the screen."""
    with st.container(key="walk"):
        back = st.button(t("Back"), key="walk_back", shortcut="Left")
        on = st.button(t("Next"), key="walk_on", shortcut="Right")
        st.button(t("End presenting"), key="walk_end", shortcut="Esc", on_click=link.present, args=(False,))
    if back or on:
        _go(lesson, scene, 1 if on else -1)


def _go(lesson: Lesson, scene: Scene, step: int) -> None:
    """Open the scene before or after on the way, of this lesson or of another one; stay where there is none."""
    short = link.short() and lesson.stem in scenes.SHORT
    walk = scenes.walk(short=short)
    last = lesson.core[0] if short else lesson.core[-1]
    here = (lesson, scene) if (lesson, scene) in walk else (lesson, last)
    place = walk.index(here) + step
    if 0 <= place < len(walk):
        there, target = walk[place]
        st.switch_page(catalogue.page(there.stem).file, query_params={"scene": target.name, **link.kept()})


def code() -> None:
    """Show the link of what is on the screen as a QR code."""
    drawn = segno.make(link.whole(), error="m").svg_data_uri(border=0)
    st.html(f'<p class="qr"><img src="{drawn}" alt="{t("QR code of the link to this picture")}"></p>')
