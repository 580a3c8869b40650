"""What a stage shows, collected in its order where there is no page: for paper, and for pages without a server."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from explorer.records import Provenance

#: Makes a figure anew (what is returned is changed), in the look of `looks.look`: `partial(figures.fit, record)`.
Draw = Callable[[], Any]


@dataclass(frozen=True, slots=True)
class Element:
    """A live picture as HTML that draws itself.

    Attributes:
        script: draws it.
        scripts: what its page must carry, the script among them.
        make: makes it, of an id and of the height of its window in pixels (0: the reader's own).
        pack: makes what the script draws, packed, in the look and the language of now.
    """

    script: Path
    scripts: tuple[Path, ...]
    make: Callable[[str, int], str]
    pack: Callable[[], bytes]


@dataclass(frozen=True, slots=True)
class Collected:
    """A figure, a sentence, or what is written beside figures.

    Attributes:
        title: heading; empty where there is none.
        reading: the sentence computed from a figure's numbers; `**strong**`, else plain text.
        draw: makes the figure; None where it is no Plotly figure.
        element: a live picture; None where it is none.
        key: English name, unique on the page; empty where it is no figure.
        provenance: what computed the numbers.
        table: makes the numbers.
        markup: HTML that is written beside the figures; empty where none is.
        style: style sheet of the markup.
        frame: a table that is shown beside the figures.
        folded: whether it stands in a fold.
    """

    title: str
    reading: str
    draw: Draw | None = None
    element: Element | None = None
    key: str = ""
    provenance: Provenance | None = None
    table: Callable[[], pd.DataFrame] | None = None
    markup: str = ""
    style: str = ""
    frame: pd.DataFrame | None = None
    folded: bool = False

    @property
    def is_figure(self) -> bool:
        """Return whether it is drawn."""
        return self.draw is not None or self.element is not None

    @property
    def is_written(self) -> bool:
        """Return whether it is markup or a table beside the figures."""
        return bool(self.markup) or self.frame is not None


_found: ContextVar[list[Collected] | None] = ContextVar("collected", default=None)


@contextmanager
def collect() -> Iterator[list[Collected]]:
    """Collect what is shown inside, in its order, instead of drawing it."""
    found: list[Collected] = []
    before = _found.set(found)
    try:
        yield found
    finally:
        _found.reset(before)


def collecting() -> bool:
    """Return whether what is shown now is collected: nobody will look again."""
    return _found.get() is not None


def add(shown: Collected) -> bool:
    """Collect something, and return whether that was done; else it is to be drawn."""
    found = _found.get()
    if found is None:
        return False
    found.append(shown)
    return True
