"""Figure of several maps of weights on one scale, in rows and columns."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from explorer.figures import theme
from explorer.figures.look import look
from explorer.lessons.efficient_attention.records.comparison import VariantRecord
from explorer.records.language import t

#: Between two maps, in shares of one; above the rows there is a title.
_GAP, _TITLE = 0.08, 0.16
Maps = Sequence[Sequence[npt.NDArray[np.floating[Any]]]]


def sheet(
    rows: Maps,
    titles: Sequence[Sequence[str]],
    record: VariantRecord,
    *,
    bounds: tuple[float, float] = (0.0, 1.0),
    scale: Any = None,
    said: str = "",
) -> go.Figure:
    """Draw maps of one size as one picture, which is fast; each has its title above it.

    Args:
        rows: of maps `[queries, keys]`.
        record: whose positions these are, and whether a query sees the past alone: the rest is left empty.
        scale: colours; those of weights if not given.
        said: to the pointer, in Plotly's template; who attends to whom if not given.
    """
    n, across = len(record.labels), len(rows[0])
    wide, tall = n + max(1, round(_GAP * n)), n + max(2, round(_TITLE * n))
    whole = np.full((tall * len(rows), wide * across - (wide - n)), np.nan, np.float32)
    words, frames = [], []
    for down, (maps, names) in enumerate(zip(rows, titles, strict=True)):
        for position, (weights, name) in enumerate(zip(maps, names, strict=True)):
            top, left = tall * down + tall - n, wide * position
            whole[top : top + n, left : left + n] = np.where(past(record), weights, np.nan)
            word = {"x": left, "y": top - 0.5, "xanchor": "left", "yanchor": "bottom", "showarrow": False}
            words.append(word | {"text": theme.label(name, None), "font": {"size": 14}})
            box = {"type": "rect", "x0": left - 0.5, "x1": left + n - 0.5, "y0": top - 0.5, "y1": top + n - 0.5}
            frames.append(box | {"line": {"color": look().line, "width": 1}})
    low, high = bounds
    image = {"type": "heatmap", "z": whole, "zmin": low, "zmax": high, "colorscale": scale or look().weights}
    said = said or t("“{query}” attends to “{key}”: {weight}").format(query="%{y}", key="%{x}", weight="%{z:.3f}")
    image |= {"showscale": False, "hoverongaps": False, "hovertemplate": f"{said}<extra></extra>"}
    starts = [wide * position for position in range(across)], [tall * down + tall - n for down in range(len(rows))]
    x, y = (_unseen(record.labels, each) for each in starts)
    return theme.figure(
        image,
        height=540,
        margin={"l": 4, "r": 4, "t": 4, "b": 4},
        xaxis=x | {"range": [-0.6, whole.shape[1] - 0.4], "constraintoward": "left"},
        yaxis=y | {"range": [len(whole) - 0.4, -0.6], "scaleanchor": "x", "constraintoward": "top"},
        shapes=frames,
        annotations=words,
    )


def past(record: VariantRecord) -> npt.NDArray[np.bool_]:
    """Return the cells that exact attention uses."""
    n = len(record.labels)
    return np.tril(np.ones((n, n), bool)) if record.causal else np.ones((n, n), bool)


def difference(record: VariantRecord) -> go.Figure:
    """Draw the mechanism's weights less the exact ones, and the exact ones that it cannot use, on a scale around 0."""
    change = np.where(record.allowed, record.weights - record.exact, np.nan)
    lost = np.where(record.allowed, np.nan, -record.exact)
    reach = float(np.abs(record.weights - record.exact).max()) or 1.0
    titles = (t("change in the cells it uses"), t("lost in the cells it does not use"))
    scale, said = [[0, look().key], [0.5, look().paper], [1, look().query]], "“%{y}” → “%{x}”: %{z:+.3f}"
    return sheet(((change, lost),), (titles,), record, bounds=(-reach, reach), scale=scale, said=said)


def _unseen(labels: tuple[str, ...], starts: Sequence[int]) -> dict[str, Any]:
    """Return an axis that shows nothing, but knows every position's token for the pointer."""
    positions = [start + position for start in starts for position in range(len(labels))]
    words = [f"{position + 1} {theme.label(each)}" for position, each in enumerate(labels)] * len(starts)
    axis = {"tickvals": positions, "ticktext": words, "showticklabels": False, "ticks": "", "showgrid": False}
    return axis | {"zeroline": False, "automargin": False, "constrain": "domain"}
