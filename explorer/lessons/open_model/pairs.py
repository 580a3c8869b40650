"""Two models of one origin on the same text: another model, or the same one with its weights rounded."""

from dataclasses import dataclass

from explorer.lessons.open_model import models
from explorer.lessons.open_model.state import Params
from explorer.opened import ask, recorded
from explorer.opened.refused import ModelRefused
from explorer.records.opened.several import ComparedModels

#: In the link, before the number of bits that weights were rounded to.
ROUNDED = "bits:"


@dataclass(frozen=True, slots=True, kw_only=True)
class PairParams:
    """A model on a text, and another one.

    Attributes:
        other: its name, or `bits:4` for the same model with weights of four bits, as it was recorded.
    """

    of: Params
    other: str


def bits(model: str) -> tuple[str, ...]:
    """Return to how many bits the weights of a recorded model were rounded."""
    return tuple(recorded.read_rounded(model))


def compare(params: PairParams, owner: str = "") -> ComparedModels:
    """Return how far the maps of the two lie apart.

    Args:
        owner: the reader, of whom many stand in line.

    Raises:
        ModelRefused: one of them, or the text, is refused; or they are not of one origin.
    """
    of = params.of
    if params.other.startswith(ROUNDED):
        found = recorded.read_rounded(of.model).get(params.other.removeprefix(ROUNDED))
        if found is None:
            raise ModelRefused("not_found", model=params.other)
        return found
    one, two = models.find(of.model, of.revision), models.find(params.other, "")
    return ask.compare(one, two, of.text, owner=owner)
