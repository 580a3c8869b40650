"""Each head alone: how much less likely the old translation becomes without it."""

from functools import partial
from typing import cast

from explorer.inference.translator.ablation import without
from explorer.lessons.multi_head import ablation, removal_readings
from explorer.lessons.multi_head.figures import bars
from explorer.lessons.multi_head.ui import controls as widgets, switch_off, tables
from explorer.records.ablation import AblationSweepRecord, How
from explorer.records.language import t
from explorer.ui import cache, choice, job_progress, plot_clicks
from explorer.ui.scene import picture

CODE = (without,)
Chosen = ablation.SweepParams


def controls() -> Chosen:
    """Ask what is done to each head; the sentence in the fold."""
    names = {"off": t("adds nothing"), "uniform": t("looks at all alike")}
    own, result = widgets.own_and_sentence()
    with own:
        how = cast("How", choice.buttons(t("A head switched off"), names, key="mh_how_alone"))
    return ablation.SweepParams(params=result.params, how=how)


def stage(chosen: Chosen) -> None:
    """Draw the map, at once for a short sentence; for a long one as far as it is measured."""
    result = widgets.compute_sentence(chosen.params)
    tables.translation(result)
    if len(result.source_ids) * len(result.target_ids) <= switch_off.CELLS_AT_ONCE:
        _importance(cache.compute(ablation.sweep_all, chosen), chosen)
    else:
        label = t("Switch off every head in turn")
        job_progress.watch("mh_sweep", ablation.sweep, chosen, partial(_importance, chosen=chosen), label=label)


def _importance(record: AblationSweepRecord, chosen: Chosen) -> None:
    picture.show_chart(
        "mh_importance",
        partial(bars.importance, record, names=tables.row_names(record)),
        title=t("What switching off each head alone does to the old translation"),
        reading=removal_readings.describe_sweep(record),
        table=lambda: tables.sweep(record),
        of=(chosen, record.done),
        height=picture.Height(less=53, less_low=89, most=640),
    )
    if record.done == record.total:
        last_row, last_column = len(record.sites) - 1, record.flips.shape[1] - 1

        def switched(position: plot_clicks.Place) -> None:
            row, column = round(position["y"]), round(position["x"])
            switch_off.write([record.head(min(max(row, 0), last_row), min(max(column, 0), last_column))])

        plot_clicks.listen("mh_importance", switched)
