"""What if another character stood there: the text goes on anew with the same dice."""

from collections.abc import Sequence
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from explorer.lessons import text_generation as lesson
from explorer.lessons.text_generation import lines, look, readings
from explorer.lessons.text_generation.compute import edit, rewrite
from explorer.lessons.text_generation.figures import text as figures
from explorer.lessons.text_generation.ui import controls as widgets, tables
from explorer.records.language import t
from explorer.scenes.text_generation import PLACE
from explorer.ui import figure_card, job_progress, messages, plot_clicks
from explorer.ui.scene import picture

CODE = (edit,)
Chosen = tuple[lesson.Params, str, DeltaGenerator, DeltaGenerator] | None


def controls() -> Chosen:
    """A place, and the character that stands there instead."""
    stepper, box, likely = st.container(), st.container(), st.container()
    params = widgets.ask_writer()
    if params is None:
        return None
    with box:
        return params, widgets.instead(), stepper, likely


def stage(chosen: Chosen) -> None:
    """Both texts, one above the other, what differs coloured."""
    if chosen:
        params, typed, stepper, likely = chosen
        widgets.text_beside(params, partial(_asked, typed, stepper, likely))


def _asked(typed: str, stepper: DeltaGenerator, buttons: DeltaGenerator, result: lesson.Result) -> None:
    """Ask for the place, offer what is likely there, and draw what became of it as soon as it is written."""
    position = min(widgets.asked_position(result, PLACE), len(result.ids) - 1)
    token = result.text.labels[position]
    likely = [
        each.label for each in look.next_at(result, lesson.View(position=position)).likeliest if each.label != token
    ]
    with stepper:
        widgets.step(result, position)
    with buttons:
        widgets.likely(likely[:5])
    character = typed or widgets.READ.get(likely[0], likely[0])
    job_progress.compute_with_progress(
        "tg_rewritten",
        rewrite,
        edit(result, position, character),
        partial(_draw, result, position, character),
        said=t("Writing …"),
    )


def _draw(result: lesson.Result, position: int, character: str, changed: lesson.Result) -> None:
    """Draw both texts, one above the other."""
    if changed.text.labels[position] == "\ufffd":
        messages.warning(t("This model has no such character: it reads it as the unknown one."), ":material/help:")
    record, rows, values = lines.pair(result, changed)
    figure_card.at_least("tg_changed", 560)
    picture.show_chart(
        "tg_changed",
        partial(figures.text, record, rows, values),
        title=t("From position {position} on, with “{new}” instead of “{old}”").format(
            position=position, new=changed.text.labels[position], old=result.text.labels[position]
        ),
        reading=readings.describe_edit(result, changed),
        table=lambda: tables.pair(result, changed),
        provenance=changed.provenance,
        of=(result.params, position, character),
    )
    plot_clicks.listen("tg_changed", lambda where: widgets.open_place(_place(where, rows, len(result.ids))))


def _place(where: plot_clicks.Place, rows: Sequence[Sequence[int]], count: int) -> int:
    """Return the place that was clicked, in either of the two texts."""
    return max(1, lines.nearest([row for row in rows if row], where["y"], where["x"]) % count)
