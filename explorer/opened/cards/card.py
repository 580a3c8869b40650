"""Read what a model is and costs from its text files: no weight is read, no stranger's code runs."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from explorer.checkpoints.front_matter import MOST, front_matter
from explorer.opened.cards import configuration, our_card, weights_header
from explorer.opened.cards.weights_header import Counted
from explorer.records.opened.card import ModelCard

README = "README.md"


def read(folder: Path) -> ModelCard:
    """Read the card of a folder.

    Raises:
        ModelRefused: no such model is opened, and why.
    """
    if our_card.is_ours(folder):
        return our_card.read(folder)
    weights_header.inside(folder, "config.json")
    config = configuration.read_json(folder / "config.json")
    counted, pickled = weights_header.count(folder), weights_header.list_pickled(folder)
    return describe(config, name=folder.name, counted=counted, readme=_readme(folder), pickled=pickled)


def describe(
    config: Mapping[str, Any],
    *,
    name: str,
    counted: Counted,
    readme: str = "",
    pickled: tuple[str, ...] = (),
    gated: bool = False,
) -> ModelCard:
    """Return the card of a configuration and of counted weights.

    Raises:
        ModelRefused: no such model is opened, and why.
    """
    config = configuration.clean(config)
    family, kind = configuration.family_of(config)
    layers = configuration.inner(config)
    found = configuration.numbers(layers)
    decoder = (found["decoder_layers"] or found["layers"]) if kind == "encoder-decoder" else 0
    return ModelCard(
        name=name,
        revision=counted.revision,
        family=family,
        kind=kind,
        **{each: found[each] for each in ("layers", "heads", "kv_heads", "width", "head_width", "ffn")},
        vocabulary=found["vocabulary"],
        longest=found["longest"],
        decoder_layers=decoder,
        window=(found["window"] or None) if layers.get("use_sliding_window", True) else None,
        tied=bool(config.get("tie_word_embeddings", True)),
        counted=counted.parameters,
        stored=counted.stored,
        dtypes=counted.dtypes,
        pickled=pickled,
        licence=front_matter(readme).get("license", ""),
        gated=gated,
        tasks=tuple(each[:80] for each in config.get("architectures") or () if isinstance(each, str))[:4],
    )


def _readme(folder: Path) -> str:
    path = folder / README
    if not path.is_file():
        return ""
    with weights_header.inside(folder, README).open(encoding="utf8", errors="replace") as file:
        return file.read(MOST)
