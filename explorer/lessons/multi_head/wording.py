"""Words that its readings share: heads and labels by name, numbers, sentences joined."""

import math

from explorer.attention.head_measures import BROAD, FEWEST_ROWS, SHARE, SHARP, TIMES_CHANCE
from explorer.records.heads import HeadLabel, Label, Part
from explorer.records.language import Translate, english
from explorer.records.wording import head_title, token

__all__ = ["head_title", "label_name", "label_rule", "label_score", "site_title", "times", "token"]


def site_title(part: Part, t: Translate = english) -> str:
    """Return in words who looks at whom."""
    return {
        "encoder": t("English looks at English"),
        "decoder": t("French looks back at French"),
        "cross": t("French looks at English"),
    }[part]


def label_name(name: Label, t: Translate = english) -> str:
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


def label_rule(name: Label, t: Translate = english) -> str:
    """Return the rule by which a label is given, in one sentence."""
    numbers = {
        "share": f"{SHARE:.0%}",
        "times": f"{TIMES_CHANCE:g}",
        "rows": FEWEST_ROWS,
        "broad": f"{BROAD:g}",
        "sharp": f"{SHARP:g}",
    }
    if name == "broad":
        return t(
            "Entropy over that of an even spread, ln(keys), is at least {broad} on average over the rows that have a"
            " choice; there must be {rows} such rows."
        ).format(**numbers)
    if name == "sharp":
        return t(
            "The largest weight of a row is at least {sharp} on average over the rows that have a choice, and at least"
            " {times} times that of an even spread; there must be {rows} such rows."
        ).format(**numbers)
    place = {
        "previous": t("the token before the one that looks"),
        "same": t("the token that looks itself"),
        "next": t("the token after the one that looks"),
        "first": t("the first token"),
        "punctuation": t("punctuation"),
        "special": t("special tokens such as the end of the sentence"),
        "diagonal": t("the source tokens within one of where reading at the pace of writing would be"),
    }[name]
    return t(
        "On average over the rows that have one and have a choice, at least {share} of the weight lies on {place}, and"
        " at least {times} times what an even spread would put there; there must be {rows} such rows."
    ).format(place=place, **numbers)


def label_score(label: HeadLabel | None, t: Translate = english) -> str:
    """Return a label with its score, such as “previous token (0.83)”; a dash where there is none."""
    if label is None:
        return "–"
    return t("{label} ({score})").format(label=label_name(label.name, t), score=f"{label.score:.2f}")


def times(ratio: float) -> str:
    """Return a factor with two digits that count; above a million, as a power of ten."""
    if ratio >= 1e6:
        return "10" + str(round(math.log10(ratio))).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{ratio:.2g}" if ratio < 10 else f"{ratio:,.0f}"
