"""A soft look-up as it flows: from the query to every key, from every value to the answer, as wide as the weight."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import hatch, ribbon, theme
from explorer.figures.look import LIGHT, Look, faint, text_on
from explorer.lessons.queries_keys_values.figures import colours
from explorer.lessons.queries_keys_values.records.lookup import SOFT, WAYS, LookupRecord, say_value
from explorer.records import Translate, english
from explorer.records.wording import minus

#: Left and right edge of each column: the query, the keys, the values, the mixture, the answer.
QUERY, KEYS, VALUES, MIXTURE, ANSWER = (0.0, 0.13), (0.36, 0.58), (0.58, 0.7), (0.855, 0.88), (0.88, 1.0)
#: Heights in rows: of an entry, of its ribbon if it has all the weight, of query and answer.
ENTRY, WHOLE = 0.62, 0.9
#: With more entries than this there is no room for a second line.
CROWDED = 6


def ribbons(record: LookupRecord, *, look: Look = LIGHT, t: Translate = english) -> go.Figure:
    """Draw the dictionary as rows of key and value between query and answer.

    The height of a ribbon is a weight; the ribbons of one side have the height of the query together.
    """
    weights = record.weights[WAYS.index(SOFT)]
    n, middle = len(record.entries), (len(record.entries) - 1) / 2
    tall = WHOLE * max(1.0, n / 5)
    starts = middle - tall / 2 + tall * np.concatenate([[0.0], np.cumsum(weights)[:-1]])
    fills = colours.every(record, None, look)
    shapes = []
    for row, (weight, start) in enumerate(zip(weights.tolist(), starts.tolist(), strict=True)):
        half = WHOLE * weight / 2
        near = (row - half, row + half)
        far = (start, start + tall * weight)
        shapes += [
            ribbon.band(QUERY[1], far, KEYS[0], near, faint(look.query, 0.45)),
            ribbon.band(VALUES[1], near, MIXTURE[0], far, fills[row]),
            ribbon.box(MIXTURE, far, fills[row], fills[row]),
            ribbon.box(KEYS, (row - ENTRY / 2, row + ENTRY / 2), look.board, look.key),
            ribbon.box(VALUES, (row - ENTRY / 2, row + ENTRY / 2), fills[row], look.value),
        ]
    whole = (middle - tall / 2, middle + tall / 2)
    answer = colours.every(record, [record.outputs[WAYS.index(SOFT)]], look)[0]
    shapes += [ribbon.box(QUERY, whole, look.board, look.query), ribbon.box(ANSWER, whole, answer, look.output)]
    return theme.figure(
        *_texts(record, middle, look, t),
        _hovers(record, look, t),
        height=460,
        shapes=shapes,
        showlegend=False,
        hovermode="closest",
        margin={"l": 2, "r": 2, "t": 4, "b": 4},
        annotations=_heads(look, t),
        xaxis={"visible": False, "range": [-0.005, 1.005]},
        yaxis={
            "visible": False,
            "range": [max(n - 0.45, middle + tall / 2 + 0.1), min(-0.95, middle - tall / 2 - 0.5)],
        },
    )


def _texts(record: LookupRecord, middle: float, look: Look, t: Translate) -> list[go.Scatter]:
    """Write names, weights, values and the answer."""
    n, rows = len(record.entries), np.arange(len(record.entries))
    output = record.outputs[WAYS.index(SOFT)]
    weights = record.weights[WAYS.index(SOFT)].tolist()
    values = [colours.of(record, entry.value, look) for entry in record.entries]
    at = np.full(n, _centre(KEYS))
    shares = [hatch.short(weight) if weight >= 0.005 else "≈0" for weight in weights]
    return [
        _text(at, rows, _keys(record, t), look.text),
        _text(np.full(n, KEYS[0] - 0.012), rows, [f"<b>{each}</b>" for each in shares], look.text, "middle left"),
        _text(
            np.full(n, _centre(VALUES)),
            rows,
            [say_value(entry.value) for entry in record.entries],
            [text_on(value) for value in values],
        ),
        _text(
            [_centre(QUERY)], [middle], [f"<b>({_short(record.query[0])}, {_short(record.query[1])})</b>"], look.text
        ),
        _text([_centre(ANSWER)], [middle], [f"<b>{say_value(output)}</b>"], text_on(colours.of(record, output, look))),
    ]


def _keys(record: LookupRecord, t: Translate) -> list[str]:
    """Name each key, with its place and, where there is room, its distance and score."""
    crowded = len(record.entries) > CROWDED
    said = t("distance {distance}<br>score {score}")
    lines = []
    for entry, distance, score in zip(record.entries, record.distances.tolist(), record.scores.tolist(), strict=True):
        below = said.format(distance=f"{distance:.2f}", score=_short(score))
        place = f"<b>{theme.label(entry.name)}</b> ({_short(entry.x)}, {_short(entry.y)})"
        lines.append(place if crowded else f"{place}<br>{below}")
    return lines


def _text(x: Any, y: Any, words: list[str], colour: str | list[str], side: str = "middle center") -> go.Scatter:
    font = {"size": 15, "color": colour}
    return go.Scatter(x=x, y=y, mode="text", text=words, textfont=font, textposition=side, hoverinfo="skip")


def _hovers(record: LookupRecord, look: Look, t: Translate) -> go.Scatter:
    """Put an unseen mark on each entry, which says how much of its value enters the answer."""
    said = t("“{key}”: weight {weight} of the value {value}")
    weights = record.weights[WAYS.index(SOFT)].tolist()
    words = [
        said.format(
            key=theme.label(entry.name, None), weight=f"{weight:.4f}", value=colours.hovered(entry.value, record, look)
        )
        for entry, weight in zip(record.entries, weights, strict=True)
    ]
    return go.Scatter(
        x=np.full(len(words), _centre((KEYS[0], VALUES[1]))),
        y=np.arange(len(words)),
        mode="markers",
        marker={"size": 60},
        opacity=0,
        text=words,
        hovertemplate="%{text}<extra></extra>",
    )


def _heads(look: Look, t: Translate) -> list[dict[str, Any]]:
    """Name the columns in the colours of their roles."""
    heads = (
        (QUERY, t("query"), look.query),
        (KEYS, t("keys"), look.key),
        (VALUES, t("values"), look.value),
        (ANSWER, t("answer"), look.output),
    )
    place = {"yref": "paper", "y": 1.0, "yanchor": "top", "showarrow": False}
    return [
        place | {"x": _centre(across), "text": f"<b>{word}</b>", "font": {"color": ink, "size": 16}}
        for across, word, ink in heads
    ]


def _centre(across: tuple[float, float]) -> float:
    return (across[0] + across[1]) / 2


def _short(number: float) -> str:
    return minus(f"{number:.3g}")
