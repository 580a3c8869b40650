"""The plane, the lanes and the pairs: their numbers, their figures and what is said of them."""

import math

import numpy as np
import pytest

from explorer.lessons import scoring_functions as lesson
from explorer.lessons.scoring_functions import identities, lanes, plane, readings
from explorer.lessons.scoring_functions.compute import ScoredPair, sides
from explorer.lessons.scoring_functions.figures import panels, sides as side_figures
from explorer.lessons.scoring_functions.records import LanesRecord, PlaneRecord
from explorer.lessons.scoring_functions.saturation import Draws


@pytest.fixture(scope="module")
def drawn() -> PlaneRecord:
    return plane.compute(plane.Plane())


def test_scores_in_the_plane_are_those_of_the_formulas(drawn: PlaneRecord) -> None:
    q, k = drawn.query.astype(float), drawn.keys.astype(float)
    products, row = k @ q, dict(zip(drawn.formulas, drawn.scores, strict=True))
    np.testing.assert_allclose(row["dot"], products, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(row["scaled_dot"], products / math.sqrt(2), rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(row["gaussian"], -0.5 * ((k - q) ** 2).sum(-1), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(drawn.weights.sum(-1), 1, rtol=1e-5)
    assert np.linalg.norm(q) == pytest.approx(1.8, rel=1e-5)


def test_the_field_is_the_score_of_a_key_at_that_place(drawn: PlaneRecord) -> None:
    field = drawn.field[drawn.formulas.index("dot")]
    x, y = drawn.axis[70], drawn.axis[20]
    assert field[20, 70] == pytest.approx(float(drawn.query @ np.array([x, y])), abs=1e-4)


def test_keys_equally_long_make_dot_cosine_and_gaussian_choose_alike() -> None:
    even = plane.compute(plane.Plane(even=True))
    np.testing.assert_allclose(np.linalg.norm(even.keys, axis=-1), plane.EVEN, rtol=1e-5)
    assert {even.order(name)[0] for name in ("dot", "scaled_dot", "cosine", "gaussian")} == {"C"}


def test_the_trained_formulas_learn_to_turn_left(drawn: PlaneRecord) -> None:
    right = dict(zip(drawn.formulas, drawn.right, strict=True))
    assert right["additive"] > right["general"] + 0.1
    assert right["general"] > right["dot"] + 0.3
    assert drawn.order("additive")[0] == "D"


def test_nicknames_hold_for_the_query_as_it_first_stands_alone() -> None:
    """As lengths and angles say: B is nearest of all, C points the same way, E the other; turned round, none of it."""
    query, keys = plane.compute(plane.Plane()).query, plane.compute(plane.Plane()).keys
    assert plane.LETTERS[int(np.linalg.norm(keys - query, axis=-1).argmin())] == "B"
    assert plane.LETTERS[int((keys @ query / np.linalg.norm(keys, axis=-1)).argmax())] == "C"
    assert plane.Plane().named
    assert not any(plane.Plane(**other).named for other in ({"turn": 215.0}, {"reach": 3.0}, {"even": True}))


@pytest.fixture(scope="module")
def long() -> LanesRecord:
    return lanes.compute(lanes.Lanes(d=512))


def test_one_lane_is_the_other_over_the_root_of_d(long: LanesRecord) -> None:
    np.testing.assert_allclose(long.scores[1] * math.sqrt(512), long.scores[0], rtol=1e-9)
    exponents = np.exp(long.scores[1, long.chosen] - long.scores[1, long.chosen].max())
    np.testing.assert_allclose(long.weights[1], exponents / exponents.sum(), rtol=1e-6)
    assert (np.diff(long.frozen[0]) > 0).all()
    assert long.left[0, -1] < 0.25 < 0.9 < long.left[1].min()


@pytest.mark.parametrize("wrong", [{"d": 3}, {"which": -1}, {"which": lanes.EXAMPLES}])
def test_other_lanes_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="must be"):
        lanes.Lanes(**wrong)


def test_what_is_said_of_the_lanes_is_what_they_hold() -> None:
    record = lanes.compute(lanes.Lanes(d=16))
    assert "d = 16" in readings.describe_lanes(record)
    assert f"one key takes **{record.weights[0].max():.0%}**" in readings.describe_lanes(record)


@pytest.mark.parametrize(("temperature", "said"), [(1.0, ""), (8.0, "8")])
def test_a_temperature_other_than_one_is_said(temperature: float, said: str) -> None:
    record = lanes.compute(lanes.Lanes(draws=Draws(temperature=temperature)))
    assert (f"temperature of both is **{said}**" in readings.describe_lanes(record)) == bool(said)


@pytest.mark.parametrize("pair", identities.PAIRS)
def test_a_pair_is_the_same_or_is_not_and_is_said_so(pair: str) -> None:
    record = sides(ScoredPair(pair=pair, params=lesson.Params()))
    assert record is not None
    same = pair in identities.SAME
    assert (record.apart < 1e-10) == same
    assert ("The same function" in readings.describe_sides(record)) == same
    figure = side_figures.sides(record, names=readings.pair_names()[pair])
    np.testing.assert_array_equal(figure.data[2].x, record.one.ravel())
    np.testing.assert_array_equal(figure.data[2].y, record.other.ravel())


def test_a_pair_that_needs_one_length_cannot_be_compared() -> None:
    assert sides(ScoredPair(pair="equal_norms", params=lesson.Params(d_key=8))) is None


def test_one_function_shows_scores_weights_and_outputs_and_hatches_the_masked() -> None:
    result = lesson.compute(lesson.Params(valid_lengths=(3,)))
    record = result.record("gaussian")
    maps = [trace for trace in panels.apart(record).data if trace.type == "heatmap"]
    np.testing.assert_array_equal(maps[0].customdata, record.scores)
    np.testing.assert_array_equal(maps[1].z[:, :3], record.weights[:, :3])
    assert np.isnan(maps[1].z[:, 3:]).all()
    np.testing.assert_array_equal(maps[2].customdata, record.output)
    assert len(panels.apart(record).layout.shapes) == 2


def test_the_query_turned_round_is_answered_by_the_key_behind() -> None:
    record = plane.compute(plane.Plane(turn=plane.FIRST[1] + 180.0))
    assert record.order("dot")[0] == record.order("cosine")[0] == "E"
