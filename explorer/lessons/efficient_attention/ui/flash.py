"""The flash player: one tile of scores at a time, and the three things that a row keeps."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from explorer.attention.efficient import flash
from explorer.checkpoints.manifest import CheckpointError
from explorer.figures import theme, weight_map
from explorer.inference.device import DeviceRefused
from explorer.inference.translator.translate import InputRefused
from explorer.lessons.efficient_attention import flash as flash_of_lesson, state
from explorer.lessons.efficient_attention.compute import flash_steps
from explorer.lessons.efficient_attention.live import flash as film, one_row
from explorer.lessons.efficient_attention.records.comparison import FlashRecord
from explorer.lessons.efficient_attention.ui import controls as widgets, tables
from explorer.records.language import t
from explorer.scenes import DEFAULTS
from explorer.ui import cache, choice, fields
from explorer.ui.live.told import Action, Index
from explorer.ui.scene import heat_map, predict

CODE = (flash.update,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A head cut into tiles, the tile and the row that are looked at, from 0; and whether all rows are drawn."""

    params: flash_of_lesson.FlashParams
    step: int = 0
    row: int = 0
    all_rows: bool = False


def controls() -> Chosen:
    """Ask what is drawn and for the size of a tile; the step is the film's, and stands in the link."""
    top = st.container()
    all_rows = choice.ask("ea_rows_drawn") == "all"
    names = {str(each): str(each) for each in state.TILES}
    columns = int(choice.select(t("Keys to a tile"), names, key="ea_columns"))
    asked: dict[str, Any] = {}

    def more() -> None:
        asked["rows"] = int(choice.select(t("Queries to a tile"), names, key="ea_rows"))
        choice.select_slider(t("Positions that are cut into tiles"), state.CUTS, key="ea_cut")
        asked["whose"] = st.container()

    source, _ = widgets.ask_settings((), (), folded=True, more=more)
    cut = int(st.session_state["ea_cut"])
    params = flash_of_lesson.FlashParams(source=source, tile_queries=asked["rows"], tile_keys=columns, positions=cut)
    try:
        record = cache.compute(flash_steps, params)
    except (InputRefused, CheckpointError, DeviceRefused):  # the stage says why
        return Chosen(params=params, all_rows=all_rows)
    with top:
        step = choice.step(t("Which tile?"), key="ea_step", last=len(record.steps) - 1)
    with asked["whose"]:
        return Chosen(params=params, step=step, row=_row(record, step), all_rows=all_rows)


def _row(record: FlashRecord, step: int) -> int:
    """Ask whose row is looked at, of those of the tile."""
    first, last = record.steps[step].queries
    names = {str(row): f"{first + row + 1} {theme.visible(record.labels[first + row])}" for row in range(last - first)}
    return int(choice.select(t("Whose row?"), names, key="ea_row"))


def stage(chosen: Chosen) -> dict[str, str]:
    """Play the tiles of one row and their running mean; of all rows, if that is asked for."""
    if not widgets.readable(chosen.params.source):
        return {"written": ""}
    record = cache.compute(flash_steps, chosen.params)
    said = {"written": flash_of_lesson.describe_written(record)}
    if heat_map.instead(
        "ea_scores_map",
        partial(weight_map.draw_scores, record.scores, record.labels, record.labels, row=chosen.row),
        title=t("The scores that flash attention never writes"),
        reading=flash_of_lesson.describe_tiles(record),
        provenance=record.provenance,
        of=chosen,
    ):
        return said
    (_show_all_rows if chosen.all_rows else _show_one_row)(record, chosen)
    return said


def _show_one_row(record: FlashRecord, chosen: Chosen) -> None:
    """Play the tiles that hold the row."""
    positions = flash_of_lesson.tiles_of_row(record, chosen.step)
    one_row.PICTURE.show(
        "ea_one_row",
        partial(one_row.pack, record, positions, chosen.row),
        step=positions.index(chosen.step),
        link_key="ea_step",
        positions=positions,
        sentences=lambda: one_row.sentences(record, positions, chosen.row),
        of=(chosen.params, positions, chosen.row),
        counted=1,
        title=t("What this row keeps"),
        table=lambda: tables.running(record, chosen.step),
        provenance=record.provenance,
    )


def _show_all_rows(record: FlashRecord, chosen: Chosen) -> None:
    """Play all tiles; below them what is true of all."""
    drawn = partial(film.pack, record, chosen.row)
    steps: dict[str, Any] = {
        "step": chosen.step,
        "positions": range(len(record.steps)),
        "sentences": lambda: film.sentences(record),
        "of": chosen.params,
        "counted": 1,
    }
    with st.container(key="ea_flash"):
        picked = Action(_picked, to=Index(len(record.steps)), row=Index(record.tiles[0]))
        film.PICTURE.show("ea_tiles", drawn, link_key="ea_step", tells={"picked": picked}, **steps)
        whole, kept = st.columns([6, 5], gap="medium")
    with whole:
        film.PICTURE.remark(
            "ea_tiles",
            drawn,
            **steps,
            title=t("The map that is never whole"),
            reading=flash_of_lesson.describe_tiles(record),
            table=lambda: tables.tile(record, chosen.step),
            provenance=record.provenance,
        )
    with kept:
        film.PICTURE.remark(
            "ea_running",
            drawn,
            **steps,
            title=t("What this row keeps"),
            reading=flash_of_lesson.describe_kept(record),
            table=lambda: tables.running(record, chosen.step),
            provenance=record.provenance,
            on_paper=False,
        )


def _picked(to: int, row: int) -> None:
    fields.set_values({"ea_step": str(to), "ea_row": str(row)})


def answer() -> predict.Answer:
    """Say what becomes of the sum at the next tile: by what it is multiplied."""
    record = cache.compute(flash_steps, flash_of_lesson.FlashParams())
    row, tile = int(DEFAULTS["ea_row"]), record.steps[int(DEFAULTS["ea_step"]) + 1]
    factor = float(tile.rescale[row])
    right = "stays" if factor > 0.99 else "shrinks" if factor > 0.01 else "again"
    before, after = (f"{float(each[row]):.2f}" for each in (tile.maximum_before, tile.maximum))
    return right, {"before": before, "after": after, "factor": f"{factor:.2f}"}
