"""A look-up in the plane: keys, query and answer; three ways of answering; the weights over the temperature."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from explorer.figures import theme
from explorer.records import Translate, english
from explorer.records.lookup import HARD, REACH, SOFT, WAYS, Floats, LookupRecord, write_value

INK = "rgb(22,32,44)"
#: Every second place that was asked can be clicked.
CLICKS = 2
_PLAIN = {"unselected": {"marker": {"opacity": 1}}, "selected": {"marker": {"opacity": 1}}}


def way_names(t: Translate = english) -> dict[str, str]:
    """The ways of answering, in the reader's language."""
    return {"hard": t("hard look-up"), "soft": t("attention"), "average": t("average pooling")}


def plane(record: LookupRecord, *, t: Translate = english) -> go.Figure:
    """Keys and query over what attention would answer at each place; a click on the plane reaches Streamlit.

    The width of the line from the query to a key is the weight. Keys at one place are named together.
    """
    return theme.figure(
        _answers(record, t),
        *_rays(record),
        _keys(record),
        _query(record, t),
        _clickable(record, t),
        height=500,
        showlegend=False,
        dragmode=False,
        hovermode="closest",
        margin={"l": 8, "r": 8, "t": 12, "b": 8},
        annotations=_names(record),
        xaxis=_axis(t("first number")) | {"constrain": "domain"},
        yaxis=_axis(t("second number")) | {"scaleanchor": "x", "constrain": "domain"},
    )


def ways(record: LookupRecord, *, t: Translate = english) -> go.Figure:
    """Three columns of weights over the same keys, and under each what it answers."""
    names, n = way_names(t), len(record.entries)
    made = make_subplots(rows=1, cols=3, shared_yaxes=True, horizontal_spacing=0.04)
    for column, (way, weights, output) in enumerate(zip(WAYS, record.weights, record.outputs, strict=True), start=1):
        made.add_trace(_bars(record, weights, names[way], t), row=1, col=column)
        made.add_trace(_answer(record, output, n, names[way], t), row=1, col=column)
        title = {"text": names[way], "font": {"size": 13}}
        made.update_xaxes(title=title, side="top", range=(0, 1.22), tickvals=[0, 0.5, 1], fixedrange=True, col=column)
    labels = (*(entry.name for entry in record.entries), t("answer"))
    axis = theme.token_axis(labels) | {"range": (n + 0.6, -0.6), "fixedrange": True}
    made.update_layout(theme.figure(height=170 + 34 * n, showlegend=False, dragmode=False, bargap=0.3).layout)
    made.update_layout(margin={"t": 8})
    made.update_xaxes(automargin=True, showgrid=False)
    return made.update_yaxes(axis)


def path(record: LookupRecord, *, t: Translate = english) -> go.Figure:
    """The weights of attention over the temperature, from the hard look-up to the average; the chosen one marked."""
    hover = t("temperature {temperature}: “{key}” weighs {weight}")
    lines = [
        go.Scatter(
            x=record.temperatures,
            y=record.path[:, place].astype(np.float32),
            mode="lines",
            name=theme.label(entry.name),
            line={"color": theme.colour(place), "width": 3, "dash": "solid" if place < 8 else "dot"},
            hovertemplate=hover.format(temperature="%{x:.3g}", key="%{fullData.name}", weight="%{y:.3f}")
            + "<extra></extra>",
        )
        for place, entry in enumerate(record.entries)
    ]
    ends = way_names(t)
    made = theme.figure(
        *lines,
        height=340,
        showlegend=True,
        dragmode=False,
        annotations=[_end(0.0, f"← {ends['hard']}"), _end(1.0, f"{ends['average']} →")],
        xaxis={
            "type": "log",
            "title": {"text": t("temperature T")},
            "tickvals": [10.0**power for power in range(-3, 4)],
            "tickformat": "~g",
            "fixedrange": True,
        },
        yaxis={"title": {"text": t("weight")}, "range": (-0.03, 1.1), "fixedrange": True},
    )
    return made.add_vline(record.temperature, line={"color": theme.QUERY, "width": 2, "dash": "dot"})


def _end(x: float, text: str) -> dict[str, Any]:
    return {
        "x": x,
        "y": 1.0,
        "xref": "paper",
        "yref": "paper",
        "xanchor": "left" if x == 0 else "right",
        "yanchor": "top",
        "text": text,
        "showarrow": False,
        "font": {"size": 13},
    }


def _axis(title: str) -> dict[str, Any]:
    return {
        "title": {"text": title},
        "range": (-REACH, REACH),
        "tickvals": list(range(-int(REACH), int(REACH) + 1)),
        "zeroline": False,
        "showgrid": False,
        "fixedrange": True,
    }


def _answers(record: LookupRecord, t: Translate) -> Any:
    """The plane, coloured by the answer at each place."""
    step = float(record.axis[1] - record.axis[0])
    start = float(record.axis[0])
    if record.is_colour:
        pixels = record.answers.round().clip(0, 255).astype(np.uint8)
        return go.Image(z=pixels, x0=start, dx=step, y0=start, dy=step, opacity=0.75, hoverinfo="skip")
    low, high = _span(record)
    return go.Heatmap(
        z=record.answers[..., 0],
        x0=start,
        dx=step,
        y0=start,
        dy=step,
        zmin=low,
        zmax=high,
        colorscale=theme.SEQUENTIAL,
        opacity=0.75,
        hoverinfo="skip",
        colorbar={"title": {"text": t("answer")}, "thickness": 12},
    )


def _span(record: LookupRecord) -> tuple[float, float]:
    """The smallest and largest value; never of no width."""
    values = [entry.value[0] for entry in record.entries]
    low, high = min(values), max(values)
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def _marker_colours(record: LookupRecord, values: Floats) -> dict[str, Any]:
    """What paints markers in the colour of their value."""
    if record.is_colour:
        return {"color": [rgb(value) for value in values]}
    low, high = _span(record)
    return {"color": values[:, 0].astype(np.float32), "cmin": low, "cmax": high, "colorscale": theme.SEQUENTIAL}


def rgb(value: Any) -> str:
    """A colour as Plotly takes it; not as #rrggbb, of which Streamlit replaces some."""
    return f"rgb({','.join(str(round(min(max(float(channel), 0.0), 255.0))) for channel in value)})"


def _values(record: LookupRecord) -> Floats:
    return np.array([entry.value for entry in record.entries])


def _rays(record: LookupRecord) -> list[go.Scatter]:
    """A line from the query to each key, as wide as the weight."""
    weights = record.weights[WAYS.index(SOFT)]
    return [
        go.Scatter(
            x=np.array([record.query[0], x], np.float32),
            y=np.array([record.query[1], y], np.float32),
            mode="lines",
            line={"color": INK, "width": 14 * float(weight)},
            opacity=0.65,
            hoverinfo="skip",
        )
        for (x, y), weight in zip(record.keys.tolist(), weights, strict=True)
        if weight >= 0.005
    ]


def _keys(record: LookupRecord) -> go.Scatter:
    """The keys in the colour of their values; of keys at one place, the later lie smaller on the earlier."""
    later = {number: rank for twins in record.twins for rank, number in enumerate(twins)}
    sizes = [max(24 - 8 * later.get(number, 0), 6) for number in range(len(record.entries))]
    keys = record.keys
    return go.Scatter(
        x=keys[:, 0],
        y=keys[:, 1],
        mode="markers",
        marker={"size": sizes, "line": {"color": INK, "width": 2}, **_marker_colours(record, _values(record))},
        hoverinfo="skip",
        **_PLAIN,
    )


def _query(record: LookupRecord, t: Translate) -> go.Scatter:
    """The query, in the colour of its answer."""
    output = record.outputs[[WAYS.index(SOFT)]]
    marker = {"symbol": "diamond", "size": 24, "line": {"color": theme.QUERY, "width": 4}}
    return go.Scatter(
        x=record.query[:1],
        y=record.query[1:],
        mode="markers",
        name=t("query"),
        marker=marker | _marker_colours(record, output),
        hoverinfo="skip",
        **_PLAIN,
    )


def _names(record: LookupRecord) -> list[dict[str, Any]]:
    """Name and weight above each key; one label for keys at one place."""
    weights = record.weights[WAYS.index(SOFT)]
    groups = {twins[0]: twins for twins in record.twins}
    others = {number for twins in record.twins for number in twins[1:]}
    made = []
    for number, (x, y) in enumerate(record.keys.tolist()):
        if number in others:
            continue
        lines = [
            f"{theme.label(record.entries[each].name)} {weights[each]:.2f}" for each in groups.get(number, (number,))
        ]
        made.append(
            {
                "x": x,
                "y": y,
                "text": "<br>".join(lines[:4]) + ("<br>…" if len(lines) > 4 else ""),
                "showarrow": False,
                "yshift": 18 if y < REACH - 1 else -18,
                "yanchor": "bottom" if y < REACH - 1 else "top",
                "xanchor": "left" if x < 1 - REACH else "right" if x > REACH - 1 else "center",
                "bgcolor": "rgba(255,255,255,0.8)",
                "font": {"size": 13, "color": INK},
            }
        )
    return made


def _clickable(record: LookupRecord, t: Translate) -> go.Scatter:
    """Invisible points over the plane; each says what would be answered there."""
    places = record.axis[::CLICKS]
    x, y = np.meshgrid(places, places)
    answers = record.answers[::CLICKS, ::CLICKS].reshape(-1, record.answers.shape[-1])
    hover = t("query ({x}, {y}): answer {answer}").format(x="%{x}", y="%{y}", answer="%{customdata}")
    return go.Scatter(
        x=x.ravel().astype(np.float32),
        y=y.ravel().astype(np.float32),
        mode="markers",
        marker={"size": 12, "symbol": "square"},
        opacity=0,
        customdata=[write_value(answer) for answer in answers.tolist()],
        hovertemplate=hover + "<extra></extra>",
    )


def _bars(record: LookupRecord, weights: Floats, way: str, t: Translate) -> go.Bar:
    hover = t("{way}: “{key}” weighs {weight}").format(way=way, key="%{customdata}", weight="%{x:.4f}")
    return go.Bar(
        x=weights.astype(np.float32),
        y=np.arange(len(weights), dtype=np.int32),
        orientation="h",
        marker={"line": {"color": theme.DATA, "width": 1}, **_marker_colours(record, _values(record))},
        text=[_written(weight) for weight in weights.tolist()],
        textposition="outside",
        cliponaxis=False,
        customdata=[theme.label(entry.name, None) for entry in record.entries],
        hovertemplate=hover + "<extra></extra>",
    )


def _answer(record: LookupRecord, output: Floats, row: int, way: str, t: Translate) -> go.Scatter:
    """The answer under the bars: a patch of the colour, or the number."""
    patch = {"symbol": "square", "size": 30, "line": {"color": theme.DATA, "width": 1}}
    said = write_value(output)
    return go.Scatter(
        x=np.array([0.14], np.float32),
        y=np.array([row], np.int32),
        mode="markers+text",
        marker=patch | _marker_colours(record, output[None]),
        text=["  " + said],
        textposition="middle right",
        cliponaxis=False,
        hovertemplate=t("{way}: answer {answer}").format(way=way, answer=said) + "<extra></extra>",
    )


def _written(weight: float) -> str:
    """A weight; an exact 0 and 1 look different from nearly 0 and 1."""
    if weight in (0.0, 1.0):
        return f"{weight:.0f}"
    return f"{weight:.2f}" if weight >= 0.005 else "≈0"


__all__ = ["HARD", "path", "plane", "rgb", "way_names", "ways"]
