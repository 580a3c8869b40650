"""Codes of positions as a film: waves, hands and likeness of every position packed once for the browser."""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.lessons.positional_encoding import waves as topic
from explorer.lessons.positional_encoding.figures.sinusoidal import short
from explorer.lessons.positional_encoding.records.sinusoidal import CodesRecord, LikenessRecord
from explorer.records.language import t
from explorer.ui.live.film import Film

PICTURE = Film(Path(__file__).with_suffix(".js"))


def pack(codes: CodesRecord, likeness: LikenessRecord, *, whole: bool) -> dict[str, Any]:
    """Return waves, hands and likeness of all positions that a link names; `whole`: also how slow the slowest is."""
    pairs = topic.drawn_pairs(codes.n_pairs)
    rounds = [t("every {n}").format(n=short(float(codes.wavelengths[pair]))) for pair in pairs]
    if not whole:
        rounds[-1] = t("every {n}").format(n="?")
    return {"pairs": pairs, "rounds": rounds, "arrays": arrays(codes, likeness, pairs)}


def arrays(codes: CodesRecord, likeness: LikenessRecord, pairs: tuple[int, ...]) -> dict[str, npt.NDArray[Any]]:
    """Return what is drawn: `codes` `[positions, pairs, 2]`, `fine` and `waves` between them, `alike` by distance."""
    chosen = list(pairs)
    return {
        "codes": codes.code.reshape(len(codes.code), -1, 2)[:, chosen],
        "fine": codes.fine.astype(np.float32),
        "waves": codes.waves[:, chosen].astype(np.float16),
        "alike": (likeness.by_offset / likeness.at(0)).astype(np.float32),
    }
