"""Curves, bars and maps, by structure."""

from dataclasses import replace

import numpy as np
import pytest

from explorer.lessons.training_lab.figures import curves as figures, map as maps
from explorer.lessons.training_lab.records import LabCurve
from explorer.lessons.training_lab.ui import compare, tables
from explorer.records import Provenance
from explorer.records.training_run import LabFrame, LabPoint

HERE = Provenance(computed_by="test")


def curve(name: str, number: int) -> LabCurve:
    points = tuple(
        LabPoint(
            step=step,
            seconds=step / 10,
            loss=3.0 / (1 + step),
            held_out_loss=4.0 / (1 + step),
            accuracy=step / 100,
            tokens_per_second=9.0,
        )
        for step in (0, 50, 100)
    )
    return LabCurve(name=name, number=number, points=points, provenance=HERE)


@pytest.mark.parametrize("along", ["step", "seconds"])
def test_exactness_and_both_losses_of_every_training(along: str) -> None:
    runs = (curve("<b>one</b>", 0), curve("two", 3))
    figure = figures.curves(runs, along=along)
    assert len(figure.data) == 6
    for run, (exact, held_out, loss) in zip(runs, zip(*[iter(figure.data)] * 3, strict=True), strict=True):
        np.testing.assert_array_equal(exact.x, run.along(along))
        np.testing.assert_array_equal(exact.y, run.along("accuracy"))
        np.testing.assert_array_equal(loss.y, run.along("loss"))
        np.testing.assert_array_equal(held_out.y, run.along("held_out_loss"))
        assert len({trace.line.color for trace in (exact, held_out, loss)}) == 1
        assert (exact.yaxis, held_out.yaxis, loss.yaxis) == ("y", "y2", "y2")
        assert "<b>" not in exact.name
    assert figure.layout.yaxis2.type == "log"
    assert sum(bool(trace.showlegend) for trace in figure.data) == 2


def test_no_training_is_an_empty_frame() -> None:
    assert len(figures.curves(()).data) == 0
    exact = figures.curves((curve("one", 0), curve("two", 1)), loss=False)
    assert [line.yaxis for line in exact.data] == ["y", "y"], "the loss is left out"
    assert exact.layout.annotations[0].text.endswith("99%")
    assert not figures.curves((curve("one", 0),)).layout.showlegend


def test_the_right_cells_are_framed() -> None:
    right, weights = np.eye(3, dtype=bool)[::-1], np.full((3, 3), 1 / 3, np.float32)
    figure = maps.words(weights, "abc", "abc", right=right)
    frames = np.asarray(figure.data[-1].x).reshape(3, 6), np.asarray(figure.data[-1].y).reshape(3, 6)
    centres = [(np.nanmean(y[:4]), np.nanmean(x[:4])) for x, y in zip(*frames, strict=True)]
    np.testing.assert_allclose(centres, np.argwhere(right), atol=1e-6)
    np.testing.assert_array_equal(figure.data[0].z, weights)
    assert len(maps.words(weights, "abc", "abc", right=np.zeros((3, 3), bool)).data) == 2  # the map and its numbers
    assert len(maps.words(np.full((1, 20), 0.05, np.float32), "a", "a" * 20).data) == 1


def test_how_sure_it_is_of_repeated_tokens() -> None:
    sure, none = np.array([0.5, 0.25], np.float32), np.zeros((2, 0), np.float32)
    table = tables.sureness(LabFrame(step=0, output="aa", rows=("a", "a"), sure=sure, weights=none))
    assert table.index.is_unique
    assert table.iloc[:, 0].tolist() == [0.5, 0.25]


def test_bars_are_shares_of_each_length() -> None:
    figure = figures.lengths([("one", 0, {3: (4, 1), 5: (2, 2)}), ("two", 1, {3: (4, 4), 5: (2, 0)})])
    assert [list(bar.y) for bar in figure.data] == [[0.25, 1.0], [1.0, 0.0]]
    assert [list(bar.x) for bar in figure.data] == [[3, 5], [3, 5]]
    assert len({bar.marker.color for bar in figure.data}) == 2


def test_trainings_of_one_name_and_length_have_figures_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    monkeypatch.setattr(compare.runs, "list_runs", lambda: ("one of the reader's",))
    monkeypatch.setattr(compare.picture, "show_chart", lambda *_, of, own, **_more: made.append((repr(of), own)))
    one = curve("reverse", 2)
    other = replace(one, points=tuple(replace(each, accuracy=each.accuracy / 2) for each in one.points))
    for drawn in (one, other, one):
        compare._curves((drawn,), compare.Chosen(pair="own", along="step", loss=True))
    assert made[0] == made[2] != made[1]
    assert all(own for _, own in made)
