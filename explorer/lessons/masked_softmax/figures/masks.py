"""Masks and scores to look at and to click on, and one query's weights in several ways."""

from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from explorer.figures import hatch, heatmap, theme
from explorer.figures.look import look
from explorer.lessons.masked_softmax.figures import head
from explorer.lessons.masked_softmax.records import REASONS, MaskRecord, RowsRecord, display_tokens, way_names
from explorer.records.language import t
from explorer.records.wording import typeset

#: Colour of an allowed cell, and of a forbidden one by its first reason; 1 and 0 say it without colour, in dark ink.
ALLOWED = theme.CATEGORICAL[5]
INK = "#10161f"
FORBIDDEN = dict(zip(REASONS, (theme.CATEGORICAL[i] for i in (7, 1, 3, 4)), strict=True))
#: To the left: labels that lean to the right are dropped where they leave the figure; upright where cells are narrow.
_ANGLES, _UPRIGHT = (0, -45, -90), (0, -90)
#: More ways than these have long names, and stand in one of two pictures beside each other: cells are narrow.
_MANY_WAYS = 12


def reason_names() -> dict[str, str]:
    """Return why a cell is forbidden, in words."""
    return {
        "padding": t("padding"),
        "future": t("future"),
        "window": t("window"),
        "hand": t("by hand"),
    }


def mask(record: MaskRecord, row: int) -> go.Figure:
    """Draw the mask as 1 and 0, forbidden cells coloured by reason."""
    codes, first = _codes(record)
    names = {"allowed": t("may attend"), **reason_names()}
    colours = [ALLOWED, *FORBIDDEN.values()]
    steps = [(edge, colour) for i, colour in enumerate(colours) for edge in (i / len(colours), (i + 1) / len(colours))]
    cells = heatmap.cells(
        codes,
        steps,
        "%{customdata}",
        ends=(-0.5, len(colours) - 0.5),
        customdata=_said(record),
        text=np.where(record.allowed, "1", "0"),
        texttemplate="%{text}",
        textfont={"color": INK},
        xgap=1,
        ygap=1,
    )
    present = ["allowed"] * bool(record.allowed.any()) + [reason for reason in REASONS if reason in first]
    legend = [_key(names[name], ALLOWED if name == "allowed" else FORBIDDEN[name]) for name in present]
    return theme.figure(cells, _by_hand(record), *legend, **head.frame(record.key_labels, row, legend=True))


def scores(values: npt.NDArray[np.float32], labels: tuple[str, ...], row: int) -> go.Figure:
    """Draw the scores, on a scale centred on 0."""
    reach = float(np.abs(values).max()) or 1.0
    scale, hover = [(0.0, look().query), (0.5, look().paper), (1.0, look().key)], "%{y} · %{x}: %{z:.3f}"
    said = {"texttemplate": "%{z:.1f}", "customdata": head.keys(labels)}
    cells = heatmap.cells(values, scale, head.name_key(hover), ends=(-reach, reach), xgap=1, ygap=1, **said)
    return theme.figure(cells, **head.frame(labels, row))


def _codes(record: MaskRecord) -> tuple[npt.NDArray[np.uint8], set[str]]:
    """Return 0 for an allowed cell, else 1 + the place of its first reason; and the reasons that come first at all."""
    codes = np.zeros(record.allowed.shape, np.uint8)
    found = set()
    for query, key in np.argwhere(~record.allowed).tolist():
        reason = record.reasons(query, key)[0]
        found.add(reason)
        codes[query, key] = 1 + REASONS.index(reason)
    return codes, found


def _by_hand(record: MaskRecord) -> go.Scatter:
    """Return a ring in every cell that was changed by hand."""
    queries, keys = np.nonzero(record.by_hand)
    ring = {"symbol": "circle-open", "size": 22, "color": INK, "line": {"width": 2}}
    return go.Scatter(x=keys, y=queries, mode="markers", marker=ring, hoverinfo="skip", showlegend=False)


def _said(record: MaskRecord) -> npt.NDArray[np.object_]:
    """Return what every cell says under the pointer: whether it is allowed, and why not."""
    names, labels = reason_names(), [theme.label(label, None) for label in display_tokens(record.query_labels)]
    yes, no = t("“{query}” may attend to “{key}”"), t("“{query}” may not attend to “{key}” ({reasons})")
    found = np.empty(record.allowed.shape, object)
    for i, j in np.ndindex(found.shape):
        reasons = record.reasons(i, j)
        told = t(", ").join(names[reason] for reason in reasons)
        found[i, j] = (no if reasons else yes).format(query=labels[i], key=labels[j], reasons=told)
    return found


def _key(name: str, colour: str) -> go.Scatter:
    """Return an entry of the legend."""
    square = {"symbol": "square", "size": 12, "color": colour}
    return go.Scatter(x=[None], y=[None], mode="markers", marker=square, name=name, hoverinfo="skip")


def rows(record: RowsRecord) -> go.Figure:
    """Draw one query's weights, a row for each way of computing them, with the numbers; NaN is hatched and written.

    Forbidden keys are struck out and their weights drawn nevertheless: what they get is the point.
    """
    keys, (query,) = display_tokens(record.key_labels), display_tokens((record.query_label,))
    labels = [theme.label(key) for key in keys]
    marked = [text if seen else f"<s>{text}</s>" for text, seen in zip(labels, record.allowed, strict=True)]
    said = t("{way}: “{query}” gives {weight} to “{key}”").format(
        way="%{y}", query=theme.label(query, None).replace("%", "&#37;"), weight="%{text}", key="%{x}"
    )
    many = len(record.ways) > _MANY_WAYS
    font = {"size": look().close(12 if many else 14)}
    texts: dict[str, Any] = {"text": cell_texts(record), "texttemplate": "%{text}", "textfont": font}
    cells = heatmap.cells(record.weights, look().weights, said, xgap=1, ygap=1, **texts)
    broken = np.isnan(record.weights)
    nan = [
        {"x": len(labels) / 2 - 0.5, "y": int(row), "text": "<b>NaN</b>", "showarrow": False, "bgcolor": look().paper}
        | {"font": font | {"color": look().text}, "borderpad": 0 if many else 2}
        for row in np.flatnonzero(broken.any(-1))
    ]
    return theme.figure(
        cells,
        height=480,
        margin={"l": 4, "r": 22, "t": 8, "b": 4},
        shapes=hatch.cells(broken),
        annotations=nan,
        xaxis=theme.token_axis(keys, side="top")
        | {"ticktext": marked, "autotickangles": _UPRIGHT if many else _ANGLES},
        yaxis=theme.token_axis(record.ways)
        | {
            "ticktext": _named(record),
            "autorange": "reversed",
            "tickfont": {"size": look().close(13 if many else 15)},
        },
    )


def cell_texts(record: RowsRecord) -> npt.NDArray[np.object_]:
    """Return all weights as they stand in their cells."""
    return np.array([[_written(weight) for weight in row] for row in record.weights.tolist()], object)


def _written(weight: float) -> str:
    """Return a weight as it stands in its cell: an exact 0 and 1 look different from nearly 0 and 1."""
    if np.isnan(weight):
        return ""
    if weight in (0.0, 1.0):
        return f"{weight:.0f}"
    return f"{weight:.2f}".lstrip("0") if weight >= 0.005 else typeset(f"{weight:.0e}")


def _named(record: RowsRecord) -> list[str]:
    """Return the ways in words, a fill with what its dtype makes of it, where that is another number."""
    names, stored = way_names(record.ways), record.facts.get("stored as")
    if stored is None:
        return list(names)
    asked = {"-1e6": -1e6, "-1e9": -1e9, "-inf": -np.inf}
    kept = [typeset(f"{number:.4g}".replace("e+0", "e").replace("inf", "∞")) for number in stored]
    return [
        name if asked.get(way.split()[-1]) == number else f"{name} → <b>{written}</b>"
        for way, name, number, written in zip(record.ways, names, stored, kept, strict=True)
    ]
