"""Describe a checkpoint of this project as a model that can be looked at; neither torch nor its weights are needed."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from explorer.checkpoints.manifest import BUNDLED, MANIFEST, CheckpointError, Manifest, read_manifest
from explorer.opened.cards.weights_header import Counted, count
from explorer.opened.refused import ModelRefused
from explorer.records.opened.card import ModelCard, ModelKind

#: Families of this project whose attention is looked at here; the others have lessons of their own.
KINDS: Mapping[str, ModelKind] = {
    "gpt": "decoder",
    "masked": "encoder",
    "translator": "encoder-decoder",
    "marian": "encoder-decoder",
    "lab_transformer": "encoder-decoder",
    "vit": "vision",
}


def is_ours(folder: Path) -> bool:
    """Return whether a folder holds a checkpoint of this project."""
    return (folder / MANIFEST).is_file() and not (folder / "config.json").exists()


def list_bundled() -> dict[str, Path]:
    """Return the folders of those that come with the project and can be looked at, by name."""
    folders = sorted(BUNDLED.iterdir()) if BUNDLED.is_dir() else []
    return {each.name: each for each in folders if is_ours(each) and _family(each, _changed(each)) in KINDS}


def read(folder: Path) -> ModelCard:
    """Read the card of a folder.

    Raises:
        ModelRefused: it cannot be used, or its family has a lesson of its own.
    """
    try:
        return describe(read_manifest(folder), folder.name, count(folder))
    except CheckpointError as error:
        raise ModelRefused("broken", what=str(error)) from error


def describe(manifest: Manifest, name: str, counted: Counted) -> ModelCard:
    """Return the card of a manifest.

    Raises:
        ModelRefused: its family has a lesson of its own.
    """
    if manifest.family not in KINDS:
        raise ModelRefused("own_lesson", family=manifest.family)
    said = {key: value for key, value in manifest.config.items() if type(value) is int}
    layers = said.get("n_layers", said.get("n_encoder_layers", 0))
    heads, width = said.get("n_heads", 0), said.get("d_model", 0)
    for least, value in {"layers": layers, "heads": heads, "width": width}.items():
        if value < 1:
            raise ModelRefused("number", name=least, value=value, least=1, limit=256)
    return ModelCard(
        name=name,
        revision=manifest.revision,
        family=manifest.family,
        kind=KINDS[manifest.family],
        layers=layers,
        decoder_layers=said.get("n_decoder_layers", 0),
        heads=heads,
        kv_heads=heads,
        width=width,
        head_width=width // heads,
        ffn=said.get("d_ff", 0),
        vocabulary=said.get("vocab_size", 0),
        longest=said.get("max_length", 0),
        counted=counted.parameters,
        stored=counted.stored,
        dtypes=counted.dtypes,
        licence=manifest.licence,
        tasks=(manifest.family,),
    )


def _changed(folder: Path) -> int:
    return (folder / MANIFEST).stat().st_mtime_ns


@lru_cache(maxsize=256)
def _family(folder: Path, _when: int) -> str:
    try:
        return read_manifest(folder).family
    except CheckpointError:
        return ""
