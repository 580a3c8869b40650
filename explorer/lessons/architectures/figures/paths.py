"""The way of a signal through four architectures, one below the other, after some steps."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import theme
from explorer.figures.look import LIGHT, Look, faint
from explorer.records import Translate, english
from explorer.records.architectures import PathRecord
from explorer.records.timing import Floats
from explorer.scenes.architectures import SENTENCE

#: From the top: the order of the panels, and how high each is.
PANELS = {
    "attention": (0.76, 0.86),
    "recurrence": (0.62, 0.69),
    "dilated": (0.425, 0.54),
    "convolution": (0.0, 0.345),
}
#: What is beside the panels, in positions.
_BESIDE = 3.2


def paths(
    records: Sequence[PathRecord], step: int, *, names: Mapping[str, str], look: Look = LIGHT, t: Translate = english
) -> go.Figure:
    """Draw every connection faintly, and strongly the way that the signal has gone; the input is the upper row."""
    found = {record.name: record for record in records}
    first = records[0]
    layout: dict[str, Any] = {"annotations": _words(first, look), "showlegend": False, "height": 640}
    traces = []
    for place, (name, (low, high)) in enumerate(PANELS.items()):
        record, number = found[name], theme.axis_number(place)
        axes = {"xaxis": f"x{number}", "yaxis": f"y{number}"}
        traces += [trace | axes for trace in _panel(record, step, look, t)]
        hidden = {"visible": False, "automargin": False}
        layout[f"xaxis{number}"] = hidden | {"range": [0.4, record.n + 0.6 + _BESIDE], "anchor": f"y{number}"}
        layout[f"yaxis{number}"] = hidden | {"domain": [low, high], "anchor": f"x{number}"}
        layout[f"yaxis{number}"] |= {"range": [record.rows - 0.85, -0.15]}
        layout["annotations"] += _said(record, step, number, high, names[name], look, t)
    return theme.figure(*traces, margin={"l": 4, "r": 4, "t": 4, "b": 8}, **layout)


def _words(record: PathRecord, look: Look) -> list[dict[str, Any]]:
    """Return the sentence above all panels, both ends on a ground of their own."""
    made = []
    for place, word in enumerate(SENTENCE.split()[: record.n]):
        note = {"x": place + 1, "y": 0.98, "xref": "x", "yref": "paper", "showarrow": False, "text": word}
        note |= {"font": {"size": 14, "color": look.text}}
        if place in (record.source, record.target):
            ground = look.query if place == record.source else look.text
            note |= {"bgcolor": ground, "borderpad": 4, "text": f"<b>{word}</b>"}
            note |= {"font": {"size": 14, "color": look.paper}}
        made.append(note)
    return made


def _said(
    record: PathRecord, step: int, number: str, top: float, name: str, look: Look, t: Translate
) -> list[dict[str, Any]]:
    """Return the name above a panel, and beside it how many steps have been taken, or that no way leads there."""
    quiet = f'<span style="color:{look.muted}">{about(record.name, t)}</span>'
    head = theme.heading(f"<b>{theme.label(name, None)}</b>\u2002{quiet}", 0, top + 0.012, size=14)
    arrives = record.waits
    count = "–" if arrives is None else str(min(step, arrives))
    under = t("no way back") if arrives is None else t("arrived") if arrives <= step else t("not yet")
    ink = look.query if arrives is not None and arrives <= step else look.text
    text = f'<b><span style="font-size:34px;color:{ink}">{count}</span></b><br>{under}'
    place = {"x": record.n + 0.9, "y": 0.5, "xref": f"x{number}", "yref": f"y{number} domain", "xanchor": "left"}
    return [
        head,
        place | {"text": text, "showarrow": False, "align": "left", "font": {"size": 13, "color": look.muted}},
    ]


def about(name: str, t: Translate = english) -> str:
    """Return what is peculiar to an architecture, in a few words."""
    return {
        "attention": t("every word reads every word, all at once"),
        "recurrence": t("each word waits for the one before"),
        "dilated": t("only back, with growing gaps"),
        "convolution": t("a layer reads neighbouring words"),
    }[name]


def _gone(record: PathRecord, step: int) -> Floats:
    """Return the nodes of the way that the signal has reached after some steps."""
    way = record.path.astype(np.float32)
    if record.name != "recurrence":
        return way[: step + 1]
    return way[[row == 0 or at < step for row, at in record.path.tolist()]] if len(way) else way


def _panel(record: PathRecord, step: int, look: Look, t: Translate) -> list[dict[str, Any]]:
    """Return connections, nodes, those that know of the source by now, and the way."""
    nodes = np.array([(row, at) for row in range(record.rows) for at in range(record.n)], np.float32)
    gone = _gone(record, step)
    said = t("word {place}, row {row}").format(place="%{x}", row="%{y}") + "<extra></extra>"
    done = nodes[:, 0] <= step if record.name != "recurrence" else (nodes[:, 0] == 0) | (nodes[:, 1] < step)
    inks = [look.muted if each else look.line for each in done]
    size = 7 if record.rows < 6 else 5
    return [
        _scatter(*_segments(record))
        | {"mode": "lines", "line": {"color": faint(look.muted, 0.22), "width": 0.8}, "hoverinfo": "skip"},
        _scatter(nodes[:, 1] + 1, nodes[:, 0])
        | {"mode": "markers", "marker": {"color": inks, "size": size}, "hovertemplate": said},
        _scatter(gone[:, 1] + 1, gone[:, 0])
        | {
            "mode": "lines+markers",
            "line": {"color": look.query, "width": 6},
            "marker": {"color": look.query, "size": size + 8},
            "cliponaxis": False,
            "hovertemplate": said,
        },
    ]


def _scatter(x: Floats, y: Floats) -> dict[str, Any]:
    return {"type": "scatter", "x": x, "y": y}


def _segments(record: PathRecord) -> tuple[Floats, Floats]:
    """Return all edges as one broken line."""
    gaps = np.full(len(record.edges), np.nan, np.float32)
    rows, positions = record.edges[:, [0, 2]].astype(np.float32), record.edges[:, [1, 3]].astype(np.float32) + 1
    return np.column_stack([positions, gaps]).ravel(), np.column_stack([rows, gaps]).ravel()
