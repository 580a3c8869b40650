"""The logit lens: what the model would write after each layer, at every word of the text."""

from dataclasses import dataclass
from functools import partial

import streamlit as st

from explorer.lessons import open_model as lesson
from explorer.lessons.open_model import layers, lens_rows, readings, wording
from explorer.lessons.open_model.figures import lens
from explorer.lessons.open_model.ui import controls as widgets, gate, tables, words
from explorer.opened import ask
from explorer.records.language import t
from explorer.records.opened.prediction import LensRecord
from explorer.records.wording import clamp
from explorer.scenes import DEFAULTS
from explorer.scenes.open_model import WRITER
from explorer.ui import cache, choice, fields, plot_clicks
from explorer.ui.scene import heat_map, picture, predict, rail
from explorer.ui.streamlit_internals import script_run

CODE = (ask.lens,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Settings of the stage.

    Attributes:
        layers: which rows are drawn: `some`, `last`, `all`.
        cell: row of the lens and word; None where the reader has chosen none.
    """

    params: lesson.Params
    layers: str
    cell: tuple[int, int] | None


def controls() -> Chosen:
    """Ask for the model, its text, and the layers that are drawn."""
    params = widgets.params()
    names = {"some": t("every second"), "last": t("the last ten"), "all": t("all")}
    with rail.more():
        which = choice.buttons(t("Layers"), names, key="om_layers")
    return Chosen(params=params, layers=which, cell=widgets.cell("om_cell"))


def stage(chosen: Chosen) -> None:
    """Draw layers at one word or, as a heat map, at all, and the likeliest words at the chosen cell."""
    if not gate.is_passed(chosen.params):
        return
    every_word = heat_map.ask_heat_map()
    with st.spinner(t("The model reads …")):
        compute = partial(layers.compute, chosen.params, script_run.session_id())
        record = cache.once(compute, "open_model lens", chosen.params)
    last = len(record.share) - 1
    row, position = chosen.cell or (last, lens_rows.answer_place(record))
    row, position = clamp(row, last + 1), clamp(position, len(record.tokens))
    rows = lens_rows.rows(record, chosen.layers)
    asked = lens_rows.answer_place(record) if predict.is_held_back() else None
    first, second = st.columns([3, 1], gap="medium")
    with first:
        reading = readings.describe_lens(record, position)
        if every_word:
            picture.show_chart(
                "om_lens",
                partial(lens.draw_lens, record, rows, asked),
                title=t("What each layer would write next"),
                note=t("stronger: surer of the word written at the end; ␣ is a space, ⏎ a new line"),
                reading=reading,
                table=lambda: tables.lens(record),
                of=(chosen, every_word, asked),
            )
            frames = _frames(rows, row, position)
        else:
            word, end = wording.names(record.tokens)[position], lens_rows.final(record, position)
            picture.show_chart(
                "om_lens",
                partial(lens.draw_column, record, rows, position, asked=asked is not None),
                title=t("After “{word}”, what would each layer write?").format(word=word),
                note=t("purple: “{word}”, the word at the end; ␣: a space").format(word=end),
                reading=reading,
                table=lambda: tables.lens(record),
                of=(chosen, every_word, asked),
            )
            frames = []
        plot_clicks.listen("om_lens", partial(_choose, record, rows, None if every_word else position), frames=frames)
    with second:
        _words(record, rows, row, position, only_end=asked == position)
    widgets.warm()


def _frames(rows: tuple[int, ...], row: int, position: int) -> list[plot_clicks.Place]:
    """Return the frames around the chosen word's column and, where it is drawn, the chosen cell."""
    column = {"x0": position - 0.5, "x1": position + 0.5, "y0": -0.5, "y1": len(rows) - 0.5, "axis": 1.0}
    return [column, *([plot_clicks.cell(rows.index(row), position)] if row in rows else [])]


def _choose(record: LensRecord, rows: tuple[int, ...], word: int | None, position: plot_clicks.Place) -> None:
    row = rows[clamp(round(position["y"]), len(rows))]
    column = clamp(round(position["x"]), len(record.tokens)) if word is None else word
    fields.set_values({"om_cell": f"{row}.{column}"})


def _words(record: LensRecord, rows: tuple[int, ...], row: int, position: int, *, only_end: bool) -> None:
    last = len(record.share) - 1
    end = lens_rows.final(record, position)
    read = t("at “{word}”").format(word=wording.names(record.tokens)[position])
    words.show(t("At the end"), record.top(last, position), read, strong=end)
    if only_end:
        return
    middle = rows[len(rows) // 2] if row == last else row
    words.show(wording.after_row(middle), record.top(middle, position), read, strong=end)


def answer() -> predict.Answer:
    """Say after which layer the answer leads for good."""
    params = lesson.Params(model=WRITER, text=str(DEFAULTS["om_text"]))
    record = cache.once(partial(layers.compute, params), "open_model lens", params)
    position = lens_rows.answer_place(record)
    row = record.leads_from(position)
    right = min({"ten": 10, "twenty": 20, "last": 28}.items(), key=lambda each: abs(each[1] - (row - 1)))[0]
    before = record.top(row - 1, position)[0]
    return right, {"answer": lens_rows.final(record, position), "layer": str(row - 1), "before": before.label}
