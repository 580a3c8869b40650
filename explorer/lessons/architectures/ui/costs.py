"""What it costs: one count along n or d, and the same at the reader's sizes as bars."""

from dataclasses import dataclass
from functools import partial
from typing import Any

from explorer.attention.architectures_cost import cost
from explorer.lessons import architectures as lesson
from explorer.lessons.architectures import readings
from explorer.lessons.architectures.figures import costs as figures
from explorer.lessons.architectures.live import costs
from explorer.lessons.architectures.ui import controls as widgets, tables
from explorer.records.language import t
from explorer.records.wording import capitalise, spell_large_number
from explorer.ui import cache, choice, tables as shared_tables
from explorer.ui.scene import predict

CODE = (cost,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Sizes, the one that grows, and what is counted."""

    params: lesson.Params
    axis: str
    counted: str


def controls() -> Chosen:
    """Ask for the sizes, and what is counted."""
    counted = choice.select(t("Counted"), figures.quantities(), key="ar_counted")
    params, axis = widgets.sizes()
    return Chosen(params=params, axis=axis, counted=counted)


def stage(chosen: Chosen) -> dict[str, str]:
    """Draw the count along an axis, and beside it the same at the reader's sizes."""
    result = cache.compute(lesson.compute, chosen.params)
    if chosen.counted == "operations":
        reading = readings.describe_costs(result)
    else:
        reading = readings.describe_counted(result, chosen.counted)
    curves = result.curves[chosen.axis]
    drawn = partial(costs.pack, chosen.params, chosen.axis, chosen.counted)
    taken: dict[str, Any] = {"table": lambda: tables.costs(curves), "provenance": curves.provenance}
    costs.PICTURE.show(
        "ar_costs", drawn, title=capitalise(figures.quantities()[chosen.counted]), reading=reading, **taken
    )
    costs.PICTURE.remark(
        "ar_bars",
        drawn,
        title=t("At n = {n}, d = {d}").format(n=chosen.params.n, d=chosen.params.d),
        reading=(readings.describe_kept if chosen.counted == "peak" else readings.describe_pairs)(result),
        on_paper=False,
        **taken,
    )
    return {"table": shared_tables.markdown(readings.said_costs(result))}


def answer() -> predict.Answer:
    """Say how much more self-attention costs on the longer text."""
    before, after = (lesson.compute(lesson.Params(n=n)).cost("attention") for n in (256, 4096))
    times = after.operations / before.operations
    return min(("16", "176", "256"), key=lambda each: abs(int(each) / times - 1)), {
        "before": spell_large_number(before.operations),
        "pairs": spell_large_number(before.compared),
        "after": spell_large_number(after.operations),
        "times": f"{times:.0f}",
    }
