"""Lines for “Scoring functions”: what the length of the vectors does to a softmax."""

from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from explorer.figures import theme
from explorer.figures.look import look
from explorer.records.arrays import Floats
from explorer.records.language import t
from explorer.records.scoring import SaturationRecord

#: Shown at once; the others wait in the legend.
SHOWN = ("dot", "scaled_dot")
_DASHES = ("solid", "dash", "dashdot", "dot")


def lengths(record: SaturationRecord, *, names: Mapping[str, str], measures: Mapping[str, str]) -> go.Figure:
    """Draw variance of scores (with what theory says), entropy, largest weight and gradient against d.

    Args:
        measures: of the four measures, in the reader's language.
    """
    drawn = ("variance", "entropy", "largest", "gradient")
    traces = []
    for number, scorer in enumerate(record.scorers):
        waits = {"visible": True if scorer in SHOWN else "legendonly"}
        for position, measure in enumerate(drawn):
            values = getattr(record, measure)[number]
            line = _line(record.lengths, values, names[scorer], number, position, "d = %{x}: %{y:.4g}")
            traces.append(line | waits | {"mode": "lines+markers", "legendgroup": scorer})
        level = _level(record.lengths, record.expected_variance[number], t("theory"), look().muted, 0)
        traces.append(level | waits | {"legendgroup": scorer, "showlegend": number == 0})
    layout = _grid([measures[each] for each in drawn], columns=2)
    ticks = [d for d in record.lengths if d in {2, 8, 32, 128, 512}]
    for position in range(len(drawn)):
        layout[f"xaxis{theme.axis_number(position)}"] |= {
            "type": "log",
            "tickvals": ticks,
            "title": {"text": "d" * (position // 2)},
        }
    layout["yaxis"] |= {"type": "log", "dtick": 1}
    return theme.figure(*traces, height=600, **layout)


def series() -> tuple[str, ...]:
    """One colour for each series, in their order: colours of roles, for no look has others that stay apart."""
    return (look().output, look().key, look().value, look().muted)


def _line(
    x: Sequence[int], y: Sequence[float] | Floats, name: str, number: int, position: int, said: str
) -> dict[str, Any]:
    """Return one series in one subplot; its colour and dashes tell it apart, in the legend once."""
    return {
        "type": "scatter",
        "x": list(x),
        "y": y,
        "xaxis": f"x{theme.axis_number(position)}",
        "yaxis": f"y{theme.axis_number(position)}",
        "name": name,
        "mode": "lines",
        "line": {"color": series()[number], "dash": _DASHES[number % len(_DASHES)], "width": 2.5},
        "showlegend": position == 0,
        "hovertemplate": f"{theme.label(name, None)}, {said}<extra></extra>",
    }


def _level(x: Sequence[int], y: Sequence[float] | Floats, name: str, colour: str, position: int) -> dict[str, Any]:
    """A broad pale line to compare a series with."""
    line = _line(x, y, name, 0, position, "%{y:.4g}")
    return line | {"line": {"color": colour, "width": 5}, "opacity": 0.5}


def _grid(titles: Sequence[str], *, columns: int) -> dict[str, Any]:
    """Return the axes and titles of subplots, left to right, top to bottom.

    `make_subplots` with a trace added to each cell takes a fifth of a second: it copies the template every time.
    """
    rows = -(-len(titles) // columns)
    wide, high = 1 / columns, 1 / rows
    layout: dict[str, Any] = {"margin": {"l": 8, "r": 8, "t": 84, "b": 8}, "annotations": []}
    for position, title in enumerate(titles):
        here = theme.axis_number(position)
        row, column = divmod(position, columns)
        left, top = column * wide, 1 - row * high
        across = [left + 0.05 * column, left + wide - 0.05 * (columns - 1 - column)]
        upwards = [top - high + 0.08 * (rows - 1 - row), top - 0.08 * min(row, 1)]
        layout[f"xaxis{here}"] = {
            "domain": across,
            "anchor": f"y{here}",
            "automargin": True,
        }
        layout[f"yaxis{here}"] = {
            "domain": upwards,
            "anchor": f"x{here}",
            "automargin": True,
            "rangemode": "tozero",
        }
        layout["annotations"].append(theme.heading(theme.label(title, None), across[0], upwards[1]))
    layout["legend"] = {"orientation": "h", "y": 1.09, "yanchor": "bottom", "x": 0}
    return layout
