"""Figure of several maps of weights on one scale, in rows and columns."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from explorer.figures import theme
from explorer.figures.look import LIGHT, Look
from explorer.records import Translate, english

#: Between two maps, in shares of one; above the rows there is a title.
_GAP, _TITLE = 0.08, 0.16


def sheet(
    rows: Sequence[Sequence[npt.NDArray[np.floating[Any]]]],
    titles: Sequence[Sequence[str]],
    *,
    causal: bool,
    look: Look = LIGHT,
    t: Translate = english,
) -> go.Figure:
    """Draw maps of one size as one picture, which is fast; each has its title above it.

    Args:
        rows: of maps `[queries, keys]`.
        titles: of each map.
        causal: whether a query sees the past alone: the rest is left empty.
        look: colours.
        t: the reader's language.
    """
    n, across = len(rows[0][0]), len(rows[0])
    wide, tall = n + max(1, round(_GAP * n)), n + max(2, round(_TITLE * n))
    whole = np.full((tall * len(rows), wide * across - (wide - n)), np.nan, np.float32)
    words, frames = [], []
    past = np.tril(np.ones((n, n), bool)) if causal else np.ones((n, n), bool)
    for down, (maps, names) in enumerate(zip(rows, titles, strict=True)):
        for place, (weights, name) in enumerate(zip(maps, names, strict=True)):
            top, left = tall * down + tall - n, wide * place
            whole[top : top + n, left : left + n] = np.where(past, weights, np.nan)
            word = {"x": left, "y": top - 0.5, "xanchor": "left", "yanchor": "bottom", "showarrow": False}
            words.append(word | {"text": theme.label(name, None), "font": {"size": 14}})
            box = {"type": "rect", "x0": left - 0.5, "x1": left + n - 0.5, "y0": top - 0.5, "y1": top + n - 0.5}
            frames.append(box | {"line": {"color": look.line, "width": 1}})
    image = {
        "type": "heatmap",
        "z": whole,
        "zmin": 0,
        "zmax": 1,
        "colorscale": look.weights,
        "showscale": False,
        "hoverongaps": False,
        "hovertemplate": t("weight") + " %{z:.3f}<extra></extra>",
    }
    still = {"visible": False, "automargin": False, "constrain": "domain"}
    return theme.figure(
        image,
        height=540,
        margin={"l": 4, "r": 4, "t": 4, "b": 4},
        xaxis=still | {"range": [-0.6, whole.shape[1] - 0.4], "constraintoward": "left"},
        yaxis=still | {"range": [len(whole) - 0.4, -0.6], "scaleanchor": "x", "constraintoward": "top"},
        shapes=frames,
        annotations=words,
    )
