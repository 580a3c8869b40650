"""The weights of five layers side by side: above as the words were written, below in their new order."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import heatmap, theme, tiles
from explorer.figures.look import look
from explorer.lessons.queries_keys_values.records.layers import LAYERS, LayersRecord
from explorer.records.language import t

#: Cells between two maps, and the heights of both rows of maps, in shares of the figure.
_ACROSS, _ROWS = 1, ((0.58, 1.0), (0.0, 0.42))


def layer_names() -> dict[str, str]:
    """Name the layers by id, in the reader's language."""
    return {
        "full": t("fully connected"),
        "convolution": t("convolution"),
        "mean": t("mean pooling"),
        "max": t("max pooling"),
        "attention": t("attention"),
    }


def layers(record: LayersRecord) -> go.Figure:
    """Draw every layer's weights twice, the words that moved in the colour of who asks; between, what strayed."""
    n = len(record.order)
    rows = ((record.before, np.arange(n), t("as written"), "top"), (record.after, record.order, t("now"), "bottom"))
    traces, axes = [], dict[str, Any]()
    for position, ((maps, order, title, side), domain) in enumerate(zip(rows, _ROWS, strict=True)):
        here = theme.axis_number(position)
        traces.append(_map(maps, here))
        words = _words(record, order)
        at = [tile * (n + _ACROSS) + word for tile in range(len(LAYERS)) for word in range(n)]
        across = {"tickvals": at, "ticktext": words * len(LAYERS), "side": side, "anchor": f"y{here}", "tickangle": -90}
        axes[f"xaxis{here}"] = _BARE | across
        down = {"tickvals": list(range(n)), "ticktext": words, "autorange": "reversed", "domain": list(domain)}
        axes[f"yaxis{here}"] = _BARE | down | {"anchor": f"x{here}", "title": {"text": title}}
    return theme.figure(*traces, height=520, annotations=_captions(record), **axes)


_BARE = {"tickmode": "array", "showgrid": False, "zeroline": False, "ticks": "", "tickfont": {"size": 13}}


def _map(maps: np.ndarray, here: str) -> go.Heatmap:
    canvas = tiles.lay_out(maps, len(LAYERS), down=0, across=_ACROSS)
    hover = t("{layer}: “{query}” takes {weight} of “{key}”")
    names = np.array([*layer_names().values()], object)[canvas.tile]
    hover = hover.format(layer="%{customdata}", query="%{y}", weight="%{z:.2f}", key="%{x}")
    trace = heatmap.cells(canvas.cells, look().weights, hover, xgap=1, ygap=1, customdata=names)
    return trace.update(xaxis=f"x{here}", yaxis=f"y{here}")


def _words(record: LayersRecord, order: np.ndarray) -> list[str]:
    """Return the words in an order, those that moved in colour."""
    moved = set(np.flatnonzero(record.order != np.arange(len(record.order))).tolist())
    words = [(theme.label(record.words[old]), old in moved) for old in order.tolist()]
    return [f'<b style="color:{look().query}">{word}</b>' if inked else word for word, inked in words]


def _captions(record: LayersRecord) -> list[dict[str, Any]]:
    """Name each layer between its two maps, and say what became of its weights."""
    n, names = len(record.order), layer_names()
    found = []
    for position, layer in enumerate(LAYERS):
        lost = float(record.strayed[position])
        if record.alike[position]:
            said = t("rows alike")
        elif not record.moved:
            said = t("rows differ")
        else:
            said = t("{share} astray").format(share=f"{lost:.0%}")
        ink = look().output if record.moved and not record.alike[position] and lost < 1e-3 else look().muted
        text = f'<b>{names[layer].replace(" ", "<br>", 1)}</b><br><span style="color:{ink}">{said}</span>'
        where = {
            "x": position * (n + _ACROSS) + (n - 1) / 2,
            "xref": "x",
            "y": 0.5,
            "yref": "paper",
            "yanchor": "middle",
        }
        found.append(where | {"text": text, "showarrow": False, "font": {"size": 14}})
    return found
