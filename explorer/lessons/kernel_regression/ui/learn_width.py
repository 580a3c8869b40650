"""Learn the width: the error by epoch, and the fit at the epoch that is shown."""

from functools import partial

import streamlit as st

from explorer.lessons import kernel_regression as lesson
from explorer.lessons.kernel_regression import learned_readings
from explorer.lessons.kernel_regression.compute import at_epoch, numbers
from explorer.lessons.kernel_regression.figures import matrix
from explorer.lessons.kernel_regression.learned_bandwidth import learn_width
from explorer.lessons.kernel_regression.live import learning
from explorer.lessons.kernel_regression.ui import controls as widgets, tables
from explorer.records.language import t
from explorer.scenes.kernel_regression import LEARN_WIDTH, LESSON
from explorer.ui import cache, choice
from explorer.ui.live.told import Index, Link, Told
from explorer.ui.scene import heat_map, predict, rail

CODE = (learn_width,)
Chosen = tuple[lesson.Params, int, bool]


def controls() -> Chosen:
    """Epoch and the two switches; the rest in the fold."""
    top, bottom = widgets.positions()
    with bottom, rail.more():
        rate, epochs, drawn = choice.ask("kr_rate"), choice.ask("kr_epochs"), choice.ask("kr_drawn")
        start, summed, steps = choice.ask("kr_start", disabled=drawn), choice.ask("kr_sum"), choice.ask("kr_steps")
        kernel, data = widgets.kernel(), widgets.points()
    with top:
        slot = st.container()
        fit = widgets.learning(
            data,
            learning_rate=rate,
            leave_one_out=choice.ask("kr_leave"),
            epochs=epochs,
            start=start,
            drawn=drawn,
            summed=summed,
            steps=steps,
        )
        params = lesson.Params(data=data, kernel=kernel, learning=fit)
        with slot:
            epoch = widgets.epoch(cache.compute(lesson.compute, params).learning.epochs)
        every = choice.ask("kr_every")
        widgets.back(data)
    return params, epoch, every


def stage(chosen: Chosen) -> dict[str, str]:
    """The error by epoch, with loss and w where they are asked for; beside it the curve."""
    params, epoch, every = chosen
    result = cache.compute(lesson.compute, params)
    fit, view = at_epoch(result, epoch), lesson.View(epoch=epoch)
    contrast = result.contrast if predict.is_settled(LESSON, LEARN_WIDTH) else None
    said = {"said": learned_readings.describe_learning(result, view)}
    if heat_map.instead(
        "kr_learned_map",
        partial(matrix.weights, fit),
        title=t("The weight matrix after epoch {epoch}").format(epoch=epoch),
        reading=learned_readings.describe_epoch(result, epoch),
        of=chosen,
    ):
        return said
    known = (result.fit, result.learning, contrast, view.epoch, numbers(params.data))
    drawn = partial(learning.pack_learning, *known, every=every)
    with st.container(key="kr_learning"):
        tells: dict[str, Told] = {"epoch": Link("kr_epoch", Index(result.learning.epochs + 1)), "point": widgets.POINT}
        learning.PICTURE.draw("kr_learning_live", drawn, tells=tells)
        first, second = st.columns(2, gap="medium")
        with first:
            learning.PICTURE.remark(
                "kr_learned_fit",
                drawn,
                title=t("The fit after epoch {epoch}").format(epoch=epoch),
                reading=learned_readings.describe_epoch(result, epoch),
                table=lambda: tables.fit(fit),
                provenance=fit.provenance,
                on_paper=False,
            )
        with second:
            learning.PICTURE.remark(
                "kr_learning",
                drawn,
                title=t("Learning the width, epoch by epoch"),
                reading=learned_readings.describe_learned(result, epoch),
                table=lambda: tables.learning(result.learning, contrast),
                provenance=result.learning.provenance,
            )
    return said


def answer() -> predict.Answer:
    """Say where the width goes from its start, and what becomes of the error against the truth."""
    way = cache.compute(lesson.compute, lesson.Params()).learning
    assert way.against_truth is not None, "the truth of the points that are drawn is known"
    before, after = (float(way.widths[epoch]) for epoch in (0, -1))
    right = "smaller" if after < 0.9 * before else "larger" if after > 1.1 * before else "same"
    numbers = {"before": before, "after": after, "wrong": way.against_truth[0], "less": way.against_truth[-1]}
    return right, {name: f"{value:.2g}" for name, value in numbers.items()}
