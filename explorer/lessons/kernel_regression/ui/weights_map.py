"""The weight matrix as a heat map, behind the switch of every scene whose curve it makes."""

from functools import partial
from typing import Any

from explorer.lessons.kernel_regression import readings
from explorer.lessons.kernel_regression.figures import matrix
from explorer.lessons.kernel_regression.records import RegressionRecord
from explorer.lessons.kernel_regression.ui import tables
from explorer.records.language import t
from explorer.ui.scene import heat_map


def show_map(fit: RegressionRecord) -> dict[str, Any]:
    """Return what stands around the matrix, drawn by either hand."""
    return {
        "title": t("The weight matrix, queries × keys"),
        "reading": readings.describe_matrix(fit),
        "table": lambda: tables.weights(fit),
        "provenance": fit.provenance,
    }


def instead(key: str, fit: RegressionRecord, query: float | None = None, **figure: Any) -> bool:
    """Draw the matrix if it is asked for, the row of a query marked; arguments as of `heat_map.instead`."""
    return heat_map.instead(key, partial(matrix.weights, fit, query), **show_map(fit) | figure)
