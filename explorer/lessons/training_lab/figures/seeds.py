"""Trainings with several seeds: the mean of each as a line, its range as a band; and where every seed ended."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import look as looks, theme
from explorer.lessons.training_lab.figures.curves import DASHES, colours
from explorer.lessons.training_lab.records import SeededCurves
from explorer.records.language import t

#: Symbols of the ends, so that colour alone tells nothing.
SYMBOLS = ("circle", "square", "diamond")
#: A mean, and the lowest and highest seed.
RANGE = "%{y:.3g} (%{customdata[0]:.3g} … %{customdata[1]:.3g})"


def seeds(runs: Sequence[SeededCurves], *, measure: str = "accuracy", along: str = "step") -> go.Figure:
    """Draw the courses, and beside them a mark for each seed at its end.

    Args:
        runs: two or three.
        measure: `accuracy`, `loss` or `held_out_loss`.
        along: what runs to the right: `step` or `seconds`.
    """
    traces = [trace for run in runs for trace in (*_band(run, measure, along), _ends(run, measure))]
    titles = {"step": t("training step"), "seconds": t("seconds of training")}
    said = {"accuracy": t("exact"), "loss": t("loss in training"), "held_out_loss": t("loss on held-out examples")}
    share = {"range": [-0.03, 1.05], "tickformat": ".0%"}
    scale = share if measure == "accuracy" else {"type": "log", "dtick": "D2", "tickformat": "~g"}
    return theme.figure(
        *traces,
        height=500,
        xaxis={"domain": [0.0, 0.72], "title": {"text": titles[along]}, "rangemode": "tozero"},
        yaxis={"title": {"text": said[measure]}, **scale},
        xaxis2={
            "domain": [0.78, 1.0],
            "tickvals": np.arange(len(runs)),
            "ticktext": ["<br>".join(map(theme.label, run.name.split())) for run in runs],
            "tickangle": 0,
            "range": [-0.6, len(runs) - 0.4],
            "title": {"text": t("at the end")},
        },
        yaxis2={"matches": "y", "anchor": "x2", "showticklabels": False, **scale},
        legend=theme.LEGEND | {"traceorder": "normal"},
    )


def _band(run: SeededCurves, measure: str, along: str) -> list[dict[str, Any]]:
    """Return the lowest and the highest seed with the ground between them, and the mean."""
    x, values = run.along(along), run.measured(measure)
    colour = colours()[run.number]
    quiet = {"type": "scatter", "mode": "lines", "x": x, "line": {"width": 0}, "showlegend": False, "hoverinfo": "skip"}
    return [
        quiet | {"y": values.min(0)},
        quiet | {"y": values.max(0), "fill": "tonexty", "fillcolor": looks.faint(colour, 0.25)},
        {
            "type": "scatter",
            "mode": "lines",
            "x": x,
            "y": values.mean(0),
            "customdata": np.stack([values.min(0), values.max(0)], -1),
            "name": theme.label(run.name, 40),
            "line": {"color": colour, "width": 3.5, "dash": DASHES[run.number]},
            "hovertemplate": f"{theme.label(run.name, None)}: {RANGE}<extra></extra>",
        },
    ]


def _ends(run: SeededCurves, measure: str) -> dict[str, Any]:
    ends = run.ends(measure)
    return {
        "type": "scatter",
        "mode": "markers",
        "x": np.full(len(ends), run.number),
        "y": ends,
        "xaxis": "x2",
        "yaxis": "y2",
        "showlegend": False,
        "marker": {"size": 13, "color": colours()[run.number], "symbol": SYMBOLS[run.number], "opacity": 0.8},
        "customdata": np.arange(1, len(ends) + 1),
        "hovertemplate": t("seed {seed}").format(seed="%{customdata}") + ": %{y:.3g}<extra></extra>",
    }
