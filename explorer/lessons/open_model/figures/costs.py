"""Memory of a model as bars, beside the bounds of the server; and of its maps, by the length of a text."""

from collections.abc import Sequence
from typing import Any

from explorer.figures import theme
from explorer.figures.look import look
from explorer.lessons.open_model import wording
from explorer.records.language import t
from explorer.records.opened.card import ModelCard

#: Bytes of a unit of the axes.
MEGABYTE = 1e6


def draw_costs(
    card: ModelCard, *, download: int, bounds: tuple[int, int], bits: Sequence[int], lengths: Sequence[int]
) -> Any:
    """Draw download and memory with their bounds, weights by their bits, and all maps by the length of the text.

    Args:
        download: bytes to fetch.
        bounds: the most bytes that are fetched, and that the worker takes.
        bits: of a weight.
        lengths: of a text in tokens, the chosen one last.
    """
    names = [t("to download"), t("memory while open")] + [t("weights, {bits} bits").format(bits=each) for each in bits]
    sizes = [download, card.peak_bytes(lengths[-1])] + [card.weight_bytes(each) for each in bits]
    inks = [look().output] * 2 + [look().value] * len(bits)
    bars = {
        "type": "bar",
        "orientation": "h",
        "y": names,
        "x": [size / MEGABYTE for size in sizes],
        "text": [wording.megabytes(size) for size in sizes],
        "textposition": "outside",
        "cliponaxis": False,
        "marker": {"color": inks},
        "hovertemplate": "%{y}: %{text}<extra></extra>",
    }
    ticks = {
        "type": "scatter",
        "mode": "markers",
        "y": names[:2],
        "x": [bound / MEGABYTE for bound in bounds],
        "text": [wording.megabytes(bound) for bound in bounds],
        "marker": {"symbol": "line-ns", "size": 26, "line": {"width": 3, "color": look().query}},
        "hovertemplate": t("at most {size}").format(size="%{text}") + "<extra></extra>",
    }
    maps = [card.map_bytes(length) for length in lengths]
    squares = {
        "type": "bar",
        "orientation": "h",
        "xaxis": "x2",
        "yaxis": "y2",
        "y": [t("maps, {n} tokens").format(n=f"{length:,}") for length in lengths],
        "x": [size / MEGABYTE for size in maps],
        "text": [wording.megabytes(size) for size in maps],
        "textposition": "outside",
        "cliponaxis": False,
        "marker": {"color": [look().key] * (len(maps) - 1) + [look().query]},
        "hovertemplate": "%{y}: %{text}<extra></extra>",
    }
    reach = max(max(sizes), *bounds) / MEGABYTE
    return theme.figure(
        bars,
        ticks,
        squares,
        height=430,
        showlegend=False,
        margin={"l": 8, "r": 12, "t": 12, "b": 48},
        xaxis={"range": [0, 1.24 * reach], "title": {"text": "MB"}, "nticks": 4, "tickangle": 0},
        yaxis={"domain": [0.42, 1], "range": [len(names) - 0.4, -0.6]},
        xaxis2={"anchor": "y2", "range": [0, 1.24 * maps[-1] / MEGABYTE], "title": {"text": "MB"}, "nticks": 4},
        yaxis2={"domain": [0, 0.26], "anchor": "x2", "type": "category", "range": [len(lengths) - 0.4, -0.6]},
    )
