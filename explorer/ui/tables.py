"""The numbers behind a figure, as tables."""

import numpy as np
import numpy.typing as npt
import pandas as pd

from explorer.records import AttentionRecord


def attention(record: AttentionRecord, head: int | None = None) -> pd.DataFrame:
    """Weights of one head, or the mean over heads: a row per query, a column per key."""
    return matrix(
        record.weights.mean(0) if head is None else record.weights[head], record.query_labels, record.key_labels
    )


def matrix(values: npt.NDArray[np.floating], rows: tuple[str, ...], columns: tuple[str, ...]) -> pd.DataFrame:
    """Any matrix with named rows and columns; equal names are numbered, so that every one stays."""
    return pd.DataFrame(values, index=numbered(rows), columns=numbered(columns))


def numbered(labels: tuple[str, ...]) -> list[str]:
    """The labels, equal ones told apart by their place."""
    return [label if labels.count(label) == 1 else f"{label} ({place})" for place, label in enumerate(labels)]
