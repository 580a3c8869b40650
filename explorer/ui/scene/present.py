"""Shown to a room: ← →, or a remote control, walk on through scenes and lessons, Esc leaves; a QR code has the link."""

from html import escape
from urllib.parse import urlencode, urlsplit

import segno
import streamlit as st

from explorer import scenes
from explorer.scenes.spec import Lesson, Scene
from explorer.ui import catalogue
from explorer.ui.language import t
from explorer.ui.scene import link

#: Buttons off the screen, and the key that presses each: an arrow, and what a remote control sends.
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
    """Hear the arrow keys, those of a remote control, and Esc. The buttons stand off the screen."""
    with st.container(key="walk"):
        back = [st.button(t("Back"), key=key, shortcut=pressed) for key, pressed in _BACK.items()]
        on = [st.button(t("Next"), key=key, shortcut=pressed) for key, pressed in _ON.items()]
        st.button(t("End presenting"), key="walk_end", shortcut="Esc", on_click=link.present, args=(False,))
    if any(back + on):
        _go(lesson, scene, 1 if any(on) else -1)


def _go(lesson: Lesson, scene: Scene, step: int) -> None:
    """Open the scene before or after on the way, of this lesson or of another one; stay where there is none.

    A deeper scene stands behind the last one of its lesson that lies on the way.
    """
    short = link.short(lesson)
    walk = scenes.walk(short=short)
    last = lesson.core[0] if short else lesson.core[-1]
    deeper = (lesson, scene) not in walk
    place = walk.index((lesson, last)) + max(step, 0) if deeper else walk.index((lesson, scene)) + step
    if 0 <= place < len(walk):
        there, target = walk[place]
        st.switch_page(catalogue.page(there.stem).file, query_params={"scene": target.name, **link.kept()})


def code(scene: Scene) -> None:
    """Show the link of what is on the screen as a QR code; beside it, to be typed, where the page is.

    A link with a long text in it is longer than a code can be, or a camera can read: then it is that of the scene.
    """
    page, shown, said = urlsplit(link.base()), link.whole(), t("QR code of the link to this picture")
    typed = f"{escape(page.netloc)}<br>{escape(page.path)}"
    if len(shown) > _MOST_LINK:
        shown, said = f"{link.base()}?{urlencode({'scene': scene.name})}", t("QR code of the link to this scene")
        typed += f"<br>{t('Opens the scene as it begins.')}"
    drawn = segno.make(shown, error="m").svg_data_uri(border=0)
    st.html(f'<p class="qr"><span>{typed}</span><img src="{drawn}" alt="{said}"></p>')
