"""Figures of the page, by structure."""

import numpy as np
import pytest

from explorer.lessons import architectures as lesson
from explorer.lessons.architectures import readings
from explorer.lessons.architectures.compute import crossings as crossings_of_lesson, equal_costs, walks
from explorer.lessons.architectures.figures import costs as figures_costs, measured as architectures_measured
from explorer.lessons.architectures.live import costs, paths
from explorer.lessons.architectures.state import RANGES, STOPS
from explorer.records.architectures import DRAWN, PathRecord
from explorer.records.timing import Crossing
from tests.lessons.architectures.test_lesson import TIMES, N, made_up

PARAMS = lesson.Params()
CURVES = lesson.compute(PARAMS).curves["n"]
SAID = readings.names()


def named(figure, name: str) -> list:
    return [trace for trace in figure.data if trace.name == name]


@pytest.mark.parametrize("quantity", figures_costs.quantities())
def test_the_costs_are_those_of_every_architecture_at_every_size(quantity: str) -> None:
    drawn = costs.pack(PARAMS, "n", quantity)
    unit = 4 / 2**20 if quantity == "peak" else 1
    there = [RANGES["d"].index(PARAMS.d), STOPS["kernel"].index(PARAMS.kernel), STOPS["heads"].index(PARAMS.heads)]
    for row, name in enumerate(drawn["names"]):
        (kind,) = (kind for kind, said in SAID.items() if said == name)
        assert drawn["counts"][row, :, *there] == pytest.approx(unit * CURVES.along(quantity, kind))
    assert (SAID["dilated"] in drawn["names"]) == (quantity == "longest_path")
    if quantity == "operations":
        assert drawn["compared"][-1, RANGES["n"].index(PARAMS.n), *there] == 2 * PARAMS.n**2 * PARAMS.d
    else:
        assert drawn["compared"] is None


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


def test_one_size_shows_what_was_counted_and_how_long_it_took() -> None:
    record = made_up(PARAMS, TIMES)
    counted, measured = architectures_measured.here(record, CURVES, 4, names=SAID).data
    assert counted.x == pytest.approx([CURVES.along("operations", name)[4] / 1e6 for name in record.names])
    assert measured.x == pytest.approx([1e3 * TIMES[name][4] for name in record.names])


def test_time_passes_over_what_is_not_measured() -> None:
    gone = TIMES | {"attention": np.full(len(N), np.nan), "recurrence": np.where(N < 100, 1e-5 * N, np.nan)}
    figure = architectures_measured.time(
        made_up(PARAMS, gone), CURVES, crossings={"recurrence": None}, equal={"recurrence": 2000.0}, names=SAID
    )
    assert named(figure, SAID["attention"]) == []
    assert named(figure, SAID["recurrence"])[-1].x.tolist() == [16, 32, 64]
    assert all(trace.mode != "markers" for trace in figure.data)


@pytest.mark.parametrize(("source", "target"), [(1, 14), (14, 1), (5, 5), (0, 15)])
def test_a_way_is_drawn_from_word_to_word_as_its_nodes_are_computed(source: int, target: int) -> None:
    records = walks(PARAMS, source, target)
    drawn = paths.pack(records)
    assert [each["name"] for each in drawn["networks"]] == list(paths.SHOWN)
    assert {*paths.SHOWN} == {*DRAWN}
    for record in records:
        edges, nodes, way = (drawn["arrays"][f"{record.name}_{part}"] for part in ("edges", "nodes", "path"))
        assert len(edges) == len(record.edges)
        assert len(nodes) == record.n * record.rows
        assert (record.waits is None) == (len(way) == 0)
        if record.waits is not None:
            assert (way[0, 1], way[-1, 1]) == (source, target)
            assert (np.diff(way[:, 2]) >= 0).all()
            assert way[-1, 2] == record.waits


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
