"""A model's sentence beside the source: words on both sides, and ribbons as wide as the weights."""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import hatch, heatmap, ribbon, theme
from explorer.figures.look import faint, look
from explorer.lessons.seq2seq_attention.numbers import DRAWN, by_words, looks
from explorer.records.arrays import Float32
from explorer.records.language import t
from explorer.records.recurrent import RecurrentRecord
from explorer.records.wording import token

#: Where source and output words end and begin; the vector between them.
SOURCE, OUTPUT, VECTOR = 0.37, 0.66, (0.49, 0.54)
#: Upper and lower end of the vector, and how much of a row a whole weight fills.
ENDS, WHOLE = (0.3, 0.7), 0.6
#: A smaller weight is not drawn.
LEAST = 0.02


def names(labels: Sequence[str], limit: int | None = 14) -> list[str]:
    """Return words as they are shown in a figure, which reads markup: the end of a sentence has a name."""
    return [theme.label(token(label), limit) for label in labels]


def plain_names(labels: Sequence[str], limit: int | None = 14) -> list[str]:
    """Return the same for what takes text as it is: live pictures and menus."""
    return [theme.visible(token(label).replace(" ", "\u00a0"), limit) or "∅" for label in labels]


def column(record: RecurrentRecord, follow: int | None, *, strong: Collection[int] = ()) -> go.Figure:
    """Draw source and output one above the other, word by word, and what the output saw of the source.

    Args:
        follow: the output word whose weights are in the colour of a query; None for none.
        strong: output words in the colour of an output.
    """
    source, written = record.trace.source.word_labels, record.trace.written.word_labels
    alignment = by_words(record)
    left, right = _middles(len(source)), _middles(len(written))
    size = _size(max(len(source), len(written)))
    weights = None if alignment is None else alignment.weights[0]
    own = weights[follow] if weights is not None and follow is not None else None
    lines = (
        _funnel(left, right, follow)
        if weights is None
        else _ribbons(weights, left, right, 0.4 if own is None else 0.22)
    )
    vector, over, ink = record.trace.summary, t("{n} numbers").format(n=record.trace.summary.size), look().key
    if own is not None and follow is not None:
        vector, over, ink = looks(record, pieces=False)[2][follow, :DRAWN], t("context"), look().output
        lines += _through(own, left, right[follow], WHOLE / max(len(left), len(right)) / 2)
    looked_at = [own is not None and own[position] >= hatch.LEAST for position in range(len(source))]
    source_inks = [look().key if each else look().text for each in looked_at]
    output_inks = [look().output if position in strong else look().text for position in range(len(written))]
    words = [
        _words(names(source), SOURCE - 0.02, left, "right", size, source_inks),
        _words(names(written), OUTPUT + 0.02, right, "left", size, output_inks),
    ]
    figure = theme.figure(
        *([_vector(vector, ink)] if weights is None or own is not None else []),
        _hovers(source, written, weights, right),
        height=520,
        shapes=lines,
        showlegend=False,
        hovermode="closest",
        margin={"l": 2, "r": 2, "t": 2, "b": 2},
        annotations=[each for side in words for each in side] + _shares(own, names(source), left, size),
        xaxis={"visible": False, "range": [0, 1]},
        yaxis={"visible": False, "range": [1, 0], "fixedrange": True},
    )
    if follow is not None:
        _mark(figure.layout.annotations[len(source) + follow])
    if weights is None or own is not None:
        position = {"x": sum(VECTOR) / 2, "y": ENDS[0] - 0.005, "yanchor": "bottom", "bgcolor": look().paper}
        figure.add_annotation(text=over, **position, **_plain(13, look().muted))
    return figure


def _middles(count: int) -> list[float]:
    return [(row + 0.5) / count for row in range(count)]


def _size(count: int) -> float:
    return 17 if count <= 12 else 15 if count <= 18 else 13 if count <= 26 else 10.5


def _ribbons(weights: Any, left: list[float], right: list[float], ink: float) -> list[dict[str, Any]]:
    """Draw a ribbon for each weight that can be seen."""
    unit = WHOLE / max(len(left), len(right)) / 2
    found = []
    for row, column in np.argwhere(weights >= LEAST).tolist():
        half = unit * float(weights[row, column])
        ends = [(middle - half, middle + half) for middle in (left[column], right[row])]
        found.append(ribbon.band(SOURCE, ends[0], OUTPUT, ends[1], faint(look().key, ink)))
    return found


def _through(own: Float32, left: list[float], right: float, unit: float) -> list[dict[str, Any]]:
    """Draw the followed word's weights as they flow into its context, which they share out, and on to the word."""
    ends = ENDS[0] + (ENDS[1] - ENDS[0]) * np.cumsum([0.0, *own.tolist()])
    flows = [
        ribbon.band(
            SOURCE,
            (y - unit * weight, y + unit * weight),
            VECTOR[0],
            (float(top), float(end)),
            faint(look().query, 0.9),
        )
        for y, weight, top, end in zip(left, own.tolist(), ends[:-1], ends[1:], strict=True)
        if weight >= LEAST
    ]
    middle = sum(ENDS) / 2
    spans = [(position - unit, position + unit) for position in (middle, right)]
    on = ribbon.band(VECTOR[1], spans[0], OUTPUT, spans[1], faint(look().output, 0.8))
    return [*flows, on, ribbon.box(VECTOR, ENDS, look().paper, look().output)]


def _funnel(left: list[float], right: list[float], follow: int | None) -> list[dict[str, Any]]:
    """Draw a line from each source word into the vector, and from there to each output word."""
    quiet, half = faint(look().key, 0.45), 0.004
    shapes = []
    for positions, outside, inside in ((left, SOURCE, VECTOR[0]), (right, OUTPUT, VECTOR[1])):
        for row, position in enumerate(positions):
            end = ENDS[0] + (ENDS[1] - ENDS[0]) * position
            asked = outside == OUTPUT and row == follow
            wide = 2 * half if asked else half
            spans = ((position - wide, position + wide), (end - wide, end + wide))
            shapes.append(ribbon.band(outside, spans[0], inside, spans[1], look().query if asked else quiet))
    return [*shapes, ribbon.box(VECTOR, ENDS, look().paper, look().text)]


def _vector(vector: Float32, ink: str) -> go.Heatmap:
    """Draw all numbers of a vector one above the other."""
    reach = float(np.abs(vector).max()) or 1.0
    scale = [(0.0, look().text), (0.5, look().paper), (1.0, ink)]
    values, y = vector[:, None].astype(np.float32), np.linspace(*ENDS, vector.size + 1)
    said = t("{row}, number {position}: {value}")
    said = said.format(row=t("context"), position="%{customdata}", value="%{z:.3f}")
    positions = np.arange(1, len(values) + 1)[:, None]
    return heatmap.cells(values, scale, said, ends=(-reach, reach), x=list(VECTOR), y=y, customdata=positions)


def _words(
    words: list[str], x: float, positions: list[float], side: str, size: float, inks: list[str]
) -> list[dict[str, Any]]:
    return [
        {"x": x, "y": y, "text": word, "xanchor": side, "yanchor": "middle", **_plain(size, ink)}
        for word, y, ink in zip(words, positions, inks, strict=True)
    ]


def _plain(size: float, ink: str) -> dict[str, Any]:
    return {"showarrow": False, "font": {"size": size, "color": ink}}


def _shares(own: Any, words: list[str], left: list[float], size: float) -> list[dict[str, Any]]:
    """Write the followed word's weights before the source words, those that can be read."""
    if own is None:
        return []
    some = [(left[position], float(weight)) for position, weight in enumerate(own) if weight >= hatch.LEAST]
    room = size * (0.58 * max(map(len, words)) + 1)
    beside = {"x": SOURCE - 0.02, "xshift": -room, "xanchor": "right", "yanchor": "middle"}
    return [
        {**beside, "y": y, "text": f"<b>{hatch.short(weight)}</b>", **_plain(min(size, 14), look().query)}
        for y, weight in some
    ]


def _mark(word: Any) -> None:
    """Put the followed word on a ground of its own."""
    word.update(text=f"<b>{word.text}</b>", bgcolor=look().query, borderpad=3)
    word.font.color = look().paper


def _hovers(source: Sequence[str], written: Sequence[str], weights: Any, right: list[float]) -> go.Scatter:
    """Put an unseen mark on each output word, which says what it looked at most."""
    said, shown = t("writing “{query}”, it looks at “{key}”: {weight}"), names(source, None)
    best = [None if weights is None else int(weights[row].argmax()) for row in range(len(written))]
    words = [
        word
        if position is None
        else said.format(query=word, key=shown[position], weight=f"{weights[row, position]:.2f}")
        for row, (word, position) in enumerate(zip(names(written, None), best, strict=True))
    ]
    return go.Scatter(
        x=[OUTPUT + 0.1] * len(words),
        y=right,
        mode="markers",
        marker={"size": 30},
        opacity=0,
        text=words,
        hovertemplate="%{text}<extra></extra>",
    )
