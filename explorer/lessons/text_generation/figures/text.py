"""A text as coloured cells, and what could have come next."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from explorer.figures import heatmap, theme
from explorer.figures.layer_head_grid import ROOM_ABOVE, bar_above
from explorer.figures.look import LIGHT, Look, faint
from explorer.records import Translate, english
from explorer.records.generation import Fate, NextRecord, TextRecord
from explorer.records.wording import percent

#: Surprise is drawn from 0 to this many nats: a probability of 1/400.
MOST_NATS = 6.0
#: What the colour says: surprise in nats, weight of attention, or that two texts differ.
Shown = Literal["surprise", "attention", "difference"]
ROW_HEIGHT = 26
#: Numbers, letters, and what is said of each cell.
Cells = tuple[npt.NDArray[np.float32], npt.NDArray[np.object_], npt.NDArray[np.object_]]
_BLANK = {"␣": " ", "⏎": "⏎"}


def text(
    record: TextRecord,
    rows: Sequence[Sequence[int]],
    values: npt.NDArray[np.floating[Any]],
    *,
    shown: Shown = "surprise",
    look: Look = LIGHT,
    t: Translate = english,
) -> go.Figure:
    """Draw the text, a cell for each token, coloured by a number for each; what was given is underlined.

    Args:
        rows: places of each row.
        values: one for each token; NaN stays uncoloured.
        shown: what the numbers are.

    Raises:
        ValueError: if there is not one number for each token.
    """
    if values.shape != (len(record.labels),):
        raise ValueError(f"{len(record.labels)} tokens and numbers of shape {values.shape}")
    trace = _heat(_cells(record, rows, values, t), values, shown, look, t)
    bare = {"visible": False, "fixedrange": True, "showgrid": False, "zeroline": False}
    return theme.figure(
        trace,
        height=96 + ROW_HEIGHT * len(rows),
        margin={"l": 4, "r": 4, "t": ROOM_ABOVE if trace.showscale else 4, "b": 4},
        dragmode=False,
        shapes=_given(record, rows, look),
        xaxis=bare | {"range": [-0.5, trace.z.shape[1] - 0.5]},
        yaxis=bare | {"range": [len(rows) - 0.4, -0.5]},
    )


def _heat(cells: Cells, values: npt.NDArray[np.floating[Any]], shown: Shown, look: Look, t: Translate) -> go.Heatmap:
    """Colour the cells; two texts that differ need no scale."""
    numbers, letters, said = cells
    titles = {"surprise": t("surprise in nats"), "attention": t("weight"), "difference": t("differs")}
    most = {"surprise": MOST_NATS, "attention": float(np.nanmax(values)) or 1.0, "difference": 1.0}[shown]
    bar = shown != "difference"
    colour = look.key if shown == "attention" else look.output
    hover = t("“{letter}”: {what} {value}; {nats}").format(
        letter="%{customdata[0]}",
        what=titles[shown],
        value="%{customdata[2]}",
        nats="%{customdata[1]}",
    )
    return heatmap.cells(
        numbers,
        [[0.0, faint(colour, 0)], [1.0, faint(colour, 0.8 if bar else 0.4)]],
        hover,
        ends=(0.0, most),
        text=letters.tolist(),
        texttemplate="%{text}",
        textfont={"color": look.text, "size": 22, "family": "Noto Sans Mono CJK SC, Menlo, Consolas, monospace"},
        customdata=said.tolist(),
        colorbar=bar_above(text=titles[shown]),
        showscale=bar,
    )


def _cells(
    record: TextRecord, rows: Sequence[Sequence[int]], values: npt.NDArray[np.floating[Any]], t: Translate
) -> Cells:
    """Return of each cell its number, its letter, and what is said of it."""
    shape = (len(rows), max(12, *(len(row) for row in rows)))
    cells, letters = np.full(shape, np.nan, np.float32), np.full(shape, "", object)
    said, nats = np.full((*shape, 3), "", object), _nats(record, t)
    for line, row in enumerate(rows):
        for column, place in enumerate(row):
            number = float(values[place])
            cells[line, column] = number if np.isfinite(number) else 0.0
            letters[line, column] = _letter(record.labels[place])
            said[line, column] = (theme.label(record.labels[place], None), nats[place], _number(number))
    return cells, letters, said


def _number(value: float) -> str:
    return f"{value:.3f}" if np.isfinite(value) else "–"


def _letter(label: str) -> str:
    return theme.label(_BLANK.get(label, label), 2)


def _nats(record: TextRecord, t: Translate) -> list[str]:
    """Return for each token how surprising it was."""
    first, given = t("given, not predicted"), t("given, surprise {nats} nats")
    said = [given] * record.n_given + [t("written, surprise {nats} nats")] * (len(record.labels) - record.n_given)
    numbers = [float(each) for each in record.surprisal]
    return [
        each.format(nats=f"{number:.2f}") if np.isfinite(number) else first
        for each, number in zip(said, numbers, strict=True)
    ]


def _given(record: TextRecord, rows: Sequence[Sequence[int]], look: Look) -> list[dict[str, Any]]:
    """Return a line under what was given."""
    lines = []
    for line, row in enumerate(rows):
        count = sum(place < record.n_given for place in row)
        if count:
            at = {"x0": -0.45, "x1": count - 0.55, "y0": line + 0.46, "y1": line + 0.46}
            lines.append({"type": "line", "line": {"color": look.muted, "width": 2}} | at)
    return lines


def next_tokens(record: NextRecord, *, look: Look = LIGHT, t: Translate = english) -> go.Figure:
    """Draw the likeliest next tokens: the model's probability, hatched where it is cut away, and that of the draw.

    The one that was taken has a rim.
    """
    tokens = record.likeliest
    rows = np.arange(len(tokens), dtype=np.int32)
    names = [theme.label(each.label, None) for each in tokens]
    fates = fate_names(t)
    model = go.Bar(
        x=np.array([each.model for each in tokens], np.float32),
        y=rows,
        orientation="h",
        name=t("the model says"),
        marker={"color": look.muted, "pattern": {"shape": ["" if each.fate == "kept" else "/" for each in tokens]}},
        text=[percent(each.model) for each in tokens],
        textposition="outside",
        cliponaxis=False,
        customdata=[[name, fates[each.fate]] for name, each in zip(names, tokens, strict=True)],
        hovertemplate=t("the model gives “{letter}” {share}; {fate}").format(
            letter="%{customdata[0]}", share="%{x:.2%}", fate="%{customdata[1]}"
        )
        + "<extra></extra>",
    )
    drawn = go.Bar(
        x=np.array([each.drawn for each in tokens], np.float32),
        y=rows,
        orientation="h",
        name=t("the sampler draws"),
        marker={
            "color": look.output,
            "line": {"color": look.query, "width": [3 * (place == record.chosen) for place in range(len(tokens))]},
        },
        customdata=names,
        hovertemplate=t("“{letter}” is drawn with probability {share}").format(letter="%{customdata}", share="%{x:.2%}")
        + "<extra></extra>",
    )
    return theme.figure(
        drawn,
        model,
        height=110 + 32 * len(tokens),
        barmode="group",
        bargap=0.25,
        legend=theme.LEGEND | {"traceorder": "reversed"},
        xaxis={"title": {"text": t("probability")}, "range": [0, 1.12], "tickvals": [0, 0.25, 0.5, 0.75, 1]},
        yaxis=theme.token_axis(tuple(each.label for each in tokens)) | {"autorange": "reversed"},
    )


def fate_names(t: Translate = english) -> dict[Fate, str]:
    """Return what becomes of a token in the sampler."""
    return {
        "kept": t("it can be drawn"),
        "top_k": t("cut by top-k"),
        "top_p": t("cut by top-p"),
        "min_p": t("cut by min-p"),
    }
