"""One query: what it attends to, and what comes of it."""

from functools import partial

import numpy as np

from explorer.attention.kernels import kernel_weights
from explorer.lessons import kernel_regression as lesson
from explorer.lessons.kernel_regression import readings, state
from explorer.lessons.kernel_regression.compute import domain, numbers
from explorer.lessons.kernel_regression.live import regression
from explorer.lessons.kernel_regression.ui import controls as widgets, tables, weights_map
from explorer.records.language import t
from explorer.ui import cache, fields, plot_clicks
from explorer.ui.scene import experiment as trial, predict

CODE = (kernel_weights,)
Chosen = tuple[lesson.Params, float]


def controls() -> Chosen:
    """Query and width; points and kernel in the fold."""
    top, bottom = widgets.positions()
    with bottom:
        data, kernel = widgets.more()
    with top:
        chosen = lesson.Params(data=data, kernel=kernel, width=widgets.width(data)), widgets.query(data)
        widgets.back(data)
    return chosen


def stage(chosen: Chosen) -> dict[str, str]:
    """The fit, the lines to the answer, and the weights below it."""
    params, query = chosen
    result = cache.compute(lesson.compute, params)
    reading, clicked = readings.describe_answer(result.fit, query), partial(ask, params.data)
    if weights_map.instead("kr_fit_map", result.fit, query, reading=reading, of=chosen, on_click=clicked):
        return readings.said_attention(result, lesson.View(query=query))
    regression.PICTURE.show(
        "kr_fit",
        partial(regression.pack_regression, result.fit, query, widgets.widths(params.data), numbers(params.data)),
        tells=widgets.tells(params.data),
        title=t("The fit, and what one query attends to"),
        reading=reading,
        table=lambda: tables.fit(result.fit, query),
        provenance=result.fit.provenance,
    )
    return readings.said_attention(result, lesson.View(query=query))


def ask(data: state.Data, position: plot_clicks.Place) -> None:
    """Ask where the matrix was clicked; in a callback."""
    low, high = domain(data)
    fields.set_values({"kr_query": min(max(position["y"], low), high)})


def answer() -> predict.Answer:
    """Say what the curve becomes at width 5: by how far it moves, and whether always the same way."""
    fit = cache.compute(lesson.compute, lesson.Params(width=5.0)).fit
    low, high = float(fit.prediction.min()), float(fit.prediction.max())
    spread = float(fit.points.y.max() - fit.points.y.min())
    there_and_back = readings.total_variation(fit) > 2 * (high - low)
    right = "flat" if high - low < 0.05 * spread else "jagged" if there_and_back else "slope"
    effective = f"{float(readings.effective(fit).mean()):.0f}"
    numbers = {"low": f"{low:.2f}", "high": f"{high:.2f}", "mean": f"{fit.average:.2f}"}
    return right, {"effective": effective, "n": str(len(fit.points.x)), **numbers}


def experiment() -> trial.BestNumber:
    """Say which width predicts each point best from the others, and what a width costs that is far from it."""
    result = cache.compute(lesson.compute, lesson.Params())
    sweep, points = result.sweep, result.fit.points
    position = sweep.best_leave_one_out
    assert position is not None
    best, errors = round(float(sweep.widths[position]), 2), sweep.leave_one_out
    narrow, wide = (f"{float(np.interp(best * by, sweep.widths, errors)):.2f}" for by in (1 / 3, 3))
    return trial.BestNumber(
        right=best,
        x=sweep.widths,
        y=errors,
        says=t("leave-one-out error"),
        points=(points.x, points.y),
        values={"best": f"{best:.2f}", "error": f"{errors[position]:.2f}", "narrow": narrow, "wide": wide},
        reveals={"kr_width": best},
    )
