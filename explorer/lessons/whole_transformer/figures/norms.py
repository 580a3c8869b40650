"""Where the norm stands in a layer, drawn; and what comes of it: lines, losses, gradients."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import theme
from explorer.figures.look import faint, look
from explorer.lessons.whole_transformer.records import Build, CourseRecord, GradientRecord, LineRecord
from explorer.records.language import t
from explorer.records.wording import typeset

#: Of each build in every chart.
COLOURS: Mapping[Build, str] = {"pre": theme.colour(0), "post": theme.colour(4), "bare": theme.colour(7)}
#: A layer from below: what stands where, by build. Kind, height; on the line or beside it.
_PLACES: Mapping[Build, tuple[tuple[str, float, bool], ...]] = {
    "pre": (("norm", 1.7, False), ("self", 3.0, False), ("norm", 6.2, False), ("net", 7.5, False)),
    "post": (("self", 1.9, False), ("norm", 4.4, True), ("net", 6.4, False), ("norm", 8.9, True)),
    "bare": (("norm", 1.7, True), ("self", 3.0, True), ("norm", 6.2, True), ("net", 7.5, True)),
}
#: Where a part's way leaves the line and where it comes back, by build.
_WAYS: Mapping[Build, tuple[tuple[float, float], ...]] = {
    "pre": ((0.7, 4.1), (5.2, 8.6)),
    "post": ((0.7, 3.2), (5.4, 7.7)),
    "bare": (),
}
#: Shortest gradient that is drawn where it belongs.
LEAST = 1e-3
_TOP, _BESIDE, _APART = 10.0, 1.9, 4.6


def blocks(builds: Sequence[Build]) -> go.Figure:
    """Draw one encoder layer of each build, from what it reads below to what it leaves above."""
    shapes: list[dict[str, Any]] = []
    notes: list[dict[str, Any]] = []
    for number, build in enumerate(builds):
        _block(build, number * _APART, shapes, notes)
    for note in notes:  # the boxes are hardly wider on a projector
        note["font"]["size"] = look().close(note["font"]["size"] - (3 if len(builds) > 2 else 0))
    sums = [(number * _APART, high) for number, build in enumerate(builds) for _, high in _WAYS[build]]
    hidden = {"visible": False, "fixedrange": True}
    width = _APART * len(builds)
    return theme.figure(
        _sums(sums),
        height=440,
        shapes=[shape | {"layer": "below"} for shape in shapes],
        annotations=notes,
        showlegend=False,
        margin={"l": 4, "r": 4, "t": 4, "b": 4},
        xaxis=hidden | {"range": [-0.9, width - 0.9]},
        yaxis=hidden | {"range": [-0.9, _TOP + 1.3]},
    )


def _sums(positions: Sequence[tuple[float, float]]) -> dict[str, Any]:
    return {
        "type": "scatter",
        "x": [x for x, _ in positions],
        "y": [y for _, y in positions],
        "mode": "markers+text",
        "marker": {"size": 22, "color": look().paper, "line": {"color": look().text, "width": 2}},
        "text": ["<b>+</b>"] * len(positions),
        "textfont": {"size": 15, "color": look().text},
        "hoverinfo": "skip",
    }


def _block(build: Build, left: float, shapes: list[dict[str, Any]], notes: list[dict[str, Any]]) -> None:
    ink = {"color": look().text, "width": 2}
    shapes.append({"type": "line", "x0": left, "x1": left, "y0": 0, "y1": _TOP, "line": ink | {"width": 4}})
    for low, high in _WAYS[build]:
        path = f"M {left} {low} L {left + _BESIDE} {low} L {left + _BESIDE} {high} L {left} {high}"
        shapes.append({"type": "path", "path": path, "line": ink})
    called = {"norm": t("norm"), "self": t("self-attention"), "net": t("feed-forward")}
    for kind, height, on_line in _PLACES[build]:
        middle = left if on_line else left + _BESIDE
        colour = COLOURS[build] if kind == "norm" else look().muted
        half = 0.9 if kind == "norm" else 1.25
        box = {"x0": middle - half, "x1": middle + half, "y0": height - 0.42, "y1": height + 0.42}
        fill = colour if kind == "norm" else look().board
        shapes.append({"type": "rect", "fillcolor": fill, "line": {"color": colour, "width": 2}, **box})
        notes.append(_said(called[kind], middle, height, "#ffffff" if kind == "norm" else look().text, 14))
    notes.append(_said(f"<b>{names()[build]}</b>", left + 0.6, _TOP + 0.75, look().text, 15))
    notes.append(_said(t("the word’s vector"), left + 0.6, -0.45, look().muted, 13))


def _said(text: str, x: float, y: float, colour: str, size: float) -> dict[str, Any]:
    return {"text": text, "x": x, "y": y, "showarrow": False, "font": {"size": size, "color": colour}}


def names() -> dict[Build, str]:
    """Return what the builds are called."""
    return {"pre": t("pre-norm"), "post": t("post-norm"), "bare": t("nothing added")}


def lines(records: Sequence[LineRecord], called: Mapping[str, str], *, told: bool = True) -> go.Figure:
    """Draw how long the vectors are from point to point, encoder and decoder beside each other.

    Args:
        records: of the same sentence.
        called: name of each point.
        told: whether more is drawn than where each stack begins: a question asks for the rest.
    """
    found = {record.build: dict(zip(record.points, record.length.tolist(), strict=True)) for record in records}
    if not told:
        begins = {point[:3]: point for point in reversed(records[0].points)}
        found = {
            build: {point: at if point in begins.values() else np.nan for point, at in along.items()}
            for build, along in found.items()
        }
    title = {"title": {"text": t("length of a token’s vector (mean)")}}
    return _stacks(found, called, title | {"rangemode": "tozero"})


def courses(records: Sequence[CourseRecord]) -> go.Figure:
    """Draw e to the losses while training: of what was trained on, pale, and of held-out pairs."""
    traces = []
    for record in records:
        traces.append(_line(record.build, record.step, np.exp(record.dev_loss)))
        pale = _line(record.build, record.step, np.exp(record.train_loss), first=False)
        pale["name"] = t("{name}, in training").format(name=pale["name"])
        traces.append(pale | {"line": {"color": faint(COLOURS[record.build], 0.45), "width": 2, "dash": "dot"}})
    return theme.figure(
        *traces,
        height=440,
        xaxis={"title": {"text": t("steps")}},
        yaxis={"title": {"text": t("pieces (e to the loss)")}, "type": "log", "tickformat": "~g", "dtick": "D2"},
    )


def gradients(records: Sequence[GradientRecord], called: Mapping[str, str]) -> go.Figure:
    """Draw how long the first gradient of each layer is, on a scale of powers of ten.

    What is shorter than `LEAST` lies on the lower edge.
    """
    found = {record.build: dict(zip(record.layers, record.size.tolist(), strict=True)) for record in records}
    axis = {"title": {"text": t("length of the gradient")}, "type": "log", "dtick": 1, "exponentformat": "power"}
    return _stacks(found, called, axis, least=LEAST)


def _stacks(
    found: Mapping[Build, Mapping[str, float]], called: Mapping[str, str], axis: Any, least: float = 0.0
) -> go.Figure:
    """Draw a number at each place of encoder and decoder, a line for each build, broken between the two."""
    positions = list(next(iter(found.values())))
    half = sum(position.startswith("enc") for position in positions)
    traces = []
    for build, numbers in found.items():
        x = [*range(half), half - 0.5, *range(half, len(positions))]
        y = [max(numbers[position], least) for position in positions]
        told = [[called[position], typeset(f"{numbers[position]:.3g}")] for position in positions]
        drawn = _line(build, x, [*y[:half], None, *y[half:]])
        hover = {"customdata": [*told[:half], ["", ""], *told[half:]]}
        traces.append(drawn | hover | {"hovertemplate": "%{customdata[0]}: %{customdata[1]}<extra></extra>"})
    border = {"type": "line", "x0": half - 0.5, "x1": half - 0.5, "y0": 0, "y1": 1, "yref": "paper"}
    named = {"yref": "paper", "y": 0, "yshift": -28, "yanchor": "top", "showarrow": False}
    stacks = [(t("encoder layer"), (half - 1) / 2), (t("decoder layer"), (half + len(positions) - 1) / 2)]
    return theme.figure(
        *traces,
        height=440,
        shapes=[border | {"line": {"color": look().line, "width": 2}}],
        annotations=[named | {"text": text, "x": x} for text, x in stacks],
        xaxis=_layers(positions) | {"title": {"text": " "}, "showgrid": False, "zeroline": False},
        yaxis=axis,
    )


def _layers(positions: Sequence[str]) -> dict[str, Any]:
    """Return an axis that numbers each layer once, in the middle of its places; what comes before has no number."""
    found: dict[str, list[int]] = {}
    for x, position in enumerate(positions):
        found.setdefault(".".join(position.split(".")[:2]), []).append(x)
    numbers = [name.split(".")[1] for name in found]
    said = [number if number.isdecimal() else "" for number in numbers]
    return {"tickvals": [sum(at) / len(at) for at in found.values()], "ticktext": said, "tickangle": 0}


def _line(build: Build, x: Any, y: Any, *, first: bool = True) -> dict[str, Any]:
    return {
        "type": "scatter",
        "x": x,
        "y": y,
        "name": names()[build],
        "legendgroup": build,
        "showlegend": first,
        "mode": "lines+markers",
        "line": {"color": COLOURS[build], "width": 3},
        "marker": {"size": 7},
    }
