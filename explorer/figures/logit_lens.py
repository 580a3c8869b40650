"""What the logit lens reads on the way of a token through the decoder."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from explorer.figures import heatmap, theme
from explorer.figures.look import look
from explorer.records.language import t
from explorer.records.residual_stream import StreamRecord

#: Maps with more tokens than this name the lens's choices on hover only.
MOST_WRITTEN = 20
_CHARACTERS = 9


def lens_map(record: StreamRecord, *, names: Sequence[str]) -> go.Figure:
    """For every written token the likeliest next token before the first layer and after each; colour: its probability.

    A choice that is the written token is bold.
    """
    ends, columns = record.layer_ends, len(record.written_labels)
    best = [[record.likeliest[end][position][0] for position in range(columns)] for end in ends]
    shares = np.array([[each.probability for each in row] for row in best], np.float32)
    whose = [[_said(record, end, position) for position in range(columns)] for end in ends]
    said = t("{where}, writing “{written}”: the lens reads “{best}” ({share}); “{written}” has rank {rank}")
    hover = said.format(
        where="%{y}", written="%{x}", best="%{customdata[0]}", share="%{z:.1%}", rank="%{customdata[1]}"
    )
    figure = _cells(shares, tuple(names), record.written_labels, f"{hover}<extra></extra>")
    figure.update_traces(customdata=whose)
    if columns <= MOST_WRITTEN:
        texts = [
            [_bold(best[row][position].label, record.rank[end, position] == 0) for position in range(columns)]
            for row, end in enumerate(ends)
        ]
        figure.update_traces(text=texts, texttemplate="%{text}", textfont={"size": 16})
    return figure.update_xaxes(title=t("written token"))


def choices(record: StreamRecord, position: int, *, names: Sequence[str]) -> go.Figure:
    """One token: the likeliest next tokens, best first, before the first layer and after each."""
    rows = [record.likeliest[end][position] for end in record.layer_ends]
    shares = np.array([[each.probability for each in row] for row in rows], np.float32)
    ranks = tuple(str(number + 1) for number in range(shares.shape[1]))
    token = record.written_labels[position]
    said = t("{where}, choice {rank}: “{read}”, probability {share}")
    hover = said.format(where="%{y}", rank="%{x}", read="%{customdata}", share="%{z:.1%}")
    figure = _cells(shares, tuple(names), ranks, f"{hover}<extra></extra>")
    texts = [[f"{_bold(each.label, each.label == token)}<br>{each.probability:.0%}" for each in row] for row in rows]
    labels = [[theme.label(each.label, None) for each in row] for row in rows]
    figure.update_traces(customdata=labels, text=texts, texttemplate="%{text}", textfont={"size": 12})
    return figure.update_xaxes(title=t("choice"))


def _cells(shares: npt.NDArray[np.float32], rows: tuple[str, ...], columns: tuple[str, ...], hover: str) -> go.Figure:
    figure = heatmap.matrix(shares, rows=rows, columns=columns, value_title=t("probability"), hover=hover)
    figure.update_traces(colorscale=look().weights, showscale=False)
    return figure.update_layout(margin={"l": 8, "r": 8, "t": 8, "b": 8})


def _bold(label: str, chosen: Any) -> str:
    text = theme.label(label, _CHARACTERS)
    return f"<b>{text}</b>" if chosen else text


def _said(record: StreamRecord, end: int, position: int) -> list[str]:
    best = record.likeliest[end][position][0]
    return [theme.label(best.label, None), f"{record.rank[end, position] + 1:,}"]
