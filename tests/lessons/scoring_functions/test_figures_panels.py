from typing import get_args

import numpy as np
import pytest

from explorer.figures import theme
from explorer.lessons import scoring_functions as lesson
from explorer.lessons.scoring_functions import readings, state
from explorer.lessons.scoring_functions.figures import panels
from explorer.lessons.scoring_functions.fitted_scorers import Fit, fit

NAMES = readings.names()


def said(name: str) -> str:
    return theme.label(NAMES[name], None)


@pytest.fixture(scope="module")
def result() -> lesson.Result:
    return lesson.compute(lesson.Params(valid_lengths=(3, 8)))


def test_seven_functions_are_one_trace_of_float32(result: lesson.Result) -> None:
    figure = panels.scoring(result.records, shown="weights", names=NAMES)
    assert len(figure.data) == 1
    trace = figure.data[0]
    assert trace.z.dtype == np.float32
    assert (trace.zmin, trace.zmax) == (0, 1)
    assert [each.text for each in figure.layout.annotations] == [said(record.name) for record in result.records]


def test_every_tile_holds_its_function_and_forbidden_cells_stay_empty(result: lesson.Result) -> None:
    trace = panels.scoring(result.records, shown="weights", names=NAMES).data[0]
    for number, record in enumerate(result.records):
        top, left = number // 4 * (4 + panels.GAP), number % 4 * 9
        tile = trace.z[top : top + 4, left : left + 8]
        assert np.isnan(tile[0, 3:]).all()
        np.testing.assert_array_equal(tile[1:], record.weights[1:])
        assert trace.customdata[top + 1, left + 2].tolist()[:3] == [said(record.name), "q2", "k3"]
        assert float(trace.customdata[top + 1, left + 2][3]) == pytest.approx(float(record.weights[1, 2]), rel=1e-3)


def test_scores_are_coloured_by_each_functions_own_reach_and_say_it(result: lesson.Result) -> None:
    figure = panels.scoring(result.records, shown="scores", names=NAMES)
    trace = figure.data[0]
    assert (trace.zmin, trace.zmax) == (-1, 1)
    for number, record in enumerate(result.records):
        top, left = number // 4 * (4 + panels.GAP), number % 4 * 9
        tile = trace.z[top : top + 4, left : left + 8]
        assert np.nanmax(np.abs(tile)) == pytest.approx(1)
        reach = float(np.abs(record.scores[record.attention.allowed]).max())
        assert f"±{reach:.3g}" in figure.layout.annotations[number].text
        assert float(trace.customdata[top, left][3]) == pytest.approx(float(record.scores[0, 0]), rel=1e-3)


def test_outputs_share_one_scale(result: lesson.Result) -> None:
    trace = panels.scoring(result.records, shown="output", names=NAMES).data[0]
    reach = max(float(np.abs(record.output).max()) for record in result.records)
    np.testing.assert_allclose(trace.z[:4, :4] * reach, result.records[0].output, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("shown", get_args(state.Shown))
def test_everything_masked_can_still_be_drawn(shown) -> None:
    empty = lesson.compute(lesson.Params(valid_lengths=(0,)))
    assert len(panels.scoring(empty.records, shown=shown, names=NAMES).data) == 1
    assert panels.apart(empty.records[0]).data[0].z.shape[0] == 4


def test_names_cannot_smuggle_markup(result: lesson.Result) -> None:
    names = dict.fromkeys(NAMES, "<script>")
    figure = panels.scoring(result.records, shown="weights", names=names)
    assert "<script>" not in figure.to_json()


def test_fitted_scorers_stand_two_by_two_with_the_reference_first() -> None:
    record = fit(Fit())
    figure = panels.draw_fitted(record, 3, names=NAMES)
    np.testing.assert_array_equal(figure.data[0].z[:8, :8], record.weights[3, 0])
    np.testing.assert_array_equal(figure.data[0].z[8 + panels.GAP :, 9:], record.weights[3, 3])
    assert figure.layout.annotations[0].text == said("best")
