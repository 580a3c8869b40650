"""The address of what is on the screen: page, scene, state."""

from urllib.parse import urlencode, urlsplit

import streamlit as st
from streamlit import net_util

from explorer import scenes
from explorer.scenes.spec import Lesson, Scene

#: Names by which a machine calls itself.
_ITSELF = ("localhost", "127.0.0.1", "::1")


def asked(lesson: Lesson) -> Scene:
    """Return the scene that the address names; an old address without one means the scene of its controls."""
    names = {scene.name: scene for scene in lesson.scenes}
    part = next((of.get(st.query_params.get(key, "")) for key, of in lesson.parts.items()), None)
    found = names.get(st.query_params.get("scene", part or ""))
    return found or lesson.meant_by(frozenset(st.query_params))


def name(scene: Scene) -> None:
    """Write the scene into the address."""
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

    Who teaches opens `localhost`, which is another machine for each student: the network's address stands in its place,
    unless the server hears its own machine only.
    """
    address = urlsplit(st.context.url or "")._replace(query="", fragment="")
    if address.hostname in _ITSELF and st.get_option("server.address") not in _ITSELF:
        port = f":{address.port}" if address.port else ""
        address = address._replace(netloc=f"{net_util.get_internal_ip()}{port}")
    return address.geturl()


def short(lesson: Lesson) -> bool:
    """Return whether the reader is on the short way, and the lesson lies on it."""
    return st.query_params.get("way") == "short" and lesson.stem in scenes.SHORT


def kept() -> dict[str, str]:
    """Return the parts of the address that the next scene keeps: presenting, and the way."""
    return {key: st.query_params[key] for key in ("present", "way") if key in st.query_params}


def whole() -> str:
    """Return the full address of what is on the screen, for somebody who reads rather than presents."""
    query = {key: value for key, value in st.query_params.to_dict().items() if key != "present"}
    return f"{base()}?{urlencode(query)}" if query else base()
