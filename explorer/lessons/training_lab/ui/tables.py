"""“Training lab”: its numbers as tables."""

from dataclasses import asdict, replace

import pandas as pd

from explorer.lessons.training_lab.records import LabCurve
from explorer.records import Provenance
from explorer.ui.language import t


def curves(runs: tuple[LabCurve, ...]) -> pd.DataFrame:
    """Return a row for each measured point of each training."""
    rows = [{"training": run.name, **asdict(point)} for run in runs for point in run.points]
    columns = {
        "training": t("training"),
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
