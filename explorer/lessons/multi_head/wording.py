"""Words that its readings share: heads and labels by name, numbers, sentences joined."""

from explorer.attention.head_measures import BROAD, SHARP, TIMES_CHANCE
from explorer.records.heads import HeadLabel, Label, Part
from explorer.records.language import t
from explorer.records.wording import head_title, times, token

__all__ = ["head_title", "label_name", "label_rule", "label_score", "site_title", "times", "token"]


def site_title(part: Part) -> str:
    """Return in words who looks at whom."""
    return {
        "encoder": t("English looks at English"),
        "decoder": t("French looks back at French"),
        "cross": t("French looks at English"),
    }[part]


def label_name(name: Label) -> str:
    """Return short name of a label, such as “previous token”."""
    return {
        "previous": t("previous token"),
        "same": t("same token"),
        "next": t("next token"),
        "first": t("first token"),
        "punctuation": t("punctuation"),
        "special": t("special token"),
        "diagonal": t("diagonal"),
        "broad": t("broad"),
        "sharp": t("one token at a time"),
    }[name]


def label_rule(name: Label) -> str:
    """Return what decides on a label: where the weight must lie, or the measure and its bound."""
    numbers = {"broad": f"{BROAD:g}", "sharp": f"{SHARP:g}", "times": f"{TIMES_CHANCE:g}"}
    return {
        "previous": t("the token before the one that looks"),
        "same": t("the token that looks itself"),
        "next": t("the token after the one that looks"),
        "first": t("the first token"),
        "punctuation": t("punctuation"),
        "special": t("special tokens such as the end of the sentence"),
        "diagonal": t("the source token that is as far on as what is written, or one beside it"),
        "broad": t("no place: the entropy is at least {broad} of an even spread’s, ln(keys)"),
        "sharp": t("any one token: the largest weight is at least {sharp}, and {times} times an even share"),
    }[name].format(**numbers)


def label_score(label: HeadLabel | None) -> str:
    """Return a label with its score, such as “previous token (0.83)”; a dash where there is none."""
    if label is None:
        return "–"
    return t("{label} ({score})").format(label=label_name(label.name), score=f"{label.score:.2f}")
