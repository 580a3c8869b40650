"""What a cell of a notebook shows: a widget where anywidget is installed, else the picture in a frame."""

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from explorer.figures.look import DARK, LIGHT, drawing_in
from explorer.show.picture import Heard, LivePicture


def show(
    script: Path,
    drawn: Callable[[], Mapping[str, Any]],
    *,
    title: str,
    dark: bool,
    heard: Mapping[str, Heard],
    **chosen: Any,
) -> LivePicture:
    """Return a picture, a widget where anywidget is installed.

    Args:
        script: draws it.
        drawn: makes what it draws, in the look of now.
        title: of its file.
        dark: whether it stands on dark paper.
        heard: what it tells.
        chosen: what is chosen before the reader chooses.
    """
    with drawing_in(DARK if dark else LIGHT):
        if find_spec("anywidget") is None:
            return LivePicture(script, drawn(), title, heard)
        from explorer.show.widget import Widget  # only where it is there, and when it is needed: half a second

        return Widget(script, drawn(), title, heard, **chosen)
