"""Figures of the page, by what they hold."""

import math

import numpy as np
import pytest
import torch

from explorer.figures.look import LIGHT, drawing_in
from explorer.inference.benchmark import timing
from explorer.lessons import efficient_attention as lesson
from explorer.lessons.efficient_attention import (
    length_sweep,
    measured as of_lesson,
    readings,
    state,
    task,
)
from explorer.lessons.efficient_attention.compute import feature_sweep
from explorer.lessons.efficient_attention.figures import comparison as figures, left_out, maps, measured, trained
from explorer.lessons.efficient_attention.live import at_length
from explorer.records.wording import said_time

NAMES = readings.mechanism_names()


@pytest.fixture(scope="module")
def result() -> lesson.Result:
    return lesson.compute(lesson.Params())


def test_weights_stand_side_by_side_and_the_future_is_empty(result: lesson.Result) -> None:
    record = result.record
    (drawn,) = maps.sheet(((record.exact, record.weights),), (("one", "other"),), record).data
    whole, n = np.asarray(drawn.z), len(record.labels)
    assert (drawn.zmin, drawn.zmax) == (0, 1)
    exact, theirs = whole[-n:, :n], whole[-n:, -n:]
    assert np.nan_to_num(exact) == pytest.approx(np.tril(record.exact))
    assert np.nan_to_num(theirs) == pytest.approx(np.tril(record.weights))
    assert np.isnan(exact[np.triu_indices(n, 1)]).all()


def test_what_a_head_loses_is_drawn_apart_from_what_it_keeps(result: lesson.Result) -> None:
    record = result.record
    kept, lost = (np.asarray(trace.z) for trace in left_out.draw_kept(record).data)
    assert np.isnan(kept[~record.allowed]).all()
    assert kept[record.allowed] == pytest.approx(record.exact[record.allowed])
    assert np.isnan(lost[record.allowed]).all()
    assert np.nansum(lost) == pytest.approx(record.exact[~record.allowed & (record.exact > 0.005)].sum(), rel=1e-4)


def test_the_chosen_pattern_alone_has_colour() -> None:
    record, point = task.read_evaluation()[0], task.point(lesson.Params().variant("window"))
    drawn = left_out.model(record, point, state.SPARSE, names=NAMES)
    lines = {trace.name: trace.line.color for trace in drawn.data if trace.mode != "markers"}
    assert lines.pop(NAMES["window"]) == LIGHT.query
    assert len(set(lines.values())) == 1
    assert set(lines) == {NAMES[each] for each in state.SPARSE} - {NAMES["window"]}
    here = next(trace for trace in drawn.data if trace.name == "chosen")
    assert here.x[0] == point.cells


def test_the_difference_is_centred_on_nothing(result: lesson.Result) -> None:
    drawn, n = maps.difference(result.record), len(result.record.labels)
    (image,) = drawn.data
    assert image.zmin == -image.zmax
    change, lost = (np.nan_to_num(np.asarray(image.z)[-n:, part]) for part in (slice(n), slice(-n, None)))
    assert change + lost == pytest.approx(result.record.weights - result.record.exact, abs=1e-6)
    names = dict(zip(drawn.layout.xaxis.tickvals, drawn.layout.xaxis.ticktext, strict=True))
    assert names[0] == names[image.z.shape[1] - n] == "1 G", "the pointer says the same token in both maps"


def test_few_tokens_are_all_named_and_many_are_counted(result: lesson.Result) -> None:
    assert len(figures.ticks(("a", "a", "b"), "").get("ticktext")) == 3
    assert figures.ticks(result.record.labels, "")["tickvals"] == list(range(0, 88, 8))


def test_errors_are_drawn_for_every_query(result: lesson.Result) -> None:
    output, weight = figures.errors(result.record).data
    assert np.asarray(output.y) == pytest.approx(result.record.output_error)
    assert np.asarray(weight.y) == pytest.approx(result.record.weight_error)


def test_costs_are_bars_against_exact_attention(result: lesson.Result) -> None:
    operations, held, off = figures.costs(result.costs, looked_at="window", names=NAMES).data
    exact = result.costs[0]
    assert np.asarray(operations.x) == pytest.approx([cost.operations / exact.operations for cost in result.costs])
    assert np.asarray(held.x)[0] == 1
    assert np.asarray(off.x) == pytest.approx([cost.output_error for cost in result.costs])


def test_a_decoder_keeps_less_the_fewer_heads_of_keys_there_are(result: lesson.Result) -> None:
    choices = {groups: lesson.compute(lesson.Params(name="grouped", groups=groups)).record.cost for groups in (1, 2, 4)}
    (bars,) = figures.kept_bytes(choices, 2).data
    assert list(bars.y) == pytest.approx([each.kept_bytes / 1024 for each in choices.values()])
    assert bars.y[2] == 4 * bars.y[0]


def test_time_and_memory_as_far_as_they_are_measured() -> None:
    small = length_sweep.LengthSweep(backends=("math",), values=(128, 256, 512), rounds=2)
    *_, last = timing.measure(small, device=torch.device("cpu"))
    names, record = of_lesson.way_names(), last.record
    *lines, dots = measured.time(
        record, 256, of_lesson.time_laws(record), of_lesson.everywhere(record, 256), names=names
    ).data
    assert [each.name for each in lines if "≈" not in each.name] == [names[each] for each in small.names]
    assert list(dots.y) == pytest.approx((1e3 * record.median[:, 1]).tolist())
    memory = measured.memory(record, of_lesson.memory_laws(record), limit_bytes=2.0**28, names=names).layout
    assert (memory.shapes[0].y0, memory.annotations[-1].text) == (256, "allowed: 256 MiB")
    assert memory.annotations[-1].y == pytest.approx(np.log10(256))
    some = of_lesson.only(record, ("plain", "linear"))
    drawn = at_length.pack([of_lesson.everywhere(some, n) for n in measured.LENGTHS], 512, names=names)
    seconds, held, there = drawn["found"][drawn["at"]].T
    assert seconds == pytest.approx(some.median[:, 2])
    assert held == pytest.approx(some.peak_bytes[:, 2])
    assert there.all()
    assert not drawn["found"][-1, :, 2].any()
    assert drawn["times"][drawn["at"]] == [said_time(float(each)) for each in some.median[:, 2]]
    assert all(each.startswith("≈ ") for each in drawn["sizes"][-1])
    assert {*measured.LOOKS} >= {*names}


def test_loss_of_the_model_with_each_mechanism() -> None:
    stored, longer = task.read_evaluation()
    drawn = trained.task(stored, names=NAMES)
    window = next(trace for trace in drawn.data if trace.name == NAMES["window"])
    added = [point.added for point in stored.points if point.name == "window" and point.added > 1e-4]
    assert np.asarray(window.y) == pytest.approx(1 - np.exp(-np.array(added)))
    (bars,) = (trace for trace in drawn.data if trace.type == "bar")
    assert len(bars.x) == sum(point.cells is None for point in stored.points)
    curve, exact = trained.longer(longer).data
    assert len(curve.x) == len(longer.points)
    assert exact.y[0] == math.exp(longer.exact)


def test_the_error_over_the_features_has_its_reach_and_the_law_beside_it() -> None:
    sweep = feature_sweep(state.QKVSource())
    *lines, law = figures.features(sweep, 16).data
    for line, median, drawn in zip(lines, sweep.median, sweep.errors, strict=True):
        np.testing.assert_allclose(line.y, median)
        np.testing.assert_allclose(line.y + line.error_y.array, drawn.max(0), rtol=1e-5)
        np.testing.assert_allclose(line.y - line.error_y.arrayminus, drawn.min(0), rtol=1e-5)
        assert line.marker.size[sweep.features.index(16)] == max(line.marker.size)
    np.testing.assert_allclose(np.diff(np.log(law.y)) / np.diff(np.log(law.x)), -0.5)


def test_charts_of_what_training_without_a_mechanism_costs_stand_close_and_leave_room_for_an_axis() -> None:
    usual, _ = task.read_evaluation()
    with drawing_in(LIGHT):
        layout = trained.task(usual, names=NAMES).layout
    between = layout.yaxis.domain[0] - layout.yaxis2.domain[1]
    on_a_phone, legend = 680, 160
    assert between * (on_a_phone - legend) > 60
    assert between * (layout.height - layout.margin.t) < 110
