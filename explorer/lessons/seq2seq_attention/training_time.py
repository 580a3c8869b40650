"""“Recurrent attention”: the processor's time of each training, and its fastest stretch."""

import csv

from explorer.lessons.seq2seq_attention.state import RecurrentModel


def minutes(model: RecurrentModel) -> float | None:
    """Return the processor's minutes of its training; None where its manifest does not say.

    Those by the clock say how busy the machine was, not what a mechanism costs.
    """
    return model.manifest.metrics.get("processor_minutes")


def fastest(model: RecurrentModel) -> float | None:
    """Return the most target tokens a second between two reports of its history; None where there is no usable one."""
    try:
        with (model.folder / "history.csv").open(encoding="utf-8", newline="") as file:
            return max(float(row["tokens_per_second"]) for row in csv.DictReader(file))
    except (OSError, ValueError, KeyError, TypeError):
        return None
