"""Figures for “Efficient attention”: time and memory over n, measured; loss of a trained model with each mechanism."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import theme
from explorer.figures.look import LIGHT, Look
from explorer.lessons.efficient_attention.records.comparison import TaskPoint, TaskRecord
from explorer.records import Translate, english
from explorer.records.timing import Floats, PowerLaw, TimingRecord
from explorer.records.wording import said_size, said_time

#: Lengths along the axis, also beyond what is measured.
LENGTHS = tuple(2**power for power in range(7, 17))
#: What a way takes at one length: seconds, bytes, and whether they are measured.
Here = tuple[float, float, bool]
Laws = Mapping[str, PowerLaw | None]
#: A mark and a dash for each way; PyTorch's kernels are dashed.
LOOKS = {
    "plain": ("circle", "solid"),
    "sdpa_math": ("x", "dash"),
    "sdpa_flash": ("star", "dash"),
    "sdpa_efficient": ("star", "dot"),
    "sdpa_cudnn": ("star", "dashdot"),
    "flash": ("circle", "solid"),
    "window": ("square", "solid"),
    "bigbird": ("triangle-up", "solid"),
    "linear": ("diamond", "solid"),
    "performer": ("triangle-down", "solid"),
}
#: Colours of the ways on light and on dark paper; they are no roles.
_INKS = {
    "sdpa_math": ("#8a5a44", "#d0a58f"),
    "sdpa_flash": ("#5470d3", "#79a7ff"),
    "sdpa_efficient": ("#2f8fb5", "#67c3e6"),
    "sdpa_cudnn": ("#7d5bb5", "#b99cf0"),
    "flash": ("#8c8c8c", "#a8b3bf"),
    "window": ("#8a6d00", "#d9b84a"),
    "bigbird": ("#b5583a", "#f0926f"),
    "linear": ("#0b7f82", "#3fc1c4"),
    "performer": ("#3f7d3a", "#7fce78"),
    "grouped": ("#7d5bb5", "#b99cf0"),
}


def ink(name: str, look: Look) -> str:
    """Return the colour of a way; plain attention has that of the text."""
    return look.text if name == "plain" else _INKS[name][look.dark]


def time(
    record: TimingRecord,
    n: int,
    laws: Laws,
    found: Mapping[str, Here],
    *,
    names: Mapping[str, str],
    look: Look = LIGHT,
    t: Translate = english,
) -> go.Figure:
    """Draw medians with quartiles of one pass, on logarithmic scales; dotted beyond what is measured, by its law.

    Args:
        record: what is measured so far.
        n: the length that is looked at.
        laws: of each way's time.
        found: what each way takes there.
        names: of the ways, in the reader's language.
        look: colours.
        t: the reader's language.
    """
    median, low, high = (1e3 * record.quantile(share) for share in (0.5, 0.25, 0.75))
    traces, ends = [], []
    for row, (name, law) in enumerate(laws.items()):
        there = np.isfinite(median[row])
        if not there.any():
            continue
        spread = {"array": (high - median)[row, there], "arrayminus": (median - low)[row, there], "thickness": 1.2}
        traces.append(_line(record, name, median[row], names, "%{y:.3g} ms", look) | {"error_y": spread | {"width": 2}})
        if law is not None:
            traces.append(_beyond(record, law, 1e3, name, names, "%{y:.3g} ms", look))
            ends.append((float(np.log10(1e3 * law.factor) + law.exponent * np.log10(LENGTHS[-1])), name))
    dots = [(1e3 * each[0], each[2], name) for name, each in found.items() if np.isfinite(each[0])]
    return theme.figure(
        *traces, _dots(n, dots, look), **_axes(n, t("time of one pass (ms)"), _named(ends, names, look), look)
    )


def _dots(n: int, dots: list[tuple[float, bool, str]], look: Look) -> dict[str, Any]:
    """Return a dot for each way at the length that is looked at; hollow where it is not measured."""
    inks = [ink(name, look) for _, _, name in dots]
    fill = [colour if there else look.paper for colour, (_, there, _) in zip(inks, dots, strict=True)]
    marker = {"size": 13, "color": fill, "line": {"color": inks, "width": 2.5}}
    here = {"type": "scatter", "x": [n] * len(dots), "y": [value for value, _, _ in dots], "mode": "markers"}
    return here | {"marker": marker, "showlegend": False, "hoverinfo": "skip"}


def memory(
    record: TimingRecord,
    laws: Laws,
    *,
    limit_bytes: float,
    names: Mapping[str, str],
    look: Look = LIGHT,
    t: Translate = english,
) -> go.Figure:
    """Draw bytes alive at once, measured, and the law through them beyond; a line for the memory that is allowed.

    Args:
        record: what is measured so far.
        laws: of each way's memory.
        limit_bytes: that is allowed; a line.
        names: of the ways, in the reader's language.
        look: colours.
        t: the reader's language.
    """
    traces, ends = [], []
    for row, (name, law) in enumerate(laws.items()):
        if not np.isfinite(record.peak_bytes[row]).any():
            continue
        traces.append(_line(record, name, record.peak_bytes[row] / 2**20, names, "%{y:.3g} MiB", look))
        if law is not None:
            traces.append(_beyond(record, law, 2.0**-20, name, names, "%{y:.3g} MiB", look))
            at_end = np.log10(law.factor / 2**20) + law.exponent * np.log10(LENGTHS[-1])
            ends.append((float(at_end), name))
    layout = _axes(None, t("alive at once (MiB)"), _named(ends, names, look), look)
    limit = limit_bytes / 2**20
    line = {"type": "line", "xref": "x domain", "x0": 0, "x1": 1, "y0": limit, "y1": limit}
    layout["shapes"].append(line | {"line": {"color": look.query, "width": 2.5, "dash": "dash"}})
    return theme.figure(*traces, **layout)


def here(
    ways: Mapping[str, Here], *, names: Mapping[str, str], look: Look = LIGHT, t: Translate = english
) -> go.Figure:
    """Draw the time of each way at one length as bars, and its memory as squares to scale; hollow beyond the measured.

    Args:
        ways: what each takes.
        names: of the ways, in the reader's language.
        look: colours.
        t: the reader's language.
    """
    found = [(name, *each) for name, each in ways.items()]
    found = [each for each in found if np.isfinite(each[1])]
    said = [("" if there else "≈ ") + said_time(seconds) for _, seconds, _, there in found]
    inks = [ink(name, look) for name, *_ in found]
    fill = [colour if each[3] else look.paper for colour, each in zip(inks, found, strict=True)]
    bars = {
        "type": "bar",
        "orientation": "h",
        "x": [each[1] for each in found],
        "y": list(range(len(found))),
        "text": [f"<b>{each}</b>" for each in said],
        "textposition": "outside",
        "cliponaxis": False,
        "textfont": {"size": 14},
        "marker": {"color": fill, "line": {"color": inks, "width": 2}},
        "name": t("seconds for one pass"),
        "hovertemplate": "%{y}: %{x:.4g} s<extra></extra>",
    }
    squares, words = _squares(found, look, names)
    lowest = min((each["shape"]["y0"] for each in words), default=0.0) - 0.02
    most = max((each[1] for each in found), default=1.0)
    ticks = {"tickvals": list(range(len(found))), "ticktext": [names[each[0]] for each in found]}
    return theme.figure(
        bars,
        squares,
        height=560,
        showlegend=False,
        bargap=0.35,
        margin={"l": 8, "r": 8, "t": 4, "b": 4},
        xaxis={"visible": False, "range": [0, 1.35 * most], "anchor": "y"},
        yaxis=ticks | {"domain": [0.56, 1], "autorange": "reversed", "showgrid": False, "tickfont": {"size": 14}},
        xaxis2={
            "visible": False,
            "anchor": "y2",
            "range": [-0.02, 2.5],
            "constrain": "domain",
            "constraintoward": "left",
        },
        yaxis2={"visible": False, "domain": [0, 0.5], "anchor": "x2", "scaleanchor": "x2", "range": [lowest, 1.02]}
        | {"constrain": "domain", "constraintoward": "top"},
        shapes=[each["shape"] for each in words],
        annotations=[each["word"] for each in words],
    )


def _squares(
    found: list[tuple[str, float, float, bool]], look: Look, names: Mapping[str, str]
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return the squares, the largest one by itself, the others beside it from the top; and their names."""
    most = max((each[2] for each in found), default=1.0)
    order = sorted(found, key=lambda each: -each[2])
    made, top, hover = [], 1.0, []
    few = len(order) <= 4
    for place, (name, _, size, there) in enumerate(order):
        side, colour = float(np.sqrt(size / most)), ink(name, look)
        left, upper = (0.0, 1.0) if place == 0 else (1.06, top)
        box = {
            "type": "rect",
            "xref": "x2",
            "yref": "y2",
            "x0": left,
            "x1": left + side,
            "y0": upper - side,
            "y1": upper,
        }
        box |= {"line": {"color": colour, "width": 2}} | ({"fillcolor": colour} if there else {})
        amount, between = ("" if there else "≈ ") + said_size(size), "<br>" if few or not place else " "
        said = f"<b>{theme.label(names[name], None)}</b>{between}{amount}"
        word = {"xref": "x2", "yref": "y2", "text": said, "showarrow": False, "align": "left", "xanchor": "left"}
        inside = place == 0
        word |= {"x": left + (0.03 if inside else side + 0.03), "y": upper - (0.03 if inside else max(side / 2, 0.0))}
        word |= {"yanchor": "top" if inside else "middle"}
        word |= {"font": {"size": 14, "color": (look.paper if there else look.text) if inside else look.text}}
        made.append({"shape": box, "word": word})
        hover.append((left + side / 2, upper - side / 2, f"{names[name]}: {said_size(size)}"))
        if place:
            top -= max(side, 0.27 if few else 0.1) + 0.04
    dots: dict[str, Any] = {
        "type": "scatter",
        "x": [each[0] for each in hover],
        "y": [each[1] for each in hover],
        "mode": "markers",
    }
    dots |= {"text": [each[2] for each in hover], "marker": {"opacity": 0, "size": 24}, "xaxis": "x2", "yaxis": "y2"}
    return dots | {"hovertemplate": "%{text}<extra></extra>", "name": ""}, made


def _line(
    record: TimingRecord, name: str, values: Floats, names: Mapping[str, str], said: str, look: Look
) -> dict[str, Any]:
    there = np.isfinite(values)
    symbol, dash = LOOKS[name]
    return {
        "type": "scatter",
        "x": np.array(record.values)[there],
        "y": values[there],
        "name": names[name],
        "mode": "lines+markers",
        "line": {"color": ink(name, look), "dash": dash, "width": 3},
        "marker": {"symbol": symbol, "size": 8},
        "showlegend": False,
        "hovertemplate": f"{theme.label(names[name], None)}, n = %{{x:,.0f}}: {said}<extra></extra>",
    }


def _beyond(
    record: TimingRecord, law: PowerLaw, unit: float, name: str, names: Mapping[str, str], said: str, look: Look
) -> dict[str, Any]:
    """Return the law from the last measured length on, dotted."""
    x = np.geomspace(law.last, LENGTHS[-1], 6)
    trace = _line(record, name, np.full(len(record.values), np.nan), names, said, look)
    drawn = {"x": x, "y": unit * law.factor * x**law.exponent, "mode": "lines"}
    return trace | drawn | {"line": {"color": ink(name, look), "dash": "dot", "width": 2}, "name": f"{names[name]} ≈"}


def _named(ends: list[tuple[float, str]], names: Mapping[str, str], look: Look) -> list[dict[str, Any]]:
    """Return each way's name at the end of its line, names apart from each other."""
    words, below = [], -np.inf
    for height, name in sorted(ends):
        height = max(height, below + 0.32)
        below = height
        place = {"x": float(np.log10(LENGTHS[-1])), "y": height, "xanchor": "right", "yanchor": "bottom"}
        words.append(place | {"text": f"<b>{theme.label(names[name], None)}</b>", "showarrow": False})
        words[-1] |= {"font": {"color": ink(name, look), "size": 14}, "bgcolor": look.paper, "borderpad": 0}
    return words


def _axes(n: int | None, title: str, words: list[dict[str, Any]], look: Look) -> dict[str, Any]:
    ticks = LENGTHS
    text = [f"{each}" if each < 1024 else f"{each // 1024}k" for each in ticks]
    upright = {"type": "line", "x0": n, "x1": n, "yref": "y domain", "y0": 0, "y1": 1}
    return {
        "height": 560,
        "xaxis": {
            "type": "log",
            "title": {"text": "n", "standoff": 4},
            "tickvals": list(ticks),
            "ticktext": text,
            "zeroline": False,
            "range": [float(np.log10(ticks[0])) - 0.05, float(np.log10(ticks[-1])) + 0.05],
        },
        "yaxis": {"type": "log", "title": {"text": title}, "exponentformat": "power", "dtick": 1},
        "margin": {"l": 8, "r": 8, "t": 8, "b": 4},
        "shapes": [] if n is None else [upright | {"line": {"color": look.query, "width": 2}}],
        "annotations": words,
    }


def task(record: TaskRecord, *, names: Mapping[str, str], look: Look = LIGHT, t: Translate = english) -> go.Figure:
    """Draw the loss added by sparse mechanisms over the positions a query sees; below, the others' loss as bars.

    Args:
        record: as far as it is known.
        names: of the mechanisms, in the reader's language.
        look: colours.
        t: the reader's language.
    """
    sparse = [name for name in _SPARSE if any(point.name == name for point in record.points)]
    traces = [_curve([each for each in record.points if each.name == name], name, names, look, t) for name in sparse]
    others = [point for point in record.points if point.cells is None]
    labels = [f"{names[point.name]} {' '.join(str(v) for k, v in point.settings if k != 'seed')}" for point in others]
    traces.append(
        {
            "type": "bar",
            "orientation": "h",
            "x": np.array([point.loss for point in others]),
            "y": np.arange(len(others)),
            "text": [f"{point.loss:.2f}" for point in others],
            "textposition": "outside",
            "cliponaxis": False,
            "marker": {"color": [ink(point.name, look) for point in others]},
            "customdata": np.array(labels),
            "hovertemplate": "%{customdata}: %{x:.3f}<extra></extra>",
            "showlegend": False,
            "xaxis": "x2",
            "yaxis": "y2",
        }
    )
    exact = {"type": "line", "line": {"color": look.text, "dash": "dash", "width": 2}}
    widths = [2**power for power in range(8)]
    layout: dict[str, Any] = {
        "xaxis": {
            "type": "log",
            "title": {"text": t("positions a query sees, mean")},
            "tickvals": widths,
            "ticktext": [str(width) for width in widths],
        },
        "yaxis": {
            "type": "log",
            "domain": [0.52, 1],
            "title": {"text": t("added loss, nats a character")},
            "dtick": 1,
            "tickformat": "~g",
        },
        "xaxis2": {"anchor": "y2", "title": {"text": t("loss; exact: dashed")}, "nticks": 4},
        "yaxis2": theme.token_axis(tuple(labels)) | {"anchor": "x2", "autorange": "reversed", "domain": [0, 0.38]},
        "shapes": [
            exact | {"xref": "x2", "yref": "y2 domain", "x0": record.exact, "x1": record.exact, "y0": 0, "y1": 1},
        ],
    }
    layout["xaxis2"]["range"] = [0, 1.3 * max((point.loss for point in others), default=record.exact)]
    return theme.figure(*traces, height=820, **layout | {"margin": {"l": 8, "r": 8, "t": 80, "b": 8}})


_MARKS = ("circle", "diamond", "square", "x", "star", "triangle-up")
#: Less is not drawn: a logarithmic axis has no place for it.
NOTHING = 1e-4
#: Sparse mechanisms as lines, each with its colours on light and on dark paper; the mark is that of its place.
_SPARSE = {
    "window": ("#8a6d00", "#d9b84a"),
    "longformer": ("#0b7f82", "#3fc1c4"),
    "strided": ("#5470d3", "#79a7ff"),
    "block": ("#7d5bb5", "#b99cf0"),
    "bigbird": ("#b5583a", "#f0926f"),
    "dilated": ("#3f7d3a", "#7fce78"),
}


def _curve(points: list[TaskPoint], name: str, names: Mapping[str, str], look: Look, t: Translate) -> dict[str, Any]:
    points = [point for point in points if point.added > NOTHING]
    settings = [" ".join(str(value) for key, value in point.settings if key != "seed") for point in points]
    return {
        "type": "scatter",
        "x": np.array([point.cells for point in points], float),
        "y": np.array([point.added for point in points]),
        "error_y": {"array": np.array([point.added_error for point in points]), "thickness": 1, "width": 2},
        "customdata": np.array(settings),
        "name": names[name],
        "mode": "lines+markers",
        "line": {"color": _SPARSE[name][look.dark], "width": 2},
        "marker": {"size": 8, "symbol": _MARKS[list(_SPARSE).index(name)]},
        "hovertemplate": f"{theme.label(names[name], None)} %{{customdata}}: "
        + t("{seen} positions seen, {added} nats more").format(seen="%{x:.1f}", added="%{y:.3g}")
        + "<extra></extra>",
    }


def longer(record: TaskRecord, *, look: Look = LIGHT, t: Translate = english) -> go.Figure:
    """Draw the loss on texts longer than those of the training, by the width of the window.

    Args:
        record: of windows of one length.
        look: colours.
        t: the reader's language.
    """
    points = [point for point in record.points if point.name == "window"]
    widths = np.array([dict(point.settings)["width"] for point in points])
    curve = {
        "type": "scatter",
        "x": widths,
        "y": np.array([point.loss for point in points]),
        "mode": "lines+markers",
        "name": t("sliding window"),
        "line": {"color": look.output, "width": 2.5},
        "marker": {"size": 9},
        "hovertemplate": t("width {width}: {loss} nats").format(width="%{x}", loss="%{y:.3f}") + "<extra></extra>",
    }
    exact = {
        "type": "scatter",
        "x": widths[[0, -1]],
        "y": np.full(2, record.exact),
        "mode": "lines",
        "name": t("exact attention"),
        "line": {"color": look.text, "dash": "dash"},
        "hovertemplate": t("exact attention") + ": %{y:.3f}<extra></extra>",
    }
    trained = {"type": "line", "x0": record.trained_length, "x1": record.trained_length, "y0": 0, "y1": 1}
    note = theme.heading("\u00a0" + t("length in training"), 0.0, 0.0) | {
        "x": float(np.log10(record.trained_length)),
        "y": 0.85,
        "xref": "x",
        "xanchor": "left",
    }
    return theme.figure(
        curve,
        exact,
        height=380,
        xaxis={
            "type": "log",
            "tickvals": widths,
            "ticktext": [str(width) for width in widths],
            "title": {"text": t("width w")},
        },
        yaxis={"title": {"text": t("loss, nats a character")}},
        shapes=[trained | {"yref": "paper", "line": {"dash": "dot", "color": look.text}}],
        annotations=[note],
    )
