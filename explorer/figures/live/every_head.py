"""Every head under the pointer: small squares, the chosen head large, one of its rows over the text."""

from explorer.figures.live.modules import EXPLORER
from explorer.records.language import t

SCRIPT = EXPLORER / "lessons" / "open_model" / "live" / "every_head.js"


def said() -> dict[str, str]:
    """Return what the picture says; the browser fills in words and numbers."""
    return {
        "squares": t("Every head; arrow keys go from one to the next"),
        "layer": t("Layer"),
        "head": t("Head"),
        "less": t("{name}: one back"),
        "more": t("{name}: one on"),
        "is": t("layer {layer}, head {head}: {rule}, rests {rest}"),
        "filter": t("Show the heads that keep this rule"),
        "asks": t("{query} looks most at {key}: {share} of its weight."),
        "beside": t("Beside where it rests, {query} looks most at {key}: {share} of what is left."),
        "rests": t("{query} only rests."),
        "hint": t("Point at a word or a row; a click keeps it."),
        "map": t("The chosen head"),
        "caption": t("Weights: a row for each word that asks, a column for each word it can look at"),
        "heads": t("What each head does: a row for each layer"),
        "hidden": t("hidden"),
    }
