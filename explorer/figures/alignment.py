"""Alignments of a recurrent decoder as maps."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from explorer.figures import heatmap, theme
from explorer.figures.layer_head_grid import scale_above
from explorer.figures.look import look
from explorer.records import AttentionRecord
from explorer.records.language import t
from explorer.records.recurrent import RecurrentRecord

#: Height of a row of a short and of a long map, in pixels, and of the shortest and tallest map.
ROW, LONG_ROW, LEAST, MOST = 26, 18, 340, 1100


def alignment(record: AttentionRecord, *, hard: bool = False, query_title: str = "", key_title: str = "") -> go.Figure:
    """The soft alignment, a row for each output token; on demand the heaviest source token of each row is marked.

    Args:
        record: weights of one head, `[1, output, source]`.
        hard: whether to mark the argmax of each row.
    """
    record = _ended(record)
    figure = scale_above(heatmap.attention(record, head=0, query_title=query_title, key_title=key_title))
    rows, columns = record.weights.shape[1:]
    figure.update_layout(height=_height(rows)).update_xaxes(title_standoff=24)
    figure.update_traces(
        hovertemplate=_hover(), texttemplate=None, colorscale=look().weights, selector={"type": "heatmap"}
    )
    if max(rows, columns) > 40:
        figure.update_traces(xgap=0, ygap=0)
    if hard:
        figure.add_trace(_marks(record.weights[0].argmax(-1), t("heaviest source token"), look().query, "square-open"))
        figure.update_layout(showlegend=False)
    return figure


def fixed_alignment(fixed: RecurrentRecord, other: RecurrentRecord | None) -> go.Figure:
    """The fixed alignment, and over it where a trained attention looked when it wrote its own output.

    Args:
        fixed: what the straw man wrote.
        other: what a model with attention wrote of the same source.
    """
    assert fixed.trace.alignment is not None
    record = _ended(fixed.trace.alignment)
    figure = alignment(record, query_title=t("output, word for word"), key_title=t("source"))
    if other is not None and other.trace.alignment is not None:
        best = other.trace.alignment.weights[0].argmax(-1)
        labels = _ended(other.trace.alignment).query_labels
        marks = _marks(best, t("where trained attention looked"), look().query, "circle")
        marks.customdata = [
            [theme.label(label, None), theme.label(record.key_labels[j], None)]
            for label, j in zip(labels, best.tolist(), strict=True)
        ]
        marks.hovertemplate = (
            t("trained attention, writing “{query}”: “{key}”").format(query="%{customdata[0]}", key="%{customdata[1]}")
            + "<extra></extra>"
        )
        figure.add_traces([marks, _words(labels, best, record)])
        figure.update_traces(showscale=False, selector={"type": "heatmap"})  # every weight is 0 or 1
        rows = max(len(labels), len(record.query_labels))
        figure.update_yaxes(range=[rows - 0.5, -0.5], autorange=False)
        figure.update_layout(height=_height(rows), showlegend=True)
    return figure


def _words(labels: Sequence[str], best: npt.NDArray[np.integer[Any]], record: AttentionRecord) -> go.Scatter:
    """Return the words beside another model's marks, and beside a dark cell: their rows have this one's words."""
    cells = np.zeros((len(labels), len(record.key_labels) + 1), bool)  # which are dark; what lies right of all is
    cells[: len(record.query_labels), :-1] = record.weights[0, : len(labels)] > 0.5
    cells[:, -1] = True
    rows = np.arange(len(labels))
    dark, sides = cells[rows, best], np.where(cells[rows, best + 1], -1, 1)
    return go.Scatter(
        x=(best + sides * np.where(dark, 0.55, 0.25)).astype(np.float32),
        y=rows.astype(np.int32),
        mode="text",
        text=[theme.label(label, None) for label in labels],
        textposition=np.where(sides > 0, "middle right", "middle left").tolist(),
        textfont={"color": look().query, "size": look().close(15)},
        cliponaxis=False,
        hoverinfo="skip",
        showlegend=False,
    )


def _ended(record: AttentionRecord) -> AttentionRecord:
    """The same weights; the end of a sentence has a name."""
    sides = (record.query_labels, record.key_labels)
    queries, keys = (tuple(t("end") if label == "</s>" else label for label in side) for side in sides)
    return replace(record, query_labels=queries, key_labels=keys)


def _height(rows: int) -> int:
    return int(np.clip(140 + (ROW if rows <= 24 else LONG_ROW) * rows, LEAST, MOST))


def _hover() -> str:
    said = t("writing “{query}”, it looks at “{key}”: {weight}")
    return said.format(query="%{y}", key="%{x}", weight="%{z:.3f}") + "<extra></extra>"


def _marks(positions: npt.NDArray[np.integer[Any]], name: str, colour: str, symbol: str) -> go.Scatter:
    rows = np.arange(len(positions), dtype=np.int32)
    return go.Scatter(
        x=np.asarray(positions, np.int32),
        y=rows,
        mode="markers",
        name=name,
        marker={"symbol": symbol, "size": 13, "color": colour, "line": {"width": 3 if "open" in symbol else 1}},
        hoverinfo="skip",
    )
