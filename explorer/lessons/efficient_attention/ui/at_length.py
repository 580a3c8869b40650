"""Every way at one length, under the pointer: the slider moves times and memory before it is let go."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from explorer.lessons.efficient_attention.figures import measured as figures
from explorer.records.wording import said_size, said_time
from explorer.ui import appearance, scripts
from explorer.ui.language import t
from explorer.ui.live.pack import pack
from explorer.ui.scene import picture

_at_length = scripts.component(Path(__file__).with_suffix(".js"))


def draw(found: Sequence[Mapping[str, figures.Here]], n: int, *, names: Mapping[str, str], key: str) -> None:
    """Draw the time of each way as a bar and its memory as a square, at one of `figures.LENGTHS`.

    Args:
        found: time and memory of each way, at each of these lengths.
        n: the length at which the slider stands.
    """
    look, ways = appearance.current(), list(found[0])
    numbers = np.array([[each[way] for way in ways] for each in found], np.float32)
    head = {
        "names": [names[way] for way in ways],
        "colours": [figures.ink(way, look) for way in ways],
        "lengths": [f"{length:,}" for length in figures.LENGTHS],
        "at": figures.LENGTHS.index(n),
        "times": [[_said(said_time, each[way][0], each[way][2]) for way in ways] for each in found],
        "sizes": [[_said(said_size, each[way][1], each[way][2]) for way in ways] for each in found],
        "zoom": picture.live_zoom(),
        "said": {"here": t("At n = {n}: time, and memory as areas"), "time": t("time"), "memory": t("memory")},
    }
    _at_length(data=pack(head, {"found": numbers}), key=key)


def _said(say: Callable[[float], str], number: float, measured: bool) -> str:
    """Write a number; one that follows from a law is called about so much."""
    return ("" if measured else "≈ ") + say(number) if np.isfinite(number) else "–"
