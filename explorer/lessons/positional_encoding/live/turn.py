"""A pair of positions as a film: hands at every position, turns by every distance, packed once, moved by a browser."""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.lessons import positional_encoding as lesson
from explorer.lessons.positional_encoding import readings, state, waves as topic
from explorer.lessons.positional_encoding.figures.sinusoidal import short
from explorer.lessons.positional_encoding.records.sinusoidal import LikenessRecord, RotationRecord
from explorer.records.language import current_language
from explorer.records.wording import minus
from explorer.ui import cache
from explorer.ui.live.film import Film, format_text

PICTURE = Film(Path(__file__).with_suffix(".js"))
#: Distances that the slider knows, in this order.
OFFSETS = range(-state.MOST_OFFSET, state.MOST_OFFSET + 1)


def pack(params: lesson.Params, rotation: RotationRecord, likeness: LikenessRecord) -> dict[str, Any]:
    """Return the pair at every position that a link can name; while its slider is held, at every distance.

    Args:
        params: of the codes.
        rotation: by the distance of the pair, from the position that is shown.
        likeness: of the codes.
    """

    def turns() -> list[tuple[list[str], str]]:
        return [_turn(rotation, likeness, each) for each in OFFSETS]

    return {
        "pairs": rotation.pairs,
        "offset": rotation.offset,
        "position": rotation.position,
        "most": state.MOST_OFFSET,
        "positions": state.PLACES,
        "turns": cache.once(turns, "pe_turns", params, current_language()),
        "arrays": arrays(params, rotation, likeness),
    }


def arrays(params: lesson.Params, rotation: RotationRecord, likeness: LikenessRecord) -> dict[str, npt.NDArray[Any]]:
    """Return `codes` `[positions, pairs, 2]`, `turned` in degrees `[offsets, pairs]`, and `score` by distance."""
    turned = [[rotation.angle(each, offset) for each in range(len(rotation.pairs))] for offset in OFFSETS]
    return {
        "codes": topic.hands(params, state.PLACES + state.MOST_OFFSET),
        "turned": np.array(turned, np.float32),
        "score": np.array([likeness.at(each) for each in range(state.MOST_OFFSET + 1)], np.float32),
    }


def _turn(rotation: RotationRecord, likeness: LikenessRecord, offset: int) -> tuple[list[str], str]:
    """Return what stands below each clock, and what is said of any two positions {i} and {j} that are so far apart."""
    angles = (rotation.between(each, offset) for each in range(len(rotation.pairs)))
    said = readings.said_turn(rotation, likeness, offset)
    return [minus(f"{short(angle)}°") for angle in angles], format_text(said)
