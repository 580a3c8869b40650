"""One step of a recurrent decoder as it flows: the memory asks, states are weighed and added up, a word is written."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import hatch, heatmap, ribbon, theme
from explorer.figures.look import LIGHT, Look, faint
from explorer.lessons.seq2seq_attention.figures.columns import names
from explorer.lessons.seq2seq_attention.numbers import DRAWN, of_words
from explorer.records import Translate, english
from explorer.records.recurrent import DecoderStep, RecurrentRecord, Vector
from explorer.records.wording import percent

#: Left and right end of each part, in shares of the width; upper and lower end of memory and context.
MEMORY, WORDS, STATES, CONTEXT, NEXT = (0.02, 0.075), (0.235, 0.38), (0.39, 0.5), (0.655, 0.71), (0.775, 1.0)
TALL, ROWS = (0.3, 0.72), (0.09, 0.97)
#: Words that could be written next.
LIKELIEST = 5


def whole_step(
    record: RecurrentRecord, place: int, *, after: bool = False, look: Look = LIGHT, t: Translate = english
) -> go.Figure:
    """Draw memory, source words with their weights and states, the context they add up to, and the next word.

    Args:
        after: whether the memory after the step asks, and not the one before it.
    """
    step = record.trace.steps[place]
    weights, states = of_words(record, step)
    rows = _rows(len(weights))
    return theme.figure(
        *_strips(step, step.after if after else step.before, weights, states, rows, look),
        height=540,
        shapes=[*_asks(rows, look), *_flows(weights, rows, step.weights is not None, look), *_on(step, look)],
        showlegend=False,
        hovermode="closest",
        margin={"l": 2, "r": 2, "t": 2, "b": 2},
        annotations=[
            *_heads(look, t),
            *_words(record, step, weights, rows, look, t),
            *_next(step, look, t),
        ],
        xaxis={"visible": False, "range": [0, 1]},
        yaxis={"visible": False, "range": [1, 0]},
    )


def _rows(count: int) -> list[float]:
    return [ROWS[0] + (ROWS[1] - ROWS[0]) * (row + 0.5) / count for row in range(count)]


def _tall(count: int) -> float:
    return (ROWS[1] - ROWS[0]) / count


def _strips(
    step: DecoderStep, asking: Vector, weights: Vector, states: Any, rows: list[float], look: Look
) -> list[go.Heatmap]:
    """Draw memory and context upright, and the state of each source word on its row, paler the less it weighs."""
    half = 0.32 * _tall(len(rows))
    edges = [edge for middle in rows for edge in (middle - half, middle + half)]
    shown = np.full((2 * len(rows) - 1, DRAWN), np.nan, np.float32)
    strength = weights / weights.max() if weights.any() else np.ones_like(weights)
    shown[::2] = states[:, :DRAWN] / (float(np.abs(states[:, :DRAWN]).max()) or 1.0) * (0.12 + 0.88 * strength[:, None])
    upright = np.linspace(*TALL, min(DRAWN, asking.size) + 1)
    return [
        _strip(asking[:DRAWN, None], MEMORY, upright, look.query, look),
        _strip(step.context[:DRAWN, None], CONTEXT, upright, look.output, look),
        _strip(shown[:, : states.shape[1]], STATES, np.array(edges), look.value, look, reach=1.0),
    ]


def _strip(values: Any, across: ribbon.Span, edges: Any, ink: str, look: Look, reach: float = 0.0) -> go.Heatmap:
    reach = reach or float(np.nanmax(np.abs(values))) or 1.0
    scale = [(0.0, look.muted), (0.5, look.paper), (1.0, ink)]
    x = np.linspace(*across, values.shape[1] + 1)
    return heatmap.cells(values.astype(np.float32), scale, ends=(-reach, reach), x=x, y=edges)


def _asks(rows: list[float], look: Look) -> list[dict[str, Any]]:
    """Draw a dotted line from the memory to each source word."""
    middle, start, end = sum(TALL) / 2, MEMORY[1], WORDS[0] - 0.055
    bend = (start + end) / 2
    line = {"width": 1, "dash": "dot", "color": faint(look.query, 0.7)}
    return [
        {"type": "path", "path": f"M{start},{middle} C{bend},{middle} {bend},{y} {end},{y}", "line": line} for y in rows
    ]


def _flows(weights: Vector, rows: list[float], weighed: bool, look: Look) -> list[dict[str, Any]]:
    """Draw a ribbon from each state into the context, whose height they share out among them."""
    if not weighed:
        return []
    half, starts = 0.32 * _tall(len(rows)), TALL[0] + (TALL[1] - TALL[0]) * np.cumsum([0.0, *weights.tolist()])
    return [
        ribbon.band(
            STATES[1] + 0.005,
            (y - half * weight**0.5, y + half * weight**0.5),
            CONTEXT[0] - 0.003,
            (float(start), float(end)),
            faint(look.value, 0.25 + 0.5 * weight),
        )
        for y, weight, start, end in zip(rows, weights.tolist(), starts[:-1], starts[1:], strict=True)
        if weight >= 0.005
    ]


def _on(step: DecoderStep, look: Look) -> list[dict[str, Any]]:
    """Draw the bars of the next word, the way there, and frames."""
    shapes = [
        ribbon.box(MEMORY, TALL, "rgba(0,0,0,0)", look.query),
        ribbon.box(CONTEXT, TALL, "rgba(0,0,0,0)", look.output),
    ]
    for row, each in enumerate(step.likeliest[:LIKELIEST]):
        y, ink = _next_row(row), look.text if row == step.chosen else faint(look.muted, 0.6)
        end = NEXT[0] + (NEXT[1] - NEXT[0]) * max(each.probability, 0.01)
        shapes.append(ribbon.box((NEXT[0], end), (y, y + 0.02), ink, ink) | {"line": {"width": 0}})
    arrow = {"type": "path", "line": {"width": 2, "color": look.output}}
    middle = sum(TALL) / 2
    below = f"M{MEMORY[1] - 0.01},{TALL[1] + 0.01} L{MEMORY[1] - 0.01},0.985 L0.9,0.985 L0.9,{TALL[1] + 0.06}"
    return [
        *shapes,
        arrow | {"path": f"M{CONTEXT[1] + 0.005},{middle} L{NEXT[0] - 0.015},{middle}"},
        arrow | {"path": below, "line": {"width": 2, "color": faint(look.query, 0.7)}},
    ]


def _next_row(row: int) -> float:
    return 0.335 + 0.09 * row


def _heads(look: Look, t: Translate) -> list[dict[str, Any]]:
    heads = (
        (MEMORY[0], TALL[0], "left", t("its memory"), look.query),
        (WORDS[0], ROWS[0], "left", t("words"), look.key),
        (STATES[0], ROWS[0], "left", t("states"), look.value),
        (sum(CONTEXT) / 2, TALL[0], "center", t("context"), look.output),
        (NEXT[0], TALL[0], "left", t("the next word"), look.text),
    )
    place = {"yanchor": "bottom", "showarrow": False}
    return [
        place | {"x": x, "y": y - 0.012, "xanchor": side, "text": f"<b>{word}</b>", "font": {"size": 15, "color": ink}}
        for x, y, side, word, ink in heads
    ]


def _words(
    record: RecurrentRecord, step: DecoderStep, weights: Vector, rows: list[float], look: Look, t: Translate
) -> list[dict[str, Any]]:
    """Write the source words, and beside each the weight that can be read."""
    size = 18 if len(rows) <= 12 else 15 if len(rows) <= 18 else 12 if len(rows) <= 26 else 10
    found = []
    for word, weight, y in zip(names(record.trace.source.word_labels, t), weights.tolist(), rows, strict=True):
        seen = weight >= hatch.LEAST
        text, font = f"<b>{word}</b>" if seen else word, {"size": size, "color": look.key if seen else look.muted}
        place = {"y": y, "yanchor": "middle", "showarrow": False}
        found.append(place | {"x": WORDS[0], "xanchor": "left", "text": text, "font": font})
        if seen and step.weights is not None:
            share = {"text": f"<b>{hatch.short(weight)}</b>", "font": {"size": min(size, 15), "color": look.query}}
            found.append(place | share | {"x": WORDS[0] - 0.01, "xanchor": "right"})
    return found


def _next(step: DecoderStep, look: Look, t: Translate) -> list[dict[str, Any]]:
    """Write the likeliest words over their bars."""
    some = step.likeliest[:LIKELIEST]
    found = []
    for row, (each, word) in enumerate(zip(some, names([each.label for each in some], t), strict=True)):
        written = row == step.chosen
        text = f"{f'<b>{word}</b>' if written else word}  {percent(each.probability)}"
        font = {"size": 16, "color": look.text if written else look.muted}
        place = {"x": NEXT[0], "y": _next_row(row) - 0.002, "xanchor": "left", "yanchor": "bottom", "showarrow": False}
        found.append(place | {"text": text, "font": font})
    return found
