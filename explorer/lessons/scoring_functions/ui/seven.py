"""Seven at once: what every function makes of the same queries, keys and values."""

from functools import partial

from explorer.attention.attend import attend
from explorer.lessons import scoring_functions as lesson
from explorer.lessons.scoring_functions import readings
from explorer.lessons.scoring_functions.figures import panels
from explorer.lessons.scoring_functions.ui import controls as widgets, tables
from explorer.records.language import t
from explorer.scenes.scoring_functions import SEVEN
from explorer.ui import cache
from explorer.ui.scene import picture, rail

CODE = (attend,)
Chosen = tuple[lesson.Params, lesson.View]


def controls() -> Chosen:
    """Ask what is shown, and the length of the vectors; the rest in the fold."""
    asked = rail.ask(SEVEN.controls)
    shown = asked.pop("shown")
    return widgets.make_params(asked), lesson.View(shown=shown)


def stage(chosen: Chosen) -> None:
    """A tile for each function that can score."""
    params, view = chosen
    result = cache.compute(lesson.compute, params)
    widgets.refusal(readings.refusal(result))
    picture.show_chart(
        "scoring_functions",
        partial(panels.scoring, result.records, shown=view.shown, names=readings.short_names()),
        title=t("The same queries, keys and values"),
        reading=readings.describe_montage(result, view),
        table=lambda: tables.tabulate_functions(result, view),
        provenance=result.provenance,
        of=chosen,
    )
