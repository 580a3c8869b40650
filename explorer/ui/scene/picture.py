"""A figure on the stage: heading, chart, its reading, and behind one icon where it comes from and how to take it."""

import html
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Any

import pandas as pd
import streamlit as st

from explorer.figures import cell_text, drawn_numbers, heatmap, look as looks
from explorer.figures.live.modules import import_map
from explorer.records import Provenance, wording
from explorer.records.language import current_language, t
from explorer.ui import cache, figure_card, language
from explorer.ui.paper.collected import Collected, Draw, Element, add, collecting
from explorer.ui.scene import link, predict, runs_on

_CHART: dict[str, Any] = {"displaylogo": False, "scrollZoom": False, "doubleClick": False}
#: Buttons that no figure has. One that zooms (`looks.dressed`) keeps two: all of it again, and the whole screen.
_NO_BUTTONS = ["toImage", "zoom2d", "pan2d", "zoomIn2d", "zoomOut2d", "autoScale2d"]
_ZOOMED = _CHART | {"scrollZoom": True, "doubleClick": "reset", "modeBarButtonsToRemove": _NO_BUTTONS}
#: How much larger type and lines are before a room.
ROOM = 1.5
_STRONG = re.compile(r"\*\*(.+?)\*\*")
_MARKUP = re.compile("<[^>]*>")


#: Shows files to take away, of a reading, numbers and what computed them.
Files = Callable[[str, pd.DataFrame, Provenance], None]


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
    """

    less: int = 0
    less_low: int | None = None
    most: int = 760
    across: int | None = None
    phone: str = ""
    phone_type: float | None = None

    def style(self, key: str) -> str:
        """Return the style sheet of the figure of a key."""
        low = self.less if self.less_low is None else self.less_low
        sizes = f"--less:{self.less}px;--less-low:{low}px;--most:{self.most}px"
        sizes += f";--across:{self.across}cqw" if self.across else ""
        sizes += f";--phone:{self.phone}" if self.phone else ""
        chart = f".st-key-{key} .js-plotly-plot"
        small = f"{chart} text{{font-size:{self.phone_type}px!important}}" if self.phone_type else ""
        return f".st-key-{key}{{{sizes}}}@media(max-width:760px){{{small}}}"


#: Of most figures.
USUAL = Height()


def show_chart(
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
    glosses: Mapping[str, str] = MappingProxyType({}),
    **chart: Any,
) -> Any:
    """Draw one figure of the stage.

    Args:
        key: English name, unique on the page; the name of the exported files.
        draw: makes the Plotly figure.
        title: heading, translated plain text.
        reading: one sentence computed from the numbers; `**strong**`, else plain text (escaped here).
        table: makes the numbers; called only when they are opened or taken away.
        provenance: what computed the numbers; that of the record which is drawn, the first argument, if not given.
        of: all that the figure depends on (frozen `Params` and `View`): for equal ones it is made once, for everybody.
        own: whether it tells of something that the reader brought: it is then made once for their session alone.
        note: small print beside the heading.
        fits_screen: whether the chart takes the height that is left on the first screen; else the figure's own.
        height: what its page needs of that height, if more than others.
        glosses: what foreign words of a heat map mean, said under the pointer.
        chart: further arguments of `st.plotly_chart`, such as `on_select`.

    Returns:
        What `st.plotly_chart` returns: the selection, if `on_select` was given.
    """
    if collecting():
        return _remark(key, draw, title=title, reading=reading, provenance=provenance, table=table)
    reading = predict.reading_or_prompt(reading)
    with st.container(key=key):
        with looks.drawing_in(before_a_room()):
            made = partial(_made, draw, glosses, fits_screen=fits_screen)
            figure, least = cache.once(made, key, of, current_language(), fits_screen, looks.look(), own=own)
        height = replace(height, phone=height.phone or square_height(figure))
        styles = (height.style(key) if height != USUAL else "") + _bare(key, least)
        heading(title, note, f"<style>{styles}</style>" if styles else "")
        with st.container(key=f"{key}_fits_screen" if fits_screen else f"{key}_own_height"):
            chart |= {"height": "stretch"} if fits_screen else {}
            alt = f"{title}. {reading.replace('**', '')}"
            config = _ZOOMED if figure.layout.dragmode else _CHART
            chosen = st.plotly_chart(figure, key=f"{key}_chart", config=config, theme=None, alt=alt, **chart)
        _remark(key, draw, title=title, reading=reading, provenance=provenance, table=table)
    return chosen


def _bare(key: str, least: int) -> str:
    """Return the style sheet that takes text from a map's cells where its chart has less than `least` pixels."""
    within = f".st-key-{key} .js-plotly-plot :is(.textpoint,.heatmap-label){{display:none}}"
    return f"@container(max-width:{least - 1}px){{{within}}}" if least else ""


def before_a_room() -> looks.Look:
    """Return the look, larger where the page is shown to a room."""
    return replace(looks.look(), zoom=ROOM) if link.presenting() else looks.look()


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


def _remark(
    key: str,
    draw: Draw,
    *,
    title: str,
    reading: str,
    provenance: Provenance | None,
    table: Callable[[], pd.DataFrame] | None,
) -> None:
    """Show what is said below a figure, and the icon; arguments as of `show`."""
    if provenance is None and isinstance(draw, partial):
        provenance = draw.args[0].provenance

    def files(said: str, numbers: pd.DataFrame, computed: Provenance) -> None:
        with looks.drawing_in(looks.LIGHT):
            figure = looks.apply_theme(draw())
        figure_card.files(key, figure, title, said, numbers, computed)

    _below(key, Collected(title, reading, draw), table or (lambda: drawn_numbers.table(draw())), provenance, files)


def live_remark(
    key: str,
    element: Element,
    *,
    title: str,
    reading: str,
    provenance: Provenance,
    table: Callable[[], pd.DataFrame],
    on_paper: bool = True,
) -> None:
    """Show what is said below a live picture, and the icon.

    Args:
        key: as of `show`, as are title, reading, provenance and table.
        element: the picture that is taken away, and that stands on paper.
        on_paper: whether it does; not where another remark has put it there.
    """

    def files(said: str, numbers: pd.DataFrame, computed: Provenance) -> None:
        with looks.drawing_in(looks.LIGHT):
            made = import_map(*element.scripts) + element.make(key, 0)
        figure_card.live_files(key, made, title, said, numbers, computed)

    _below(key, Collected(title, reading, element=element if on_paper else None), table, provenance, files)


def _below(
    key: str,
    shown: Collected,
    table: Callable[[], pd.DataFrame],
    provenance: Provenance | None,
    files: Files,
) -> None:
    """Show the reading of a picture, and the icon; on paper collect what is shown."""
    if add(replace(shown, key=key, provenance=provenance, table=table)):
        return
    assert provenance is not None
    reading = predict.reading_or_prompt(shown.reading)
    with st.container(key=f"{key}_remark", horizontal=True):
        show_reading(reading)
        _behind(key, replace(shown, reading=_typeset(reading).replace("**", "")), table, provenance, files)


def _made(draw: Draw, glosses: Mapping[str, str], *, fits_screen: bool) -> tuple[Any, int]:
    """Return the figure, and the width that texts on its cells need."""
    figure = heatmap.explain(looks.apply_theme(draw()), glosses)
    if fits_screen:
        figure.layout.height = None
    whole = looks.to_json(figure)
    figure.to_dict = lambda: whole  # copied at every run otherwise
    return figure, cell_text.find_least_width(whole)


def show_reading(reading: str) -> None:
    """Show one sentence computed from the numbers, prominent."""
    if add(Collected("", reading)):
        return
    said = emphasise(reading)
    icon = '<span class="icon" aria-hidden="true" translate="no">visibility</span>'
    st.html(f'<p class="reading">{icon}<span>{said}</span></p>')


def emphasise(reading: str) -> str:
    """Return a reading as HTML: what is strong in bold, all else escaped."""
    return _STRONG.sub(r"<b>\1</b>", html.escape(_typeset(reading)))


def _typeset(reading: str) -> str:
    return wording.typeset(language.closed_up(reading))


def _behind(
    key: str,
    shown: Collected,
    table: Callable[[], pd.DataFrame],
    provenance: Provenance,
    files: Files,
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
            figure_card.remark(shown.reading, provenance, runs_on.speed_note())
            with looks.drawing_in(looks.LIGHT):
                numbers = table()
            files(shown.reading, numbers, provenance)
