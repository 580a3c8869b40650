"""The tree of a search: a column for each step, a cell for each hypothesis, its newest token written in it."""

import html
from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import theme
from explorer.figures.look import LIGHT as PAPER, Look, ink_at, text_on
from explorer.lessons.translator.names import name
from explorer.records import Translate, english
from explorer.records.search import Fate, SearchNode, SearchRecord

#: Pixels of a row.
ROW_HEIGHT = 42
#: Half the width of a cell, and its height, in steps and ranks.
HALF, THICK = 0.42, 0.62
#: Tells fates apart without colour.
MARKS: dict[Fate, str] = {"finished": "✓ ", "pruned": "✕ ", "open": "", "continued": "", "dropped": ""}
#: Characters of a token in a cell, and of the text so far under the pointer.
TOKEN_CHARACTERS, TEXT_CHARACTERS = 12, 70


def tree(
    record: SearchRecord, *, step: int, dropped: bool = False, look: Look = PAPER, t: Translate = english
) -> go.Figure:
    """Draw the tree as it stood after `step` steps.

    Every hypothesis has a cell of its own at (its step, its place among the candidates of that step), so equal tokens
    never merge. Shade is the probability of its newest token; the path of the translation that won is drawn strongly.

    Args:
        step: from 1; beyond the last step it is the whole tree.
        dropped: also draw candidates that were not even kept.
    """
    shown = [
        number for number, node in enumerate(record.nodes) if node.step <= step and (dropped or node.fate != "dropped")
    ]
    best = set(record.path(record.found[0]))
    rows = 1 + max(node.rank for node in record.nodes if dropped or node.fate != "dropped")
    return theme.figure(
        *_edges(record, shown, best, look),
        _cells(record, [each for each in shown if record.nodes[each].fate != "dropped"], best, step, look, t),
        _outlines(record, [each for each in shown if record.nodes[each].fate == "dropped"], step, look, t),
        *_legend(dropped, look, t),
        height=120 + ROW_HEIGHT * rows,
        barmode="overlay",
        dragmode=False,  # so that a finger scrolls; the buttons zoom
        xaxis=_steps(record.n_steps, t),
        yaxis=_places(rows, t),
    )


def explained(record: SearchRecord, number: int, step: int, t: Translate = english) -> str:
    """Explain one hypothesis as HTML, as `told` says it."""
    return "<br>".join(html.escape(line, quote=False) for line in told(record, number, step, t).split("\n"))


def told(record: SearchRecord, number: int, step: int, t: Translate = english) -> str:
    """Tell of one hypothesis in lines: what it says so far, its numbers, and what became of it by a step."""
    node = record.nodes[number]
    before = node.text[-TEXT_CHARACTERS:]
    numbers = t("“{token}”: probability {share:.3f}; sum {total:.2f} nats; score {score:.2f}").format(
        token=theme.visible(name(node.label, t)) or "\u2205",
        share=np.exp(node.log_probability),
        total=node.total,
        score=node.score,
    )
    place = t("Step {step}, place {place}").format(step=node.step, place=node.rank + 1)
    so_far = ("…" if before != node.text else "") + (theme.visible(before) or "\u2205")
    return "\n".join([place, so_far, numbers, fate(record, node, record.fate(number, step), t)])


def piece(node: SearchNode, t: Translate = english) -> str:
    """Return the newest token as it stands in a cell."""
    return theme.visible(name(node.label, t), TOKEN_CHARACTERS) or "\u2205"


def fate(record: SearchRecord, node: SearchNode, known: Fate, t: Translate = english) -> str:
    """Return what became of a hypothesis, and why."""
    if known == "finished":
        return t("✓ finished: it ended among the {beam} best").format(beam=record.beam)
    if known == "pruned":
        return t("✕ pruned at step {step}: no continuation reached {cutoff}, the least that was kept").format(
            step=node.step + 1, cutoff=_nats(record.cutoff(node.step + 1))
        )
    if known == "dropped":
        return t("not kept at step {step}: the least that was kept had {cutoff}").format(
            step=node.step, cutoff=_nats(record.cutoff(node.step))
        )
    if known == "open" and node.step == record.n_steps:
        return t("kept, and left unfinished when the search was over")
    return t("kept") if known == "open" else t("kept and continued")


def _nats(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _edges(record: SearchRecord, shown: Sequence[int], best: set[int], look: Look) -> list[dict[str, Any]]:
    """Draw lines from the right side of each parent to the left side of its continuation; the best path on top."""
    return [
        _lines(record, [each for each in shown if record.nodes[each].fate == "dropped"], look.muted, 1.0, "dot"),
        _lines(
            record, [n for n in shown if n not in best and record.nodes[n].fate != "dropped"], look.muted, 1.6, "solid"
        ),
        _lines(record, [each for each in shown if each in best], look.query, 5.0, "solid"),
    ]


def _lines(record: SearchRecord, numbers: Sequence[int], colour: str, thick: float, dash: str) -> dict[str, Any]:
    points: list[tuple[float, float]] = []
    for number in numbers:
        node = record.nodes[number]
        if node.parent is not None:
            points += [
                (node.step - 1 + HALF, record.nodes[node.parent].rank),
                (node.step - HALF, node.rank),
                (np.nan, np.nan),
            ]
    drawn = np.array(points, np.float32).reshape(-1, 2)
    return {
        "type": "scatter",
        "x": drawn[:, 0],
        "y": drawn[:, 1],
        "mode": "lines",
        "line": {"color": colour, "width": thick, "dash": dash},
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _cells(
    record: SearchRecord, numbers: Sequence[int], best: set[int], step: int, look: Look, t: Translate
) -> dict[str, Any]:
    """Return what was kept or finished: filled by probability, the best path framed."""
    shares = np.array([np.exp(record.nodes[number].log_probability) for number in numbers], np.float32)
    bars = _bars(record, numbers, step, t)
    marker = {
        "color": shares,
        "colorscale": look.weights,
        "cmin": 0,
        "cmax": 1,
        "line": {
            "color": [look.query if number in best else look.muted for number in numbers],
            "width": [4 if number in best else 1 for number in numbers],
        },
    }
    ink = [text_on(ink_at(float(share), look)) for share in shares]
    return bars | {"marker": marker, "insidetextfont": {"size": 15, "color": ink}}


def _outlines(record: SearchRecord, numbers: Sequence[int], step: int, look: Look, t: Translate) -> dict[str, Any]:
    """Return what was not kept: outlines with their token."""
    bars = _bars(record, numbers, step, t)
    return bars | {
        "marker": {"color": "rgba(0,0,0,0)", "line": {"color": look.muted, "width": 1}},
        "insidetextfont": {"size": 13, "color": look.muted},
    }


def _bars(record: SearchRecord, numbers: Sequence[int], step: int, t: Translate) -> dict[str, Any]:
    nodes = [record.nodes[number] for number in numbers]
    marks = [MARKS[record.fate(number, step)] for number in numbers]
    return {
        "type": "bar",
        "orientation": "h",
        "x": np.full(len(nodes), 2 * HALF, np.float32),
        "base": np.array([node.step - HALF for node in nodes], np.float32),
        "y": np.array([node.rank for node in nodes], np.int32),
        "width": THICK,
        "text": [mark + html.escape(piece(node, t), quote=False) for mark, node in zip(marks, nodes, strict=True)],
        "textposition": "inside",
        "insidetextanchor": "middle",
        "textangle": 0,
        "customdata": [explained(record, number, step, t) for number in numbers],
        "hovertemplate": "%{customdata}<extra></extra>",
        "showlegend": False,
    }


def _legend(dropped: bool, look: Look, t: Translate) -> list[dict[str, Any]]:
    """Return what the marks mean."""
    best = {"mode": "lines", "line": {"color": look.query, "width": 5}, "name": t("the translation that won")}
    marks = [t("✓ finished"), t("✕ pruned at the next step")]
    square = {"mode": "markers", "marker": {"symbol": "square", "size": 12, "color": "rgba(0,0,0,0)"}}
    outline = {"mode": "markers", "marker": {"symbol": "square-open", "size": 12, "color": look.muted}}
    entries = [best, *(square | {"name": mark} for mark in marks)]
    entries += [outline | {"name": t("looked at, not kept")}] if dropped else []
    return [{"type": "scatter", "x": [None], "y": [None], "hoverinfo": "skip"} | entry for entry in entries]


def _steps(n_steps: int, t: Translate) -> dict[str, Any]:
    every = max(1, round(n_steps / 60))
    return {
        "range": [0.5, n_steps + 0.5],
        "tickvals": list(range(1, n_steps + 1, every)),
        "title": {"text": t("step")},
        "showgrid": False,
        "zeroline": False,
    }


def _places(rows: int, t: Translate) -> dict[str, Any]:
    return {
        "range": [rows - 0.5, -0.5],
        "tickvals": list(range(rows)),
        "ticktext": [str(place + 1) for place in range(rows)],
        "title": {"text": t("place at its step")},
        "showgrid": False,
        "zeroline": False,
    }
