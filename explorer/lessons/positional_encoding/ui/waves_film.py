"""Codes of places as a film: waves, hands and likeness of every place packed once, walked through in the browser."""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.lessons import positional_encoding as lesson
from explorer.lessons.positional_encoding import readings, state, waves as topic
from explorer.lessons.positional_encoding.figures.sinusoidal import short
from explorer.lessons.positional_encoding.records.sinusoidal import CodesRecord, LikenessRecord
from explorer.ui import cache, scripts
from explorer.ui.language import t
from explorer.ui.live import film

_film = scripts.component(Path(__file__).with_suffix(".js"))


def draw(params: lesson.Params, place: int, *, key: str, **taken: Any) -> None:
    """Draw the waves of as many places as a link can name.

    Args:
        params: length of `state.PLACES`.
        place: whose code is shown.
        taken: as of `film.show`.
    """
    codes, likeness = cache.compute(topic.codes, params), topic.likeness(params, lesson.View(place=0, offset=0))
    pairs = topic.drawn_pairs(params.n_pairs)
    head = {
        "pairs": pairs,
        "rounds": [t("every {n}").format(n=short(float(codes.wavelengths[pair]))) for pair in pairs],
    }

    def sentences() -> list[str]:
        return [readings.describe_place(codes, likeness, each, t) for each in range(state.PLACES)]

    film.show(
        _film,
        head,
        arrays(codes, likeness, pairs),
        key=key,
        step=place,
        sentences=sentences,
        said=_said(),
        of=params,
        link_key="pe_place",
        note=t("{drawn} of {pairs} clocks").format(drawn=len(pairs), pairs=params.n_pairs),
        **taken,
    )


def arrays(codes: CodesRecord, likeness: LikenessRecord, pairs: tuple[int, ...]) -> dict[str, npt.NDArray[Any]]:
    """Return what is drawn: `codes` `[places, pairs, 2]`, `fine` and `waves` between them, `alike` by distance."""
    chosen = list(pairs)
    return {
        "codes": codes.code.reshape(len(codes.code), -1, 2)[:, chosen],
        "fine": codes.fine.astype(np.float32),
        "waves": codes.waves[:, chosen].astype(np.float16),
        "alike": (likeness.by_offset / likeness.at(0)).astype(np.float32),
    }


def _said() -> dict[str, str]:
    return {
        "where": t("Place"),
        "place": t("Place {n}"),
        "alt": t("Waves over the places of a text, and the hands of clocks at one of them"),
        "hand": t("hand"),
        "sine": t("sine"),
        "cosine": t("cosine"),
        "alike": t("How alike are<br>the other codes?").replace("<br>", "\n"),
        "clock": t("pair"),
        "round": t("comes round"),
    }
