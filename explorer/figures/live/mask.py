"""A mask under the pointer: the browser draws every row anew while cells are painted."""

from explorer.figures.live.modules import EXPLORER
from explorer.records.language import t

SCRIPT = EXPLORER / "lessons" / "masked_softmax" / "live" / "mask.js"


def said() -> dict[str, str]:
    """Return what the picture says; the browser fills in words and numbers."""
    return {
        "title": t("Who looks at whom"),
        "row": t("The row of “{word}”"),
        "forbidden": t("forbidden"),
        "cell": t("“{query}” attends to “{key}”: {weight}"),
        "before": t("before"),
        "after": t("masked"),
        "factor": t("× {factor}"),
        "stays": t("every word<br>that stays"),
        "free": t("nothing<br>is forbidden"),
        "nothing": t("nothing<br>is left"),
    }
