"""The room beside a presented scene: who is here, the class's vote in the place of the prediction's card, the reveal.

The script holds the room: its code and the teacher's secret stay in the browser's tab. Python does what a scene alone
can: it computes which answer is right, and moves the picture.
"""

import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import streamlit as st

from explorer.records.language import current_language, speaking, t
from explorer.room.question import LANGUAGES, say_in_each_language
from explorer.scenes.spec import Lesson, Scene
from explorer.ui import scripts
from explorer.ui.messages import NO_MODEL
from explorer.ui.scene import experiment, link, predict, state

#: Session keys: the press that asked for a room, and what the room asked of the scene last.
_WANTED, _ORDER = "room_wanted", "room_order"
_panel = scripts.component(Path(__file__).with_suffix(".js"))


def button() -> None:
    """Open a room, or show again how phones join it."""
    st.button(t("Let phones vote"), key="walk_room", on_click=_want)


def _want() -> None:
    st.session_state[_WANTED] = secrets.token_hex(4)


def panel(lesson: Lesson, scene: Scene, module: Any) -> None:
    """Draw what the room shows: nothing until there is one.

    Args:
        lesson: of the scene.
        scene: on the stage.
        module: the scene's file, whose `answer()` and `experiment()` compute what is right.
    """
    name = f"{lesson.stem}/{scene.name}"

    def told() -> None:
        order = getattr(st.session_state.get("room_panel"), "order", None)
        if not isinstance(order, dict) or order.get("do") not in ("ask", "try", "reveal"):
            return
        tries = order.get("do") == "try" or order.get("tries") is True
        if (scene.experiment if tries else scene.prediction) is None:
            return
        here = {"scene": name, "do": order["do"], "tries": tries, "serial": str(order.get("serial"))[:40]}
        if order["do"] == "reveal":
            predict.skip(lesson, scene)
            state.put(lesson, scene, _reveals(scene, module, tries=tries))
        st.session_state[_ORDER] = here

    with st.container(key="room"):
        _panel(
            data={
                "t": _words(),
                "language": current_language(),
                "wanted": st.session_state.get(_WANTED, ""),
                "address": _address(),
                "alone": "" if link.reaches_others() else link.alone(),
                "scene": name,
                "title": say_in_each_language(scene.title),
                "question": say_in_each_language(scene.question),
                "asks": scene.prediction is not None,
                "tries": scene.experiment.kind if scene.experiment else "",
                "answer": _answered(scene, name, module),
            },
            key="room_panel",
            on_order_change=told,
        )


def _reveals(scene: Scene, module: Any, *, tries: bool) -> Mapping[str, Any]:
    """Return the state that shows what is right."""
    if scene.prediction and not tries:
        return scene.prediction.reveals
    try:
        return experiment.compute(scene, module.experiment)[1]
    except NO_MODEL:
        return {}


def _answered(scene: Scene, name: str, module: Any) -> dict[str, Any] | None:
    """Return what is right, and why, in every language, once the room has asked for it."""
    order = st.session_state.get(_ORDER)
    if not order or order["scene"] != name:
        return None
    if not {"right", "failed"} & order.keys():
        try:
            order |= experiment.compute(scene, module.experiment)[0] if order["tries"] else _answer(scene, module)
        except NO_MODEL:
            order["failed"] = t("The answer needs a model that cannot be read.")
    return dict(order)


def _answer(scene: Scene, module: Any) -> dict[str, Any]:
    assert scene.prediction is not None
    why, right = {}, ""
    for language in LANGUAGES:
        with speaking(language):
            right, values = module.answer()
            why[language] = predict.because(scene.prediction, values)
    return {"right": right, "why": why}


def _address() -> str:
    """Return where phones type the code: beside the page, at an address that others reach."""
    page = urlsplit(link.base())
    return page._replace(path=f"{page.path.rstrip('/').rpartition('/')[0]}/room").geturl()


def _words() -> dict[str, str]:
    return {
        "qr": t("QR code of the room"),
        "scan": t("Scan, or open this address and type the code"),
        "here": t("{here} here"),
        "privacy": t("No name, no account: only the number of answers is kept, and only until the lesson is over."),
        "begin": t("Begin"),
        "remote": t("Remote control"),
        "remote_more": t("Opens in a window of its own: for your screen, not for the wall."),
        "first": t("Predict first"),
        "second": t("Second vote"),
        "closed": t("The vote is closed"),
        "said": t("What the class said"),
        "ask": t("Ask the class"),
        "number": t("Let the class set it"),
        "words": t("Let the class look"),
        "mask": t("Let the class paint the mask"),
        "trying": t("The class tries"),
        "ready_once": t("All answers are in."),
        "picture": t("Show the picture"),
        "together": t("Show the class"),
        "answered": t("answered"),
        "close": t("Close the vote"),
        "discuss": t("Find somebody who answered differently. Convince each other."),
        "ready": t("Both votes are in."),
        "again": t("Vote again"),
        "reveal": t("Reveal"),
        "before": t("before"),
        "after": t("after the discussion"),
        "moved": t("{to} moved to the right answer, {away} away from it."),
        "done": t("Go on"),
        "asked": t("A question of the class"),
        "hide": t("Take off the wall"),
        "elsewhere": t("The class is asked about another scene."),
        "put_away": t("Put the question away"),
        "prompt": predict.prompt(),
        "gone": t("The room is gone: the server was restarted, or nobody used it."),
        "again_open": t("Open it again"),
        "busy": t("No room can be opened now. Try again in some minutes."),
        "lost": t("No connection to the room."),
        "later": t("The room cannot keep anything just now: press again in a moment."),
    }
