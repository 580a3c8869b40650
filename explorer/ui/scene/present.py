"""Shown to a room: ← →, or a remote control, walk on through scenes and lessons, Esc leaves; a QR code has the link."""

from html import escape
from urllib.parse import urlencode, urlsplit

import segno
import streamlit as st

from explorer import scenes
from explorer.records.language import t
from explorer.scenes.spec import Lesson, Scene
from explorer.ui import catalogue
from explorer.ui.scene import link, room

#: Buttons, and the key that presses each: an arrow, and what a remote control sends.
_BACK = {"walk_back": "Left", "walk_page_back": "PageUp"}
_ON = {"walk_on": "Right", "walk_page_on": "PageDown"}
#: Letters of a link (all of them ASCII) in a QR code: 85 little squares a side, which a camera reads from the wall.
_MOST_LINK = 500


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
    """Hear the arrow keys, those of a remote control, and Esc; the same as a line at the foot, which fades.

    The style sheet draws its buttons as signs; those of the remote control stand off the screen.
    """
    walk, place, deeper = _place(lesson, scene)
    with st.container(key="walk", horizontal=True):
        back = [st.button(t("Back"), key=key, shortcut=pressed) for key, pressed in _BACK.items()]
        number = t("deeper") if deeper else f"{place + 1} / {len(walk)}"
        st.html(f'<span class="number">{escape(number)}</span>')
        on = [st.button(t("Next"), key=key, shortcut=pressed) for key, pressed in _ON.items()]
        room.button()
        st.button(t("End presenting"), key="walk_end", shortcut="Esc", on_click=link.present, args=(False,))
    if any(back + on):
        there = place + (1 if any(on) else 0 if deeper else -1)
        if 0 <= there < len(walk):
            to, target = walk[there]
            st.switch_page(catalogue.page(to.stem).file, query_params={"scene": target.name, **link.kept_parts()})


def _place(lesson: Lesson, scene: Scene) -> tuple[tuple[tuple[Lesson, Scene], ...], int, bool]:
    """Return the way through all lessons, the scene's place on it, and whether it lies off the way.

    A deeper scene has the place of the last one of its lesson that lies on the way.
    """
    short = link.short(lesson)
    walk = scenes.walk(short=short)
    deeper = (lesson, scene) not in walk
    last = lesson.core[0] if short else lesson.core[-1]
    return walk, walk.index((lesson, last if deeper else scene)), deeper


def code(scene: Scene) -> None:
    """Show the link of what is on the screen as a QR code; beside it, to be typed, where the page is.

    A link with a long text in it is longer than a code can be, or a camera can read: then it is that of the scene. An
    address that leads nobody else here has no code.
    """
    page, shown, said = urlsplit(link.base()), link.whole(), t("QR code of the link to this picture")
    typed = f"{escape(page.netloc)}{escape(page.path)}?scene={escape(scene.name)}"
    if not link.reaches_others():
        st.html(f'<p class="qr"><span>{typed}<br>{link.alone()}</span></p>')
        return
    if len(shown) > _MOST_LINK:
        shown, said = f"{link.base()}?{urlencode({'scene': scene.name})}", t("QR code of the link to this scene")
        typed += f"<br>{t('Opens the scene as it begins.')}"
    drawn = segno.make(shown, error="m").svg_data_uri(border=4)
    st.html(f'<p class="qr"><span>{typed}</span><img src="{drawn}" alt="{said}"></p>')
