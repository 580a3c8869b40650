"""N-grams of a translation above those of its reference, as chips; beside each length, how many match."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
import plotly.graph_objects as go

from explorer.figures import theme
from explorer.figures.look import faint, look
from explorer.lessons.translator.records import NgramRow
from explorer.records.language import t

#: Height of a row of chips, of a row of the reference's thin ones, and of the gap below a block, in rows.
_HIGH, _THIN, _GAP = 1.0, 0.42, 0.7
#: Where the chips end and the bars begin, in shares of the width.
_CHIPS, _BARS = 0.76, 0.8


def ngrams(rows: Sequence[NgramRow], meanings: Mapping[str, str] = MappingProxyType({})) -> go.Figure:
    """Draw each n-gram as a chip as wide as its n words, full where it matches and a frame where it does not.

    Chips of one length overlap in the text, so every n-th stands in the same row.

    Args:
        rows: one for each length.
        meanings: of the words, by word, for readers who do not read them; said under the pointer.
    """
    top, traces, middles = 0.0, [], []
    for row in rows:
        thin = _HIGH if row.n == 1 else _THIN
        below = top + row.n * _HIGH + 0.12
        traces.append(_chips(row.written, row.n, top, _HIGH, look().output, t("translation"), meanings))
        traces.append(_chips(row.reference, row.n, below, thin, look().key, t("reference"), meanings))
        middles.append(top + row.n * _HIGH / 2 + 0.06)
        top = below + row.n * thin + _GAP
    widest = max(1, *(len(side) for side in (rows[0].written, rows[0].reference)))
    bare = {"showgrid": False, "zeroline": False, "showticklabels": False, "title": {"text": ""}, "fixedrange": True}
    return theme.figure(
        *traces,
        _precisions(rows, middles),
        height=420,
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        showlegend=False,
        barmode="overlay",
        xaxis=bare | {"range": [0, widest], "domain": [0, _CHIPS]},
        xaxis2=bare | {"range": [0, 1.8], "domain": [_BARS, 1], "anchor": "y"},
        yaxis=bare
        | {
            "range": [top - _GAP + 0.1, -0.1],
            "showticklabels": True,
            "tickvals": middles,
            "ticktext": [t("single words") if row.n == 1 else t("runs of {n}").format(n=row.n) for row in rows],
        },
    )


def _chips(
    each: Sequence[tuple[str, bool]],
    n: int,
    top: float,
    high: float,
    colour: str,
    side: str,
    meanings: Mapping[str, str],
) -> go.Bar:
    positions = np.arange(len(each))
    said = t("{side}: “{ngram}” {verdict}").format(side=side, ngram="%{customdata[0]}", verdict="%{customdata[1]}")
    verdict = {True: t("matches"), False: t("does not match")}
    return go.Bar(
        orientation="h",
        base=(positions + 0.03).astype(np.float32),
        x=np.full(len(each), n - 0.06, np.float32),
        y=(top + (positions % n + 0.5) * high).astype(np.float32),
        width=0.86 * high,
        text=[theme.label(text, None) if high == _HIGH else "" for text, _ in each],
        textposition="inside",
        insidetextanchor="middle",
        textangle=0,
        textfont={"color": look().text, "size": 13},
        marker={
            "color": [faint(colour, 0.34) if there else "rgba(0,0,0,0)" for _, there in each],
            "line": {"color": [colour if there else look().hatch for _, there in each], "width": 1.3},
            "cornerradius": 5,
        },
        customdata=[(theme.label(text, None), verdict[there], _meaning(text, meanings)) for text, there in each],
        hovertemplate=f"{said}%{{customdata[2]}}<extra></extra>",
        name=side,
    )


def _meaning(text: str, meanings: Mapping[str, str]) -> str:
    """Return a line with what each word of an n-gram means, a dot where nobody knows; nothing if none is known."""
    found = [meanings.get(word, "·") for word in text.split()]
    return f"<br>{theme.label(' '.join(found), None)}" if {*found} - {"·"} else ""


def _precisions(rows: Sequence[NgramRow], middles: Sequence[float]) -> dict[str, Any]:
    shares = [row.correct / len(row.written) if row.written else 0.0 for row in rows]
    return {
        "type": "bar",
        "orientation": "h",
        "x": np.array(shares, np.float32),
        "y": np.array(middles, np.float32),
        "width": 0.8,
        "xaxis": "x2",
        "marker": {"color": look().output},
        "text": [f"<b>{row.correct}/{len(row.written)}</b>" if row.written else "–" for row in rows],
        "textposition": "outside",
        "textfont": {"size": 16, "color": look().text},
        "cliponaxis": False,
        "hovertemplate": t("precision {share}").format(share="%{x:.3f}") + "<extra></extra>",
        "name": t("precision"),
    }
