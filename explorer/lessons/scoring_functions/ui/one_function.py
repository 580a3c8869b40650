"""One taken apart: scores, weights and outputs of one function, one below the other."""

from functools import partial

from explorer.attention import scoring
from explorer.lessons import scoring_functions as lesson
from explorer.lessons.scoring_functions import readings
from explorer.lessons.scoring_functions.figures import panels
from explorer.lessons.scoring_functions.ui import controls as widgets, tables
from explorer.records.language import t
from explorer.scenes.scoring_functions import ONE_FUNCTION
from explorer.ui import cache, choice
from explorer.ui.scene import picture, rail

CODE = tuple(getattr(scoring, name) for name in scoring.NAMES)
Chosen = tuple[lesson.Params, str]


def controls() -> Chosen:
    """Ask which function, and the length of the vectors; the rest in the fold."""
    names = {name: readings.names()[name] for name in scoring.NAMES}
    function = choice.select(t("Which formula?"), names, key="sf_function")
    return widgets.make_params(rail.ask(ONE_FUNCTION.controls)), function


def stage(chosen: Chosen) -> dict[str, str]:
    """The three steps of one function."""
    params, function = chosen
    result = cache.compute(lesson.compute, params)
    widgets.refusal(readings.refusal(result))
    view, record = lesson.View(function=function), result.record(function)
    picture.show_chart(
        "one_function",
        partial(panels.apart, record),
        title=readings.names()[record.name],
        reading=readings.describe_function(result, view),
        table=lambda: tables.steps(result, function),
        provenance=record.attention.provenance,
        of=chosen,
    )
    return {"longest": readings.describe_function(result, lesson.View(function=function, shown="output"))}
