"""The numbers that a figure draws, as a table in the words of its axes."""

import html
import re
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

_MARKUP = re.compile(r"<[^>]+>")
#: Before the name of a series: how far its values may be off.
_ERROR = "± "


def table(figure: go.Figure) -> pd.DataFrame:
    """Return what a figure draws: heat maps cell by cell, else the points of every line, bar and marker.

    One heat map is a row for each of its rows; several are one below the other, told apart by name. Series over the
    same axis are columns side by side; where one has two values at one place, all points are rows instead.
    What answers no pointer (`hoverinfo` is `skip`) is decoration and left out.
    """
    traces = [each for each in figure.data if each.visible is not False and each.hoverinfo != "skip"]
    maps = [each for each in traces if each.type == "heatmap"]
    if maps:
        names = _distinct([_text(each.name) for each in maps])
        cells = {name: _matrix(figure, each) for name, each in zip(names, maps, strict=True)}
        return pd.concat(cells) if len(maps) > 1 else cells[names[0]]
    return _side_by_side([found for each in traces if len(found := _points(figure, each))])


def _matrix(figure: go.Figure, trace: Any) -> pd.DataFrame:
    """Return the cells of a heat map, rows and columns named by the ticks of its axes."""
    cells = np.asarray(trace.z)
    across, down = _axis(figure, trace, "x"), _axis(figure, trace, "y")
    columns, rows = (
        _distinct(_ticks(axis, range(size) if positions is None else positions))
        for axis, size, positions in ((across, cells.shape[1], trace.x), (down, cells.shape[0], trace.y))
    )
    return pd.DataFrame(cells, index=pd.Index(rows, name=_text(down.title.text)), columns=columns)


def _points(figure: go.Figure, trace: Any) -> pd.DataFrame:
    """Return the points of a series: its places on the one axis as the index, its values on the other as a column."""
    across, along = ("y", "x") if trace.type == "bar" and trace.orientation == "h" else ("x", "y")
    position, value = _axis(figure, trace, across), _axis(figure, trace, along)
    values = [] if (drawn := getattr(trace, along)) is None else drawn
    positions = range(len(values)) if (drawn := getattr(trace, across)) is None else drawn
    title = _text(value.title.text)
    column = {_text(trace.name) or title: _ticks(value, values)}
    index = pd.Index(_whole(_ticks(position, positions), trace.customdata), name=_text(position.title.text))
    points = pd.DataFrame(column, index=index)
    if (error := getattr(trace, f"error_{along}")).array is not None:
        points[_ERROR + points.columns[0]] = error.array
    points = points[points.iloc[:, 0].notna()]
    points.attrs["title"] = title
    return points


def _side_by_side(series: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Return the series as columns over the axis they share, or as rows if they share none or turn back on it."""
    axes = {str(each.index.name) for each in series}
    if len(axes) != 1 or not all(each.index.is_unique for each in series):
        return pd.concat([_rows(each) for each in series], ignore_index=True) if series else pd.DataFrame()
    if len({each.columns[0] for each in series}) < len(series):
        series = [each.add_suffix(f" · {each.attrs['title']}") for each in series]
    whole = pd.concat(series, axis=1, sort=False)
    return whole.set_axis(_distinct(whole.columns), axis=1).rename_axis(axes.pop())


def _rows(series: pd.DataFrame) -> pd.DataFrame:
    """Return a series as rows: its name, its places, its values and how far they may be off."""
    names = [str(series.index.name) or "x", series.attrs["title"] or "y", _ERROR.strip()]
    rows = series.reset_index().set_axis(names[: series.shape[1] + 1], axis=1)
    rows.insert(0, "", series.columns[0], allow_duplicates=True)
    return rows


def _axis(figure: go.Figure, trace: Any, letter: str) -> Any:
    """Return the axis of a trace: `x3` stands in the layout as `xaxis3`."""
    return figure.layout[f"{letter}axis{(getattr(trace, f'{letter}axis') or letter)[1:]}"]


def _ticks(axis: Any, positions: Iterable[Any]) -> list[Any]:
    """Return the words at the ticks where every place has one, else the places."""
    words = _distinct(map(_text, axis.ticktext or ()))
    texts = dict(zip(axis.tickvals, words, strict=False)) if words else {}
    found = list(positions)
    return [texts[each] for each in found] if all(isinstance(p, Hashable) and p in texts for p in found) else found


def _whole(names: list[Any], said: Any) -> list[Any]:
    """Return the names, those that were cut for the axis as the pointer says them."""
    if said is None or np.ndim(said) != 1 or not all(isinstance(each, str) for each in (*names, *said)):
        return names
    return [_text(whole) if name.endswith("…") else name for name, whole in zip(names, said, strict=True)]


def _distinct(names: Iterable[Any]) -> list[Any]:
    """Return the names, equal ones told apart by their place."""
    found = list(names)
    often = Counter(found)
    return [name if often[name] == 1 else f"{name} ({position})" for position, name in enumerate(found)]


def _text(markup: str | None) -> str:
    """Return text as it is read: without Plotly's markup."""
    return html.unescape(_MARKUP.sub(" ", markup or "")).replace("\u00a0", " ").strip()
