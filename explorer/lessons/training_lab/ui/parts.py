"""Take a part out: Transformers that differ in one part, each trained with three seeds beforehand."""

from dataclasses import dataclass
from functools import partial
from typing import cast

from explorer.checkpoints.manifest import CheckpointError
from explorer.lessons.training_lab import seeded
from explorer.lessons.training_lab.figures import seeds as figures
from explorer.lessons.training_lab.ui import start, tables
from explorer.lessons.training_lab.ui.recordings import lost_file
from explorer.nn.blocks import TransformerLayer
from explorer.records.language import t
from explorer.service.lab.queue import MOST_OWN_ACTIVE
from explorer.training.lab.comparisons import COMPARISONS, read_comparisons
from explorer.ui import choice, figure_card
from explorer.ui.scene import picture, predict
from explorer.ui.visitors import remember

CODE = (TransformerLayer,)


def find_unusable() -> tuple[str, CheckpointError] | None:
    """Return the file that is missing or damaged, and what is wrong with it; nothing where all is well."""
    return lost_file(read_comparisons, "comparisons.json")


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A comparison.

    Attributes:
        part: a name in `COMPARISONS`.
        along: what runs to the right: `step` or `seconds`.
    """

    part: str
    measure: seeded.Measure
    along: str


def controls() -> Chosen:
    """Ask which part, what is measured, and over what; two of them can be trained again at once."""
    remember()
    names = {
        "depth": t("Depth"),
        "residual": t("Residual connections"),
        "dropped": t("Dropout on the weights"),
        "scoring": t("Additive scores"),
        "norm": t("Where the norm stands"),
    }
    part = choice.select(t("Which part?"), names, key="tl_part")
    measures = {"accuracy": t("exact"), "loss": t("loss in training"), "held_out_loss": t("loss, held out")}
    measure = choice.buttons(t("Measured"), measures, key="tl_measure")
    said = {"step": t("steps"), "seconds": t("seconds")}
    along = choice.buttons(t("Counted in"), said, key="tl_parts_along")
    if len(COMPARISONS[part]) <= MOST_OWN_ACTIVE:
        start.both(*(read_comparisons()[name].recipe for name in COMPARISONS[part]), key=f"tl_parts_{part}")
    return Chosen(part=part, measure=cast("seeded.Measure", measure), along=along)


def stage(chosen: Chosen) -> dict[str, str]:
    """Curves with their spread, and where each seed ended."""
    drawn = seeded.curves(chosen.part)
    figure_card.at_least("tl_seeds", 560)
    picture.show_chart(
        "tl_seeds",
        partial(figures.seeds, drawn, measure=chosen.measure, along=chosen.along),
        title=t("Short French, three seeds each"),
        note=t("line: mean, band: lowest to highest seed"),
        reading=seeded.describe(drawn, chosen.measure),
        table=lambda: tables.seeds(drawn),
        provenance=seeded.provenance(chosen.part),
        of=chosen,
    )
    return values()


def values() -> dict[str, str]:
    """Return numbers of the prose."""
    return _residuals() | {"additive_slower": f"{seeded.slower('scoring')['additive']:.1f}"}


def _residuals() -> dict[str, str]:
    with_, without = (read_comparisons()[name].ends() for name in COMPARISONS["residual"])
    return {
        "steps": str(read_comparisons()["base"].recipe.steps),
        "with_residuals": f"{sum(with_) / len(with_):.0%}",
        "without_residuals": f"{sum(without) / len(without):.0%}",
    }


def answer() -> predict.Answer:
    """Say what is left without residual connections, of what is right with them."""
    with_, without = (sum(read_comparisons()[name].ends()) for name in COMPARISONS["residual"])
    left = without / with_
    return "nearly_all" if left > ALIKE else "half" if left > FEW else "few", _residuals()


#: Shares of what is right with residuals that still count as nearly all, and as about half.
ALIKE, FEW = 0.8, 0.25
