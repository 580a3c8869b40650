"""Activation patching: what one head found in one text, put in its place in another."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from explorer.lessons.open_model import models
from explorer.lessons.open_model.heads_off import EachAlone
from explorer.lessons.open_model.state import Params
from explorer.opened import ask
from explorer.records.opened.prediction import SiteEffects
from explorer.records.sequence import Likely

#: A head that moves a share of the two answers by less hardly carries anything.
SMALL = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class CarriedParams:
    """A model on a text, and the text that outputs of heads are carried over from."""

    of: Params
    other_text: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EachCarried(EachAlone):
    """Each head carried over alone, as far as it has been measured."""

    @property
    def answer(self) -> Likely:
        """Return the text's own answer."""
        found = self.effects.answer
        assert found is not None  # a model that predicts no words is refused before
        return found

    @property
    def carried(self) -> Likely:
        """Return the other text's answer, with its chance in this text."""
        found = self.effects.sites[0].carried
        assert found is not None
        return found

    @property
    def is_told(self) -> bool:
        """Return whether the two texts have two answers."""
        return self.answer.label != self.carried.label

    @property
    def before(self) -> float:
        """Return the other answer's share of both chances, with nothing carried over."""
        return self.carried.probability / (self.carried.probability + self.answer.probability)

    @property
    def shares(self) -> npt.NDArray[np.float32]:
        """Return the same with each head carried over, `[sites, heads]`; NaN where it is not measured."""
        found: npt.NDArray[np.float32] = self.effects.carried_chance / (
            self.effects.carried_chance + self.effects.chance
        )
        return found

    def site(self, site: int) -> SiteEffects:
        """Return what was measured of an attention; of the last one that was, where it was not."""
        return self.effects.sites[min(site, self.done - 1)]

    def strongest(self) -> tuple[int, int]:
        """Return site and head that move the answer most."""
        moved = np.abs(self.shares - self.before)
        row, column = np.unravel_index(int(np.nanargmax(moved)), moved.shape)
        return int(row), int(column)

    def count_moving(self) -> int:
        """Count the heads that move the share by more than a little."""
        return int((np.abs(self.shares - self.before) > SMALL).sum())


def read(params: CarriedParams) -> Iterator[EachCarried]:
    """Yield what each head carries over, ever more complete.

    Raises:
        ModelRefused: the model or a text is refused, it predicts no words, or its heads cannot be reached.
    """
    of = params.of
    for effects in ask.carry_over(models.find(of.model, of.revision), of.text, params.other_text):
        yield EachCarried(effects=effects)


def read_recorded(params: CarriedParams) -> EachCarried | None:
    """Return what was recorded; None where it must be measured."""
    of = params.of
    known = ask.recorded_carried(models.find(of.model, of.revision), of.text, params.other_text)
    return EachCarried(effects=known) if known else None
