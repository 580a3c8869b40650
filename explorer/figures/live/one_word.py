"""A text under the pointer: one word asks, the others are tinted by the weight that they get."""

from explorer.figures.live.modules import EXPLORER
from explorer.records.language import t

SCRIPT = EXPLORER / "lessons" / "open_model" / "live" / "one_word.js"


def said() -> dict[str, str]:
    """Return what the picture says; the browser fills in words and numbers."""
    return {
        "heads": t("Heads"),
        "head": t("head {head}: {rule}"),
        "mean": t("mean of all"),
        "text": t("The text: a word that is clicked asks"),
        "asks": t("{query} looks most at {key}: {share} of {whole}, {count} back."),
        "ahead": t("{query} looks most at {key}: {share} of {whole}, {count} ahead."),
        "there": t("{query} looks most at {key}: {share} of {whole}."),
        "all": t("its weight"),
        "remainder": t("what is left"),
        "left": t("{share} of its weight rests, and is left out."),
        "kept": t("{share} of its weight rests."),
        "rests": t("{query} only rests."),
        "caption": t("What each word looks at most"),
        "query": t("asks"),
        "key": t("is asked"),
        "weight": t("weight"),
    }
