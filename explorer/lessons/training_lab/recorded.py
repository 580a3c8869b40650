"""“Training lab”: the trainings that were recorded beforehand: which one settings mean, and its curves."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from explorer.lessons.training_lab.naming import said_model
from explorer.lessons.training_lab.records import LabCurve
from explorer.lessons.training_lab.state import provenance_of
from explorer.records.language import t
from explorer.records.provenance import Provenance
from explorer.training.lab.recipe import LabRecipe
from explorer.training.lab.reference_runs import MeasuredRun, read_runs

#: Pairs of recorded trainings, by what differs; those on digits have settings of their own, too.
PAIRS: Mapping[str, tuple[str, str]] = {
    "attention": ("reverse", "none"),
    "scores": ("reverse", "dot"),
    "positions": ("copy", "no_positions"),
    "digits": ("digits", "digits_transformer"),
    "rates": ("reverse", "too_fast"),
}


def find_recorded(recipe: LabRecipe) -> tuple[MeasuredRun, bool]:
    """Return the recorded training of a recipe, or the one most like it; and whether it is exactly this one."""
    runs = tuple(read_runs().values())
    like = ("task", "family", "mechanism", "position", "learning_rate", "norm", "scoring", "residual")

    def alike(run: MeasuredRun) -> tuple[bool, ...]:
        same = [getattr(run.recipe, name) == getattr(recipe, name) for name in like]
        return (_same(run.recipe, recipe), *same)

    best = max(runs, key=alike)  # the first of equal ones
    return best, _same(best.recipe, recipe)


def _same(one: LabRecipe, other: LabRecipe) -> bool:
    return one == replace(other, minutes=one.minutes)


def curve(run: MeasuredRun, number: int) -> LabCurve:
    """Return a recorded training as a curve."""
    return LabCurve(name=said_model(run.recipe), number=number, points=run.points, provenance=provenance(run))


def curves(runs: Sequence[MeasuredRun]) -> list[LabCurve]:
    """Return recorded trainings as curves; where they would be called alike, the learning rate tells them apart."""
    drawn = [curve(run, number) for number, run in enumerate(runs)]
    if len({each.name for each in drawn}) == len(drawn):
        return drawn
    rates = [t("learning rate {rate}").format(rate=f"{run.recipe.learning_rate:g}") for run in runs]
    return [replace(each, name=f"{rate} · {each.name}") for each, rate in zip(drawn, rates, strict=True)]


def provenance(run: MeasuredRun) -> Provenance:
    """Return what trained it, and on which machine."""
    found = provenance_of(run.recipe)
    return replace(found, detail=f"{found.detail}; recorded on {run.machine}")
