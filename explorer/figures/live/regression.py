"""The fit under the pointer: query, width and points are dragged in the picture."""

from explorer.figures.live.modules import EXPLORER
from explorer.records.language import t

SCRIPT = EXPLORER / "lessons" / "kernel_regression" / "live" / "regression.js"


def said() -> dict[str, str]:
    """Return what the picture says; the browser fills in numbers."""
    return {
        "title": t("The fit, and what one query attends to"),
        "curve": t("prediction"),
        "truth": t("truth"),
        "average": t("average pooling"),
        "points": t("training points"),
        "point": t("point {number}: arrow keys move it, Page Up and Page Down go to the others"),
        "at": t("x {x}, y {y}"),
        "across": t("x (keys and query)"),
        "query": t("query"),
        "width": t("width"),
        "asked": t("query {query}"),
        "wide": t("width {width}"),
        "sum": t("query {query}: {answer}, the mean of about {count} of {n} points"),
        "nobody": t("query {query}: no key within reach"),
    }
