"""Every query: the weight matrix, and the prediction that each of its rows makes."""

from functools import partial

from explorer.attention.kernels import regress
from explorer.lessons import kernel_regression as lesson
from explorer.lessons.kernel_regression import readings
from explorer.lessons.kernel_regression.compute import numbers
from explorer.lessons.kernel_regression.live import matrix
from explorer.lessons.kernel_regression.ui import controls as widgets, weights_map
from explorer.lessons.kernel_regression.ui.one_query import Chosen, ask, controls
from explorer.ui import cache
from explorer.ui.scene import predict

__all__ = ["CODE", "answer", "controls", "stage"]

CODE = (regress,)


def stage(chosen: Chosen) -> dict[str, str]:
    """The matrix with the chosen row, and the curve beside it."""
    params, query = chosen
    result = cache.compute(lesson.compute, params)
    said = readings.said_attention(result, lesson.View(query=query))
    # What is dragged follows within 50 ms, without the server (test_drag_speed.py); Plotly's map waits for it.
    if weights_map.instead("kr_weights_map", result.fit, query, of=chosen, on_click=partial(ask, params.data)):
        return said
    drawn = partial(matrix.pack_matrix, result.fit, query, widgets.widths(params.data), numbers(params.data))
    matrix.PICTURE.show("kr_weights", drawn, tells=widgets.tells(params.data), **weights_map.show_map(result.fit))
    return said


def answer() -> predict.Answer:
    """Say whose weight is spread over more points: the query in the middle, or the one at the edge."""
    fit = cache.compute(lesson.compute, lesson.Params()).fit
    middle, edge = (float(readings.effective(fit)[fit.row(at)]) for at in (2.5, 5.0))
    alike = abs(middle - edge) < 0.1 * max(middle, edge)
    right = "alike" if alike else "middle" if middle > edge else "edge"
    return right, {"middle": f"{middle:.0f}", "edge": f"{edge:.0f}"}
