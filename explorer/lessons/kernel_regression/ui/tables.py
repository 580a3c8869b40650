"""The numbers behind the figures of the page."""

import numpy as np
import pandas as pd

from explorer.lessons.kernel_regression.records import LearningRecord, RegressionRecord, ShapeLearningRecord
from explorer.records.language import t
from explorer.ui import tables


def fit(record: RegressionRecord, query: float | None = None) -> pd.DataFrame:
    """Every curve and point: what it is, x, y, and for a training point the weight that the query gives it, if any."""
    curves = {t("prediction"): record.prediction, t("average pooling"): np.full(len(record.queries), record.average)}
    if record.truth is not None:
        curves[t("truth")] = record.truth
    parts = [pd.DataFrame({t("series"): name, "x": record.queries, "y": y}) for name, y in curves.items()]
    points = pd.DataFrame({t("series"): t("training point"), "x": record.points.x, "y": record.points.y})
    if query is not None:
        weights = record.weights[record.row(query)].astype(np.float64)
        points[t("weight of the query")] = weights
        points[t("weight × value")] = weights * record.points.y
    return pd.concat([points, *parts], ignore_index=True)


def weights(record: RegressionRecord) -> pd.DataFrame:
    """The weight matrix: a row per query, a column per key."""
    named = record.attention()
    return tables.matrix(record.weights, named.query_labels, named.key_labels)


def learning(chosen: LearningRecord, contrast: LearningRecord | None) -> pd.DataFrame:
    """Both ways of learning by epoch; the chosen one alone where the other is not drawn."""
    return pd.concat([_by_epoch(each) for each in (chosen, contrast) if each is not None], ignore_index=True)


def shape_learning(record: ShapeLearningRecord) -> pd.DataFrame:
    """List p, q, the width and the error by step."""
    numbers = {"p": record.p, "q": record.q, t("width"): record.widths, t("loss"): record.loss}
    return pd.DataFrame({t("step"): np.arange(record.steps + 1), **numbers})


def _by_epoch(record: LearningRecord) -> pd.DataFrame:
    made = pd.DataFrame(
        {
            t("each point"): t("left out") if record.leave_one_out else t("kept in"),
            t("epoch"): np.arange(record.epochs + 1),
            "w": record.w,
            t("width"): record.widths,
            t("loss"): record.loss,
            t("own weight"): record.own_weight,
            t("without prediction"): record.lost,
        }
    )
    return made if record.against_truth is None else made.assign(**{t("against the truth"): record.against_truth})
