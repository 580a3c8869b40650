"""A model without some of its heads: each alone, or all that keep a rule."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from explorer.lessons.open_model import models
from explorer.lessons.open_model.resting import leave_out
from explorer.lessons.open_model.state import Params
from explorer.opened import ask, recorded as recorded_looks
from explorer.records.opened.look import ModelLook, decode
from explorer.records.opened.prediction import HeadEffects, SlopesRecord, WithoutRecord
from explorer.records.provenance import Provenance

#: A head that changes the answer by less, in its chance, hardly matters.
SMALL = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class OffParams:
    """A model on a text, and the heads that are switched off together, or weakened.

    Attributes:
        heads: site and head of each.
        percent: how much of each is left, 0…100.
    """

    of: Params
    heads: tuple[tuple[int, int], ...]
    percent: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EachAlone:
    """Effects of each head alone, as far as they have been measured."""

    effects: HeadEffects

    @property
    def done(self) -> int:
        """Return how many attentions have been measured."""
        return len(self.effects.sites)

    @property
    def total(self) -> int:
        """Return how many attentions there are."""
        return self.effects.n_sites

    @property
    def provenance(self) -> Provenance:
        """Return the provenance of the first attention."""
        return self.effects.sites[0].provenance

    @property
    def heads(self) -> int:
        """Return how many heads have been measured."""
        return int(np.isfinite(self.effects.chance).sum())


def read(params: Params) -> Iterator[EachAlone]:
    """Yield what each head does alone, ever more complete.

    Raises:
        ModelRefused: the model or the text is refused, or its heads cannot be switched off.
    """
    for effects in ask.effects(models.find(params.model, params.revision), params.text):
        yield EachAlone(effects=effects)


def read_recorded(params: Params) -> EachAlone | None:
    """Return what was recorded; None where it must be measured."""
    known = ask.recorded_effects(models.find(params.model, params.revision), params.text)
    return EachAlone(effects=known) if known else None


def compute(params: OffParams, owner: str = "") -> WithoutRecord:
    """Return what the model says with the heads off, or weakened.

    Args:
        owner: the reader, of whom many stand in line.

    Raises:
        ModelRefused: as `read`.
    """
    of = params.of
    source, left = models.find(of.model, of.revision), params.percent / 100
    return ask.without(source, of.text, params.heads, left=left, owner=owner)


def percent_step(params: Params) -> int:
    """Return in which steps a head can be weakened: coarse where only recorded answers can be told."""
    here = models.is_here(params.model, params.revision)
    return 5 if not here or models.find(params.model, params.revision).folder else recorded_looks.STOPS[0]


def slopes(params: Params, owner: str = "") -> SlopesRecord:
    """Return the effects of all heads as one backward pass estimates them; arguments as of `compute`."""
    return ask.slopes(models.find(params.model, params.revision), params.text, owner=owner)


def rank(record: SlopesRecord, site: int, head: int) -> int:
    """Return the place of a head, from 1, among all heads by the size of its estimate."""
    sizes = np.abs(record.log_probability)
    return int((sizes > sizes[site, head]).sum()) + 1


def looked_at(look: ModelLook, site: int, head: int, position: int) -> tuple[tuple[str, float], ...]:
    """Return the words beside the resting place that a head looks at most from a place; none where maps are not whole.

    Each comes with its share of the head's weight.
    """
    if not look.is_whole(site):
        return ()
    _, keys = look.tokens(look.sites[site].part)
    row = decode(look.tiles[site])[head, position]
    beside = np.where(np.isnan(leave_out(row, keys)), 0, row)
    best = np.argsort(-beside)[:2]
    return tuple((keys.row.labels[key], float(row[key])) for key in best if beside[key] >= 0.01)
