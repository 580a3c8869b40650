"""A pair of places as a film: the hands of both at every place packed once, the pair moved along in the browser."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.lessons import positional_encoding as lesson
from explorer.lessons.positional_encoding import readings, state
from explorer.lessons.positional_encoding import waves as topic
from explorer.lessons.positional_encoding.figures.sinusoidal import short
from explorer.lessons.positional_encoding.records.sinusoidal import LikenessRecord, RotationRecord
from explorer.ui import cache, language, scripts
from explorer.ui.language import t
from explorer.ui.live import film

_film = scripts.component(Path(__file__).with_suffix(".js"))
#: Distances over which the score is drawn: the shorter where it is enough.
_REACHES = 32, state.MOST_OFFSET


def draw(params: lesson.Params, rotation: RotationRecord, likeness: LikenessRecord, *, key: str, **taken: Any) -> None:
    """Draw the pair at every place that a link can name.

    Args:
        rotation: by the distance of the pair, from the place that is shown.
        key: English name, unique on the page.
        taken: as of `film.show`.
    """
    offset, angles = rotation.offset, range(len(rotation.pairs))
    first = max(0, -offset)

    def sentences() -> list[str]:
        return [readings.describe_turn(rotation, likeness, place, t) for place in range(first, state.PLACES)]

    film.show(
        _film,
        {
            "pairs": rotation.pairs,
            "offset": offset,
            "degrees": [f"{short(math.fmod(rotation.angle(each), 360))}°".replace("-", "−") for each in angles],
        },
        arrays(params, rotation, likeness),
        key=key,
        step=rotation.place - first,
        first=first,
        sentences=cache.once(sentences, key, params, offset, language.current()),
        said=_said(),
        of=(params, offset),
        link_key="pe_place",
        **taken,
    )


def arrays(params: lesson.Params, rotation: RotationRecord, likeness: LikenessRecord) -> dict[str, npt.NDArray[Any]]:
    """Return what is drawn: `codes` `[places, pairs, 2]`, `turned` in degrees, `score` by distance, and `own`."""
    reach = next(each for each in _REACHES if abs(rotation.offset) <= each)
    return {
        "codes": topic.hands(params, state.PLACES + max(0, rotation.offset)),
        "turned": np.array([rotation.angle(each) for each in range(len(rotation.pairs))], np.float32),
        "score": np.array([likeness.at(each) for each in range(reach + 1)], np.float32),
        "own": np.array([likeness.at(rotation.offset)], np.float32),
    }


def _said() -> dict[str, str]:
    first, second = t("first place"), t("second place")
    return {
        "where": t("First word at place"),
        "place": t("Place {n}"),
        "alt": t("Two words on a line, a hand for each on every clock, and the angles between the hands"),
        "turn": t("The hands turn when the pair moves"),
        "stay": t("The angles, each set upright: they stay"),
        "score": t("All angles together: the score of the two codes"),
        "apart": t("places apart"),
        "clock": t("pair"),
        "names": "\n".join(f"{each}, {kind}" for each in (first, second) for kind in (t("sine"), t("cosine"))),
        "turned": t("turned by, in degrees"),
    }
