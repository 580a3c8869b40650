"""Error against width: by the truth, and by leaving each point out."""

from functools import partial

from explorer.attention.kernels import regress_widths
from explorer.lessons import kernel_regression as lesson
from explorer.lessons.kernel_regression import readings
from explorer.lessons.kernel_regression.figures import widths
from explorer.lessons.kernel_regression.ui import controls as widgets
from explorer.records.language import t
from explorer.ui import cache
from explorer.ui.scene import picture

CODE = (regress_widths,)


def controls() -> lesson.Params:
    """The width; noise and number of points, which decide, in the fold."""
    top, bottom = widgets.positions()
    with bottom:
        data, kernel = widgets.more()
    with top:
        return lesson.Params(data=data, kernel=kernel, width=widgets.width(data))


def stage(params: lesson.Params) -> None:
    """Both errors over the width, the best marked."""
    result = cache.compute(lesson.compute, params)
    picture.show_chart(
        "kr_sweep",
        partial(widths.sweep, result.sweep, params.width),
        title=t("Error against width"),
        reading=readings.describe_sweep(result),
        of=params,
    )
