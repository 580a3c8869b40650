"""Map of one text at one step: of words, or of a drawing."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from explorer.figures import hatch, heatmap, theme
from explorer.figures.look import look
from explorer.records.arrays import Floats
from explorer.records.language import t

#: Height of a map: constant while it is played, so that the page does not jump.
ROW_HEIGHT, LEAST_HEIGHT, MOST_HEIGHT = 30, 330, 820
#: Maps of at most so many columns have numbers in their cells.
NUMBERED = 14
#: Where the two pictures of a drawing begin and end, in shares of the width.
HALVES = ((0.0, 0.47), (0.53, 1.0))
_BARE = {"showgrid": False, "zeroline": False, "showticklabels": False, "ticks": "", "constrain": "domain"}


def words(
    weights: Floats, rows: Sequence[str], columns: Sequence[str], *, right: npt.NDArray[np.bool_] | None = None
) -> go.Figure:
    """Draw a map; the cells a row should look at are outlined where they are known.

    Args:
        weights: `[rows, columns]`.
        right: `[rows, columns]`, the cells to outline; None where nobody knows.
    """
    heat = heatmap.cells(weights.astype(np.float32), look().weights, heatmap.attends(), xgap=1, ygap=1)
    traces = [heat, *([hatch.numbers(weights)] if len(columns) <= NUMBERED else [])]
    if right is not None and right.any():
        traces.append(_outlines(right))
    return theme.figure(
        *traces,
        height=int(np.clip(130 + ROW_HEIGHT * len(rows), LEAST_HEIGHT, MOST_HEIGHT)),
        xaxis=theme.token_axis(tuple(columns), title=t("read"), side="top")
        | {"range": [-0.5, len(columns) - 0.5], "constrain": "domain"},
        yaxis=theme.token_axis(tuple(rows), title=t("written"))
        | {"range": [len(rows) - 0.5, -0.5], "scaleanchor": "x", "constrain": "domain"},
    )


def _outlines(cells: npt.NDArray[np.bool_]) -> go.Scatter:
    """Return a frame around each of the cells, all of them one trace."""
    rows, columns = (positions[:, None].astype(np.float32) for positions in np.nonzero(cells))
    across, down = np.array([[-0.46, 0.46, 0.46, -0.46, -0.46, np.nan], [-0.46, -0.46, 0.46, 0.46, -0.46, np.nan]])
    return go.Scatter(
        x=(columns + across).ravel().astype(np.float32),
        y=(rows + down).ravel().astype(np.float32),
        mode="lines",
        line={"width": 2, "color": look().query},
        hoverinfo="skip",
        showlegend=False,
    )


def drawing(ink: Floats, weights: Floats) -> go.Figure:
    """Draw the drawing, and beside it the weight that each of its pixels got.

    Args:
        ink: `[rows, columns]`, 0…1.
        weights: of the same shape.

    Raises:
        ValueError: if the shapes differ.
    """
    if ink.shape != weights.shape:
        raise ValueError(f"weights {weights.shape} are not those of a drawing of {ink.shape}")
    titles = (t("the drawing"), t("attention while the digit is written"))
    pen = [[0.0, look().paper], [1.0, look().text]]
    scales = ({"colorscale": pen, "zmax": 1.0}, {"colorscale": look().weights, "zmax": float(weights.max()) or 1.0})
    traces, axes = [], {}
    for number, (values, scale, name) in enumerate(zip((ink, weights), scales, (t("ink"), t("weight")), strict=True)):
        which = theme.axis_number(number)
        cell = t("row {row}, column {column}").format(row="%{y}", column="%{x}")
        numbers = {"x": np.arange(1, values.shape[1] + 1), "y": np.arange(1, values.shape[0] + 1)}
        traces.append(
            go.Heatmap(
                z=np.asarray(values, np.float32),
                name=titles[number],
                hovertemplate=f"{cell}: {name} %{{z:.3f}}<extra></extra>",
                xaxis=f"x{which}",
                yaxis=f"y{which}",
                showscale=False,
                xgap=1,
                ygap=1,
                zmin=0.0,
                **numbers,
                **scale,
            )
        )
        axes[f"xaxis{which}"] = _BARE | {"domain": HALVES[number], "anchor": f"y{which}"}
        axes[f"yaxis{which}"] = _BARE | {
            "autorange": "reversed",
            "constraintoward": "top",
            "scaleanchor": f"x{which}",
            "anchor": f"x{which}",
        }
    headings = [theme.heading(title, half[0], 1.02) for title, half in zip(titles, HALVES, strict=True)]
    return theme.figure(*traces, height=LEAST_HEIGHT, annotations=headings, **axes)
