"""Figures of sinusoidal codes: the matrix with its wavelengths, and a counter beside it."""

import math

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from explorer.figures import heatmap, theme
from explorer.figures.look import look
from explorer.lessons.positional_encoding.records.sinusoidal import CodesRecord, CounterRecord, LikenessRecord
from explorer.records.language import t


def codes(record: CodesRecord, pair: int | None) -> go.Figure:
    """Draw the matrix, positions × dimensions, and above each pair its wavelength; a chosen pair is framed."""
    drawn = matrix(
        record.code,
        reach=1.0,
        titles=(t("dimension"), t("position")),
        hover=t("position {row}, dimension {column}: {value}"),
        frame=None if pair is None else (2 * pair, 2 * pair + 1),
    )
    drawn.add_trace(_wavelengths(record, pair))
    n = len(record.code)
    level = {"type": "line", "xref": "x", "yref": "y2", "x0": -0.5, "x1": 2 * record.n_pairs - 0.5, "y0": n, "y1": n}
    drawn.add_shape(level | {"line": {"color": look().muted, "width": 1.5, "dash": "dash"}})
    said = {"text": t("{n} positions").format(n=n), "xref": "paper", "yref": "y2", "y": math.log10(n), "x": 0}
    drawn.add_annotation(said | {"showarrow": False, "xanchor": "left", "yanchor": "bottom"})
    drawn.update_layout(
        yaxis={"domain": [0, 0.66]},
        yaxis2={
            "domain": [0.74, 1],
            "type": "log",
            "tickformat": "~s",
            "dtick": 2,
            "zeroline": False,
            "automargin": True,
        }
        | {"title": {"text": t("wavelength")}},
    )
    return drawn


def alike(record: LikenessRecord, count: int) -> go.Figure:
    """Draw the score of every two of the first `count` positions: it is the same along each diagonal."""
    ahead = np.arange(count)[None, :] - np.arange(count)[:, None]
    scores = record.by_offset[ahead - record.offsets_all[0]].astype(np.float32)
    return matrix(
        scores,
        reach=float(np.abs(scores).max()),
        titles=(t("position of the second word"), t("position of the first word")),
        hover=t("positions {row} and {column}: score {value}"),
        square=True,
    )


def _wavelengths(record: CodesRecord, pair: int | None) -> go.Scatter:
    """Return the wavelength of every pair, above its two columns."""
    numbers = np.arange(record.n_pairs)
    hover = t("pair {pair} repeats after {length} positions").format(pair="%{customdata}", length="%{y:,.4g}")
    return go.Scatter(
        x=2 * numbers + 0.5,
        y=record.wavelengths.astype(np.float32),
        customdata=numbers,
        yaxis="y2",
        mode="lines+markers",
        name=t("wavelength"),
        line={"color": look().muted, "width": 1.5},
        marker={
            "size": [13 if number == pair else 6 for number in numbers],
            "color": [look().query if number == pair else look().muted for number in numbers],
            "line": {"width": 0},
        },
        hovertemplate=hover + "<extra></extra>",
        showlegend=False,
    )


def signed_scale() -> list[tuple[float, str]]:
    """Return a colour scale for numbers on both sides of 0, which is the paper's colour."""
    return [(0.0, look().output), (0.5, look().paper), (1.0, look().key)]


def matrix(
    values: npt.NDArray[np.float32],
    *,
    reach: float,
    titles: tuple[str, str],
    hover: str,
    frame: tuple[int, int] | None = None,
    square: bool = False,
) -> go.Figure:
    """Draw a matrix with numbered rows and columns on a scale with two sides.

    Args:
        values: `[rows, columns]`, NaN stays empty.
        reach: the scale runs from −reach to +reach.
        titles: of columns and rows.
        hover: says `{row}`, `{column}`, `{value}`, and `{more}` for the trace's `customdata`.
        frame: first and last column to frame.
        square: whether a cell is as wide as it is high.
    """
    said = hover.format(row="%{y}", column="%{x}", value="%{z:.3f}", more="%{customdata:.1f}")
    trace = heatmap.cells(values, signed_scale(), said, ends=(-reach, reach))
    shapes = []
    if frame is not None:
        ends = {"x0": frame[0] - 0.5, "x1": frame[1] + 0.5, "y0": -0.5, "y1": len(values) - 0.5}
        shapes.append({"type": "rect", "line": {"color": look().query, "width": 3}, **ends})
    bare = {"showgrid": False, "zeroline": False}
    scaled = {"scaleanchor": "x", "constrain": "domain"} if square else {}
    return theme.figure(
        trace,
        height=520,
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        shapes=shapes,
        xaxis={"title": {"text": titles[0]}, "constrain": "domain", **bare},
        yaxis={"title": {"text": titles[1]}, "autorange": "reversed", **bare, **scaled},
    )


def counter(record: CounterRecord) -> go.Figure:
    """Draw bits, the signs of a few waves written as bits, and the waves themselves: three blocks of one picture."""
    n, bits = record.bits.shape
    gap, blank = np.full((n, 1), np.nan, np.float32), np.full((n, 1), "", object)
    as_colours = [np.where(block == 0, 0.8, -0.8) for block in (record.bits, record.below)]
    cells = np.hstack([as_colours[0], gap, as_colours[1], gap, record.sines]).astype(np.float32)
    bare = np.full(record.sines.shape, "", object)
    texts = np.hstack([record.bits.astype(str), blank, record.below.astype(str), blank, bare])
    names = [f"{2**bit}" for bit in range(bits)]
    half = [f"{length / 2:.0f}" for length in record.wavelengths]  # a phone has room for whole numbers
    starts = (0, bits + 1, bits + len(half) + 2)
    heads = (t("bits"), t("sine below 0?"), t("sine"))
    trace = heatmap.cells(cells, signed_scale(), ends=(-1, 1), xgap=1, ygap=1)
    trace.update(text=texts, texttemplate="%{text}", textfont={"size": 12, "color": look().text})
    ticks = [
        start + position
        for start, block in zip(starts, (names, half, half), strict=True)
        for position in range(len(block))
    ]
    return theme.figure(
        trace,
        height=540,
        margin={"l": 8, "r": 8, "t": 26, "b": 8},
        xaxis={"tickvals": ticks, "ticktext": [*names, *half, *half], "title": {"text": t("flips after … positions")}}
        | {"showgrid": False, "zeroline": False, "tickangle": 0, "tickfont": {"size": 12}},
        yaxis={"tickvals": list(range(n)), "ticktext": [f"{row} = {row:0{bits}b}" for row in range(n)]}
        | {"autorange": "reversed", "showgrid": False, "zeroline": False, "tickfont": {"size": 12}},
        annotations=[
            {"x": start - 0.5, "y": -0.6, "text": head, "showarrow": False, "xanchor": "left", "yanchor": "bottom"}
            for start, head in zip(starts, heads, strict=True)
        ],
    )


def short(value: float) -> str:
    """Return a wavelength or an angle: three digits, large ones with separators."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
