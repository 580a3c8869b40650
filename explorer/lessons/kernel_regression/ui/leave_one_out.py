"""“Why leave the sample out”: both ways of learning on the same points."""

from functools import partial

from explorer.lessons import kernel_regression as lesson
from explorer.lessons.kernel_regression import learned_readings
from explorer.lessons.kernel_regression.compute import learned_fit
from explorer.lessons.kernel_regression.figures import fit as curves
from explorer.lessons.kernel_regression.learned_bandwidth import loss_of_width
from explorer.lessons.kernel_regression.ui import controls as widgets, tables
from explorer.records.language import t
from explorer.ui import cache, choice
from explorer.ui.scene import picture, rail

CODE = (loss_of_width,)


def controls() -> lesson.Params:
    """Ask how long and how fast to learn; points and kernel in the fold."""
    rate, epochs = choice.ask("kr_rate"), choice.ask("kr_epochs")
    top, bottom = widgets.positions()
    with bottom, rail.more():
        steps, kernel, data = choice.ask("kr_steps"), widgets.kernel(), widgets.points()
    with top:
        start = choice.ask("kr_start")
    fit = widgets.learning(data, learning_rate=rate, epochs=epochs, start=start, steps=steps)
    return lesson.Params(data=data, kernel=kernel, learning=fit)


def stage(params: lesson.Params) -> dict[str, str]:
    """Two fits, each at the width that its way of learning found."""
    result = cache.compute(lesson.compute, params)
    left, kept = (learned_fit(params.data, way) for way in (result.learning, result.contrast))
    picture.show_chart(
        "kr_copying",
        partial(curves.draw_two_fits, kept, left, names=(t("each point kept in"), t("each point left out"))),
        title=t("Two curves from one lesson"),
        note=t("after the last epoch"),
        reading=learned_readings.describe_copying(result.contrast, result.learning),
        table=lambda: tables.learning(result.learning, result.contrast),
        provenance=result.contrast.provenance,
        of=params,
    )
    return learned_readings.said_leave_one_out(result)
