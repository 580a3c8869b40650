"""“Training lab”: its numbers as tables."""

from dataclasses import asdict, replace
from typing import Any

import pandas as pd

from explorer.lessons.training_lab.records import LabCurve, SeededCurves
from explorer.records import Provenance
from explorer.records.language import t
from explorer.records.training_run import LabFrame
from explorer.ui import tables


def curves(runs: tuple[LabCurve, ...]) -> pd.DataFrame:
    """Return a row for each measured point of each training."""
    return _table([{"training": run.name, **asdict(point)} for run in runs for point in run.points])


def seeds(runs: tuple[SeededCurves, ...]) -> pd.DataFrame:
    """Return a row for each measured point of each seed."""
    return _table(
        [
            {"training": run.name, "seed": seed, **asdict(point)}
            for run in runs
            for seed, points in enumerate(run.courses, 1)
            for point in points
        ]
    )


def sureness(frame: LabFrame) -> pd.DataFrame:
    """Return how probable a model without a map thought each token."""
    return pd.DataFrame({t("probability"): frame.sure}, index=tables.number_labels(tuple(frame.rows)))


def _table(rows: list[dict[str, Any]]) -> pd.DataFrame:
    """Return rows under names in the reader's language."""
    columns = {
        "training": t("training"),
        **({"seed": t("seed")} if rows and "seed" in rows[0] else {}),
        "step": t("step"),
        "seconds": t("seconds"),
        "loss": t("loss"),
        "held_out_loss": t("loss, held out"),
        "accuracy": t("exact"),
        "tokens_per_second": t("tokens a second"),
    }
    return pd.DataFrame(rows, columns=list(columns)).rename(columns=columns)


def provenance(runs: tuple[LabCurve, ...]) -> Provenance:
    """Return the provenance of one training, or of several: what each was."""
    if len(runs) == 1:
        return runs[0].provenance
    each = "; ".join(f"{run.name}: {run.provenance.detail}, seed {run.provenance.seed}" for run in runs)
    return replace(runs[0].provenance, seed=None, detail=each)
