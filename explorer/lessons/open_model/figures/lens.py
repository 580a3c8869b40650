"""What a model would write after each layer: layers up, words across."""

import html
from collections.abc import Sequence
from typing import Any

import numpy as np

from explorer.figures import heatmap, theme
from explorer.figures.look import look
from explorer.lessons.open_model import lens_rows, wording
from explorer.records.language import t
from explorer.records.opened.prediction import LensRecord

#: With at most so many columns a word stands in each cell, of so many letters.
MOST_WRITTEN, _LETTERS = 26, 4


def draw_lens(record: LensRecord, rows: Sequence[int], asked: int | None = None) -> Any:
    """Draw the chance of the word that is written at the end; in each cell stands the word that would be written now.

    Args:
        rows: of the record, the first below.
        asked: place whose way to the end a question asks for: nothing of it is shown but the end.
    """
    names = wording.names(record.tokens)
    last = len(record.share) - 1
    best = record.likeliest[list(rows), :, 0]
    written = len(names) <= MOST_WRITTEN
    words: dict[str, Any] = {}
    if written:
        ends = record.likeliest[last, :, 0]
        words = {
            "text": [[_word(record.words[each], bold=each == end) for each, end in zip(row, ends)] for row in best],  # noqa: B905
            "texttemplate": "%{text}",
            "textfont": {"size": 11},
        }
    said = [[_said(record, row, position, names[position]) for position in range(len(names))] for row in rows]
    share = record.share[list(rows)].astype(np.float32)
    if asked is not None:
        for each, row in enumerate(rows):
            if row != last:
                share[each, asked], said[each][asked] = 0, "?"
                if written:
                    words["text"][each][asked] = "?"
    cells = heatmap.cells(
        share,
        look().weights,
        "%{hovertext}",
        hovertext=said,
        xgap=1,
        ygap=1,
        **words,
    )
    return theme.figure(
        cells,
        height=520,
        margin={"l": 54, "r": 8, "t": 8, "b": 64},
        xaxis=theme.token_axis(tuple(names)) | {"range": [-0.5, len(names) - 0.5]},
        yaxis=_layer_axis(rows),
    )


def draw_column(record: LensRecord, rows: Sequence[int], position: int, *, asked: bool = False) -> Any:
    """Draw the likeliest word at one place after each layer, as a bar as long as its chance.

    Args:
        rows: of the record, the first below.
        position: word of the text.
        asked: whether a question asks for the way to the end: what comes after row `ASKED` is left out, but the last.
    """
    last, end = len(record.share) - 1, record.likeliest[-1, position, 0]
    hidden = [asked and lens_rows.ASKED < row < last for row in rows]
    tops = [record.top(row, position)[0] for row in rows]
    ends = [record.likeliest[row, position, 0] == end for row in rows]
    said = [
        "?" if hide else f"{_bold(html.escape(top.label), bold=here)} {wording.chance(top.probability)}"
        for hide, top, here in zip(hidden, tops, ends, strict=True)
    ]
    bars = {
        "type": "bar",
        "orientation": "h",
        "x": [0.0 if hide else top.probability for hide, top in zip(hidden, tops, strict=True)],
        "y": list(range(len(rows))),
        "text": said,
        "textposition": "outside",
        "textfont": {"size": 15},
        "cliponaxis": False,
        "marker": {"color": [look().roles["output"] if here else look().line for here in ends]},
        "hoverinfo": "skip",
    }
    return theme.figure(
        bars,
        height=520,
        bargap=0.25,
        margin={"l": 54, "r": 8, "t": 8, "b": 48},
        xaxis={"title": {"text": t("probability of the likeliest word")}, "range": [0, 1.25]}
        | {"tickformat": ".0%", "tickvals": [0, 0.5, 1], "fixedrange": True},
        yaxis=_layer_axis(rows),
    )


def _bold(text: str, *, bold: bool) -> str:
    return f"<b>{text}</b>" if bold else text


def _layer_axis(rows: Sequence[int]) -> dict[str, Any]:
    return {
        "title": {"text": t("after layer")},
        "tickvals": list(range(len(rows))),
        "ticktext": [wording.row_name(row) for row in rows],
        "tickfont": {"size": 13 if len(rows) <= lens_rows.MOST_ROWS else 11},
        "range": [-0.5, len(rows) - 0.5],
        "showgrid": False,
        "zeroline": False,
    }


def _word(label: str, *, bold: bool) -> str:
    cut = html.escape(label if len(label) <= _LETTERS else f"{label[: _LETTERS - 1]}…")
    return _bold(cut, bold=bold)


def _said(record: LensRecord, row: int, position: int, read: str) -> str:
    now = record.top(row, position)[0]
    said = t("{when}, at “{word}”: “{now}” {chance}; “{end}” {share}").format(
        when=wording.after_row(row),
        word=read,
        now=now.label,
        chance=f"{now.probability:.0%}",
        end=lens_rows.final(record, position),
        share=f"{record.share[row, position]:.0%}",
    )
    return html.escape(said)
