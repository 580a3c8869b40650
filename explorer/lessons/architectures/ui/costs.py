"""What it costs: one count along n or d, and the same at the reader's sizes as bars."""

from dataclasses import dataclass
from functools import partial

import streamlit as st

from explorer.attention.architectures_cost import cost
from explorer.lessons import architectures as lesson
from explorer.lessons.architectures import readings
from explorer.lessons.architectures.figures import costs as figures
from explorer.lessons.architectures.ui import controls as widgets, costs_live, tables
from explorer.records.wording import begun, large
from explorer.ui import cache, choice, tables as shared_tables
from explorer.ui.language import t
from explorer.ui.scene import picture, predict

CODE = (cost,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Sizes, the one that grows, and what is counted."""

    params: lesson.Params
    axis: str
    counted: str


def controls() -> Chosen:
    """Ask for the sizes, and what is counted."""
    above = st.container()
    params, axis = widgets.sizes()
    with above:
        names = figures.quantities(t)
        counted = choice.select(t("Counted"), names, key="ar_counted")
    return Chosen(params=params, axis=axis, counted=counted)


def stage(chosen: Chosen) -> dict[str, str]:
    """Draw the count along an axis, and beside it the same at the reader's sizes."""
    result = cache.compute(lesson.compute, chosen.params)
    if chosen.counted == "operations":
        reading = readings.describe_costs(result, chosen.axis, t)
    else:
        reading = readings.describe_counted(result, chosen.counted, t)
    curves, names = result.curves[chosen.axis], readings.names(t)
    with st.container(key="ar_costs"):
        costs_live.draw(chosen.params, chosen.axis, chosen.counted, key="ar_costs_live")
        picture.remark(
            "ar_costs",
            partial(figures.costs, curves, chosen.counted, names=names, t=t),
            title=begun(figures.quantities(t)[chosen.counted]),
            reading=reading,
            table=lambda: tables.costs(curves),
            provenance=curves.provenance,
        )
    picture.remark(
        "ar_bars",
        partial(figures.bars, result.costs, chosen.counted, names=names, t=t),
        title=t("At n = {n}, d = {d}").format(n=chosen.params.n, d=chosen.params.d),
        reading=(readings.describe_kept if chosen.counted == "peak" else readings.describe_pairs)(result, t),
        table=lambda: tables.costs(curves),
        provenance=curves.provenance,
    )
    return {"table": shared_tables.markdown(readings.said_costs(result, t))}


def answer() -> predict.Answer:
    """Say how much more self-attention costs on the longer text."""
    before, after = (lesson.compute(lesson.Params(n=n, d=512)).cost("attention") for n in (256, 4096))
    times = after.operations / before.operations
    return min(("16", "64", "256"), key=lambda each: abs(int(each) / times - 1)), {
        "before": large(before.operations, t),
        "pairs": large(before.compared, t),
        "after": large(after.operations, t),
        "times": f"{times:.0f}",
    }
