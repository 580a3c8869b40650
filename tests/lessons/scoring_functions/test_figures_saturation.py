import numpy as np

from explorer.lessons.scoring_functions import readings, saturation as saturation_of_lesson
from explorer.lessons.scoring_functions.figures import saturation

NAMES, MEASURES = readings.names(), readings.measure_names()


def test_four_measures_of_every_function_and_the_theory() -> None:
    record = saturation_of_lesson.saturation(saturation_of_lesson.Draws(n_keys=4))
    figure = saturation.lengths(record, names=NAMES, measures=MEASURES)
    assert len(figure.data) == 4 * 4 + 4
    by_axis = {trace.yaxis: np.asarray(trace.y) for trace in figure.data if trace.name == "cosine"}
    for axis, measure in zip(("y", "y2", "y3", "y4"), ("variance", "entropy", "largest", "gradient"), strict=True):
        np.testing.assert_array_equal(by_axis[axis], getattr(record, measure)[record.scorers.index("cosine")])
    theory = [trace for trace in figure.data if trace.name == "theory"]
    assert [list(trace.y) for trace in theory] == record.expected_variance.tolist()
    assert all(trace.yaxis == "y" for trace in theory)
    assert all(list(trace.x) == list(record.lengths) for trace in figure.data)


def test_dot_and_scaled_dot_are_shown_and_the_others_wait_in_the_legend() -> None:
    figure = saturation.lengths(
        saturation_of_lesson.saturation(saturation_of_lesson.Draws(n_keys=2)), names=NAMES, measures=MEASURES
    )
    shown = {trace.legendgroup for trace in figure.data if trace.visible is True}
    assert shown == set(saturation.SHOWN)
    assert sum(trace.showlegend for trace in figure.data) == 5
