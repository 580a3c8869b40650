"""Both lanes under the pointer: length, query and temperature move them before the slider is let go."""

from pathlib import Path
from typing import Any

from explorer.figures.look import look
from explorer.lessons.scoring_functions import lanes
from explorer.lessons.scoring_functions.figures.lanes import WRITTEN
from explorer.lessons.scoring_functions.records import LanesRecord
from explorer.records.language import t
from explorer.ui.live.live import Live

PICTURE = Live(Path(__file__).with_suffix(".js"))


def drawn(record: LanesRecord, params: lanes.Lanes, *, whole: bool) -> dict[str, Any]:
    """Return scores, from which the browser makes weights and gradient.

    Args:
        record: of these params.
        params: of the draws.
        whole: whether the curves are drawn to the longest d; else to the chosen one.
    """
    return {
        "scores": record.every,
        "lengths": record.lengths,
        "place": record.place,
        "which": params.which,
        "temperature": params.draws.temperature,
        "limit": lanes.FROZEN,
        "whole": whole,
        "lanes": WRITTEN,
        "draws": (params.draws.seed, params.draws.n_keys),
        "keys": {"place": "sf_long", "which": "sf_which", "temperature": "sf_t"},
        "scale": look().weights,
        "said": {
            "title": t("Scores, weights, gradient"),
            "legend": t("grey: all scores; sticks: the keys of one query"),
            "plain": t("as they are"),
            "divided": t("divided by {root}, seen {times} times closer"),
            "weights": t("weights of its keys"),
            "heated": t("weights, T = {temperature}"),
            "left": t("how much a score still changes the weights"),
            "frozen": t("one key takes over 99% in {share} of the queries"),
            "across": t("d, how many numbers a vector has"),
        },
    }
