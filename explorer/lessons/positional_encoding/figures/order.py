"""Figure of words in another order: where each went, and what the encoder makes of it without codes and with them."""

import html
from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import theme
from explorer.figures.look import LIGHT, Look, text_on
from explorer.lessons.positional_encoding.records.trained import PermutationRecord
from explorer.records import Translate, english

#: Heights of the three rows, in shares of the figure: words, outputs without codes, outputs with them.
_ROWS = ([0.82, 1.0], [0.45, 0.68], [0.05, 0.28])
#: Half the width of a token's panel, where tokens are 1 apart.
_HALF = 0.43
#: More tokens have slanted names, narrower panels and no numbers.
_ROOMY, _CROWDED = 9, 20
_LONGEST = 56
_END = "</s>"


def order(record: PermutationRecord, *, look: Look = LIGHT, t: Translate = english) -> go.Figure:
    """Draw the words before and after, and each output as bars, with marks where its bars were before."""
    n = len(record.labels)
    reach = 1.1 * float(max(np.abs(record.before).max(), np.abs(record.after).max()))
    hidden = {"visible": False}
    axes: dict[str, Any] = {"xaxis": hidden | {"range": [-0.5, n - 0.5]}}
    for place, rows in enumerate(_ROWS):
        limits = [0, 1] if place == 0 else [-reach, reach]
        axes[f"yaxis{theme.axis_number(place)}"] = hidden | {"domain": rows, "range": limits}
    return theme.figure(
        *_threads(record, look),
        *(trace for lane in (0, 1) for trace in _outputs(record, lane, look, t)),
        height=540,
        margin={"l": 4, "r": 4, "t": 4, "b": 4},
        showlegend=False,
        bargap=0,
        shapes=[_panel(place, lane, look) for place in range(n) for lane in (0, 1)],
        annotations=[*_words(record, look, t), *_headings(record, look, t), *_changes(record, look)],
        **axes,
    )


def _threads(record: PermutationRecord, look: Look) -> list[go.Scatter]:
    """Lead from each word's old place to its new one; words that moved in the colour of what is chosen."""
    step = np.linspace(0, 1, 25)
    ease = step**2 * (3 - 2 * step)
    found = []
    for moved, ink, width in ((False, look.line, 2), (True, look.query, 3)):
        lines = []
        for new in np.flatnonzero(record.moved == moved):
            old = float(record.order[new])
            lines += [np.stack([old + (new - old) * ease, 0.78 - 0.42 * step], -1), np.full((1, 2), np.nan)]
        x, y = np.vstack([*lines, np.full((1, 2), np.nan)]).astype(np.float32).T
        line = {"color": ink, "width": width}
        found.append(go.Scatter(x=x, y=y, mode="lines", line=line, hoverinfo="skip"))
    return found


def _outputs(record: PermutationRecord, lane: int, look: Look, t: Translate) -> list[Any]:
    """Return the bars of one row, and the marks where they were before."""
    after, before = record.after[lane], record.before[lane]
    n, width = len(after), 2 * _HALF / (after.shape[1] + 1)
    across = np.arange(n)[:, None] + (np.arange(after.shape[1]) - (after.shape[1] - 1) / 2) * width  # [tokens, shown]
    names = [word for label in record.moved_labels for word in [named(label, t)] * after.shape[1]]
    axis = {"yaxis": f"y{theme.axis_number(lane + 1)}"}
    bars = go.Bar(
        x=across.ravel(),
        y=after.ravel(),
        width=0.8 * width,
        marker={"color": look.output},
        customdata=np.stack([np.array(names, object), before.ravel()], -1),
        hovertemplate="%{customdata[0]}: %{y:.3f}<br>"
        + t("before: {was}").format(was="%{customdata[1]:.3f}")
        + "<extra></extra>",
        **axis,
    )
    gap = np.full(across.size, np.nan)
    marks = go.Scatter(
        x=np.stack([across.ravel() - 0.55 * width, across.ravel() + 0.55 * width, gap], -1).ravel(),
        y=np.stack([before.ravel(), before.ravel(), gap], -1).ravel(),
        mode="lines",
        line={"color": look.text, "width": 2},
        hoverinfo="skip",
        **axis,
    )
    return [bars, marks]


def _panel(place: int, lane: int, look: Look) -> dict[str, Any]:
    rows = _ROWS[lane + 1]
    ends = {"x0": place - _HALF, "x1": place + _HALF, "y0": rows[0], "y1": rows[1], "yref": "paper"}
    return ends | {"type": "rect", "fillcolor": look.board, "line": {"width": 0}, "layer": "below"}


def _words(record: PermutationRecord, look: Look, t: Translate) -> list[dict[str, Any]]:
    """Return the words as typed above, and in their new order below, those that moved on a ground."""
    n = len(record.labels)
    size, angle = (17, 0) if n <= _ROOMY else (12, 0) if n <= _CROWDED else (10, -60)
    common = {"showarrow": False, "textangle": angle, "yref": "y"}
    found = []
    for place, label in enumerate(record.labels):
        font = {"size": size - 1, "color": look.muted}
        found.append(common | {"x": place, "y": 1, "yanchor": "top", "text": named(label, t), "font": font})
    for place, (label, moved) in enumerate(zip(record.moved_labels, record.moved, strict=True)):
        ground = look.query if moved else look.paper
        font = {"size": size, "weight": 700, "color": text_on(ground) if moved else look.text}
        found.append(
            common
            | {"x": place, "y": 0.14, "text": named(label, t), "font": font, "bgcolor": ground, "borderpad": 4}
            | {"bordercolor": look.query if moved else look.line, "borderwidth": 1}
        )
    return found


def _headings(record: PermutationRecord, look: Look, t: Translate) -> list[dict[str, Any]]:
    """Name both rows, each with the sentence that the decoder writes from it."""
    names = (t("Without position codes"), t("With position codes"))
    inks = (look.muted, look.value)
    found = []
    for lane, (name, written, ink) in enumerate(zip(names, record.written, inks, strict=True)):
        cut = written if len(written) <= _LONGEST else written[: _LONGEST - 1] + "…"
        text = f'<span style="color:{ink}"><b>{html.escape(theme.visible(cut), quote=False)}</b></span>'
        said = t("in French: {text}").format(text=text)
        found.append(theme.heading(f"<b>{name}</b> · {said}", 0, _ROWS[lane + 1][1] + 0.01, size=16))
    return found


def _changes(record: PermutationRecord, look: Look) -> list[dict[str, Any]]:
    """Say below each panel by how much the output changed."""
    n = len(record.labels)
    if n > _CROWDED:
        return []
    found = []
    for lane in (0, 1):
        for place, change in enumerate(record.change[lane].tolist()):
            same = change < 0.5e-2
            text = "0%" if same else f"<b>{change:.0%}</b>"
            font = {"size": 15 if n <= _ROOMY else 12, "color": look.muted if same else look.query}
            where = {"x": place, "y": _ROWS[lane + 1][0], "yref": "paper", "yanchor": "top", "showarrow": False}
            found.append(where | {"text": text, "font": font})
    return found


def shown(label: str, t: Translate) -> str:
    """Return a token as a reader may see it; the end of the sentence by its name."""
    return t("end") if label == _END else theme.visible(label, 12)


def named(label: str, t: Translate) -> str:
    """Return a token as it may stand in a figure, its markup escaped."""
    return theme.label(shown(label, t), None)
