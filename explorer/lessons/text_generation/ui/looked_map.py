"""The map of where each written token looked, behind the switch."""

from functools import partial

from explorer.lessons import text_generation as lesson
from explorer.lessons.text_generation import look, readings
from explorer.lessons.text_generation.figures import heads
from explorer.lessons.text_generation.ui import controls as widgets
from explorer.records.language import t
from explorer.records.wording import clamp
from explorer.ui import plot_clicks
from explorer.ui.scene import heat_map


def instead(result: lesson.Result, view: lesson.View) -> bool:
    """Draw the map if it is asked for, the row of the chosen token framed; a click chooses another."""
    if not heat_map.ask_heat_map():
        return False
    record, first = look.head_map(result, view), look.begin(result, view)
    last = len(record.key_labels)
    row = clamp(view.position - 1 - first, last)
    heat_map.show(
        "tg_map",
        partial(heads.attention, record),
        title=readings.whose(result, view),
        note=t("a row for each character that was written; click one"),
        reading=readings.describe_map(result, view),
        of=(result.params, view),
        on_click=lambda where: widgets.open_place(first + 1 + clamp(round(where["y"]), last)),
        frames=[plot_clicks.rows(row, row, last)],
    )
    return True
