"""A batch before and after a norm, a row for each place, and the group of numbers that share one mean."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import theme
from explorer.figures.look import look
from explorer.lessons.whole_transformer.records import NormalisedRecord
from explorer.records.arrays import Float32
from explorer.records.language import t
from explorer.records.wording import token

#: Where the three panels begin and end, in shares of the width.
_PANELS = ((0.0, 0.32), (0.345, 0.665), (0.69, 1.0))


def maps(record: NormalisedRecord, row: int, column: int) -> go.Figure:
    """Draw three maps: the batch, the same normalised, and what moves without the last sentence.

    Args:
        record: the batch.
        row: place whose number is followed, from 0.
        column: that number, from 0.
    """
    titles = (t("before"), t("after"), t("moved, without the last sentence"))
    traces = []
    layout: dict[str, Any] = {"annotations": [], "shapes": _frames(record, row, column)}
    for position, (title, values) in enumerate(zip(titles, (record.before, record.after, record.alone), strict=True)):
        number = theme.axis_number(position)
        traces.append(_map(values, number) | {"name": title})
        layout[f"xaxis{number}"] = {
            "domain": _PANELS[position],
            "anchor": f"y{number}",
            "tickvals": list(range(values.shape[1])),
            "ticktext": [str(each + 1) for each in range(values.shape[1])],
            "showgrid": False,
            "zeroline": False,
        }
        layout[f"yaxis{number}"] = _rows(record) | {"anchor": f"x{number}", "showticklabels": position == 0}
        layout["annotations"].append(theme.heading(title, _PANELS[position][0], 1.0))
    layout["xaxis"]["title"] = {"text": t("number of the vector")}
    return theme.figure(*traces, height=520, showlegend=False, **layout)


def _rows(record: NormalisedRecord) -> dict[str, Any]:
    named = tuple(
        t("padding") if pad else token(label) for label, pad in zip(record.labels, record.padding, strict=True)
    )
    return theme.token_axis(named) | {"autorange": "reversed", "tickfont": {"size": 13}}


def _map(values: Float32, number: str) -> dict[str, Any]:
    reach = max(float(np.nanmax(np.abs(values))) if not np.isnan(values).all() else 1.0, 0.01)
    return {
        "type": "heatmap",
        "z": values,
        "zmin": -reach,
        "zmax": reach,
        "colorscale": [(0.0, look().output), (0.5, look().paper), (1.0, look().key)],
        "showscale": False,
        "texttemplate": "%{z:.1f}",
        "textfont": {"size": 12},
        "hovertemplate": "%{y} · %{x}: %{z:.4f}<extra></extra>",
        "hoverongaps": False,
        "xgap": 1,
        "ygap": 1,
        "xaxis": f"x{number}",
        "yaxis": f"y{number}",
    }


def _frames(record: NormalisedRecord, row: int, column: int) -> list[dict[str, Any]]:
    """Return the frame around the numbers that share a mean, the cell that is followed, and lines between sentences."""
    n_numbers = record.before.shape[1]
    found = []
    for axis in ("", "2"):
        at = {"xref": f"x{axis}", "yref": f"y{axis}", "type": "rect"}
        ink = {"line": {"color": look().query, "width": 3}}
        if record.over == "layer":
            found.append(at | ink | {"x0": -0.5, "x1": n_numbers - 0.5, "y0": row - 0.5, "y1": row + 0.5})
        else:
            for first, last in _stretches(record):
                found.append(at | ink | {"x0": column - 0.5, "x1": column + 0.5, "y0": first - 0.5, "y1": last + 0.5})
        cell = {"x0": column - 0.5, "x1": column + 0.5, "y0": row - 0.5, "y1": row + 0.5}
        found.append(at | {"line": {"color": look().text, "width": 2, "dash": "dot"}} | cell)
    borders = np.flatnonzero(np.diff(record.sentence)) + 0.5
    line = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "line": {"color": look().muted, "width": 2}}
    return [*found, *(line | {"y0": float(y), "y1": float(y)} for y in borders)]


def _stretches(record: NormalisedRecord) -> list[tuple[int, int]]:
    """Return first and last row of every stretch of rows that count."""
    rows = np.flatnonzero(record.counted)
    parts = np.split(rows, np.flatnonzero(np.diff(rows) > 1) + 1)
    return [(int(part[0]), int(part[-1])) for part in parts]
