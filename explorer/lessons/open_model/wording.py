"""What a model is in a few words, and numbers as they are said; names of what heads do, as every picture has them."""

from explorer.records.language import t
from explorer.records.opened.card import ModelCard
from explorer.records.opened.look import OpenedTokens
from explorer.records.opened.wording import names, part_name, part_names, rules

__all__ = [
    "after_row",
    "chance",
    "describe",
    "layer_and_head",
    "megabytes",
    "names",
    "part_name",
    "part_names",
    "resting_place",
    "row_name",
    "rules",
]


def resting_place(tokens: OpenedTokens) -> str:
    """Say where heads rest."""
    return t("the start and end marks") if any(tokens.row.special) else t("the first word")


def layer_and_head(layer: int, head: int | None) -> str:
    """Name a head, or the mean of a layer's."""
    said = t("layer {layer}, mean of its heads") if head is None else t("layer {layer}, head {head}")
    return said.format(layer=layer, head=head)


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
