"""Sinusoidal codes, their likeness and rotation, and positions that enter the scores."""

import math

import numpy as np
import pytest
import torch

from explorer.attention import positions
from explorer.lessons import positional_encoding as lesson
from explorer.lessons.positional_encoding import Params, View, readings, scores, scores_readings, waves
from explorer.lessons.positional_encoding.scores import Bias, Phase


def test_parameters_are_clamped_to_what_can_be_shown() -> None:
    assert Params(base=-1e999, d_model=-3, length=-1) == Params(base=10.0, d_model=4, length=8)
    assert Params(base=9e99, d_model=999, length=10**9) == Params(base=100_000.0, d_model=128, length=256)
    assert Params(d_model=7).d_model == 6
    assert View(position=999, offset=999) == View(position=255, offset=64)
    assert View(position=3, offset=-20).offset == -3, "no code before the first position"
    assert (Phase(pair=99).pair, Bias(n_heads=0).n_heads, Bias(n_heads=99, head=99).head) == (15, 1, 15)


@pytest.mark.parametrize(("base", "d_model", "length"), [(10_000.0, 32, 64), (10.0, 4, 8), (100_000.0, 128, 256)])
def test_the_matrix_is_the_formula(base: float, d_model: int, length: int) -> None:
    codes = lesson.compute(Params(base=base, d_model=d_model, length=length)).codes
    expected = np.array(
        [
            [(math.sin, math.cos)[k % 2](i / base ** (2 * (k // 2) / d_model)) for k in range(d_model)]
            for i in range(length)
        ]
    )
    np.testing.assert_allclose(codes.code, expected, atol=1e-6)
    assert codes.wavelengths[0] == pytest.approx(2 * math.pi)
    assert codes.wavelengths[-1] == pytest.approx(2 * math.pi * base ** (1 - 2 / d_model))
    for which in (0, 1):
        np.testing.assert_allclose(codes.waves[which][:, [0, -1]], codes.code[[0, -1], which::2].T, atol=1e-5)


def test_the_counter_counts_and_its_waves_start_like_bits() -> None:
    counter = lesson.compute(Params()).counter
    assert [int("".join(map(str, row[::-1])), 2) for row in counter.bits.tolist()] == list(range(32))
    assert list(counter.wavelengths) == sorted(counter.wavelengths)
    assert not counter.below[0].any()
    for wave, length in zip(counter.below.T, counter.wavelengths, strict=True):
        flip = math.ceil(length / 2)
        assert not wave[:flip].any()
        assert wave[flip : 2 * flip - 1].all()


def test_few_pairs_are_not_named_twice() -> None:
    counter = lesson.compute(Params(d_model=4)).counter
    assert counter.pairs == (0, 1)


@pytest.mark.parametrize("params", [Params(), Params(base=10.0, d_model=4, length=8), Params(d_model=128, length=256)])
@pytest.mark.parametrize("position", [0, 10, 255])
def test_likeness_knows_only_the_offset(params: Params, position: int) -> None:
    record = waves.likeness(params, View(position=position))
    assert record.residual < 1e-11
    assert record.pairs_checked == params.length**2
    assert (record.offsets + position).min() == max(0, position - params.length + 1)
    np.testing.assert_allclose(record.products, record.by_offset[-len(record.products) :], atol=1e-11)
    assert record.at(0) == params.d_model / 2
    code = positions.sinusoidal(position + params.length, params.d_model, params.base).numpy()
    np.testing.assert_allclose(record.products, code[position + record.offsets] @ code[position], atol=1e-4)


@pytest.mark.parametrize("offset", [-64, -1, 0, 5, 64])
@pytest.mark.parametrize("params", [Params(), Params(base=10.0, d_model=4, length=8), Params(base=1e5, d_model=128)])
def test_the_rotation_arrives(params: Params, offset: int) -> None:
    view = View(position=100, offset=offset)
    record = waves.rotation(params, view)
    assert record.residual < 1e-12
    code = positions.sinusoidal(200, params.d_model, params.base).numpy()
    for position, points in ((100, record.before), (100 + offset, record.after), (100 + offset, record.turned)):
        expected = [[code[position, 2 * pair + 1], code[position, 2 * pair]] for pair in record.pairs]
        np.testing.assert_allclose(points, expected, atol=1e-5)
    assert record.angle(0) == pytest.approx(math.degrees(offset))


def test_the_residual_would_notice_a_wrong_rotation(monkeypatch: pytest.MonkeyPatch) -> None:
    right = positions.rotation
    monkeypatch.setattr(positions, "rotation", lambda d, offset, base: right(d, offset, base).T)
    assert waves.rotation(Params(), View()).residual > 0.5


def test_six_pairs_from_the_fastest_to_the_slowest_are_drawn() -> None:
    assert waves.drawn_pairs(16) == (0, 3, 6, 9, 12, 15)
    assert waves.drawn_pairs(2) == (0, 1)
    assert [waves.span(position) for position in (0, 63, 64, 255, 319)] == [64, 64, 128, 256, 512]


def test_the_turn_between_query_and_key_is_their_distance() -> None:
    record = scores.phase(Phase(pair=3))
    step = 360 / record.wavelengths[3]
    assert record.degrees[1, 0] == pytest.approx(step)
    np.testing.assert_allclose(np.diagonal(record.degrees, -2), 2 * step)
    np.testing.assert_allclose(record.cosine, np.cos(np.radians(record.degrees)), atol=1e-6)
    assert 0 < record.residual < 1e-14


def test_the_bias_falls_with_the_slope_of_its_head() -> None:
    record = scores.bias(Bias(n_heads=4, head=1))
    assert record.slopes.tolist() == [2**-2, 2**-4, 2**-6, 2**-8]
    assert record.bias[5, 2] == -3 / 16
    assert np.isneginf(record.bias[2, 3])
    np.testing.assert_allclose(np.exp(record.penalties[1]), torch.exp(torch.arange(32) * -(2**-4)).numpy(), rtol=1e-6)
    np.testing.assert_allclose(np.exp(-record.slopes * record.halving), 0.5)


def test_readings_say_the_numbers() -> None:
    params, view = Params(), View()
    result = lesson.compute(params)
    slow = int((result.codes.wavelengths > 64).sum())
    assert f"{slow} of 16 pairs do not come round" in readings.describe_codes(result, 4)
    assert "Every pair comes round" in readings.describe_codes(lesson.compute(Params(base=10.0, length=256)), 4)
    assert "Pair 0 repeats every **6.28** positions" in readings.describe_codes(result, 0)
    assert readings.said_growth(result)["factor"] == f"{10_000 ** (1 / 16):.3g}"
    assert "after 1, 2, 4, 8, 16 rows" in readings.describe_counter(result)
    likeness, rotation = waves.likeness(params, view), waves.rotation(params, view)
    said = readings.describe_turn(rotation, likeness, view.position)
    assert "hands of the first clock stand **286°** apart" in said
    assert "stand **279°** apart" in readings.said_turn(rotation, likeness, -30), "what lies between has no sign"
    assert f"**{likeness.at(5):.2f}**" in said
    assert "scores of head 1 fall by 0.0625" in scores_readings.describe_bias(scores.bias(Bias()))
    assert "every **2.77** positions" in scores_readings.describe_penalties(scores.bias(Bias()))
    assert "The one head" in scores_readings.describe_penalties(scores.bias(Bias(n_heads=1)))
    assert "Pair 0 turns by **57.3°**" in scores_readings.describe_phase(scores.phase(Phase(pair=0)))


def test_the_place_most_alike_is_found_and_is_not_the_place_itself() -> None:
    params = Params(d_model=12)
    codes, likeness = waves.codes(params), waves.likeness(params, View(offset=0))
    products = codes.code @ codes.code[10]
    products[10] = -np.inf
    said = readings.describe_place(codes, likeness, 10)
    assert f"that of position {int(products.argmax())} (similarity **{products.max() / 6:.2f}**" in said


@pytest.mark.parametrize(("value", "said"), [(0.0, "0"), (4.9e-7, "5·10⁻⁷"), (2e-15, "2·10⁻¹⁵")])
def test_a_residual_is_written_as_people_write_it(value: float, said: str) -> None:
    assert readings.tiny(value) == said
