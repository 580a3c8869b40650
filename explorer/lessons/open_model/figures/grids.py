"""One number for each head of a model: layers across, heads down."""

from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.figures import heatmap, theme
from explorer.figures.look import look
from explorer.records.language import t

#: With at most so many layers a number stands in each cell.
MOST_NUMBERED = 12


def draw_heads(values: npt.NDArray[np.floating[Any]], *, said: str, most: float) -> Any:
    """Draw a number for each head.

    Args:
        values: from 0, `[layers, heads]`; NaN where there is none.
        said: what a cell says, of `{value}`.
        most: that the strongest colour stands for.
    """
    position = t("layer {layer}, head {head}").format(layer="%{x}", head="%{y}")
    hover = f"{position}: {said.format(value='%{z:.1%}')}"
    numbers = {"texttemplate": "%{z:.0%}", "textfont": {"size": 13}} if len(values) <= MOST_NUMBERED else {}
    drawn = values.T.astype(np.float32)
    bar = {"thickness": 12, "tickformat": ".0%" if most >= 0.05 else ".1%"}  # else two ticks would read the same
    cells = heatmap.cells(drawn, look().weights, hover, ends=(0.0, most), showscale=True, colorbar=bar, **numbers)
    return _headed(cells, values.shape, height=460, top=30)  # the scale begins below the buttons


def draw_changes(
    changes: npt.NDArray[np.floating[Any]], values: npt.NDArray[np.floating[Any]], *, said: str, scaled: bool = True
) -> Any:
    """Draw by how much something changes without each head: orange where it falls, blue where it rises.

    Colour goes with the square root, so that small changes are seen, too.

    Args:
        changes: `[layers, heads]`; NaN where there is none.
        values: what a cell says, of the same shape.
        said: how it says it, of `{value}`.
        scaled: whether a scale stands beside it; changes are shares then.
    """
    drawn = (np.sign(changes) * np.sqrt(np.abs(changes))).T.astype(np.float32)
    reach = float(np.nanmax(np.abs(drawn), initial=0)) or 1.0
    position = t("layer {layer}, head {head}").format(layer="%{x}", head="%{y}")
    hover = f"{position}: {said.format(value='%{customdata}')}"
    scale = [(0.0, look().query), (0.5, look().paper), (1.0, look().key)]
    words = np.vectorize(lambda value: "" if np.isnan(value) else f"{value:.1%}")(values.T)
    bar = {"showscale": True, "colorbar": _change_bar(reach)} if scaled else {}
    cells = heatmap.cells(drawn, scale, hover, ends=(-reach, reach), customdata=words, xgap=2, ygap=2, **bar)
    return _headed(cells, changes.shape, height=380, top=30 if scaled else 8)


def _change_bar(reach: float) -> dict[str, Any]:
    """Return a scale of square roots up to `reach` with the changes that they stand for."""
    changes = [float(f"{0.95 * reach**2 / part:.0e}") for part in (1, 4, 25)]
    marks = [*(-each for each in changes), 0.0, *changes]
    return {
        "thickness": 12,
        "tickvals": [float(np.sign(each) * np.sqrt(abs(each))) for each in marks],
        "ticktext": [f"{mark:+.3g}%".replace("-", "−") if mark else "0" for mark in (100 * each for each in marks)],
    }


def _headed(cells: Any, shape: tuple[int, ...], *, height: int, top: int = 8) -> Any:
    """Name layers and heads of a grid, `[layers, heads]`."""
    layers, heads = shape
    bare = {"showgrid": False, "zeroline": False}
    step = 1 if layers <= 16 else -(-layers // 10)
    return theme.figure(
        cells,
        height=height,
        margin={"l": 54, "r": 8, "t": top, "b": 48},
        xaxis={"title": {"text": t("layer")}, "tickvals": list(range(0, layers, step)), "range": [-0.5, layers - 0.5]}
        | bare,
        yaxis={"title": {"text": t("head")}, "tickvals": list(range(heads)), "range": [heads - 0.5, -0.5]} | bare,
    )
