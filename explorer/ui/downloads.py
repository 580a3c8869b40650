"""Buttons that hand something to the reader's browser: a file, a picture of a chart, the link to this state."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

import streamlit as st

from explorer.figures.look import drawing_in, look
from explorer.records.language import current_language, speaking, t
from explorer.ui import scripts

_buttons = scripts.component(Path(__file__).with_suffix(".js"), "<div class='row'></div>")


#: In the session: what files are called after. A fragment that runs alone knows no lesson.
_WHERE = "files_of"
_moving: ContextVar[bool] = ContextVar("moving", default=False)


@contextmanager
def while_updating(is_it: bool) -> Iterator[None]:
    """Say that what is drawn inside is drawn again every moment.

    Its files lie ready: what makes one when it is asked for would be kept of every moment for some seconds
    (`lasting_files`), with all that it is made of.
    """
    before = _moving.set(is_it)
    try:
        yield
    finally:
        _moving.reset(before)


def name_after(where: str) -> None:
    """Let the files of all pictures that follow be called after a place, such as `masked_softmax-padding`."""
    st.session_state[_WHERE] = where


def stem(key: str) -> str:
    """Return what a file of a picture is called: the place, and the picture's key without its lesson's letters.

    A picture that is called as its scene is needs no more.
    """
    where, name = st.session_state.get(_WHERE), key.partition("_")[2] or key
    if not where:
        return key
    return where if where.endswith(f"-{name}") else f"{where}-{name}"


def file(
    label: str,
    make: Callable[[], bytes | str],
    name: str,
    kind: str,
    *,
    key: str,
    said: str = "",
    large: bool = False,
    icon: str | None = None,
) -> None:
    """Show a button that hands out a file, made when the button is pressed or, where all is `while_updating`, before.

    Args:
        kind: its MIME type.
        said: when it is pointed at.
        large: too large to be made every moment: to be had as soon as nothing moves.
        icon: of the button; one with an icon has a frame too.
    """
    wait = _moving.get() and large
    st.download_button(
        label,
        b"" if wait else make() if _moving.get() else _as_now(make),
        name,
        kind,
        key=key,
        on_click="ignore",
        type="secondary" if icon else "tertiary",
        icon=icon,
        disabled=wait,
        help=t("Available once it is paused or finished.") if wait else said or None,
    )


def _as_now(make: Callable[[], bytes | str]) -> Callable[[], bytes | str]:
    """Return what makes a file in the language and the look of now: Streamlit calls it where no reader is known."""
    language, shown = current_language(), look()

    def made() -> bytes | str:
        with speaking(language), drawing_in(shown):
            return make()

    return made


def pictures(key: str) -> None:
    """Show buttons that save the chart in the container `{key}_print` as PNG and as SVG, by Plotly's own exporter."""
    labels = [["PNG", t("Save this chart as PNG"), "png"], ["SVG", t("Save this chart as SVG"), "svg"]]
    _buttons(data={"chart": key, "name": stem(key), "labels": labels}, key=f"{key}_pictures", width="content")


def stills(key: str, page: str) -> None:
    """Show buttons that save a live picture as PNG and as SVG, from the nodes that its page draws (`live/still.js`)."""
    labels = [["PNG", t("Save this picture as PNG"), "png"], ["SVG", t("Save this picture as SVG"), "svg"]]
    _buttons(
        data={"chart": key, "name": stem(key), "labels": labels, "page": page}, key=f"{key}_pictures", width="content"
    )


def copy_link() -> None:
    """Show a button that copies the address of the page as it stands, every control included."""
    labels = [[t("Copy link"), t("Copy the link to this page with every setting"), "link"]]
    _buttons(data={"chart": "", "name": "", "labels": labels, "done": t("Copied")}, key="copy_link", width="content")
