"""Your own data: the fit of the reader's points."""

from explorer.lessons import kernel_regression as lesson
from explorer.lessons.kernel_regression.points_csv import parse_points
from explorer.lessons.kernel_regression.ui import controls as widgets
from explorer.lessons.kernel_regression.ui.one_query import Chosen, stage
from explorer.ui.scene import rail

__all__ = ["CODE", "controls", "stage"]

CODE = (parse_points,)


def controls() -> Chosen:
    """The points, query and width; the kernel in the fold."""
    data = widgets.read_own_points()
    width, query = widgets.width(data), widgets.query(data)
    widgets.back(data)
    with rail.more():
        kernel = widgets.kernel()
    return lesson.Params(data=data, kernel=kernel, width=width), query
