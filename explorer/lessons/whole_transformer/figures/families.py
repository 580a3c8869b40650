"""A family on a sentence: who looks at whom, as a matrix, and what is guessed, as bars below it."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import hatch, theme
from explorer.figures.look import look
from explorer.lessons.whole_transformer.records import FamilyRecord
from explorer.records.language import t
from explorer.records.wording import percent, token

#: Where the matrix begins, and the bars end, in shares of the height; where the bars begin, of the width.
_MATRIX, _BARS, _NAMES = 0.36, 0.26, 0.22


def names() -> Mapping[str, str]:
    """Return what the families are called."""
    return {"encoder": t("Encoder alone"), "decoder": t("Decoder alone"), "both": t("Encoder and decoder")}


def family(record: FamilyRecord) -> go.Figure:
    """Draw who looks at whom, hatched where nobody may; framed the row whose guesses stand below."""
    labels = tuple(token(label) for label in record.labels)
    axis = {"tickfont": {"size": 12 if len(labels) <= 18 else 10}}
    guessed = tuple(token(label) for label, _ in record.guesses)
    return theme.figure(
        _weights(record),
        _guesses(record),
        height=560,
        showlegend=False,
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        shapes=[*hatch.cells(np.isnan(record.weights)), *_frames(record)],
        xaxis=theme.token_axis(labels, side="top") | axis | {"tickangle": -90, "anchor": "y"},
        yaxis=theme.token_axis(labels) | axis | {"autorange": "reversed", "domain": [_MATRIX, 1], "anchor": "x"},
        xaxis2={"range": [0, 1], "tickformat": ".0%", "nticks": 3, "anchor": "y2", "domain": [_NAMES, 1]},
        yaxis2=theme.token_axis(guessed) | {"autorange": "reversed", "domain": [0, _BARS], "anchor": "x2"},
    )


def _weights(record: FamilyRecord) -> dict[str, Any]:
    return {
        "type": "heatmap",
        "z": record.weights,
        "zmin": 0,
        "zmax": 1,
        "colorscale": look().weights,
        "showscale": False,
        "hovertemplate": "%{y} → %{x}: %{z:.3f}<extra></extra>",
        "hoverongaps": False,
        "xgap": 1,
        "ygap": 1,
    }


def _guesses(record: FamilyRecord) -> dict[str, Any]:
    return {
        "type": "bar",
        "x": [share for _, share in record.guesses],
        "y": list(range(len(record.guesses))),
        "xaxis": "x2",
        "yaxis": "y2",
        "orientation": "h",
        "marker": {"color": look().output},
        "text": [percent(share) for _, share in record.guesses],
        "constraintext": "none",
        "textposition": ["inside" if share > 0.7 else "outside" for _, share in record.guesses],
        "hovertemplate": "%{x:.4f}<extra></extra>",
    }


def _frames(record: FamilyRecord) -> list[dict[str, Any]]:
    """Return the frame around the row that guesses, and the lines between what is read and what is written."""
    n, at = len(record.labels), record.reads - 0.5
    row = {"x0": -0.5, "x1": n - 0.5, "y0": record.asks - 0.5, "y1": record.asks + 0.5}
    found: list[dict[str, Any]] = [{"type": "rect", "line": {"color": look().query, "width": 2}, **row}]
    if 0 < record.reads < n:
        edge = {"type": "line", "line": {"color": look().text, "width": 2}}
        found += [edge | {"x0": at, "x1": at, "y0": -0.5, "y1": n - 0.5}]
        found += [edge | {"x0": -0.5, "x1": n - 0.5, "y0": at, "y1": at}]
    return [shape | {"xref": "x", "yref": "y"} for shape in found]
