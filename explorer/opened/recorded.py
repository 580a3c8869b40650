"""Looks that come with the project, so that the lesson teaches without a network and without transformers."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.records.attention import AttentionRecord
from explorer.records.opened import wire
from explorer.records.opened.card import ModelCard
from explorer.records.opened.look import ModelLook, code, decode
from explorer.records.opened.prediction import HeadEffects, LensRecord, SlopesRecord, WithoutRecord
from explorer.records.opened.several import ComparedModels, CorpusLook

#: A file for each model.
FOLDER = Path(__file__).parent / "recordings"
#: Percent of a head that are left, beside all and nothing of it.
STOPS = (25, 50, 75)
#: Said in the provenance of maps that were stored in a byte a weight.
STORED = "8 bits a weight"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedText:
    """All that was recorded of one text; None and nothing where it was not.

    Attributes:
        maps: of some sites whole, by number, coded; those of other sites are the tiles of the look, if these are whole.
    """

    look: ModelLook
    maps: Mapping[str, tuple[AttentionRecord, npt.NDArray[np.uint8]]] = field(default_factory=dict)
    lens: LensRecord | None = None
    effects: HeadEffects | None = None
    slopes: SlopesRecord | None = None

    def without(
        self, site: int, head: int, effects: HeadEffects | None = None, left: float = 0.0
    ) -> WithoutRecord | None:
        """Return what the model says without one head; None where it was not recorded.

        Args:
            effects: of heads of which so much is left; those of the look, which are off, if not given.
        """
        effects = effects or self.effects
        if effects is None or not 0 <= site < len(effects.sites):
            return None
        found = effects.sites[site]
        if not 0 <= head < len(found.chance):
            return None
        position = len(self.look.queries) - 1
        return WithoutRecord(
            off=((site, head),),
            left=left,
            instead="nothing",
            place=position,
            before=self.lens.top(len(self.lens.share) - 1, position) if self.lens else (),
            after=found.likeliest[head] if found.likeliest else (),
            chance=float(found.chance[head]),
            provenance=found.provenance,
        )

    def attention(self, site: int) -> AttentionRecord | None:
        """Return the maps of a site as they were stored; None where they were not."""
        if str(site) in self.maps:
            empty, coded = self.maps[str(site)]
            return replace(empty, weights=decode(coded))
        if not 0 <= site < len(self.look.sites) or not self.look.is_whole(site):
            return None
        return self.look.attention(site, STORED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Weakened:
    """The short text with less of some heads.

    Attributes:
        alone: of each head alone.
        together: of all heads of a rule, by the rule.
    """

    alone: HeadEffects
    together: Mapping[str, WithoutRecord]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedModel:
    """A model with what was recorded of it.

    Attributes:
        address: where the Hub has it.
        made_from: what was opened for it, in words.
        texts: by the text, or by the `picture_key` of a picture.
    """

    card: ModelCard
    address: str
    made_from: str
    texts: Mapping[str, RecordedText]


def models() -> Mapping[str, RecordedModel]:
    """Return the recorded models by name."""
    return _models(FOLDER)


def corpus(name: str) -> CorpusLook | None:
    """Return what a recorded model does over the sentences of `explorer.opened.corpus`; None where it was not asked."""
    found: CorpusLook | None = _found("corpora", name)
    return found


def read_rounded(name: str) -> Mapping[str, ComparedModels]:
    """Return how far the maps move when a recorded model's weights are rounded, by the number of bits."""
    found: Mapping[str, ComparedModels] = _found("rounded", name) or {}
    return found


def without(name: str) -> Mapping[str, WithoutRecord]:
    """Return what a recorded model says of the short text without all heads of a rule, by the rule."""
    found: Mapping[str, WithoutRecord] = _found("without", name) or {}
    return found


def read_weakened(name: str) -> Mapping[str, Weakened]:
    """Return what a recorded model says of the short text with less of some heads, by the percent that are left."""
    found: Mapping[str, Weakened] = _found("weakened", name) or {}
    return found


def read_carried(name: str) -> Mapping[str, HeadEffects]:
    """Return what each head of a recorded model carries over between two texts, by their `pair_key`."""
    found: Mapping[str, HeadEffects] = _found("carried", name) or {}
    return found


def picture_key(picture: npt.NDArray[np.uint8]) -> str:
    """Return the key of a picture: what its pixels hash to."""
    return f"picture {picture.shape[0]} {hashlib.sha256(np.ascontiguousarray(picture).tobytes()).hexdigest()}"


def pair_key(text: str, other_text: str) -> str:
    """Return the key of a text, and of another one that heads are carried over from."""
    return f"{text}\n{other_text}"


def _found(what: str, name: str) -> Any:
    """Return what was recorded of a model besides its maps, None where nothing was."""
    file = FOLDER / what / f"{name}.npz"
    return _loaded(file) if name in models() and file.is_file() else None


@lru_cache(maxsize=16)
def _loaded(file: Path) -> Any:
    return wire.load(file, Weakened)


def encode_maps(maps: AttentionRecord) -> tuple[AttentionRecord, npt.NDArray[np.uint8]]:
    """Return maps as they are stored: a byte a weight, and a record without weights of its own."""
    known = replace(maps.provenance, detail=f"{maps.provenance.detail}, {STORED}")
    return replace(maps, weights=np.zeros_like(maps.weights), provenance=known), code(maps.weights)


@lru_cache(maxsize=2)
def _models(folder: Path) -> Mapping[str, RecordedModel]:
    found: dict[str, Any] = {}
    for file in sorted(folder.glob("*.npz"), reverse=True):
        model = wire.load(file, RecordedModel, RecordedText)
        found[model.card.name] = model
    return MappingProxyType(found)
