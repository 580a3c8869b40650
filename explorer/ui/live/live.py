"""A live picture: a script that draws packed numbers in the browser, and tells what the reader moves in it."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

import streamlit as st

from explorer.figures.live import file
from explorer.figures.live.pack import pack
from explorer.records import Provenance
from explorer.ui import scripts, stops
from explorer.ui.live.told import Link, Told, take
from explorer.ui.paper.collected import Collected, Element, add, collecting
from explorer.ui.scene import picture

#: Of a picture in which nothing is moved that Python knows of.
NOTHING: Mapping[str, Told] = MappingProxyType({})
#: Makes what a picture draws, in the language and the look of now: a record, or a mapping that may hold records and
#: arrays (`pack.pack`).
Data = Callable[[], Any]


class Live:
    """A script, with the modules and style sheets that it imports, as a picture of the stage.

    The script exports by default a function of Streamlit's component: `live(component, name, make)` of `dom.js`.
    """

    def __init__(self, script: Path) -> None:
        """Register the script."""
        self.script = script
        self._component = scripts.component(script, f"<div class='{script.stem}' data-coming></div>")

    def show(self, key: str, data: Data, *, tells: Mapping[str, Told] = NOTHING, **said: Any) -> None:
        """Draw the picture, below it what is read of it, and the icon.

        Args:
            key: English name, unique on the page; the name of the exported files.
            data: makes what is drawn.
            tells: what the reader may change, by the names that the script tells.
            said: title, reading, provenance and table, as of `picture.live_remark`.
        """
        with st.container(key=key):
            self.draw(f"{key}_live", data, tells=tells)
            self.remark(key, data, **said)

    def draw(
        self,
        key: str,
        data: Data,
        *,
        tells: Mapping[str, Told] = NOTHING,
        title: str = "",
        provenance: Provenance | None = None,
    ) -> None:
        """Draw the picture alone; arguments as of `show`, but `key`, which is the component's own.

        Args:
            title: heading of the picture off the page; it is not drawn there without one, as a remark puts it there.
            provenance: of the numbers, said off the page.
        """
        if collecting():
            if title:
                add(Collected(title, "", element=self.element(data), key=key, provenance=provenance))
            stops.leave_to_picture(told.key for told in tells.values() if isinstance(told, Link))
            return

        def changed() -> None:
            take(getattr(st.session_state.get(key), "changed", None), tells)

        self._component(data=pack(data()), key=key, on_changed_change=changed)

    def remark(self, key: str, data: Data, **said: Any) -> None:
        """Show what is read of the picture, and the icon; arguments as of `show`."""
        picture.live_remark(key, self.element(data), **said)

    def element(self, data: Data) -> Element:
        """Return the picture for a page of its own; argument as of `show`."""
        scripts = (self.script, file.ALONE)
        return Element(self.script, scripts, partial(self._made, data), lambda: pack(data()))

    def _made(self, data: Data, name: str, window: int) -> str:
        return file.element(self.script, pack(data()), name=name, window=window)
