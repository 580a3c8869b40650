"""“Recurrent attention”: BLEU against the length of the source."""

from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from explorer.figures import theme
from explorer.figures.look import look
from explorer.lessons.seq2seq_attention.records import LengthCurve
from explorer.records.language import t

#: One sign for each mechanism, on every chart; its colour is a role's, or, where two share one, told apart by the sign.
SIGNS = {
    "none": "x",
    "fixed": "square",
    "dot": "diamond-open",
    "scaled_dot": "diamond",
    "general": "triangle-up",
    "concat": "star",
    "additive": "circle",
}

#: What the question compares: one vector and a look back. The others are pale.
COMPARED = ("none", "additive")


def colours() -> dict[str, str]:
    """Return the colour of each mechanism."""
    inks = (look().muted, look().text, look().value, look().value, look().output, look().key, look().query)
    return dict(zip(SIGNS, inks, strict=True))


def lengths(curves: Sequence[LengthCurve], *, names: Mapping[str, str]) -> go.Figure:
    """Draw a line for each model over the groups of source lengths.

    Args:
        curves: at least one; the groups of the longest give the axis.
    """
    axis = list(
        dict.fromkeys(group.name for curve in sorted(curves, key=lambda c: -len(c.groups)) for group in curve.groups)
    )
    most = max(group.bleu for curve in curves for group in curve.groups)
    return theme.figure(
        *(_line(curve, axis, names) for curve in curves),
        height=420,
        margin={"l": 8, "r": 8, "t": 36, "b": 8},
        annotations=[_named(each, axis, names, most) for each in curves if each.mechanism in COMPARED and each.groups],
        xaxis=theme.token_axis(tuple(axis), title=t("words in the German source")) | {"range": [-0.3, len(axis) - 0.7]},
        yaxis={"title": {"text": "BLEU"}, "range": [0, max(10.0, 1.12 * most)]},
    )


def _named(curve: LengthCurve, axis: list[str], names: Mapping[str, str], most: float) -> dict[str, Any]:
    """Write the name of one of the two that are compared above all lines, or below the end of the lower one."""
    low = curve.mechanism == COMPARED[0]
    position = {"x": axis.index(curve.groups[-1].name) + 0.2, "y": curve.groups[-1].bleu - 1 if low else most + 1}
    anchors = {"xanchor": "right", "yanchor": "top" if low else "bottom", "showarrow": False}
    letters = {"color": colours()[curve.mechanism], "size": look().close(16)}
    return position | anchors | {"text": f"<b>{theme.label(names[curve.mechanism], None)}</b>", "font": letters}


def _line(curve: LengthCurve, axis: list[str], names: Mapping[str, str]) -> go.Scatter:
    """Return a line; strong and without an entry in the legend for the two that are compared."""
    strong = curve.mechanism in COMPARED
    said = t("{name}, {length} words: BLEU {bleu} over {n} sentences")
    return go.Scatter(
        x=[axis.index(group.name) for group in curve.groups],
        y=[group.bleu for group in curve.groups],
        mode="lines+markers",
        name=theme.label(names[curve.mechanism], None),
        line={"color": colours()[curve.mechanism], "width": 4 if strong else 2},
        marker={"size": 12 if strong else 8, "symbol": SIGNS[curve.mechanism]},
        opacity=1 if strong else 0.4,
        showlegend=not strong,
        customdata=[
            theme.label(
                said.format(
                    name=names[curve.mechanism], length=group.name, bleu=f"{group.bleu:.1f}", n=group.sentences
                ),
                None,
            )
            for group in curve.groups
        ],
        hovertemplate="%{customdata}<extra></extra>",
    )
