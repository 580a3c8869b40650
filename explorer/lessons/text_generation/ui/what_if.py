"""What if another character stood there: the text goes on anew with the same dice."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from explorer.lessons import text_generation as lesson
from explorer.lessons.text_generation import lines, look, readings
from explorer.lessons.text_generation.compute import edit, rewrite
from explorer.lessons.text_generation.figures import text as figures
from explorer.lessons.text_generation.ui import controls as widgets, tables
from explorer.scenes.text_generation import PLACE
from explorer.ui import plot_clicks, refusals
from explorer.ui.language import t
from explorer.ui.scene import picture

CODE = (edit,)
Chosen = tuple[lesson.Result, int, str] | None


def controls() -> Chosen:
    """A place, and the character that stands there instead."""
    place = st.container()
    result = widgets.text(widgets.written())
    if result is None:
        return None
    at = min(widgets.asked(result, PLACE), len(result.ids) - 1)
    token = result.text.labels[at]
    likely = [each.label for each in look.next_at(result, lesson.View(place=at)).likeliest if each.label != token]
    with place:
        widgets.step(result, at)
        return result, at, widgets.instead(tuple(likely[:5]))


def stage(chosen: Chosen) -> None:
    """Both texts, one above the other, what differs coloured."""
    if chosen is None:
        return
    result, place, character = chosen
    changed = refusals.compute(rewrite, edit(result, place, character), result.checkpoint)
    if changed is None:
        return
    if changed.text.labels[place] == "\ufffd":
        st.warning(t("This model has no such character: it reads it as the unknown one."), icon=":material/help:")
    record, rows, values = lines.pair(result, changed)
    picture.show(
        "tg_changed",
        partial(figures.text, record, rows, values, shown="difference", t=t),
        title=t("From place {place} on, with “{new}” instead of “{old}”").format(
            place=place, new=changed.text.labels[place], old=result.text.labels[place]
        ),
        reading=readings.describe_edit(result, changed, t),
        table=lambda: tables.pair(result, changed),
        provenance=changed.provenance,
        of=(result.params, place, character),
    )
    plot_clicks.listen("tg_changed", lambda where: widgets.open_place(_place(where, rows, len(result.ids))))


def _place(where: plot_clicks.Place, rows: Sequence[Sequence[int]], count: int) -> int:
    """Return the place that was clicked, in either of the two texts."""
    return max(1, lines.nearest([row for row in rows if row], where["y"], where["x"]) % count)
