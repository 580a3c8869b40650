"""Both lanes under the pointer: length, query and temperature move them before the slider is let go."""

from pathlib import Path
from typing import Any

from explorer.figures.look import look
from explorer.lessons.scoring_functions import lanes
from explorer.lessons.scoring_functions.figures.lanes import WRITTEN
from explorer.lessons.scoring_functions.records import LanesRecord
from explorer.scenes import DEFAULTS
from explorer.ui.live.live import Live

PICTURE = Live(Path(__file__).with_suffix(".js"))


def pack(record: LanesRecord, params: lanes.Lanes, *, whole: bool) -> dict[str, Any]:
    """Return scores, from which the browser makes weights and gradient.

    Args:
        record: of these params.
        params: of the draws.
        whole: whether the curves are drawn to the longest d; else to the chosen one.
    """
    return {
        "scores": record.every,
        "lengths": record.lengths,
        "position": record.position,
        "usual": record.lengths.index(int(DEFAULTS["sf_long"])),
        "which": params.which,
        "temperature": params.draws.temperature,
        "limit": lanes.FROZEN,
        "whole": whole,
        "lanes": WRITTEN,
        "draws": (params.draws.seed, params.draws.n_keys),
        "keys": {"position": "sf_long", "which": "sf_which", "temperature": "sf_t"},
        "scale": look().weights,
    }
