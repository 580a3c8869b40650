"""Flash attention as a film: every tile packed once, played, stepped and scrubbed in the browser."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from explorer.figures import theme
from explorer.lessons.efficient_attention import flash as flash_of_lesson
from explorer.lessons.efficient_attention.figures import flash as figures
from explorer.lessons.efficient_attention.records.comparison import FlashRecord
from explorer.ui import appearance, scripts
from explorer.ui.language import t
from explorer.ui.live import film
from explorer.ui.live.ribbons import read

_film = scripts.component(Path(__file__).with_suffix(".js"))
#: What a row of a tile keeps, in the order that the browser reads it.
KEPT = ("maximum_before", "maximum", "total_before", "total", "rescale", "error")


def draw(
    record: FlashRecord, step: int, row: int, *, key: str, of: object, on_picked: Callable[[int, int], None]
) -> None:
    """Draw the map of which one tile exists, and what one row keeps.

    Args:
        step: tile that is shown, from 0.
        row: of the tile.
        of: what the record depends on.
        on_picked: gets tile and row that the reader has pointed at.
    """

    def picked(told: Any) -> None:
        to, at = read(told, len(record.steps), "to"), read(told, record.tiles[0], "row")
        if to is not None and at is not None:
            on_picked(to, at)

    look = appearance.current()
    head: dict[str, Any] = {
        "row": row,
        "labels": [theme.visible(each, 6) for each in record.labels],
        "tiles": [[*tile.queries, *tile.keys] for tile in record.steps],
        "causal": bool(np.isnan(record.scores).any()),
        "largest": figures.ends(record),
        "strong": figures.strong(record),
        "masked": (look.line, look.hatch),
    }
    film.show(
        _film,
        head,
        {"scores": record.scores.astype(np.float32), "kept": kept(record)},
        key=key,
        step=step,
        sentences=lambda: _sentences(record),
        said=_said(record),
        of=of,
        link_key="ea_step",
        counted=1,
        on_picked=picked,
    )


def kept(record: FlashRecord) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Return what each row of each tile keeps, `[tiles, rows, 6]`; NaN where a tile has fewer rows."""
    numbers = np.full((len(record.steps), record.tiles[0], len(KEPT)), np.nan, np.float32)
    for at, tile in enumerate(record.steps):
        numbers[at, : len(tile.error)] = np.stack([getattr(tile, name) for name in KEPT], -1)
    return numbers


def _sentences(record: FlashRecord) -> list[list[str]]:
    return [
        [flash_of_lesson.describe_row(record, step, row, t) for row in range(len(tile.error))]
        for step, tile in enumerate(record.steps)
    ]


def _said(record: FlashRecord) -> dict[str, str]:
    return {
        "where": t("Which tile? {n} in all").format(n=len(record.steps)),
        "place": t("Tile {n} of {m}").format(n="{n}", m=len(record.steps)),
        "alt": t("The map of which one tile exists at a time, and what one row keeps"),
        "map": t("The map that is never whole"),
        "forgotten": t("forgotten"),
        "first": t("1 · Largest score so far"),
        "second": t("2 · Sum so far, of e^(score − largest)"),
        "third": t("3 · Error of the answer so far"),
        "fourth": t("Scores in memory now"),
        "times": t("× {factor} rescaled"),
        "once": t("× 1: nothing to rescale"),
        "exact": t("exact result"),
        "off": t("off by {error}"),
        "cells": t("{cells} of {all} scores"),
        "before": t("largest score before"),
        "now": t("largest score"),
        "sum_before": t("sum before"),
        "sum": t("sum"),
        "factor": t("multiplied by"),
        "error": t("output off by"),
    }
