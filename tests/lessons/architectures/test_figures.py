"""Figures of the page, by structure."""

from dataclasses import replace

import numpy as np
import pytest

from explorer.figures.look import LIGHT
from explorer.lessons import architectures as lesson
from explorer.lessons.architectures import readings
from explorer.lessons.architectures.compute import crossings as crossings_of_lesson, equal_costs, walks
from explorer.lessons.architectures.figures import costs, measured as architectures_measured, paths
from explorer.records.architectures import DRAWN, NAMES, PathRecord
from explorer.records.timing import Crossing
from tests.lessons.architectures.test_lesson import TIMES, N, made_up

PARAMS = lesson.Params()
CURVES = lesson.compute(PARAMS).curves["n"]
SAID = readings.names()


def named(figure, name: str) -> list:
    return [trace for trace in figure.data if trace.name == name]


@pytest.mark.parametrize("quantity", costs.quantities())
def test_costs_draws_a_quantity_of_every_architecture(quantity: str) -> None:
    figure = costs.costs(CURVES, quantity, names=SAID)
    unit = 4 / 2**20 if quantity == "peak" else 1
    (line,) = named(figure, SAID["attention"])
    assert line.y == pytest.approx(unit * CURVES.along(quantity, "attention"))
    assert len(named(figure, SAID["dilated"])) == (quantity == "longest_path")
    assert [shape.x0 for shape in figure.layout.shapes] == [PARAMS.n]
    filled = [trace for trace in figure.data if trace.fill]
    assert len(filled) == (quantity == "operations")


def test_bars_split_the_operations_of_self_attention_alone() -> None:
    found = lesson.compute(PARAMS)
    rest, compared = costs.bars(found.costs, "operations", names=SAID).data
    names = [SAID["attention"], SAID["recurrence"], SAID["convolution"]]
    assert list(costs.bars(found.costs, "operations", names=SAID).layout.yaxis.ticktext) == names
    assert compared.x[0] == 2 * PARAMS.n**2 * PARAMS.d
    assert list(compared.x[1:]) == [0, 0]
    assert rest.x[0] + compared.x[0] == found.cost("attention").operations
    (peak,) = costs.bars(found.costs, "peak", names=SAID).data
    assert peak.x[1] == found.cost("recurrence").peak


def test_speeds_are_counts_over_times() -> None:
    figure = architectures_measured.speed(made_up(PARAMS, TIMES), CURVES, names=SAID)
    (line,) = named(figure, SAID["recurrence"])
    assert line.y == pytest.approx(CURVES.along("operations", "recurrence") / TIMES["recurrence"] / 1e9)


def test_time_draws_median_spread_count_and_both_crossings() -> None:
    record = made_up(PARAMS, TIMES)
    crossings = crossings_of_lesson(record)
    figure = architectures_measured.time(
        record, CURVES, crossings=crossings, equal=equal_costs(PARAMS, "n"), names=SAID
    )
    counted, timed = named(figure, SAID["attention"])
    assert timed.y == pytest.approx(1e3 * TIMES["attention"])
    assert timed.error_y.array == pytest.approx(0.05e3 * TIMES["attention"])
    assert counted.y[-1] == pytest.approx(timed.y[-1])
    assert counted.y[0] / counted.y[-1] == pytest.approx(
        CURVES.along("operations", "attention")[0] / CURVES.along("operations", "attention")[-1]
    )
    measured, said = (trace for trace in figure.data if trace.mode == "markers")
    assert measured.x.tolist() == [crossings["recurrence"].at]
    assert (said.x.tolist(), said.y.tolist()) == ([64.0], [pytest.approx(1e3 * 1e-5 * 64)])


def test_time_passes_over_what_is_not_measured() -> None:
    gone = TIMES | {"attention": np.full(len(N), np.nan), "recurrence": np.where(N < 100, 1e-5 * N, np.nan)}
    figure = architectures_measured.time(
        made_up(PARAMS, gone), CURVES, crossings={"recurrence": None}, equal={"recurrence": 2000.0}, names=SAID
    )
    assert named(figure, SAID["attention"]) == []
    assert named(figure, SAID["recurrence"])[-1].x.tolist() == [16, 32, 64]
    assert all(trace.mode != "markers" for trace in figure.data)


def test_memory_lines_are_formulas_and_points_are_measured() -> None:
    figure = architectures_measured.memory(made_up(PARAMS, TIMES), CURVES, names=SAID)
    assert figure.data[3].y == pytest.approx(4 * 4 * N**2 / 2**20)
    points = [trace for trace in figure.data if trace.mode == "markers"]
    assert len(points) == len(NAMES)
    for line, point in zip(figure.data[:3], points, strict=True):
        assert line.y == pytest.approx(point.y)
        assert line.showlegend
    far = replace(LIGHT, zoom=1.5)
    before_a_room = architectures_measured.memory(made_up(PARAMS, TIMES), CURVES, names=SAID, look=far)
    assert [trace.name for trace in before_a_room.data if trace.showlegend is not False] == ["attention matrices"]


@pytest.mark.parametrize(("source", "target"), [(1, 14), (14, 1), (5, 5), (0, 15)])
@pytest.mark.parametrize("step", [0, 3, 16])
def test_paths_are_drawn_as_far_as_the_signal_has_come(source: int, target: int, step: int) -> None:
    records = {record.name: record for record in walks(PARAMS, source, target)}
    figure = paths.paths(tuple(records.values()), step, names=SAID)
    assert len(figure.data) == 3 * len(DRAWN)
    said = [each.text for each in figure.layout.annotations]
    for place, name in enumerate(("attention", "recurrence", "dilated", "convolution")):
        record = records[name]
        edges, nodes, way = figure.data[3 * place : 3 * place + 3]
        assert len(edges.x) == 3 * len(record.edges)
        assert len(nodes.x) == record.n * record.rows
        arrives = record.waits
        assert (arrives is None) == (len(record.path) == 0)
        assert len(way.x) <= len(record.path)
        if arrives is not None and arrives <= step:
            assert (way.x[0], way.x[-1]) == (source + 1, target + 1)
        elif arrives is not None:
            assert len(way.x) < len(record.path)
    assert sum("no way back" in text for text in said) == sum(not len(each.path) for each in records.values())


def test_a_path_over_an_edge_that_is_not_there_is_refused() -> None:
    edges = np.array([[0, 0, 1, 0]])
    fields = {"name": "convolution", "n": 2, "rows": 2, "edges": edges, "source": 0, "target": 1}
    with pytest.raises(ValueError, match="not there"):
        PathRecord(path=np.array([[0, 0], [1, 1]]), **fields)
    with pytest.raises(ValueError, match="does not join"):
        PathRecord(path=np.array([[0, 0], [1, 0]]), **fields)


def test_a_crossing_that_makes_attention_faster_is_drawn_alike() -> None:
    found = Crossing(at=100.0, value=1e-3, low=90.0, high=110.0, rounds=(3, 3), cheaper_above=True)
    record = made_up(PARAMS, TIMES)
    figure = architectures_measured.time(record, CURVES, crossings={"convolution": found}, equal={}, names=SAID)
    assert figure.data[-1].y.tolist() == [1.0]
    assert "convolution" in figure.data[-1].name
