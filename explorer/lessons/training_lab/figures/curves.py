"""Curves of trainings, and how long a source they can manage."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import theme
from explorer.figures.look import look
from explorer.lessons.training_lab.records import LabCurve
from explorer.records.language import t

#: The share of exact answers that the lesson calls learned.
LEARNED = 0.99
#: Losses that differ by more than this factor need powers of ten only.
WIDE = 20
#: Lines that would otherwise differ by colour alone.
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
PATTERNS = ("", "/", ".", "x", "-", "|")


def curves(runs: Sequence[LabCurve], *, along: str = "step", loss: bool = True) -> go.Figure:
    """Draw exact answers on held-out examples, below them the loss; one colour and one dash for each training.

    Args:
        runs: none, one or several.
        along: what runs to the right: `step` or `seconds`.
        loss: whether the loss is drawn.
    """
    shown = ("accuracy", "held_out_loss", "loss") if loss else ("accuracy",)
    traces = [_line(run, along, what) for run in runs for what in shown]
    titles = {"step": t("training step"), "seconds": t("seconds of training")}
    layout: dict[str, Any] = {
        "height": 500,
        "xaxis": {"title": {"text": titles[along]}, "rangemode": "tozero"},
        "yaxis": {"range": [-0.03, 1.05], "tickformat": ".0%", "title": {"text": t("without any mistake")}},
        "shapes": [_level(LEARNED)],
        "annotations": [_level_name(LEARNED)],
        "showlegend": len(runs) > 1,
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
    }
    if loss:
        layout["xaxis"]["anchor"] = "y2"
        layout["yaxis"]["domain"] = [0.56, 1.0]
        layout["yaxis2"] = {
            "domain": [0.0, 0.46],
            "type": "log",
            "dtick": _ticks(runs),
            "tickformat": "~g",  # 0.0001, not 100µ
            "title": {"text": t("loss")},
        }
    return theme.figure(*traces, **layout)


def _line(run: LabCurve, along: str, what: str) -> dict[str, Any]:
    """Return one curve of one training; the loss on held-out examples is pale beside the loss in training."""
    said = {
        "accuracy": t("exact") + " %{y:.1%}",
        "loss": t("loss in training") + " %{y:.4g}",
        "held_out_loss": t("loss on held-out examples") + " %{y:.4g}",
    }[what]
    where = {"step": t("step") + " %{x}", "seconds": "%{x:.1f} s"}[along]
    inks = colours()
    colour, pale = inks[run.number % len(inks)], what == "held_out_loss"
    return {
        "type": "scatter",
        "x": run.along(along),
        "y": run.along(what),
        "yaxis": "y" if what == "accuracy" else "y2",
        "name": theme.label(run.name, 40),
        "legendgroup": str(run.number),
        "showlegend": what == "accuracy",
        "mode": "lines" if pale or len(run.points) > 60 else "lines+markers",
        "opacity": 0.5 if pale else 1.0,
        "line": {"color": colour, "width": 7 if pale else 3.5, "dash": DASHES[run.number % len(DASHES)]},
        "marker": {"size": 8, "color": colour},
        "hovertemplate": f"{theme.label(run.name, None)}, {where}: {said}<extra></extra>",
    }


def _ticks(runs: Sequence[LabCurve]) -> int | str:
    """Return powers of ten where the losses span some, else every digit that tells them apart."""
    losses = [point.loss for run in runs for point in run.points if point.loss > 0]
    return 1 if losses and max(losses) > WIDE * min(losses) else "D2"


def _level(share: float) -> dict[str, Any]:
    """Return a dotted line across the upper panel."""
    ends = {"x0": 0, "x1": 1, "xref": "x domain", "y0": share, "y1": share, "yref": "y"}
    return {"type": "line", "line": {"dash": "dot", "width": 1.5, "color": look().muted}, **ends}


def _level_name(share: float) -> dict[str, Any]:
    """Return what the dotted line means, above its left end."""
    text = t("dotted: learned, {share}").format(share=f"{share:.0%}")
    position = {"x": 0.01, "xref": "x domain", "xanchor": "left", "y": share, "yref": "y", "yanchor": "bottom"}
    return {"text": text, "showarrow": False, "font": {"color": look().muted, "size": 13}, **position}


def lengths(runs: Sequence[tuple[str, int, Mapping[int, tuple[int, int]]]]) -> go.Figure:
    """Draw for each length of a source the share of held-out examples that is right at the end of a training.

    Args:
        runs: name, number of its colour, and for each length how many examples there are and how many are right.
    """
    bars = [
        go.Bar(
            x=np.array(list(counts), np.int32),
            y=np.array([right / n for n, right in counts.values()], np.float32),
            name=theme.label(name, 40),
            marker={"color": colours()[number % 6], "pattern": {"shape": PATTERNS[number % len(PATTERNS)]}},
            customdata=np.array(list(counts.values()), np.int32),
            hovertemplate=t("{right} of {n} right").format(right="%{customdata[1]}", n="%{customdata[0]}")
            + "<extra>"
            + theme.label(name, 40)
            + "</extra>",
        )
        for name, number, counts in runs
    ]
    return theme.figure(
        *bars,
        height=420,
        barmode="group",
        bargap=0.25,
        xaxis={"title": {"text": t("length of the word")}, "dtick": 1},
        yaxis={"title": {"text": t("without any mistake")}, "range": [0, 1.05], "tickformat": ".0%"},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
    )


def colours() -> tuple[str, ...]:
    """Return the colours of trainings: the first is the one that is looked at."""
    return (look().key, look().muted, look().output, look().value, look().text, look().query)
