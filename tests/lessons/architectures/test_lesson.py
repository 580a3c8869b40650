"""The page's fits and crossings on made-up data, and its sentences against the numbers."""

from dataclasses import replace

import numpy as np
import pytest

from explorer.attention.architectures_cost import cost
from explorer.inference.benchmark.power_law import counted_law, crossing, power_law
from explorer.inference.benchmark.timing import Sweep, measure
from explorer.lessons import architectures as lesson
from explorer.lessons.architectures import readings, state, why_not_as_counted
from explorer.lessons.architectures.compute import crossings, fits, glance, walks
from explorer.records import Provenance
from explorer.records.architectures import DRAWN, NAMES, LayerSizes
from explorer.records.language import speaking
from explorer.records.timing import TimingRecord
from explorer.records.wording import FLOAT, said_size, spell_large_number

N = np.array(state.RANGES["n"], float)


def made_up(params: lesson.Params, seconds: dict[str, np.ndarray], *, fresh: float = np.nan) -> TimingRecord:
    """A record whose three layers take these seconds along n; three rounds, the outer ones 10 % off."""
    times = np.stack([seconds[name] for name in NAMES])
    peak = np.array([[4.0 * cost(name, sizes).peak for sizes in params.sweep("n").sizes] for name in NAMES])
    return TimingRecord(
        names=NAMES,
        axis="n",
        values=state.RANGES["n"],
        seconds=np.stack([0.9 * times, times, 1.1 * times], -1),
        peak_bytes=peak,
        fresh_bytes=np.full(peak.shape, fresh),
        left_out=tuple(("",) * len(N) for _ in NAMES),
        provenance=Provenance(computed_by="a test"),
    )


TIMES = {"convolution": 1e-7 * N, "recurrence": 1e-5 * N, "attention": 1e-4 + 2e-8 * N**2}


@pytest.mark.parametrize("exponent", [0.0, 1.0, 2.5])
def test_the_exponent_of_a_power_is_found(exponent: float) -> None:
    law = power_law(N, 3e-6 * N**exponent)
    assert law.exponent == pytest.approx(exponent, abs=1e-9)
    assert law.factor == pytest.approx(3e-6)


def test_the_exponent_leaves_the_flat_lower_half_out() -> None:
    law = power_law(N, np.maximum(1e-3, 1e-3 * N / 256))
    assert (law.first, law.last, law.points) == (256, 4096, 5)
    assert law.exponent == pytest.approx(1.0)


def test_the_exponent_passes_over_what_is_not_measured() -> None:
    values = 1e-6 * N**2
    values[[1, 7, 8]] = np.nan
    law = power_law(N, values)
    assert (law.first, law.last, law.points) == (256, 1024, 3)
    assert law.exponent == pytest.approx(2.0)
    values[2:] = np.nan
    assert power_law(N, values) is None


def test_a_crossing_is_found_between_the_sizes() -> None:
    slow, steep = np.tile(5e-3 * N[:, None], 3), np.tile(1e-5 * N[:, None] ** 2, 3)  # equal at n = 500
    found = crossing(N, steep, slow)
    assert found.at == pytest.approx(500)
    assert (found.low, found.high) == (pytest.approx(500), pytest.approx(500))
    assert found.value == pytest.approx(2.5)
    assert not found.cheaper_above
    assert crossing(N, slow, steep).cheaper_above
    assert found.rounds == (3, 3)


def test_a_crossing_has_the_spread_of_its_rounds() -> None:
    steep = 1e-5 * N[:, None] ** 2 * np.array([0.5, 1.0, 1.0, 2.0])
    found = crossing(N, steep, np.tile(5e-3 * N[:, None], 4))
    assert found.at == pytest.approx(500)
    assert found.low == pytest.approx(np.quantile([1000, 500, 500, 250], 0.25))
    assert found.high == pytest.approx(np.quantile([1000, 500, 500, 250], 0.75))


def test_rounds_that_do_not_cross_count_as_crossing_at_the_end() -> None:
    flat = np.tile(5e-3 * N[:, None], 5)
    for factor, end in ((1e-6, N[-1]), (1e6, N[0])):  # never as dear as the other, or always dearer
        found = crossing(N, 1e-5 * N[:, None] ** 2 * np.array([1.0, 1.0, 1.0, factor, factor]), flat)
        assert found.rounds == (3, 5)
        assert found.at == pytest.approx(500)
        assert (found.low, found.high) == pytest.approx(tuple(np.quantile([500, 500, 500, end, end], [0.25, 0.75])))


def test_the_range_of_a_crossing_has_the_crossing_in_it() -> None:
    draw = np.random.default_rng(0)
    for _ in range(50):
        noise = np.exp(draw.normal(0, 0.7, (2, len(N), 5)))
        found = crossing(N, 1e-5 * N[:, None] ** 2 * noise[0], 5e-3 * N[:, None] * noise[1])
        assert found is None or found.low <= found.at <= found.high


def test_no_crossing_where_there_is_none_or_too_little_is_known() -> None:
    line = np.tile(N[:, None], 3)
    assert crossing(N, line, 2 * line) is None
    unknown = np.full_like(line, np.nan)
    assert crossing(N, unknown, line) is None
    unknown[0] = 1.0
    assert crossing(N, unknown, line) is None


def test_a_round_that_is_not_whole_does_not_spoil_the_crossing() -> None:
    steep, slow = np.tile(1e-5 * N[:, None] ** 2, 3), np.tile(5e-3 * N[:, None], 3)
    steep[4:, 2] = np.nan
    found = crossing(N, steep, slow)
    assert found.at == pytest.approx(500)
    assert found.rounds == (2, 2)


@pytest.mark.parametrize(
    ("asked", "kept"),
    [
        ({"n": -5, "d": 10**9}, {"n": 16, "d": 512}),
        ({"n": 10**12, "kernel": 0}, {"n": 4096, "kernel": 3}),
        ({"kernel": 8, "heads": 3}, {"kernel": 7, "heads": 2}),
    ],
)
def test_absurd_parameters_are_moved_into_range(asked: dict[str, int], kept: dict[str, int]) -> None:
    params = lesson.Params(**asked)
    assert {name: getattr(params, name) for name in kept} == kept
    assert len(lesson.compute(params).costs) == len(DRAWN)


def test_a_sweep_does_not_depend_on_what_it_runs_over() -> None:
    assert lesson.Params(n=16).sweep("n") == lesson.Params(n=4096).sweep("n")
    assert repr(lesson.Params(n=16).sweep("n")) == repr(lesson.Params(n=4096).sweep("n"))
    assert lesson.Params(n=16).sweep("d") != lesson.Params(n=4096).sweep("d")
    assert lesson.Params(d=16).sweep("n") != lesson.Params(d=32).sweep("n")


def test_the_costs_are_those_of_the_formula_at_the_readers_sizes() -> None:
    params = lesson.Params(n=128, d=32, kernel=9, heads=8)
    result = lesson.compute(params)
    assert result.cost("attention") == cost("attention", LayerSizes(n=128, d=32, kernel=9, heads=8))
    said = readings.said_costs(result)["self-attention"]
    assert said["multiply-adds per layer"] == f"{4 * 128 * 32**2 + 2 * 128**2 * 32:,}"
    assert said["of these, attention matrix (all heads)"] == "512 KiB"
    curve = result.curves["d"].along("operations", "convolution")
    assert curve.tolist() == [9 * 128 * d * d for d in state.RANGES["d"]]


def test_reading_of_the_costs() -> None:
    result = lesson.compute(lesson.Params(n=64, d=64, kernel=7))
    reading = readings.describe_costs(result)
    assert "needs **1.57 million** multiply-adds, **about as many as** the recurrence" in reading
    assert readings.describe_pairs(result).startswith("**33%**")  # 2 n² d of 4 n d² + 2 n² d
    kept, steps = (readings.describe_counted(result, counted) for counted in ("peak", "sequential"))
    assert said_size(FLOAT * result.cost("attention").peak) in kept
    assert "multiply-adds" not in kept
    assert steps.endswith("self-attention **1**.")


@pytest.mark.parametrize(
    ("number", "said"),
    [(512, "512"), (2e4, "20 thousand"), (1.5e6, "1.5 million"), (2.5e9, "2.5 billion"), (3e12, "3 trillion")],
)
def test_large_numbers_are_said_in_words(number: float, said: str) -> None:
    assert spell_large_number(number) == said


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (512, "512"),
        (9994, "9,990"),
        (2e4, "2 万"),
        (6.29e6, "629 万"),
        (9.9999e7, "10,000 万"),
        (2.5e9, "25 亿"),
        (3e12, "3 万亿"),
    ],
)
def test_chinese_counts_large_numbers_in_ten_thousands(number: float, said: str) -> None:
    with speaking("zh"):
        assert spell_large_number(number) == said


def test_what_compares_pairs_is_no_projection() -> None:
    found = cost("attention", LayerSizes(n=128, d=32))
    assert found.operations == 4 * 128 * 32**2 + found.compared
    assert cost("recurrence", LayerSizes(n=128, d=32)).compared == 0


def test_reading_of_the_paths_after_some_steps() -> None:
    forward = readings.describe_paths(walks(lesson.Params(kernel=5), 1, 14), 16)
    for name, count in {
        "convolution": 7,
        "dilated convolution": 2,
        "recurrence": 15,
        "self-attention": 1,
    }.items():
        assert f"{name}: arrived after **{count}**" in forward
    assert readings.describe_paths(walks(lesson.Params(kernel=5), 1, 14), 1).startswith("After 1 step: ")
    early = readings.describe_paths(walks(lesson.Params(kernel=5), 1, 14), 3)
    assert "convolution: under way" in early
    assert "self-attention: arrived" in early
    back = readings.describe_paths(walks(lesson.Params(kernel=5), 14, 1), 16)
    assert "dilated convolution: no way back; recurrence: no way back" in back


def test_a_short_measurement_has_the_smaller_sizes_alone() -> None:
    record = glance(replace(lesson.Params(n=16).sweep("d"), rounds=1))
    assert record.values == tuple(each for each in state.RANGES["d"] if each <= 256)
    curves = lesson.compute(lesson.Params(n=16)).curves["d"].only(record.values)
    assert tuple(curves.values) == record.values
    speeds = why_not_as_counted.speeds(record, curves)["attention"]
    slow, fast = (spell_large_number(float(each)) for each in (speeds.min(), speeds.max()))
    assert f"self-attention: **{slow} to {fast}** a second" in why_not_as_counted.describe_speeds(record, curves)


def test_reading_of_the_times_names_the_measured_and_the_counted_crossing() -> None:
    params = lesson.Params()
    record, curves = made_up(params, TIMES), lesson.compute(params).curves["n"]
    found = crossings(record)
    at = found["recurrence"].at
    reading = why_not_as_counted.describe_time(record, curves, found)
    assert 480 < at < 505  # the root of 1e-4 + 2e-8 n² = 1e-5 n is 490
    assert f"becomes slower than recurrence at n ≈ {at:.0f}" in reading
    assert "by the counts at n = 64" in reading
    assert "onvolution" not in reading  # it crosses nowhere, as the counts say: that is said where it is all there is
    only = why_not_as_counted.describe_time(record, curves, {"convolution": found["convolution"]})
    assert only == "Convolution is faster than self-attention at every size here, as by the counts."


def test_reading_of_one_size_says_whether_more_to_compute_takes_longer() -> None:
    params = lesson.Params(n=256)
    record, curves = made_up(params, TIMES), lesson.compute(params).curves["n"]
    position = why_not_as_counted.find_place(record, curves)
    assert record.values[position] == 256
    counted = [curves.along("operations", name)[position] for name in ("attention", "recurrence")]
    took = [TIMES[name][position] for name in ("attention", "recurrence")]
    assert (counted[0] > counted[1], took[0] < took[1]) == (True, True), "the case that is worth a picture"
    said = why_not_as_counted.describe_here(record, curves)
    assert f"has {counted[0] / counted[1]:.2g} times as much to compute as recurrence" in said
    assert f"**{took[1] / took[0]:.2g} times as fast**" in said


def test_where_theory_and_measurement_part_is_said_with_the_numbers() -> None:
    params = lesson.Params()
    curves = lesson.compute(params).curves["n"]
    slow_at_last = TIMES["attention"] * np.where(N == 4096, 5, 1)
    record = made_up(params, TIMES | {"attention": slow_at_last}, fresh=2.0**28)
    laws = fits(record)
    launch, steps, memory = why_not_as_counted.diverging(record, curves, laws)
    assert f"took {1e6 * TIMES['attention'][0]:.0f} µs" in launch
    assert "10.0 µs each at n = 4096" in steps
    assert "none can begin before" in steps
    speed = curves.along("operations", "attention") / slow_at_last
    assert f"a factor of {speed.max() / speed[-1]:.1f}" in memory
    assert "256 MiB each" in memory
    assert "handed out 256 MiB" in memory
    assert f"exponent, {laws['attention'].exponent:.2f}" in memory
    steady = made_up(params, {name: 1e-10 * curves.along("operations", name) for name in NAMES})
    slower = {"attention": steady.median[NAMES.index("attention")] * np.where(N == 4096, 1.15, 1)}
    hardly = made_up(params, {name: 1e-10 * curves.along("operations", name) for name in NAMES} | slower)
    assert "loses a factor of 1.15 until 4096" in why_not_as_counted.diverging(hardly, curves, fits(hardly))[-1]
    assert "does not hold self-attention up" in why_not_as_counted.diverging(steady, curves, fits(steady))[-1]


def test_nothing_is_said_of_what_is_not_measured() -> None:
    params = lesson.Params()
    record = made_up(params, {name: np.full(len(N), np.nan) for name in NAMES})
    curves = lesson.compute(params).curves["n"]
    assert why_not_as_counted.diverging(record, curves, fits(record)) == []
    assert fits(record) == dict.fromkeys(NAMES)
    assert set(crossings(record).values()) == {None}


def test_the_count_is_fitted_over_the_same_sizes() -> None:
    curves = lesson.compute(lesson.Params(d=64)).curves["n"]
    laws = fits(made_up(lesson.Params(d=64), TIMES))
    assert counted_law(curves, "recurrence", laws["recurrence"]).exponent == pytest.approx(1.0)
    assert 1.5 < counted_law(curves, "attention", laws["attention"]).exponent < 2.0
    assert counted_law(curves, "attention", None) is None


def test_reading_of_the_memory() -> None:
    params = lesson.Params()
    curves = lesson.compute(params).curves["n"]
    peak = 4 * cost("attention", params.sizes(n=4096)).peak
    assert f"keeps {said_size(peak)} at once, 99% of it" in readings.describe_memory(made_up(params, TIMES), curves)
    assert "27 cells were measured, and the formula holds." in readings.describe_memory(made_up(params, TIMES), curves)


def test_what_it_will_cost_is_said_before() -> None:
    said = readings.announcement(lesson.Params(heads=8).sweep("n"))
    assert "27 cells" in said
    assert "more than 256 MiB (here 2)" in said
    assert "at most 65 MiB at once" in said


@pytest.mark.parametrize(
    ("size", "said"), [(0, "0 B"), (1023, "1,023 B"), (2**20, "1 MiB"), (3.5 * 2**40, "3,584 GiB")]
)
def test_sizes_are_said_in_the_unit_that_suits(size: float, said: str) -> None:
    assert said_size(size) == said


def test_measuring_is_a_generator_of_this_lesson() -> None:
    sweep = Sweep(axis="d", sizes=(LayerSizes(n=4, d=16), LayerSizes(n=4, d=32)), rounds=2)
    last = list(measure(sweep))[-1]
    assert last.done == last.total == 12
    assert last.record.values == (16, 32)


def test_of_two_crossings_the_last_counts() -> None:
    first = np.tile(np.array([1, 3, 1, 1, 1, 1, 1, 3, 3], float)[:, None], 3)
    found = crossing(N, first, np.full_like(first, 2.0))
    assert 1024 < found.at < 2048
    assert not found.cheaper_above


def test_the_share_of_starting_costs_is_what_is_left_of_the_arithmetic() -> None:
    record, curves = made_up(lesson.Params(), TIMES), lesson.compute(lesson.Params()).curves["n"]
    speed = curves.along("operations", "attention") / TIMES["attention"]
    rest = 1 - curves.along("operations", "attention")[0] / speed.max() / TIMES["attention"][0]
    assert f"the other {rest:.0%}" in why_not_as_counted.diverging(record, curves, fits(record))[0]


def test_reading_of_the_memory_in_half_precision() -> None:
    whole = made_up(lesson.Params(), TIMES)
    half = replace(
        whole, peak_bytes=whole.peak_bytes / 2, provenance=Provenance(computed_by="a test", dtype="bfloat16")
    )
    assert "the formula holds" in readings.describe_memory(half, lesson.compute(lesson.Params()).curves["n"])


def test_nothing_is_said_of_who_is_faster_before_both_are_timed() -> None:
    params = lesson.Params()
    record, curves = made_up(params, TIMES), lesson.compute(params).curves["n"]
    seconds = record.seconds.copy()
    seconds[record.names.index("attention")] = np.nan
    waiting = replace(record, seconds=seconds)
    assert "faster" not in why_not_as_counted.describe_time(waiting, curves, crossings(waiting))
