"""Every way at one length, under the pointer: the slider moves times and memory before it is let go."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from explorer.lessons.efficient_attention.figures import measured as figures
from explorer.records.wording import said_size, said_time
from explorer.ui.live.live import Live
from explorer.ui.scene import picture

PICTURE = Live(Path(__file__).with_suffix(".js"))


def pack(found: Sequence[Mapping[str, figures.Here]], n: int, *, names: Mapping[str, str]) -> dict[str, Any]:
    """Return the time of each way, a bar, and its memory, a square, at each of `figures.LENGTHS`.

    Args:
        found: time and memory of each way, at each of these lengths.
        n: the length at which the slider stands.
    """
    ways = list(found[0])
    return {
        "found": np.array([[each[way] for way in ways] for each in found], np.float32),
        "names": [names[way] for way in ways],
        "colours": [figures.ink(way) for way in ways],
        "lengths": [f"{length:,}" for length in figures.LENGTHS],
        "at": figures.LENGTHS.index(n),
        "times": [[_said(said_time, each[way][0], each[way][2]) for way in ways] for each in found],
        "sizes": [[_said(said_size, each[way][1], each[way][2]) for way in ways] for each in found],
        "zoom": picture.live_zoom(),
    }


def _said(say: Callable[[float], str], number: float, measured: bool) -> str:
    """Write a number; one that follows from a law is called about so much."""
    return ("" if measured else "≈ ") + say(number) if np.isfinite(number) else "–"
