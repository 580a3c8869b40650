"""Figures for “Efficient attention”: time and memory over n, measured, and at one n."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import theme
from explorer.figures.ends import End, write_names
from explorer.figures.look import look
from explorer.records.arrays import Floats
from explorer.records.language import t
from explorer.records.timing import PowerLaw, TimingRecord
from explorer.records.wording import said_size

#: Lengths along the axis, also beyond what is measured.
LENGTHS = tuple(2**power for power in range(7, 17))
#: Decades between the names of two lines, on the lowest of screens.
_APART = 0.42
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


def ink(name: str) -> str:
    """Return the colour of a way; plain attention has that of the text."""
    return look().text if name == "plain" else _INKS[name][look().dark]


def time(record: TimingRecord, n: int, laws: Laws, found: Mapping[str, Here], *, names: Mapping[str, str]) -> go.Figure:
    """Draw medians with quartiles of one pass, on logarithmic scales; dotted beyond what is measured, by its law."""
    median, low, high = (1e3 * record.quantile(share) for share in (0.5, 0.25, 0.75))
    spread = {"array": high - median, "arrayminus": median - low}
    traces, words = _curves(record, median, laws, 1e3, names, "%{y:.3g} ms", spread)
    dots = [(1e3 * each[0], each[2], name) for name, each in found.items() if np.isfinite(each[0])]
    layout = _axes(n, t("time of one pass"), words)
    powers = [10.0**power for power in range(-2, 8)]  # of a millisecond
    layout["yaxis"] |= {"tickvals": powers, "ticktext": [_named_time(each) for each in powers]}
    return theme.figure(*traces, _dots(n, dots), **layout)


def _named_time(ms: float) -> str:
    return f"{ms:g} ms" if ms < 1e3 else f"{ms / 1e3:,g} s"


def _dots(n: int, dots: list[tuple[float, bool, str]]) -> dict[str, Any]:
    """Return a dot for each way at the length that is looked at; hollow where it is not measured."""
    inks = [ink(name) for _, _, name in dots]
    fill = [colour if there else look().paper for colour, (_, there, _) in zip(inks, dots, strict=True)]
    marker = {"size": 13, "color": fill, "line": {"color": inks, "width": 2.5}}
    here = {"type": "scatter", "x": [n] * len(dots), "y": [value for value, _, _ in dots], "mode": "markers"}
    return here | {"marker": marker, "showlegend": False, "hoverinfo": "skip"}


def memory(record: TimingRecord, laws: Laws, *, limit_bytes: float, names: Mapping[str, str]) -> go.Figure:
    """Draw bytes alive at once, measured, and the law through them beyond; a line for the memory that is allowed."""
    traces, words = _curves(record, record.peak_bytes / 2**20, laws, 2.0**-20, names, "%{y:.3g} MiB")
    layout = _axes(None, t("alive at once (MiB)"), words)
    limit = limit_bytes / 2**20
    line = {"type": "line", "xref": "x domain", "x0": 0, "x1": 1, "y0": limit, "y1": limit}
    layout["shapes"].append(line | {"line": {"color": look().query, "width": 2.5, "dash": "dash"}})
    position = {"xref": "x domain", "x": 0, "xanchor": "left", "y": float(np.log10(limit)), "yanchor": "bottom"}
    name = {"text": t("allowed: {size}").format(size=said_size(limit_bytes)), "showarrow": False}
    layout["annotations"].append(position | name | {"font": {"color": look().query}})
    return theme.figure(*traces, **layout)


def _curves(
    record: TimingRecord,
    values: Floats,
    laws: Laws,
    unit: float,
    names: Mapping[str, str],
    said: str,
    spread: Mapping[str, Floats] = MappingProxyType({}),
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return each way's line, dotted beyond what is measured, by its law; and its name at the end."""
    traces, ends, short = [], [], []
    for row, (name, law) in enumerate(laws.items()):
        there = np.isfinite(values[row])
        if not there.any():
            continue
        reach = {side: each[row, there] for side, each in spread.items()}
        error = {"error_y": reach | {"thickness": 1.2, "width": 2}} if reach else {}
        traces.append(_line(record, name, values[row], names, said) | error)
        if law is not None:
            traces.append(_beyond(record, law, unit, name, names, said))
            height = float(np.log10(unit * law.factor) + law.exponent * np.log10(LENGTHS[-1]))
            ends.append(End(height, names[name], ink(name)))
        else:
            short.append(_named(record.values, values[row], names[name], ink(name)))
    return traces, [*write_names(ends, float(np.log10(LENGTHS[-1])), _APART), *short]


def _named(lengths: Sequence[int], values: Floats, name: str, colour: str) -> dict[str, Any]:
    """Name a line that ends where its measurement does: below it, where no other line runs."""
    last = int(np.flatnonzero(np.isfinite(values))[-1])
    position = {"x": float(np.log10(lengths[last])), "y": float(np.log10(values[last])), "xanchor": "left"}
    away = {
        "showarrow": True,
        "ax": 64,
        "ay": 40,
        "arrowhead": 2,
        "arrowwidth": 1,
        "arrowcolor": look().muted,
        "standoff": 9,
    }
    letters = {"font": {"color": colour, "size": look().close(14)}, "bgcolor": look().paper}
    return position | away | letters | {"text": f"<b>{theme.label(name, None)} …?</b>"}


def _line(record: TimingRecord, name: str, values: Floats, names: Mapping[str, str], said: str) -> dict[str, Any]:
    there = np.isfinite(values)
    symbol, dash = LOOKS[name]
    return {
        "type": "scatter",
        "x": np.array(record.values)[there],
        "y": values[there],
        "name": names[name],
        "mode": "lines+markers",
        "line": {"color": ink(name), "dash": dash, "width": 3},
        "marker": {"symbol": symbol, "size": 8},
        "showlegend": False,
        "hovertemplate": f"{theme.label(names[name], None)}, n = %{{x:,.0f}}: {said}<extra></extra>",
    }


def _beyond(
    record: TimingRecord, law: PowerLaw, unit: float, name: str, names: Mapping[str, str], said: str
) -> dict[str, Any]:
    """Return the law from the last measured length on, dotted."""
    x = np.geomspace(law.last, LENGTHS[-1], 6)
    trace = _line(record, name, np.full(len(record.values), np.nan), names, said)
    drawn = {"x": x, "y": unit * law.factor * x**law.exponent, "mode": "lines"}
    return trace | drawn | {"line": {"color": ink(name), "dash": "dot", "width": 2}, "name": f"{names[name]} ≈"}


def _axes(n: int | None, title: str, words: list[dict[str, Any]]) -> dict[str, Any]:
    text = [f"{each}" if each < 1024 else f"{each // 1024}k" for each in LENGTHS]
    ends = [float(np.log10(LENGTHS[0])) - 0.05, float(np.log10(LENGTHS[-1])) + 0.05]
    across = {"type": "log", "title": {"text": "n", "standoff": 4}, "tickvals": list(LENGTHS), "ticktext": text}
    upright = {"type": "line", "x0": n, "x1": n, "yref": "y domain", "y0": 0, "y1": 1}
    return {
        "height": 560,
        "xaxis": across | {"zeroline": False, "range": ends},
        "yaxis": {"type": "log", "title": {"text": title, "standoff": 12}, "exponentformat": "power", "dtick": 1},
        # As much as the axes take: where Plotly must make room it draws everything once more.
        "margin": {"l": 70, "r": 14, "t": 8, "b": 50},
        "shapes": [] if n is None else [upright | {"line": {"color": look().query, "width": 2}}],
        "annotations": words,
    }
