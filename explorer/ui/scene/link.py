"""The address of what is on the screen: page, scene, state."""

import os
import re
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import streamlit as st
from streamlit.errors import StreamlitAPIException

from explorer import scenes
from explorer.records.language import t
from explorer.scenes.spec import Lesson, Scene
from explorer.ui import fields, messages
from explorer.ui.browser_fixes import MOST_LETTERS
from explorer.ui.streamlit_internals import script_run, settings

#: Keys and values that meant the heat map, and what they say for it now; empty where there is no such key any more.
FORMER_MAPS = {
    ("tr_view", "map"): "",
    ("sa_drawn", "map"): "",
    ("tg_part", "map"): "text",
    ("tr_look", "matrix"): "lines",
}
#: Session key: what the browser's address says of the widgets of the lesson that is open, and since when, by key.
_SAID = "said_by_link"
#: Of a room, and the session key of the one that the reader has joined.
_CODE, _JOINED = re.compile("[0-9]{6}"), "room_joined"
#: Names by which a machine calls itself.
_ITSELF = ("localhost", "127.0.0.1", "::1")
#: Files that Docker and Podman leave in a container; variables that Kubernetes, an SSH server and WSL set.
_CONTAINERS = ("/.dockerenv", "/run/.containerenv")
_REMOTE = ("KUBERNETES_SERVICE_HOST", "SSH_CONNECTION", "WSL_DISTRO_NAME")


def asked_scene(lesson: Lesson) -> Scene:
    """Return the scene that the address names; an old address without one means the scene of its controls."""
    names = {scene.name: scene for scene in lesson.scenes}
    part = next((of.get(st.query_params.get(key, "")) for key, of in lesson.parts.items()), None)
    found = names.get(st.query_params.get("scene", part or ""))
    return found or lesson.meant_by(frozenset(st.query_params))


def name(scene: Scene) -> None:
    """Write the scene into the address; the former one's controls are left out there, but not by the reader."""
    st.session_state.pop(_SAID, None)
    st.query_params["scene"] = scene.name


def presenting() -> bool:
    """Return whether the page is shown to a room."""
    return st.query_params.get("present") == "1"


def present(on: bool) -> None:
    """Begin or end showing it to a room."""
    if on:
        st.query_params["present"] = "1"
    else:
        st.query_params.pop("present", None)


def base() -> str:
    """Return the page's address without a state; empty where no browser told it.

    Who teaches opens `localhost`, which is another machine for each student: in its place stands what the owner says
    in Streamlit's `browser.serverAddress`, or the network's address where that is known to lead here.
    """
    address = urlsplit(st.context.url or "")._replace(query="", fragment="")
    if address.hostname in _ITSELF:
        address = address._replace(netloc=_told() or _found(address.port) or address.netloc)
    return address.geturl()


def reaches_others() -> bool:
    """Return whether the page's address may lead others here: it is no name of this machine for itself."""
    return urlsplit(base()).hostname not in _ITSELF or bool(_told())


def alone() -> str:
    """Say that the address leads nobody else here, and who changes that."""
    return t("Only this machine reaches this address. Its owner sets STREAMLIT_BROWSER_SERVER_ADDRESS.")


def _told() -> str:
    """Return the host and port that the owner says others reach."""
    if not settings.is_set("browser.serverAddress"):
        return ""
    return f"{st.get_option('browser.serverAddress')}:{st.get_option('browser.serverPort')}"


def _found(port: int | None) -> str:
    """Return this machine's host in its network, and the port; nothing where the browser's may be another machine.

    A container, and a machine reached through SSH or WSL, has `localhost` forwarded to it: its own address in its own
    network, with a port of the other machine, leads nowhere.
    """
    bound, serves = st.get_option("server.address"), st.get_option("server.port")
    if bound in _ITSELF or port not in (None, serves) or _forwarded():
        return ""
    host = settings.network_address()
    return f"{host}:{port}" if port else host


def _forwarded() -> bool:
    """Return whether this machine is one that is commonly reached through another."""
    inside = any(map(Path.exists, map(Path, _CONTAINERS)))
    return inside or any(name in os.environ for name in _REMOTE)


def is_public() -> bool:
    """Return whether strangers may reach this server: nothing says that the reader sits at its machine."""
    host = urlsplit(st.context.url or "").hostname
    return _forwarded() or host not in _ITSELF or st.context.ip_address is not None


def room() -> str:
    """Return the code of the room that the reader has joined; it stays in the address, wherever they go."""
    asked = st.query_params.get("room", "")
    if _CODE.fullmatch(asked):
        st.session_state[_JOINED] = asked
    code = str(st.session_state.get(_JOINED, ""))
    if code and asked != code:
        st.query_params["room"] = code
    return code


def leave_room() -> None:
    """Follow no wall any more."""
    st.session_state.pop(_JOINED, None)
    st.query_params.pop("room", None)


def short(lesson: Lesson) -> bool:
    """Return whether the reader is on the short way, and the lesson lies on it."""
    return st.query_params.get("way") == "short" and lesson.stem in scenes.SHORT


def meet_former_maps() -> None:
    """Open the heat map for an address from before every scene said so in the same way (`?tr_view=map`)."""
    for (key, former), now in FORMER_MAPS.items():
        if st.query_params.get(key) == former:
            st.session_state.update({"sight": "map", **({key: now} if now else {})})
            st.query_params.pop(key)


def keep(lesson: Lesson, scene: Scene) -> None:
    """Call before widgets that may be new on the page: their values, if “try this” has set them, enter the link.

    Streamlit 1.67 leaves the address as it was where a bound widget first appears with a value that a callback gave
    it. Until it appears the address may be written to; afterwards that is refused, and Streamlit does it itself.

    What the address said and says no longer, the reader has left, as by the browser's “back”: Streamlit sees to it that
    a widget on the page follows, and we that the value of one that is not on the page does not come back. What the app
    itself leaves out, because another tab or lesson is opened, is kept for whoever returns.
    """
    said: dict[str, tuple[Any, float]] = st.session_state.get(_SAID, {}).get(lesson.stem, {})
    defaults, now = lesson.defaults(scene), dict[str, tuple[Any, float]]()
    browser = script_run.has_server()  # else nobody writes into an address what is moved
    for key, usual in {**lesson.every_default, **defaults}.items():
        value = st.session_state.get(key, usual)
        before, since = said.get(key, (usual, 0.0))
        if value == usual:
            continue
        if key not in st.query_params:
            if value == before and browser and fields.is_heard(since) and not _is_too_long({key: value}):
                fields.forget(key, usual)
                continue
            if key not in defaults:
                continue
            with suppress(StreamlitAPIException):
                st.query_params[key] = str(value)
        now[key] = value, since if value == before else time.monotonic()
    st.session_state[_SAID] = {lesson.stem: now}


def kept_parts() -> dict[str, str]:
    """Return the parts of the address that the next scene keeps: presenting, the way, the room."""
    return {key: st.query_params[key] for key in ("present", "way", "room") if key in st.query_params}


def whole() -> str:
    """Return the full address of what is on the screen, for somebody who reads rather than presents."""
    query = {key: value for key, value in st.query_params.to_dict().items() if key not in ("present", "room")}
    return f"{base()}?{urlencode(query)}" if query else base()


def say_left_out(state: Mapping[str, Any], usual: Mapping[str, Any]) -> None:
    """Say it where a text is too long for the address, and is therefore left out of it (`browser_fixes.js`).

    Args:
        state: what the scene's controls hold, by key.
        usual: what they hold at first.
    """
    if _is_too_long({key: value for key, value in state.items() if value != usual[key]}):
        messages.info(
            t("The text is too long for a link. The link leaves it out: whoever opens it sees the example."),
            ":material/link_off:",
        )


def _is_too_long(state: Mapping[str, Any]) -> bool:
    """Return whether the address would be, if it said this, too."""
    return len(f"{base()}?{urlencode({**st.query_params.to_dict(), **state})}") > MOST_LETTERS
