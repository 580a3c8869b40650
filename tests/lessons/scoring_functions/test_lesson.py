import math
import re
from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
import torch

from explorer.attention import scoring
from explorer.lessons import scoring_functions as lesson
from explorer.lessons.scoring_functions import learned_readings, readings, saturation, state
from explorer.lessons.scoring_functions.fitted_scorers import Fit, fit
from explorer.records.language import speaking
from explorer.records.scoring import FittedScorersRecord
from explorer.records.wording import percent
from tests.support.figures import CHINESE


@pytest.fixture(scope="module")
def result() -> lesson.Result:
    return lesson.compute(lesson.Params())


@pytest.fixture(scope="module")
def fitted() -> FittedScorersRecord:
    return fit(Fit())


def test_every_function_scores_the_same_vectors(result: lesson.Result) -> None:
    assert tuple(record.name for record in result.records) == scoring.NAMES
    assert result.refused == ()
    query, key, value = (each.double().numpy() for each in lesson_draw(result.params))
    for record in result.records:
        np.testing.assert_allclose(record.weights.sum(-1), 1, rtol=1e-6)
        np.testing.assert_allclose(record.output, record.weights @ value, rtol=1e-4, atol=1e-6)
        shifted = np.exp(record.scores - record.scores.max(-1, keepdims=True))
        np.testing.assert_allclose(record.weights, shifted / shifted.sum(-1, keepdims=True), rtol=1e-4, atol=1e-7)
    np.testing.assert_allclose(result.record("dot").scores, query @ key.T, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(result.record("scaled_dot").scores, query @ key.T / 4, rtol=1e-4, atol=1e-5)


def lesson_draw(params: lesson.Params) -> tuple[torch.Tensor, ...]:
    from explorer.lessons.scoring_functions.compute import draw

    return draw(params)


def test_measures_are_those_of_the_numbers_shown(result: lesson.Result) -> None:
    for record in result.records:
        weights = record.weights.astype(np.float64)
        jacobians = [np.diag(row) - np.outer(row, row) for row in weights]
        measures = record.measures
        assert measures.variance == pytest.approx(float(record.scores.astype(np.float64).var()), rel=1e-6)
        assert measures.entropy == pytest.approx(float(-(weights * np.log(weights)).sum(-1).mean()), rel=1e-5)
        assert measures.largest == pytest.approx(float(weights.max(-1).mean()), rel=1e-6)
        assert measures.gradient == pytest.approx(float(np.mean([np.linalg.norm(j) for j in jacobians])), rel=1e-5)


def test_temperature_divides_scores_before_the_softmax(result: lesson.Result) -> None:
    cold = lesson.compute(lesson.Params(temperature=0.25))
    for record in cold.records:
        assert np.array_equal(record.scores, result.record(record.name).scores)
        assert record.measures.entropy < result.record(record.name).measures.entropy
    np.testing.assert_allclose(cold.record("scaled_dot").weights, result.record("dot").weights, atol=1e-6)


def test_valid_lengths_hide_keys_and_the_last_one_holds_for_the_rest() -> None:
    masked = lesson.compute(lesson.Params(valid_lengths=(3, 0, 20)))
    for record in masked.records:
        assert (record.weights[0, 3:] == 0).all()
        assert record.weights[0, :3].sum() == pytest.approx(1)
        assert (record.weights[1] == 0).all()
        assert (record.output[1] == 0).all()
        assert (record.weights[2:] > 0).all()
        seen = record.scores[record.attention.allowed].astype(np.float64)
        assert record.measures.variance == pytest.approx(float(seen.var()), rel=1e-6)
        rows = record.weights[[0, 2, 3]].max(-1)
        assert record.measures.largest == pytest.approx(float(rows.mean()), rel=1e-6)


def test_nothing_to_attend_to_is_still_a_result() -> None:
    empty = lesson.compute(lesson.Params(valid_lengths=(0,)))
    for record in empty.records:
        assert not record.weights.any()
        assert record.measures.entropy == record.measures.largest == record.measures.variance == 0
    assert "masked" in readings.describe_function(empty, lesson.View())
    for measure in readings.MEASURES:
        said = readings.describe_measure(empty, lesson.View(measure=measure))
        assert ("Every key is masked" in said) == (measure not in {"parameters", "flops"})
    for shown in ("scores", "weights", "output"):
        assert "Every key is masked" in readings.describe_montage(empty, lesson.View(shown=shown))


def test_different_lengths_are_refused_where_they_must_and_scored_where_they_can() -> None:
    result = lesson.compute(lesson.Params(d_query=16, d_key=5))
    assert tuple(record.name for record in result.records) == scoring.ANY_LENGTH
    assert set(result.refused) == set(scoring.NAMES) - set(scoring.ANY_LENGTH)
    said = readings.refusal(result)
    assert "16" in said
    assert " 5." in said
    assert "cosine" in said
    assert result.record("dot").name == "general"
    assert "not measured" in readings.said_identities(result)["gaussian_is_dot"]
    assert readings.refusal(lesson.compute(lesson.Params())) == ""


@pytest.mark.parametrize(("d", "n_keys"), [(2, 2), (512, 32)])
def test_both_ends_of_every_size(d: int, n_keys: int) -> None:
    result = lesson.compute(lesson.Params(d_query=d, d_key=d, n_keys=n_keys, temperature=0.1))
    assert len(result.records) == 7
    assert all(math.isfinite(record.measures.gradient) for record in result.records)


def test_longer_vectors_and_more_keys_begin_with_the_ones_that_were_there() -> None:
    short, long = (lesson_draw(lesson.Params(d_query=d, d_key=d, n_keys=n)) for d, n in ((8, 4), (64, 20)))
    assert torch.equal(long[0][:, :8], short[0])
    assert torch.equal(long[1][:4, :8], short[1])
    assert torch.equal(long[2][:4], short[2])


def test_seeds_differ_and_repeat(result: lesson.Result) -> None:
    assert np.array_equal(lesson.compute(lesson.Params()).record("general").scores, result.record("general").scores)
    other = lesson.compute(lesson.Params(seed=1))
    assert not np.array_equal(other.record("general").scores, result.record("general").scores)
    assert not np.array_equal(other.record("dot").scores, result.record("dot").scores)


@pytest.mark.parametrize("params", [lesson.Params(), lesson.Params(d_query=256, d_key=256, temperature=0.5, seed=3)])
def test_identities_hold_to_rounding(params: lesson.Params) -> None:
    found = lesson.compute(params).identities
    for name in ("concat_is_additive", "projecting_is_general", "gaussian_is_dot", "equal_norms"):
        assert getattr(found, name) < 1e-10, name


@pytest.mark.parametrize(
    "wrong",
    [
        {"d_query": 1},
        {"d_key": 513},
        {"n_keys": 33},
        {"temperature": 0.0},
        {"temperature": math.nan},
        {"valid_lengths": (-1,)},
    ],
)
def test_impossible_parameters_are_refused(wrong: dict) -> None:
    with pytest.raises(ValueError, match="must"):
        lesson.Params(**wrong)


def test_valid_lengths_are_read_as_people_write_them() -> None:
    assert state.parse_valid_lengths("") == ()
    assert state.parse_valid_lengths(" 3, 5,8 ") == (3, 5, 8)
    assert state.parse_valid_lengths("3，5、8 0") == (3, 5, 8, 0)


@pytest.mark.parametrize("text", ["x", "-1", "1.5", "1,2,3,4,5", "²", "٣", "99999", "1e3", "<script>"])
def test_other_valid_lengths_are_refused(text: str) -> None:
    with pytest.raises(state.ValidLengthsError, match="whole numbers"):
        state.parse_valid_lengths(text)


def test_saturation_follows_the_law() -> None:
    """Variances over 4,096 pairs that share their queries and keys' draws: 15 % is beyond five standard errors."""
    record = saturation.saturation(saturation.Draws())
    np.testing.assert_allclose(record.variance[:, 1:] / record.expected_variance[:, 1:], 1, atol=0.15)
    assert record.lengths == (2, 4, 8, 16, 32, 64, 128, 256, 512)
    assert record.at("expected_variance", "dot", 512) == 512
    dot, scaled = (record.scorers.index(name) for name in ("dot", "scaled_dot"))
    assert (np.diff(record.entropy[dot]) < 0).all()
    assert record.at("gradient", "dot", 512) < 0.25 * record.at("gradient", "scaled_dot", 512)
    assert np.ptp(record.largest[scaled]) < 0.05


def test_saturation_is_repeatable_and_depends_on_what_it_says() -> None:
    first, second = saturation.saturation(saturation.Draws(n_keys=4)), saturation.saturation(saturation.Draws(n_keys=4))
    assert np.array_equal(first.gradient, second.gradient)
    warm = saturation.saturation(saturation.Draws(n_keys=4, temperature=3.0))
    assert np.array_equal(warm.variance, first.variance)
    assert (warm.entropy > first.entropy).all()
    assert saturation.Draws(n_keys=4).count * 4 == 4096
    with pytest.raises(ValueError, match="keys"):
        saturation.Draws(n_keys=1)


def test_readings_say_the_extremes(result: lesson.Result) -> None:
    largest = {record.name: record.measures.largest for record in result.records}
    said = readings.describe_montage(result, lesson.View())
    names = readings.names()
    assert names[max(largest, key=largest.__getitem__)] in said.split(";")[0]
    assert names[min(largest, key=largest.__getitem__)] in said.split(";")[1]
    assert f"{max(largest.values()):.3g}" in said


def test_reading_of_one_function_names_its_largest_weight(result: lesson.Result) -> None:
    record = result.record("dot")
    row, column = np.unravel_index(record.weights.argmax(), record.weights.shape)
    said = readings.describe_function(result, lesson.View(function="dot"))
    assert f"q{row + 1} looks" in said
    assert f"k{column + 1}:" in said
    assert f"{record.weights.max():.3f}" in said


def test_reading_of_an_output_is_about_outputs(result: lesson.Result) -> None:
    view = lesson.View(shown="output", function="dot")
    lengths = np.linalg.norm(result.record("dot").output, axis=-1)
    said = readings.describe_function(result, view)
    assert f"{lengths.max():.3g}; the shortest" in said
    assert said.endswith(f"{lengths.min():.3g}.")


def test_reading_of_flops_compares_the_two_forms_of_one_network(result: lesson.Result) -> None:
    ratio = result.record("concat").measures.flops / result.record("additive").measures.flops
    assert f"{ratio:.1f} times" in readings.describe_measure(result, lesson.View(measure="flops"))


def test_every_reading_says_something(result: lesson.Result, fitted: FittedScorersRecord) -> None:
    for shown in get_args(state.Shown):
        assert readings.describe_montage(result, lesson.View(shown=shown)).endswith(".")
    for measure in readings.MEASURES:
        assert readings.describe_measure(result, lesson.View(measure=measure)).endswith(".")
    for reading in (
        learned_readings.describe_moment,
        learned_readings.describe_example,
        learned_readings.describe_bilinear,
    ):
        assert reading(fitted, 0).endswith(".")
    assert set(readings.measure_names()) == set(readings.MEASURES)
    assert set(scoring.NAMES) < set(readings.names()) == set(readings.short_names())


def test_the_answer_is_computed_from_the_correlation(fitted: FittedScorersRecord) -> None:
    general, additive, biased = learned_readings.answer(fitted)
    assert "yes" in general
    assert additive.startswith("additive: no, it did not (correlation 0.000")
    assert biased.startswith("additive with bias: nearly")
    reversed_ = replace(fitted, correlation=np.broadcast_to([1.0, -0.2, 0.5, 0.999], fitted.correlation.shape))
    verdicts = [line.split(": ", 1)[1].split(" (")[0] for line in learned_readings.answer(reversed_)]
    assert verdicts == ["no, it did not", "only in part", "yes, up to a factor it became the dot product"]


def test_readings_speak_the_readers_language(result: lesson.Result) -> None:
    with speaking("zh"):
        assert re.search(CHINESE, readings.describe_function(result, lesson.View()))


def test_readings_of_what_was_measured_say_the_numbers(result: lesson.Result, fitted: FittedScorersRecord) -> None:
    drawn = saturation.saturation(saturation.Draws(n_keys=4))
    kept = drawn.at("gradient", "dot", drawn.lengths[-1]) / drawn.at("gradient", "scaled_dot", drawn.lengths[-1])
    assert f"lets through {kept:.0%} of the gradient" in readings.describe_saturation(drawn)
    said = learned_readings.describe_moment(fitted, 4)
    assert said.startswith("After **20 steps**, share of 1,024 unseen")
    shares = zip(("best", *fitted.scorers), fitted.accuracy[4], strict=True)
    assert said.endswith(f": {', '.join(f'{readings.names()[name]} {percent(share)}' for name, share in shares)}.")
    right = [float(np.trace(weights)) / 8 for weights in fitted.weights[2]]
    assert all(f"{share:.2f}" in learned_readings.describe_example(fitted, 2) for share in right)
    assert f"{fitted.identity_alignment(2):.3f}. The mean" in learned_readings.describe_bilinear(fitted, 2)
    spread = math.exp(result.record("dot").measures.entropy)
    assert f"as over {spread:.1f} equal keys" in readings.describe_function(result, lesson.View(function="dot"))


def test_readings_name_no_winner_where_all_tie(result: lesson.Result) -> None:
    one = lesson.compute(lesson.Params(valid_lengths=(1,)))
    assert readings.describe_montage(one, lesson.View()) == "All functions give the same weights."
    assert readings.describe_montage(one, lesson.View(shown="output")) == "All functions give the same outputs."
    assert readings.describe_measure(one, lesson.View(measure="largest")) == "All functions agree here: 1."
    sure = tuple(replace(each, measures=replace(each.measures, largest=1.0)) for each in result.records)
    said = readings.describe_montage(replace(result, records=sure), lesson.View())
    assert said == "All functions are equally decided: their largest weights average 1.", "not of the same keys"
    most = max(record.measures.parameters for record in result.records)
    tied = [readings.names()[each.name] for each in result.records if each.measures.parameters == most]
    assert len(tied) > 1
    assert f"Highest: {', '.join(tied)}, {most:,}" in readings.describe_measure(
        result, lesson.View(measure="parameters")
    )
