"""A reader's page that goes along with the wall of a room, until its reader moves something; one press brings it back.

The script holds the room's socket, as a phone does, and asks Python to go where the wall is.
"""

import math
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import streamlit as st

from explorer import scenes
from explorer.records.language import t
from explorer.scenes.controls import SelectSlider, Slider, TextInput
from explorer.scenes.spec import Lesson, Scene
from explorer.ui import catalogue, scripts
from explorer.ui.scene import link, predict, state

#: Session keys: which of the script's wishes was the last, and a page to which it is still to go.
_FOLLOWED, _ELSEWHERE = "room_followed", "room_elsewhere"
#: Letters of a link that is followed.
_MOST = 1500
_bar = scripts.component(Path(__file__).with_suffix(".js"))


def draw(lesson: Lesson | None = None) -> None:
    """Draw the bar of whoever is in a room, and go where it asks to; nothing for all others.

    Args:
        lesson: of the page; None on the home page.
    """
    room = link.room()
    if not room or link.presenting():
        return

    def told() -> None:
        wanted = getattr(st.session_state.get("follow_bar"), "go", None)
        wanted = wanted if isinstance(wanted, dict) else {}
        found = read(str(wanted.get("link")))
        if not found:
            return
        there, scene, set_ = found
        st.session_state[_FOLLOWED] = str(wanted.get("serial"))[:40]
        if wanted.get("answered") == f"{there.stem}.{scene.name}":
            predict.skip(there, scene)
        others = {key: usual for key, usual in there.every_default.items() if st.session_state.get(key, usual) != usual}
        state.put(there, scene, {**others, **there.defaults(scene), **set_})
        if there is lesson:
            link.name(scene)
        else:
            st.session_state[_ELSEWHERE] = there.stem, scene.name

    with st.container(key="follow"):
        _bar(
            data={"t": _words(), "room": room, "followed": st.session_state.get(_FOLLOWED, "")},
            key="follow_bar",
            on_go_change=told,
            on_leave_change=link.leave_room,
        )
    stem, name = st.session_state.pop(_ELSEWHERE, ("", ""))
    if stem:
        st.switch_page(catalogue.page(stem).file, query_params={"scene": name, **link.kept_parts()})


def read(wanted: str) -> tuple[Lesson, Scene, dict[str, Any]] | None:
    """Return lesson, scene and state of a wall's link: of our own pages alone, and values that their controls take.

    Returns:
        None where it leads to no lesson.
    """
    try:
        address = urlsplit(wanted[:_MOST])
    except ValueError:
        return None
    lesson = {f"/{each.stem}": each for each in scenes.LESSONS}.get(address.path)
    if lesson is None or address.netloc:
        return None
    said = dict(parse_qsl(address.query))
    named = {each.name: each for each in lesson.scenes}.get(said.get("scene", ""))
    scene = named or lesson.meant_by(frozenset(said))
    found = {}
    for key, usual in {**lesson.every_default, **lesson.defaults(scene)}.items():
        with suppress(ValueError, KeyError, OverflowError):
            found[key] = _cast(key, said[key], usual)
    return lesson, scene, found


def _cast(key: str, said: str, usual: Any) -> Any:
    """Return a value of a link as its control holds it.

    Raises:
        ValueError: it is none.
    """
    match scenes.CONTROLS.get(key):
        case SelectSlider(options=options):
            return {str(each): each for each in options}[said]
        case Slider(low=low, high=high):
            return min(max(_number(said, usual), low), high)
        case TextInput(most=most):
            return said[:most]
    if isinstance(usual, bool):
        return {"true": True, "false": False}[said.lower()]
    return said if isinstance(usual, str) else _number(said, usual)


def _number(said: str, usual: float) -> float:
    number = float(said)
    if not math.isfinite(number):
        raise ValueError(said)
    return int(number) if isinstance(usual, int) else number


def _words() -> dict[str, str]:
    return {
        "room": t("Room {code}"),
        "follows": t("You see what the wall shows."),
        "alone": t("You look around by yourself."),
        "look": t("Look around"),
        "back": t("Back to the wall"),
        "phone": t("To the room"),
        "vote": t("Vote"),
        "leave": t("Leave the room"),
        "gone": t("The room is over."),
        "away": t("No connection to the room."),
    }
