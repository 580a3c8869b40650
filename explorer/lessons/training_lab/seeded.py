"""“Training lab”: recorded trainings that differ in one part, with several seeds, and what their spread supports."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

import numpy as np

from explorer.lessons.training_lab.records import SeededCurves
from explorer.lessons.training_lab.state import detail
from explorer.records.language import t
from explorer.records.provenance import Provenance
from explorer.training.lab.comparisons import COMPARISONS, SEEDS, apart, read_comparisons
from explorer.training.lab.loop import LabTraining

Measure = Literal["accuracy", "loss", "held_out_loss"]


def names() -> dict[str, dict[str, str]]:
    """Name what is trained in each comparison, by name."""
    one, more = t("{n} layer"), t("{n} layers")
    return {
        "depth": {"one_layer": one.format(n=1), "base": more.format(n=2), "three_layers": more.format(n=3)},
        "residual": {"base": t("with residuals"), "no_residual": t("without residuals")},
        "dropped": {
            name: t("{share} dropped").format(share=share)
            for name, share in (("base", "0%"), ("dropped_01", "10%"), ("dropped_05", "50%"))
        },
        "scoring": {"base": t("scaled dot"), "additive": t("additive")},
        "norm": {"base": t("norm before"), "post": t("norm after")},
    }


def curves(part: str) -> tuple[SeededCurves, ...]:
    """Return the trainings of a comparison, in its order."""
    said = names()[part]
    return tuple(
        SeededCurves(name=said[name], number=number, courses=read_comparisons()[name].courses)
        for number, name in enumerate(COMPARISONS[part])
    )


def provenance(part: str) -> Provenance:
    """Return what trained them, and on which machine."""
    runs = [read_comparisons()[name] for name in COMPARISONS[part]]
    each = "; ".join(f"{run.name}: {detail(run.recipe)}" for run in runs)
    said = f"{each}; seeds {', '.join(map(str, SEEDS))}; recorded on {runs[0].machine}"
    return Provenance.of(LabTraining, detail=said)


def describe(runs: Sequence[SeededCurves], measure: Measure) -> str:
    """Say where each ended, mean and range over the seeds, and which pairs of neighbours the seeds tell apart."""
    each = [_ended(run, measure) for run in runs]
    said = t("At the end: {each}.").format(each=t("; ").join(each))
    return f"{said} {_verdict(runs, measure)}"


def _ended(run: SeededCurves, measure: Measure) -> str:
    ends = run.ends(measure)
    mean, least, most = (_said(value, measure) for value in (ends.mean(), ends.min(), ends.max()))
    return t("{name} **{mean}** ({least} to {most})").format(name=run.name, mean=mean, least=least, most=most)


def _verdict(runs: Sequence[SeededCurves], measure: Measure) -> str:
    pairs = list(pairwise(runs))
    clear = [(one, other) for one, other in pairs if apart(list(one.ends(measure)), list(other.ends(measure)))]
    if not clear:
        return t("The ranges overlap: {n} seeds do not tell them apart.").format(n=len(SEEDS))
    if len(clear) == len(pairs):
        return t("The ranges do not overlap.")
    told = t("; ").join(t("{one} and {other}").format(one=one.name, other=other.name) for one, other in clear)
    return t("Only these ranges do not overlap: {told}.").format(told=told)


def _said(value: np.floating, measure: Measure) -> str:
    return f"{value:.1%}" if measure == "accuracy" else f"{value:.3f}"


def slower(part: str) -> dict[str, float]:
    """Return how many times as long as a training with nothing changed those of a comparison took, by name."""
    usual = np.mean(read_comparisons()["base"].ends("seconds"))
    return {name: float(np.mean(read_comparisons()[name].ends("seconds")) / usual) for name in COMPARISONS[part]}
