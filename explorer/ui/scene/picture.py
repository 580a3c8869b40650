"""A figure on the stage: heading, chart, its reading, and behind one icon where it comes from and how to take it."""

import html
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol

import pandas as pd
import streamlit as st

from explorer.figures import drawn_numbers, look as looks
from explorer.records import Provenance, wording
from explorer.ui import appearance, cache, figure_card, language
from explorer.ui.language import t
from explorer.ui.scene import link, predict

_CHART = {"displaylogo": False, "scrollZoom": False, "doubleClick": False}
#: Width of a window from which it is no phone, in pixels.
NO_PHONE = 761
#: How much larger type and lines are before a room.
ROOM = 1.5
_STRONG = re.compile(r"\*\*(.+?)\*\*")
_MARKUP = re.compile("<[^>]*>")


class Draw(Protocol):
    """Makes a figure for a look: `functools.partial(figures.fit, record, t=t)`."""

    def __call__(self, *, look: looks.Look) -> Any:
        """Make it anew: what is returned is changed."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Height:
    """Height of a figure that fits the screen, where it is not what heading and a reading of two lines leave.

    Attributes:
        less: pixels that stand above or below it besides: a button, a longer reading.
        less_low: the same on a screen of at most 760 pixels' height; None if it is the same.
        most: pixels.
        across: at most so many percent of the stage's width, on a wide screen; for what is square and stands beside
            another one.
        phone: on a phone, as a style sheet says it.
        phone_type: size of its type on a phone, in pixels; None if it is the usual one.
        numbers_from: width of the window, in pixels, from which numbers stand in its cells; below they would touch.
    """

    less: int = 0
    less_low: int | None = None
    most: int = 760
    across: int | None = None
    phone: str = ""
    phone_type: float | None = None
    numbers_from: int = 0

    def style(self, key: str) -> str:
        """Return the style sheet of the figure of a key."""
        low = self.less if self.less_low is None else self.less_low
        sizes = f"--less:{self.less}px;--less-low:{low}px;--most:{self.most}px"
        sizes += f";--across:{self.across}cqw" if self.across else ""
        sizes += f";--phone:{self.phone}" if self.phone else ""
        chart = f".st-key-{key} .js-plotly-plot"
        small = f"{chart} text{{font-size:{self.phone_type}px!important}}" if self.phone_type else ""
        numbers = f"{chart} :is(.textpoint,.heatmap-label){{display:none}}"
        bare = f"@media(max-width:{self.numbers_from - 1}px){{{numbers}}}" if self.numbers_from else ""
        return f".st-key-{key}{{{sizes}}}@media(max-width:760px){{{small}}}{bare}"


#: Of most figures.
USUAL = Height()


@dataclass(frozen=True, slots=True)
class Collected:
    """Figures that a stage would have shown.

    Attributes:
        title: heading of the figure; empty where only a sentence was said.
        reading: the sentence computed from the numbers; `**strong**`, else plain text.
        draw: makes the figure; None where it is no Plotly figure.
    """

    title: str
    reading: str
    draw: Draw | None


_collecting: ContextVar[list[Collected] | None] = ContextVar("collecting", default=None)


@contextmanager
def collected() -> Iterator[list[Collected]]:
    """Collect what is shown inside, in its order, instead of drawing it: for paper."""
    found: list[Collected] = []
    before = _collecting.set(found)
    try:
        yield found
    finally:
        _collecting.reset(before)


def collecting() -> bool:
    """Return whether what is shown now goes on paper: nobody will look again."""
    return _collecting.get() is not None


def show(
    key: str,
    draw: Draw,
    *,
    title: str,
    reading: str,
    provenance: Provenance | None = None,
    of: object,
    own: bool = False,
    table: Callable[[], pd.DataFrame] | None = None,
    note: str = "",
    fits_screen: bool = True,
    height: Height = USUAL,
    **chart: Any,
) -> Any:
    """Draw one figure of the stage.

    Args:
        key: English name, unique on the page; the name of the exported files.
        draw: makes the Plotly figure for a look.
        title: heading, translated plain text.
        reading: one sentence computed from the numbers; `**strong**`, else plain text (escaped here).
        table: makes the numbers; called only when they are opened or taken away.
        provenance: what computed the numbers; that of the record which is drawn, the first argument, if not given.
        of: all that the figure depends on (frozen `Params` and `View`): for equal ones it is made once, for everybody.
        own: whether it tells of something that the reader brought: it is then made once for their session alone.
        note: small print beside the heading.
        fits_screen: whether the chart takes the height that is left on the first screen; else the figure's own.
        height: what its page needs of that height, if more than others.
        chart: further arguments of `st.plotly_chart`, such as `on_select`.

    Returns:
        What `st.plotly_chart` returns: the selection, if `on_select` was given.
    """
    if _collecting.get() is not None:
        return remark(key, draw, title=title, reading=reading, provenance=provenance, table=table)
    look, reading = appearance.current(zoom=ROOM if link.presenting() else 1.0), predict.said(reading)
    with st.container(key=key):
        made = partial(_made, draw, look, fits_screen=fits_screen)
        figure = cache.once(made, key, of, language.current(), fits_screen, look, own=own)
        height = replace(height, phone=height.phone or square_height(figure))
        style = f"<style>{height.style(key)}</style>" if height != USUAL else ""
        heading(title, note, style)
        with st.container(key=f"{key}_fits_screen" if fits_screen else f"{key}_own_height"):
            chart |= {"height": "stretch"} if fits_screen else {}
            alt = f"{title}. {reading.replace('**', '')}"
            chosen = st.plotly_chart(figure, key=f"{key}_chart", config=_CHART, theme=None, alt=alt, **chart)
        remark(key, draw, title=title, reading=reading, provenance=provenance, table=table, drawn=True)
    return chosen


def live_zoom() -> float:
    """Return how much larger the type of a live picture is before a room: it grows a third as much as a chart’s."""
    return 1 + (ROOM - 1) / 3 if link.presenting() else 1.0


def square_height(figure: Any) -> str:
    """Return how tall a map of square cells is on a phone, as a style sheet says it; empty for any other figure.

    What is left of the width beside the names of the rows decides: a taller map would stand between empty bands.
    """
    across, down = figure.layout.xaxis, figure.layout.yaxis
    cells = figure.data[0] if figure.data else None
    if cells is None or cells.type != "heatmap" or down.scaleanchor != "x" or "xaxis2" in figure.layout:
        return ""
    rows, columns = (
        max((len(_MARKUP.sub("", name)) for name in axis.ticktext or ()), default=2) for axis in (down, across)
    )
    z = cells.z
    down_cells, across_cells = map(int, z["shape"].split(",")) if isinstance(z, dict) else (len(z), len(z[0]))
    ratio = down_cells / across_cells
    return f"calc((100vw - {50 + 8 * min(rows, 14)}px)*{ratio:.3f} + {74 + 6 * min(columns, 14)}px)"


def heading(title: str, note: str = "", style: str = "") -> None:
    """Show what stands above a picture, and small print beside it; a style sheet goes with it."""
    beside = f"<span>{html.escape(note)}</span>" if note else ""
    st.html(f'<h3 class="picture-title">{html.escape(title)}{beside}</h3>{style}')


def remark(
    key: str,
    draw: Draw,
    *,
    title: str,
    reading: str,
    provenance: Provenance | None = None,
    table: Callable[[], pd.DataFrame] | None = None,
    more: Callable[[], None] = lambda: None,
    drawn: bool = False,
) -> None:
    """Show what is said below a picture, and the icon; alone where the picture is no Plotly figure.

    Args:
        key: English name, unique on the page; the name of the exported files.
        draw: makes the figure that is taken away.
        title: heading, translated plain text.
        reading: as of `show`.
        provenance: as of `show`.
        table: makes the numbers; those of the figure if not given.
        more: draws what else can be taken away.
        drawn: whether the figure stands on the page already.
    """
    paper = _collecting.get()
    if paper is not None:
        paper.append(Collected(title, reading, draw))
        return
    reading = predict.said(reading)
    with st.container(key=f"{key}_remark", horizontal=True):
        say(reading)
        if provenance is None:
            assert isinstance(draw, partial)
            provenance = draw.args[0].provenance
        numbers = table or (lambda: drawn_numbers.table(draw(look=looks.LIGHT)))
        _behind(key, draw, title, reading.replace("**", ""), numbers, provenance, more, drawn)


def _made(draw: Draw, look: looks.Look, *, fits_screen: bool) -> Any:
    figure = looks.dressed(draw(look=look), look)
    if fits_screen:
        figure.layout.height = None
    whole = looks.sent(figure)
    figure.to_dict = lambda: whole  # copied at every run otherwise
    return figure


def say(reading: str) -> None:
    """Show one sentence computed from the numbers, prominent."""
    paper = _collecting.get()
    if paper is not None:
        paper.append(Collected("", reading, None))
        return
    said = emphasised(reading)
    icon = '<span class="icon" aria-hidden="true" translate="no">visibility</span>'
    st.html(f'<p class="reading">{icon}<span>{said}</span></p>')


def emphasised(reading: str) -> str:
    """Return a reading as HTML: what is strong in bold, all else escaped."""
    return _STRONG.sub(r"<b>\1</b>", html.escape(wording.typeset(language.closed_up(reading))))


def _behind(
    key: str,
    draw: Draw,
    title: str,
    reading: str,
    table: Callable[[], pd.DataFrame],
    provenance: Provenance,
    more: Callable[[], None],
    drawn: bool,
) -> None:
    """Show the icon, and behind it provenance, numbers, picture and files; empty until it is opened."""
    with st.container(key=f"{key}_behind", width="content"):
        popover = st.popover(
            "",
            icon=":material/info:",
            type="tertiary",
            help=t("Where this comes from; numbers, picture, file"),
            key=f"{key}_about",
            on_change="rerun",
        )
    if popover.open:
        with popover:
            figure_card.remark(reading, provenance)
            if not drawn:
                figure_card.chart(key, _made(draw, appearance.current(), fits_screen=False), title)
            figure = looks.dressed(draw(look=looks.LIGHT), looks.LIGHT)
            figure_card.files(key, figure, title, reading, table(), provenance)
            more()
