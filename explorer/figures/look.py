"""Looks of a figure on light paper, on dark paper and on a projector: colours by role, the scale of weights, sizes.

The roles were searched for: the smallest distance of any two, under normal sight and three colour blindnesses, is held
by a test, and so is every contrast.
"""

import base64
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from math import isnan
from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.records.wording import minus

#: Stops of the scale of weights: 0 is the colour of the paper, ink means weight.
_STOPS = (0.0, 0.06, 0.12, 0.25, 0.38, 0.5, 0.62, 0.75, 1.0)
_LIGHT = ("#ffffff", "#d5e4ff", "#b8d0ff", "#8bacfb", "#6b8dec", "#5470d3", "#4358b4", "#354490", "#1d2344")
_DARK = ("#10161f", "#182754", "#1d3479", "#2a4eb2", "#3d6bda", "#5789f2", "#79a7ff", "#9ec3ff", "#edf6ff")
#: The page's own; without it Plotly falls back to a wider one.
FONT = "Source Sans, Source Sans Pro, Arial, Noto Sans CJK SC, PingFang SC, Microsoft YaHei, sans-serif"
#: Numbers of an array that goes to the browser as a list; a longer one stays packed, which is read faster.
MOST_LISTED = 4096
#: Colours that style sheets know by name.
_TOKENS = ("paper", "board", "line", "text", "muted", "query", "key", "value", "output", "right")
#: A template of the numbers in a heat map's cells.
_NUMBERS = re.compile(r"%\{z:([^}]+)\}")
_NUMBER = re.compile(r"[\d.]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """Colours of one theme, and how large everything is.

    Attributes:
        dark: whether the paper is dark.
        paper: ground of page and figure.
        board: ground of cards.
        line: frames, grid.
        text: what is read first.
        muted: what is read second.
        query: who asks, and what is chosen; nothing else.
        key: who is asked.
        value: what is averaged.
        output: what comes of it.
        right: what is right, beside a check mark.
        hatch: strokes over a masked cell, whose ground is `line`.
        weights: Plotly's colour scale of weights.
        zoom: 1, or 1.5 on a projector.
    """

    dark: bool
    paper: str
    board: str
    line: str
    text: str
    muted: str
    query: str
    key: str
    value: str
    output: str
    right: str
    hatch: str
    weights: tuple[tuple[float, str], ...]
    zoom: float = 1.0

    @property
    def roles(self) -> dict[str, str]:
        """The four roles of attention."""
        return {"query": self.query, "key": self.key, "value": self.value, "output": self.output}

    def close(self, size: float) -> float:
        """Return the size to ask for where type stands close to other type: before a room it grows by a fifth only."""
        return size if self.zoom == 1 else 1.2 * size / self.zoom


LIGHT = Look(
    dark=False,
    paper="#ffffff",
    board="#f1f4f8",
    line="#d5dce5",
    text="#16202c",
    muted="#56616f",
    query="#bf4200",
    key="#006fc4",
    value="#004a26",
    output="#ac4986",
    right="#1a7f37",
    hatch="#5f6c7c",
    weights=tuple(zip(_STOPS, _LIGHT, strict=True)),
)
DARK = Look(
    dark=True,
    paper="#10161f",
    board="#1a2330",
    line="#324152",
    text="#eaf0f6",
    muted="#9fb0c3",
    query="#f88e36",
    key="#4296f3",
    value="#59f3af",
    output="#df9dd0",
    right="#3fb950",
    hatch="#93a5ba",
    weights=tuple(zip(_STOPS, _DARK, strict=True)),
)


_drawn: ContextVar[Look | None] = ContextVar("look", default=None)
_asked: list[Callable[[], Look]] = [lambda: LIGHT]


def look() -> Look:
    """Return what figures are drawn in now: what `drawing_in` says, else what `ask_for_look` was given answers."""
    return _drawn.get() or _asked[-1]()


@contextmanager
def drawing_in(which: Look) -> Iterator[None]:
    """Draw everything inside in one look; a thread that is started inside does not know of it."""
    before = _drawn.set(which)
    try:
        yield
    finally:
        _drawn.reset(before)


def ask_for_look(ask: Callable[[], Look]) -> None:
    """Name who knows the look in every thread where no `drawing_in` does: the app asks for the reader's theme."""
    _asked[:] = [ask]


def tokens() -> str:
    """Return the colours of now as custom properties of a style sheet."""
    return "".join(f"--{name}:{getattr(look(), name)};" for name in _TOKENS) + f"--ink:{ink_at(0.5)};"


def channels(colour: str) -> tuple[float, float, float]:
    """Red, green and blue of `#rrggbb`, 0…1."""
    return (int(colour[1:3], 16) / 255, int(colour[3:5], 16) / 255, int(colour[5:7], 16) / 255)


def faint(colour: str, opacity: float) -> str:
    """A colour that lets what is behind it through."""
    red, green, blue = (round(255 * channel) for channel in channels(colour))
    return f"rgba({red},{green},{blue},{opacity:g})"


def contrast(one: str, other: str) -> float:
    """Contrast of two colours by WCAG 2.2, 1…21."""
    dim, bright = sorted(map(_luminance, (one, other)))
    return (bright + 0.05) / (dim + 0.05)


def _luminance(colour: str) -> float:
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def ink_at(weight: float) -> str:
    """The colour of a weight on the look's scale."""
    return colour_at(weight, look().weights)


def colour_at(position: float, stops: Sequence[tuple[float, str]]) -> str:
    """Return the colour at a place from 0 to 1 of a scale, as Plotly draws it: linear between two stops."""
    position = min(max(position, 0.0), 1.0)
    after = next(number for number, (stop, _) in enumerate(stops) if stop >= position)
    (low, start), (high, end) = stops[max(after - 1, 0)], stops[after]
    share = (position - low) / (high - low) if high > low else 0.0
    mixed = (a + share * (b - a) for a, b in zip(channels(start), channels(end), strict=True))
    return "#" + "".join(f"{round(255 * channel):02x}" for channel in mixed)


def text_on(ground: str) -> str:
    """Black or white, whichever is read better on a ground."""
    return max(("#000000", "#ffffff"), key=lambda text: contrast(text, ground))


_AXIS = re.compile(r"[xy]axis\d*")


def apply_theme(figure: go.Figure) -> go.Figure:
    """The figure on the page's paper: font, axes and legend in its text colour, quiet grid, still under a finger.

    With `dragmode` off a finger on the chart scrolls the page. A heat map can be zoomed, unless its own axes are fixed;
    on a page `plot_zoom.js` keeps that from fingers. On a projector type and lines grow.
    """
    axis = {
        "gridcolor": look().line,
        "zerolinecolor": look().line,
        "linecolor": look().line,
        "tickfont": {"color": look().muted},
        "title": {"font": {"color": look().muted}},
        "fixedrange": True,
    }
    layout = _upright(figure.layout.to_plotly_json())
    ours: dict[str, Any] = dict.fromkeys({"xaxis", "yaxis", *filter(_AXIS.fullmatch, layout)}, axis)
    zoomed = _zoomed(figure)
    ours |= {name: axis | {"fixedrange": False} for name in zoomed}
    ours |= {
        "font": {"family": FONT, "color": look().text, "size": 15},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "dragmode": "zoom" if zoomed else False,
        "modebar": {"bgcolor": "rgba(0,0,0,0)", "color": look().muted, "activecolor": look().text},
        "legend": {"font": {"color": look().text}},
        "hoverlabel": {"font": {"family": FONT, "size": 15, "color": look().text}, "bgcolor": look().board},
    }
    # At once and unchecked: Plotly's own updates take ten times as long, and every move of a control waits for them.
    whole = go.Figure(figure.data, layout=_merged(layout, ours), _validate=False)
    whole.for_each_trace(_print_minus, selector={"type": "heatmap"})
    whole.for_each_trace(lambda bars: _print_on_bars(bars), selector={"type": "bar"})
    whole.for_each_trace(lambda cells: _print_on_cells(whole, cells), selector={"type": "heatmap"})
    return whole if look().zoom == 1 else go.Figure(_enlarged(whole.to_plotly_json(), look().zoom))


#: Letters of a title that stands upright: more have no room left of the axis.
_FEW = 2


def _upright(layout: dict[str, Any]) -> dict[str, Any]:
    """Write the title of an upright axis above its labels, if it is a letter or two: Plotly lays it on its side."""
    laid: list[dict[str, Any]] = []
    for name in filter(_AXIS.fullmatch, [*layout]):
        axis = layout[name]
        title = axis.get("title") or {}
        text = title if isinstance(title, str) else title.get("text") or ""
        if name[0] != "y" or not text or len(text) > _FEW or axis.get("side") == "right":
            continue
        layout[name] = axis | {"title": {"text": ""}}
        beside = axis.get("anchor", f"x{name.removeprefix('yaxis')}")
        position = {"x": 0, "xref": f"{beside} domain", "y": 1, "yref": f"y{name.removeprefix('yaxis')} domain"}
        position |= {"xanchor": "right", "yanchor": "bottom", "xshift": -6, "yshift": 4, "showarrow": False}
        laid.append(position | {"text": text, "font": {"color": look().muted, "size": 15}})
    return layout | {"annotations": [*layout.get("annotations", []), *laid]} if laid else layout


def _zoomed(figure: go.Figure) -> set[str]:
    """Return the axes of a figure's heat maps, by name, but those that it has fixed."""
    found = set()
    for cells in figure.select_traces(selector={"type": "heatmap"}):
        names = {f"{axis[0]}axis{axis[1:]}" for axis in (cells.xaxis or "x", cells.yaxis or "y")}
        if not any(figure.layout[name].fixedrange for name in names):
            found |= names
    return found


def _merged(part: Any, ours: dict[str, Any]) -> dict[str, Any]:
    """Put our properties among a figure's; a title may be given as its text alone."""
    found = part if isinstance(part, dict) else {"text": part} if isinstance(part, str) else {}
    return found | {
        name: _merged(found.get(name), each) if isinstance(each, dict) else each for name, each in ours.items()
    }


def _print_on_bars(bars: go.Bar) -> None:
    """Write on bars in black or white, whichever is read better: Plotly's own grey is too weak on half-dark ones."""
    painted, said = bars.marker.color, bars.textfont.color or bars.insidetextfont.color
    if bars.text is None or bars.textposition not in ("inside", "auto") or painted is None or said is not None:
        return
    grounds = [painted] if isinstance(painted, str) else list(painted)
    if all(isinstance(ground, str) and ground.startswith(("#", "rgb")) for ground in grounds):
        inks = [text_on(opaque(ground, look().paper)) for ground in grounds]
        bars.insidetextfont.color = inks[0] if isinstance(painted, str) else inks


def _print_on_cells(figure: go.Figure, cells: go.Heatmap) -> None:
    """Write on the cells of a map in black or white, too: text of a stated size that has no colour of its own."""
    font = cells.textfont
    if cells.texttemplate != "%{text}" or font.size is None or font.color is not None:
        return
    values = np.asarray(cells.z, np.float64)
    shares = (values - cells.zmin) / (cells.zmax - cells.zmin)
    stops = [(stop, opaque(colour, look().paper)) for stop, colour in cells.colorscale]
    positions = [(row, column) for row, column in np.argwhere(np.isfinite(values)).tolist() if cells.text[row][column]]
    inks = [text_on(colour_at(shares[row, column], stops)) for row, column in positions]
    figure.add_scatter(
        x=[column for _, column in positions],
        y=[row for row, _ in positions],
        mode="text",
        text=[cells.text[row][column] for row, column in positions],
        textfont={"size": font.size, "color": inks},
        hoverinfo="skip",
        showlegend=False,
        xaxis=cells.xaxis,
        yaxis=cells.yaxis,
    )
    cells.texttemplate = None
    for name, size in zip((cells.yaxis or "y", cells.xaxis or "x"), values.shape, strict=True):
        axis = figure.layout[f"{name[0]}axis{name[1:]}"]
        if axis.range is None:  # else letters, unlike cells, ask for a margin
            ends = (-0.5, size - 0.5)
            axis.update(range=ends[::-1] if axis.autorange == "reversed" else ends, autorange=None)


def opaque(colour: str, paper: str) -> str:
    """Return `#rrggbb`, `rgb(r,g,b)` or `rgba(r,g,b,opacity)` as `#rrggbb` upon a paper."""
    if colour.startswith("#"):
        return colour
    red, green, blue, *rest = map(float, _NUMBER.findall(colour))
    opacity = rest[0] if rest else 1.0
    mixed = (opacity * a + (1 - opacity) * 255 * b for a, b in zip((red, green, blue), channels(paper), strict=True))
    return "#" + "".join(f"{round(channel):02x}" for channel in mixed)


def _print_minus(cells: go.Heatmap) -> None:
    """Write the numbers of a heat map with a minus sign, where its template would take a hyphen."""
    form = _NUMBERS.fullmatch(cells.texttemplate or "")
    if form and cells.z is not None and np.nanmin(np.asarray(cells.z, np.float64), initial=0) < 0:
        # `+ 0.0`: what rounds to 0 has no sign
        values = np.round(np.asarray(cells.z, np.float64), 2 if "2" in form[1] else 1) + 0.0
        texts = [["" if isnan(each) else minus(format(each, form[1])) for each in row] for row in values.tolist()]
        cells.update(text=texts, texttemplate="%{text}")


def _enlarged(part: Any, zoom: float, of: str = "") -> Any:
    """Sizes of type and marks and widths of lines, wherever they stand in a figure, times `zoom`."""
    if isinstance(part, dict):
        return {name: _grown(name, each, zoom, of) for name, each in part.items()}
    if isinstance(part, list | tuple):
        return [_enlarged(each, zoom, of) for each in part]
    return part


def _grown(name: str, value: Any, zoom: float, of: str) -> Any:
    sized = (name == "size" and (of == "marker" or "font" in of)) or (name == "width" and of == "line")
    if sized and isinstance(value, int | float):
        return value * zoom
    if sized and isinstance(value, dict) and "bdata" in value:
        return unpack(value) * np.float32(zoom)
    return _enlarged(value, zoom, name)


def to_json(figure: go.Figure) -> dict[str, Any]:
    """Return a figure as a page sends it to the browser.

    Streamlit draws each chart twice, the second time in its final size. Plotly then computes anew only what has
    changed, if numbers come as lists, with a revision, and without a template, which is for Streamlit's theme alone.
    """
    whole: dict[str, Any] = _listed(figure.to_dict())
    whole["layout"].pop("template", None)
    whole["layout"]["datarevision"] = 0
    return whole


def _listed(part: Any) -> Any:
    """Write arrays of at most `MOST_LISTED` numbers as lists."""
    if isinstance(part, list | tuple):
        return [_listed(each) for each in part]
    if not isinstance(part, dict):
        return part
    if "bdata" not in part:
        return {name: _listed(each) for name, each in part.items()}
    numbers = unpack(part)
    return numbers.tolist() if numbers.size <= MOST_LISTED else part


def unpack(packed: Any) -> Any:
    """Return an array, also one that Plotly has written down."""
    if not isinstance(packed, dict):
        return np.asarray(packed)
    numbers = np.frombuffer(base64.b64decode(packed["bdata"]), packed["dtype"])
    return numbers.reshape([int(each) for each in packed.get("shape", "-1").split(",")])
