"""The numbers behind the figures of the page."""

import numpy as np
import pandas as pd

from explorer.lessons.kernel_regression.records import LearningRecord, RegressionRecord
from explorer.ui import tables


def fit(record: RegressionRecord, query: float) -> pd.DataFrame:
    """Every curve and point: what it is, x, y, and for a training point the weight that the query gives it."""
    curves = {"prediction": record.prediction, "average pooling": np.full(len(record.queries), record.average)}
    if record.truth is not None:
        curves["truth"] = record.truth
    parts = [pd.DataFrame({"series": name, "x": record.queries, "y": y}) for name, y in curves.items()]
    points = pd.DataFrame({"series": "training point", "x": record.points.x, "y": record.points.y})
    weights = record.weights[record.row(query)].astype(np.float64)
    points["weight of the query"] = weights
    points["weight × value"] = weights * record.points.y
    return pd.concat([points, *parts], ignore_index=True)


def weights(record: RegressionRecord) -> pd.DataFrame:
    """The weight matrix: a row per query, a column per key."""
    named = record.attention()
    return tables.matrix(record.weights, named.query_labels, named.key_labels)


def learning(chosen: LearningRecord, contrast: LearningRecord) -> pd.DataFrame:
    """Both ways of learning by epoch."""
    return pd.concat([_by_epoch(chosen), _by_epoch(contrast)], ignore_index=True)


def _by_epoch(record: LearningRecord) -> pd.DataFrame:
    made = pd.DataFrame(
        {
            "each point": "left out" if record.leave_one_out else "kept in",
            "epoch": np.arange(record.epochs + 1),
            "w": record.w,
            "width": record.widths,
            "loss": record.loss,
            "own weight": record.own_weight,
            "without prediction": record.lost,
        }
    )
    return made if record.against_truth is None else made.assign(**{"against the truth": record.against_truth})
