"""Names and signs of what heads do, of the parts of a model, and tokens as they are shown."""

from collections.abc import Mapping
from typing import NamedTuple

from explorer.records.language import t
from explorer.records.opened.look import OpenedTokens, RuleName, Site


class NamedRule(NamedTuple):
    """A rule: its sign and colour on a square, its name in the legend, and what a head that keeps it does."""

    sign: str
    colour: str
    name: str
    does: str


def rules() -> Mapping[RuleName, NamedRule]:
    """Return every rule by its id, in the order of the legend."""
    return {
        "after": NamedRule(
            "↷", "#d55e00", t("as last time"), t("it looks at what followed the same word the last time")
        ),
        "previous": NamedRule("←", "#0072b2", t("word before"), t("it looks at the word before")),
        "next": NamedRule("→", "#56b4e9", t("word after"), t("it looks at the word after")),
        "same": NamedRule("=", "#009e73", t("itself"), t("it looks at the word itself")),
        "twin": NamedRule("≡", "#cc79a7", t("same word"), t("it looks at the same word, elsewhere in the text")),
        "punctuation": NamedRule("¶", "#7a6c00", t("full stops"), t("it looks at full stops and commas")),
        "near": NamedRule("≈", "#3d5aa8", t("nearby"), t("it looks at words nearby")),
        "diagonal": NamedRule("↘", "#e69f00", t("word by word"), t("it goes along word by word")),
        "broad": NamedRule("○", "#8c8c8c", t("evenly"), t("it spreads evenly")),
        "resting": NamedRule("⇤", "#56616f", t("only rests"), t("it does nothing else")),
        "mixed": NamedRule("·", "#c3cad3", t("no rule"), t("it keeps none of our rules")),
    }


def names(tokens: OpenedTokens) -> tuple[str, ...]:
    """Return tokens as they are shown: those that nobody types have a name, a further byte of a character has none."""
    last = len(tokens) - 1
    special = {position: t("end") if position == last else t("start") for position in (0, last)}
    return tuple(
        special.get(position, label) if is_special else label
        for position, (label, is_special) in enumerate(zip(tokens.row.labels, tokens.row.special, strict=True))
    )


def part_names() -> dict[str, str]:
    """Return what a model does in each part of it that attends."""
    return {"encoder": t("reads"), "decoder": t("writes"), "cross": t("looks across")}


def part_name(site: Site) -> str:
    """Return the part of the model that an attention belongs to."""
    return part_names()[site.part]
