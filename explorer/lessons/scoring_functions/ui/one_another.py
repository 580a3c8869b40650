"""“Which are one another”: two functions of the same queries and keys, one against the other."""

from functools import partial
from typing import Any

from explorer.attention import scoring
from explorer.lessons import scoring_functions as lesson
from explorer.lessons.scoring_functions import identities, readings
from explorer.lessons.scoring_functions.compute import ScoredPair, sides
from explorer.lessons.scoring_functions.figures import sides as figures
from explorer.lessons.scoring_functions.ui import controls as widgets, tables
from explorer.records.language import t
from explorer.scenes.scoring_functions import ONE_ANOTHER
from explorer.ui import cache, choice
from explorer.ui.scene import heat_map, picture, rail

CODE = (scoring.additive, scoring.concat)


def controls() -> ScoredPair:
    """Ask which pair, and the length of the vectors; the rest in the fold."""
    names = {pair: " · ".join(both) for pair, both in readings.pair_names().items()}
    pair = choice.select(t("Which two?"), names, key="sf_pair")
    return ScoredPair(pair=pair, params=widgets.make_params(rail.ask(ONE_ANOTHER.controls)))


def stage(asked: ScoredPair) -> dict[str, str]:
    """A dot for each query and key; where the pair cannot score, a pair that can."""
    record = cache.compute(sides, asked)
    result = cache.compute(lesson.compute, asked.params)
    widgets.refusal(readings.refusal(result))
    if record is None:
        asked = ScoredPair(pair=identities.PAIRS[0], params=asked.params)
        record = cache.compute(sides, asked)
        assert record is not None, "the first pair scores whatever the sizes"
    names = readings.pair_names()[asked.pair]
    shown: dict[str, Any] = {"title": t("One against the other"), "reading": readings.describe_sides(record)}
    shown |= {"table": lambda: tables.sides(record, names), "of": asked}
    if not heat_map.instead("sf_sides_map", partial(figures.maps, record, names=names), **shown):
        draw = partial(figures.sides, record, names=names)
        picture.show_chart("sf_sides", draw, note=t("a dot for each query and key"), **shown)
    return readings.said_identities(result)
