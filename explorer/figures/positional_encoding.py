"""Figures of sinusoidal codes: matrix, waves, wavelengths, a counter beside them, likeness by offset, clock hands."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from explorer.figures import theme
from explorer.records import Translate, english
from explorer.records.positional_encoding import CodesRecord, CounterRecord, LikenessRecord, RotationRecord

Points = npt.NDArray[np.floating[Any]]
#: Other pairs that are drawn, thin, beside the chosen one.
COMPANIONS = 3
#: Centres of the circles of the rotation are this far apart, in radii.
_APART = (2.6, 3.1)
_ACROSS = 3


def codes(record: CodesRecord, pair: int, *, t: Translate = english) -> go.Figure:
    """The matrix, positions × dimensions, on the diverging scale −1…1; the chosen pair framed.

    Args:
        record: the codes.
        pair: number of the pair to frame.
        t: the reader's language.
    """
    return matrix(
        record.code,
        reach=1.0,
        titles=(t("dimension"), t("position")),
        hover=t("position {row}, dimension {column}: {value}"),
        frame=(2 * pair, 2 * pair + 1),
    )


def matrix(
    values: npt.NDArray[np.float32],
    *,
    reach: float,
    titles: tuple[str, str],
    hover: str,
    frame: tuple[int, int] | None = None,
    height: int = 460,
) -> go.Figure:
    """A matrix with numbered rows and columns on a diverging scale.

    Args:
        values: `[rows, columns]`, NaN stays empty.
        reach: the scale runs from −reach to +reach.
        titles: of columns and rows.
        hover: says `{row}`, `{column}`, `{value}`, and `{more}` for the trace's `customdata`.
        frame: first and last column to frame.
        height: in pixels.
    """
    trace = go.Heatmap(
        z=values,
        zmin=-reach,
        zmax=reach,
        colorscale=theme.DIVERGING,
        colorbar={"thickness": 12},
        hovertemplate=hover.format(row="%{y}", column="%{x}", value="%{z:.3f}", more="%{customdata:.1f}")
        + "<extra></extra>",
        hoverongaps=False,
    )
    shapes = []
    if frame is not None:
        ends = {"x0": frame[0] - 0.5, "x1": frame[1] + 0.5, "y0": -0.5, "y1": len(values) - 0.5}
        shapes.append({"type": "rect", "line": {"color": theme.TRUTH, "width": 3}, **ends})
    bare = {"showgrid": False, "zeroline": False}
    return theme.figure(
        trace,
        height=height,
        shapes=shapes,
        xaxis={"title": {"text": titles[0]}, **bare},
        yaxis={"title": {"text": titles[1]}, "autorange": "reversed", **bare},
    )


def waves(record: CodesRecord, pair: int, *, t: Translate = english) -> go.Figure:
    """The chosen pair over the positions, its codes as points; a few other sines, thin.

    Args:
        record: the codes.
        pair: number of the pair that stands in front.
        t: the reader's language.
    """
    name = t("dimension {dimension} (wavelength {length})")
    spread = np.linspace(0, record.n_pairs - 1, COMPANIONS).round().astype(int).tolist()
    traces = [
        go.Scatter(
            x=record.fine,
            y=record.waves[other],
            mode="lines",
            name=name.format(dimension=2 * other, length=_length(record.wavelengths[other])),
            line={"color": theme.colour(3 + number), "width": 1.5},
        )
        for number, other in enumerate(spread)
        if other != pair
    ]
    places = np.arange(len(record.code), dtype=np.float32)
    kinds = (
        (0, theme.PREDICTION, t("dimension {dimension}, sine")),
        (1, theme.QUERY, t("dimension {dimension}, cosine")),
    )
    for which, ink, said in kinds:
        traces.append(
            go.Scatter(
                x=places,
                y=record.code[:, 2 * pair + which],
                mode="lines+markers",
                name=said.format(dimension=2 * pair + which),
                line={"color": ink, "width": 3},
                marker={"size": 7},
            )
        )
    return theme.figure(
        *traces,
        height=460,
        margin={"l": 8, "r": 8, "t": 80, "b": 8},
        xaxis={"title": {"text": t("position")}},
        yaxis={"range": [-1.1, 1.1]},
    )


def wavelengths(record: CodesRecord, pair: int, *, t: Translate = english) -> go.Figure:
    """Wavelength of every pair, on a logarithmic axis, against the length of the sequence.

    Args:
        record: the codes.
        pair: number of the pair to mark.
        t: the reader's language.
    """
    numbers = np.arange(record.n_pairs)
    ink = [theme.QUERY if number == pair else theme.PREDICTION for number in numbers]
    hover = t("pair {pair} repeats after {length} positions").format(pair="%{x}", length="%{y:,.4g}")
    points = go.Scatter(
        x=numbers,
        y=record.wavelengths.astype(np.float32),
        mode="lines+markers",
        line={"color": theme.PREDICTION, "width": 1.5},
        marker={"size": [13 if number == pair else 7 for number in numbers], "color": ink},
        hovertemplate=hover + "<extra></extra>",
        showlegend=False,
    )
    levels = [
        (2 * math.pi, "2π", theme.CATEGORICAL[7]),
        (2 * math.pi * record.base, t("base · 2π"), theme.CATEGORICAL[7]),
        (float(len(record.code)), t("{n} positions").format(n=len(record.code)), theme.BASELINE),
    ]
    return theme.figure(
        points,
        height=380,
        xaxis={"title": {"text": t("pair of dimensions")}},
        yaxis={"type": "log", "title": {"text": t("wavelength, in positions")}, "dtick": 1, "tickformat": ",.0f"},
        shapes=[_level(height, ink) for height, _, ink in levels],
        annotations=[_beside(height, said) for height, said, _ in levels],
    )


def _level(height: float, ink: str) -> dict[str, Any]:
    line = {"color": ink, "width": 2, "dash": "dash"}
    return {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": height, "y1": height, "line": line}


def _beside(height: float, said: str) -> dict[str, Any]:
    """An annotation on a logarithmic axis stands at the exponent."""
    place = {"xref": "paper", "x": 0.01, "y": math.log10(height), "xanchor": "left", "yanchor": "bottom"}
    return place | {"text": said, "showarrow": False}


def counter(record: CounterRecord, *, t: Translate = english) -> go.Figure:
    """Bits, the signs of a few waves written as bits, and the waves themselves: three blocks of one picture.

    Args:
        record: the counter and the waves.
        t: the reader's language.
    """
    n, bits = record.bits.shape
    gap, blank = np.full((n, 1), np.nan, np.float32), np.full((n, 1), "", object)
    as_colours = [np.where(block == 0, 0.8, -0.8) for block in (record.bits, record.below)]
    cells = np.hstack([as_colours[0], gap, as_colours[1], gap, record.sines]).astype(np.float32)
    bare = np.full(record.sines.shape, "", object)
    texts = np.hstack([record.bits.astype(str), blank, record.below.astype(str), blank, bare])
    names = [f"{2**bit}" for bit in range(bits)]
    half = [f"{length / 2:.1f}" if length < 20 else f"{length / 2:.0f}" for length in record.wavelengths]
    starts = (0, bits + 1, bits + len(half) + 2)
    heads = (t("bits"), t("sine below 0?"), t("sine"))
    trace = go.Heatmap(
        z=cells,
        zmin=-1,
        zmax=1,
        colorscale=theme.DIVERGING,
        showscale=False,
        text=texts,
        texttemplate="%{text}",
        textfont={"size": 12},
        hoverinfo="skip",
        hoverongaps=False,
        xgap=1,
        ygap=1,
    )
    ticks = [
        start + place for start, block in zip(starts, (names, half, half), strict=True) for place in range(len(block))
    ]
    return theme.figure(
        trace,
        height=110 + 17 * n,
        xaxis={"tickvals": ticks, "ticktext": [*names, *half, *half], "title": {"text": t("flips after … positions")}}
        | {"showgrid": False, "zeroline": False, "tickangle": 0, "tickfont": {"size": 12}},
        yaxis={"tickvals": list(range(n)), "ticktext": [f"{row} = {row:0{bits}b}" for row in range(n)]}
        | {"autorange": "reversed", "showgrid": False, "zeroline": False, "tickfont": {"size": 12}},
        annotations=[
            {"x": start - 0.5, "y": -0.6, "text": head, "showarrow": False, "xanchor": "left", "yanchor": "bottom"}
            for start, head in zip(starts, heads, strict=True)
        ],
    )


def likeness(record: LikenessRecord, *, t: Translate = english) -> go.Figure:
    """Inner products of one code with those around it, on the sum that knows only the offset.

    Args:
        record: what was measured.
        t: the reader's language.
    """
    line = {"color": theme.BASELINE, "width": 6}
    theory = go.Scatter(
        x=record.offsets_all,
        y=record.by_offset.astype(np.float32),
        mode="lines",
        name=t("Σ cos ωδ, from the offset alone"),
        line=line,
        opacity=0.7,
    )
    hover = t("p({place})·p({other}) = {product}").format(place=record.place, other="%{customdata}", product="%{y:.3f}")
    measured = go.Scatter(
        x=record.offsets,
        y=record.products.astype(np.float32),
        customdata=record.offsets + record.place,
        mode="markers",
        name=t("p({place})·p(j)").format(place=record.place),
        marker={"color": theme.PREDICTION, "size": 7},
        hovertemplate=hover + "<extra></extra>",
    )
    return theme.figure(
        theory,
        measured,
        height=440,
        xaxis={"title": {"text": t("offset j − i, in positions")}},
        yaxis={"title": {"text": t("inner product")}},
    )


def clocks(record: RotationRecord, *, t: Translate = english) -> go.Figure:
    """A circle for each pair: where the code stands at i, where at i + δ, and where the rotation puts it.

    Args:
        record: the rotation.
        t: the reader's language.
    """
    centres = np.array([((i % _ACROSS) * _APART[0], -(i // _ACROSS) * _APART[1]) for i in range(len(record.pairs))])
    ring = np.linspace(0, 2 * np.pi, 73)
    circle = np.stack([np.cos(ring), np.sin(ring)], -1)
    arcs = [_arc(record, i) for i in range(len(record.pairs))]
    now, then = t("position {i}").format(i=record.place), t("position {i}").format(i=record.place + record.offset)
    traces = [
        _strokes([centre + circle for centre in centres], "", theme.DATA, 1.5),
        _strokes([centre + arc for centre, arc in zip(centres, arcs, strict=True)], "", theme.TRUTH, 4.0),
        _hands(centres, record.before, now, theme.PREDICTION, 3.0),
        _hands(centres, record.after, then, theme.QUERY, 3.0),
        _ends(centres + record.turned, t("rotated by {offset}").format(offset=record.offset)),
    ]
    said = t("pair {pair}: {degrees}°")
    notes = [
        {
            "x": centre[0],
            "y": centre[1] - 1.1,
            "text": said.format(pair=pair, degrees=_length(record.angle(i))),
            "showarrow": False,
            "yanchor": "top",
        }
        for i, (centre, pair) in enumerate(zip(centres.tolist(), record.pairs, strict=True))
    ]
    rows = -(-len(record.pairs) // _ACROSS)
    across = (min(len(record.pairs), _ACROSS) - 1) * _APART[0]
    hidden = {"visible": False, "fixedrange": True}
    return theme.figure(
        *traces,
        height=120 + 190 * rows,
        annotations=notes,
        hovermode=False,
        dragmode=False,
        margin={"l": 4, "r": 4, "t": 60, "b": 4},
        xaxis={**hidden, "range": [-1.2, across + 1.2]},
        yaxis={**hidden, "range": [-(rows - 1) * _APART[1] - 1.6, 1.15], "scaleanchor": "x"},
    )


def _arc(record: RotationRecord, number: int) -> Points:
    """From the first hand to the second, near the middle; at most one turn of it is drawn."""
    start = math.atan2(record.before[number][1], record.before[number][0])
    turn = math.radians(record.angle(number))
    turn = math.copysign(min(abs(turn), 2 * math.pi), turn)
    angles = start + np.linspace(0, turn, 49)
    return 0.45 * np.stack([np.cos(angles), np.sin(angles)], -1)


def _strokes(lines: list[Points], name: str, ink: str, width: float) -> go.Scatter:
    """Several lines as one trace, parted by gaps."""
    gap = np.full((1, 2), np.nan)
    points = np.vstack([part for line in lines for part in (line, gap)]).astype(np.float32)
    line = {"color": ink, "width": width}
    return go.Scatter(x=points[:, 0], y=points[:, 1], mode="lines", name=name, showlegend=bool(name), line=line)


def _hands(centres: Points, ends: Points, name: str, ink: str, width: float) -> go.Scatter:
    return _strokes(
        [np.stack([centre, centre + end]) for centre, end in zip(centres, ends, strict=True)], name, ink, width
    )


def _ends(points: Points, name: str) -> go.Scatter:
    ring = {"symbol": "circle-open", "size": 13, "color": theme.TRUTH, "line": {"width": 3}}
    drawn = points.astype(np.float32)
    return go.Scatter(x=drawn[:, 0], y=drawn[:, 1], mode="markers", name=name, marker=ring)


def _length(value: float) -> str:
    """A wavelength or an angle: three digits, large ones with separators."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
