"""Scorers as they learn, as a film: what each makes of the same keys at every moment, packed once."""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.lessons.scoring_functions import learned_readings, readings
from explorer.lessons.scoring_functions.figures.panels import diverging
from explorer.lessons.scoring_functions.fitted_scorers import EVERY
from explorer.records.scoring import FittedScorersRecord
from explorer.ui import appearance, scripts
from explorer.ui.language import t
from explorer.ui.live import film

_film = scripts.component(Path(__file__).with_suffix(".js"))


def draw(record: FittedScorersRecord, moment: int, *, key: str, of: object, **taken: Any) -> None:
    """Draw loss and accuracy up to a moment; beside them weights, W and likeness to the dot product.

    Args:
        of: what the record depends on.
        taken: as of `film.show`.
    """
    names = readings.short_names(t)
    film.show(
        _film,
        {
            "names": [names[name] for name in ("best", *record.scorers)],
            "guess": [record.guess_loss, record.chance],
            "signed": diverging(appearance.current()),
        },
        arrays(record),
        key=key,
        step=moment,
        sentences=lambda: [learned_readings.describe_moment(record, each, t) for each in range(len(record.steps))],
        said=_said(),
        of=of,
        link_key="sf_moment",
        stride=EVERY,
        **taken,
    )


def arrays(record: FittedScorersRecord) -> dict[str, npt.NDArray[Any]]:
    """Return `curves` `[2, moments, scorers]`, `alike` `[moments, scorers]`, and `weights` and `w` as recorded."""
    return {
        "curves": np.stack([record.loss, record.accuracy]).astype(np.float32),
        "alike": record.correlation.astype(np.float32),
        "weights": record.weights.astype(np.float32),
        "w": record.bilinear.astype(np.float32),
    }


def _said() -> dict[str, str]:
    return {
        "where": t("Training step"),
        "place": t("Step {n}"),
        "alt": t("Loss, accuracy and weights of three scorers while they learn"),
        "loss": t("loss on unseen queries (nats)"),
        "accuracy": t("share of unseen queries answered right"),
        "steps": t("step"),
        "guessing": t("guessing"),
        "w": t("its matrix W"),
        "alike": t("How like the dot product?"),
        "like": t("like q·k"),
        "correlation": t("correlation with the dot product"),
        "tiles": t("rows: queries, columns: keys; ink: weight"),
        "signed": t("W: blue above 0, red below"),
        "cell": t("query {row}, key {column}: {value}"),
        "entry": t("row {row}, column {column} of W: {value}"),
    }
