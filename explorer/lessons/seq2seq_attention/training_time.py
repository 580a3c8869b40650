"""“Recurrent attention”: the time that each training took, and its fastest stretch."""

import csv

from explorer.lessons.seq2seq_attention.state import RecurrentModel


def minutes(model: RecurrentModel) -> float | None:
    """Return the minutes that its training took by the clock; None where its manifest does not say."""
    return model.manifest.metrics.get("minutes")


def fastest(model: RecurrentModel) -> float | None:
    """Return the most target tokens a second between two reports of its history; None where there is no usable one."""
    try:
        with (model.folder / "history.csv").open(encoding="utf-8", newline="") as file:
            return max(float(row["tokens_per_second"]) for row in csv.DictReader(file))
    except (OSError, ValueError, KeyError, TypeError):
        return None
