"""Names and signs of what heads do, tokens as they are shown, and what a model is in a few words."""

from collections.abc import Mapping
from typing import NamedTuple

from explorer.records.language import t
from explorer.records.opened.card import ModelCard
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
    special = {place: t("end") if place == last else t("start") for place in (0, last)}
    return tuple(
        special.get(place, label) if is_special else label
        for place, (label, is_special) in enumerate(zip(tokens.row.labels, tokens.row.special, strict=True))
    )


def resting_place(tokens: OpenedTokens) -> str:
    """Say where heads rest."""
    return t("the start and end marks") if any(tokens.row.special) else t("the first word")


def part_name(site: Site) -> str:
    """Return the part of the model that an attention belongs to."""
    names = {"encoder": t("reads"), "decoder": t("writes"), "cross": t("looks across")}
    return names[site.part]


def describe(card: ModelCard) -> str:
    """Say in small print what a model is."""
    layers = card.layers + card.decoder_layers
    said = [card.family, t("{layers} layers × {heads} heads").format(layers=layers, heads=card.heads)]
    if 0 < card.kv_heads < card.heads:
        said.append(t("{count} heads share a key").format(count=card.heads // card.kv_heads))
    return " · ".join(said)


def row_name(row: int) -> str:
    """Return the layer after which a row of the lens stands, short."""
    return str(row - 1) if row else t("none")


def after_row(row: int) -> str:
    """Say after which layer a row of the lens stands."""
    return t("After layer {layer}").format(layer=row - 1) if row else t("Before the first layer")


def chance(probability: float) -> str:
    """Return a chance in whole percent; a very small one is not called 0."""
    return f"{probability:.0%}" if probability >= 0.005 else "< 1%"


def megabytes(size: int | float) -> str:
    """Return bytes as the owner of a server states bounds: in millions, large ones in thousands of millions."""
    if size >= 1e10:
        return f"{size / 1e9:,.0f} GB"
    return f"{size / 1e6:,.0f} MB" if size >= 1e7 or not size else f"{size / 1e6:.1f} MB"
