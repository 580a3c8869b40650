"""In numbers: one measure of all functions."""

from functools import partial

from explorer.attention import scoring_cost
from explorer.lessons import scoring_functions as lesson
from explorer.lessons.scoring_functions import readings
from explorer.lessons.scoring_functions.figures import bars
from explorer.lessons.scoring_functions.ui import controls as widgets, tables
from explorer.records.language import t
from explorer.scenes.scoring_functions import NUMBERS
from explorer.ui import cache, choice
from explorer.ui.scene import picture, rail

CODE = (scoring_cost.flops,)
Chosen = tuple[lesson.Params, str]


def controls() -> Chosen:
    """Ask which measure, and the length of the vectors; the rest in the fold."""
    names = readings.measure_names()
    measure = choice.select(t("Seven functions in numbers"), names, key="sf_measure")
    return widgets.make_params(rail.ask(NUMBERS.controls)), measure


def stage(chosen: Chosen) -> None:
    """A bar for each function that can score."""
    params, measure = chosen
    result = cache.compute(lesson.compute, params)
    widgets.refusal(readings.refusal(result))
    name = readings.measure_names()[measure]
    picture.show_chart(
        "measures",
        partial(bars.measures, result.records, measure, names=readings.names(), title=name),
        title=name,
        reading=readings.describe_measure(result, lesson.View(measure=measure)),
        table=lambda: tables.measures(result),
        provenance=result.provenance,
        of=chosen,
    )
