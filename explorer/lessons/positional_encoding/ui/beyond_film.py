"""Models on a text longer than any before, as a film: what all of them lose packed once, read on in the browser."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.lessons.positional_encoding import trained, trained_readings
from explorer.lessons.positional_encoding.figures import unsure as figures
from explorer.lessons.positional_encoding.figures.compared import STYLE
from explorer.lessons.positional_encoding.records.extrapolation import BeyondRecord
from explorer.ui import scripts
from explorer.ui.language import t
from explorer.ui.live import film

_film = scripts.component(Path(__file__).with_suffix(".js"))
#: How a dash is drawn, in pixels.
_DASHES = {"solid": "none", "dot": "2 5", "dash": "9 6"}


def draw(records: Sequence[BeyondRecord], read: int, whole: bool, *, key: str, **taken: Any) -> None:
    """Draw the models' lines up to a place.

    Args:
        records: of the same places.
        read: a middle of the places that were measured together.
        whole: whether what follows is drawn as well, faintly.
        taken: as of `film.show`.
    """
    signs, names = trained.vocabulary(records[0].kind), trained.kind_names(t)
    middles = figures.middles(records[0]).astype(int).tolist()
    values = [{record.kind: figures.wavering(record, place) for record in records} for place in middles]
    said = zip(middles, values, strict=True)
    styles = [(names[record.kind], *STYLE[record.kind]) for record in records]
    film.show(
        _film,
        {
            "models": [{"name": name, "ink": ink, "dash": _DASHES[dash]} for name, ink, dash in styles],
            "trained": records[0].trained_length,
            "last": int(records[0].edges[-1]),
            "signs": signs,
            "whole": whole,
        },
        arrays(records),
        key=key,
        step=middles.index(read),
        first=middles[0],
        stride=middles[1] - middles[0],
        sentences=lambda: [trained_readings.describe_unsure(records, value, place, t) for place, value in said],
        said=_said(signs),
        of=(whole, [record.provenance.revision for record in records]),
        link_key="pe_read",
        **taken,
    )


def arrays(records: Sequence[BeyondRecord]) -> dict[str, npt.NDArray[np.float32]]:
    """Return `wavering` `[models, steps]`, exp(loss), NaN where one cannot read, and their `middles` `[steps]`."""
    return {
        "wavering": np.exp([record.bucket_loss for record in records]).astype(np.float32),
        "middles": figures.middles(records[0]).astype(np.float32),
    }


def _said(signs: int) -> dict[str, str]:
    return {
        "where": t("Read up to character"),
        "place": t("Character {n}"),
        "alt": t("Among how many characters five models waver, by the place in the text"),
        "across": t("place in the text, in characters"),
        "up": t("characters it wavers among"),
        "trained": t("trained on these"),
        "blind": t("guessing blindly among all {n}").format(n=signs),
        "ask": t("What happens<br>out here?").replace("<br>", "\n"),
        "none": t("cannot read it"),
    }
