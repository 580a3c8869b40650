"""Longer vectors: four measures against d."""

from functools import partial

from explorer.attention import softmax_measures
from explorer.lessons.scoring_functions import readings, saturation as lesson
from explorer.lessons.scoring_functions.figures import saturation as figures
from explorer.lessons.scoring_functions.ui import tables
from explorer.records.language import t
from explorer.scenes.scoring_functions import LENGTHS
from explorer.ui import cache
from explorer.ui.scene import picture, rail

CODE = (softmax_measures.entropy, softmax_measures.softmax_jacobian)


def controls() -> lesson.Draws:
    """Keys, temperature and seed."""
    return lesson.Draws(**rail.ask(LENGTHS.controls))


def stage(drawn: lesson.Draws) -> None:
    """Four measures against d."""
    record = cache.compute(lesson.saturation, drawn)
    picture.show_chart(
        "saturation",
        partial(figures.lengths, record, names=readings.names(), measures=readings.measure_names()),
        title=t("Scores and weights against d"),
        reading=readings.describe_saturation(record),
        table=lambda: tables.saturation(record),
        of=drawn,
    )
