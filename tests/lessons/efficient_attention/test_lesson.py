"""The page's lesson: clamped, cached, and its sentences true to the numbers."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from numpy.polynomial import Polynomial

from explorer.attention.efficient.variants import SETTINGS, Variant
from explorer.inference.benchmark import timing
from explorer.lessons import efficient_attention as lesson
from explorer.lessons.efficient_attention import flash, left_out, length_sweep, measured, readings, state, task
from explorer.lessons.efficient_attention.compute import compare, feature_sweep, flash_steps
from explorer.lessons.efficient_attention.live import one_row
from explorer.lessons.efficient_attention.live.flash import list_kept
from explorer.lessons.efficient_attention.state import OPTIONS
from explorer.records import Provenance
from explorer.records.timing import TimingRecord
from explorer.records.wording import said_size, said_time, times


def test_absurd_values_are_moved_to_what_there_is() -> None:
    wild = dict.fromkeys((*state.REACH, *OPTIONS), 10**9)
    high = lesson.Params(name="magic", **wild)
    low = lesson.Params(**dict.fromkeys(wild, -(10**9)))
    assert high.name == "window"
    assert all(getattr(high, name) == most for name, (_, most) in state.REACH.items())
    assert all(getattr(low, name) == least for name, (least, _) in state.REACH.items())
    assert high.groups == 4  # the small model has four heads
    assert state.QKVSource(kind="?", layer=99, head=-4, text="x" * 9999).text == "x" * state.MOST_TEXT
    assert state.QKVSource(kind="encoder", head=99).head == 7
    assert state.QKVSource(kind="random", text="a") == state.QKVSource(kind="random", text="b")
    assert flash.FlashParams(tile_queries=10**9, tile_keys=-5).tile_queries == state.TILES[-1]
    assert task.Sample(n_windows=-3, seed=10**9).n_windows == 2


@pytest.mark.parametrize("kind", state.SOURCES)
@pytest.mark.parametrize("name", state.MECHANISMS)
def test_every_mechanism_on_every_source(kind: str, name: str) -> None:
    result = lesson.compute(lesson.Params(source=state.QKVSource(kind=kind), name=name))
    assert result.record.cost.name == name
    assert len(result.costs) == len(SETTINGS)
    assert result.costs[0].output_error == 0
    assert f"{result.record.cost.output_error:.0%}" in readings.describe_weights(result.record) or name == "flash"
    assert str(result.params.source.head) in result.record.provenance.detail


def test_the_readings_say_what_the_numbers_say() -> None:
    result = lesson.compute(lesson.Params(name="bigbird"))
    record = result.record
    worst = int(np.argmax(record.output_error))
    assert f"position {worst} " in readings.describe_errors(record)
    assert readings.describe_weights(record).startswith("BigBird: ")
    fewest = min(result.costs[1:], key=lambda cost: cost.operations)
    assert readings.mechanism_names()[fewest.name] in readings.describe_costs(result.costs)
    assert readings.said_settings(next(cost.settings for cost in result.costs if cost.name == "linear")) == "–"


def test_more_features_come_closer_on_a_real_head() -> None:
    errors = [
        lesson.compute(lesson.Params(name="performer", n_features=count)).record.cost.weight_error
        for count in (4, 64, 1024)
    ]
    assert errors == sorted(errors, reverse=True)


def test_features_of_a_single_key_have_no_error_to_speak_of() -> None:
    sweep = feature_sweep(state.QKVSource(kind="gpt", text="a"))
    assert sweep.median.max() < 1e-6  # rounding, which a slope must not be made of
    assert "the output is exact" in readings.describe_features(sweep, 64)


def test_flash_is_read_step_by_step() -> None:
    record = flash_steps(flash.FlashParams())
    assert "the first ones are the whole answer" in flash.describe_row(record, 6, 7)
    weights = np.exp(record.scores[31, :16])
    said = flash.describe_row(record, 7, 7)
    assert said.startswith("**16** of 32 keys seen.")
    assert f"counts **{weights[8:].sum() / weights.sum():.0%}**" in said
    assert "the answer is **exact**" in flash.describe_row(record, len(record.steps) - 1, 7)
    assert flash.describe_tiles(record).startswith("Never more than **64** of 1,024 scores")


def test_the_number_that_moves_most_is_drawn() -> None:
    record = flash_steps(flash.FlashParams())
    answers = []
    for end in (8, 16, 24, 32):
        weights = np.exp(record.scores[31, :end])
        answers.append(weights @ record.values[:end] / weights.sum())
    assert flash.moves_most(record)[31] == np.ptp(answers, axis=0).argmax()
    assert flash.shares_of_long(32) == {"tile": (128 / 4096) ** 2, "rows": 34 * 4096 / 4096**2}


def test_the_tiles_of_a_row_are_those_with_its_queries() -> None:
    record = flash_steps(flash.FlashParams())
    assert [flash.tiles_of_row(record, step) for step in (0, 2, 6, 9)] == [
        range(1),
        range(1, 3),
        range(6, 10),
        range(6, 10),
    ]
    packed = one_row.pack(record, range(6, 10), 7)
    assert (packed["query"], packed["seen"], packed["tiles"]) == (31, 32, [[0, 8], [8, 16], [16, 24], [24, 32]])
    np.testing.assert_array_equal(packed["arrays"]["kept"][2], list_kept(record)[8, 7])


def test_a_row_that_sees_nothing_of_a_tile_adds_nothing() -> None:
    record = flash_steps(flash.FlashParams(source=state.QKVSource(kind="gpt"), tile_queries=4, tile_keys=8))
    hidden = "This row may see nothing of this tile."
    for number, at in enumerate(record.steps):
        for row in range(at.queries[1] - at.queries[0]):
            said = flash.describe_row(record, number, row)
            assert (hidden in said) == (at.keys[0] > at.queries[0] + row)


def test_the_first_positions_are_cut_into_tiles() -> None:
    short, long = (flash_steps(flash.FlashParams(positions=count)) for count in (16, 128))
    assert (len(short.labels), len(long.labels)) == (16, 88)
    assert np.nan_to_num(short.scores) == pytest.approx(np.nan_to_num(long.scores[:16, :16]), abs=1e-5)


def test_a_pattern_that_was_not_stored_is_evaluated_on_the_same_windows() -> None:
    stored = task.read_evaluation()[0]
    known = {dict(point.settings)["width"]: point for point in stored.of("window")}
    assert task.point(Variant(name="window", width=8)) == known[8]
    between = task.point(Variant(name="window", width=12))
    assert known[16].loss < between.loss < known[8].loss
    evaluated = task.point(Variant(name="dilated", width=12, gap=3))
    assert evaluated.cells == pytest.approx(between.cells, rel=0.2)
    assert evaluated.loss > between.loss + 0.1, "the letters just before are missing"


@pytest.mark.parametrize("kind", ["random", "random_causal"])
@pytest.mark.parametrize("name", state.SPARSE)
def test_the_mask_at_every_stop_is_that_of_the_record_there(name: str, kind: str) -> None:
    params = lesson.Params(source=state.QKVSource(kind=kind), name=name)
    for setting, masks in left_out.every_stop(params, state.RANDOM_N, causal=kind == "random_causal").items():
        stops = left_out.stops(setting)
        assert len(masks) == len(stops)
        for at in {0, list(stops).index(getattr(params, setting)), len(stops) - 1}:
            there = replace(params, **{setting: stops[at]})
            record = compare(there.source, there.variant(name))
            np.testing.assert_array_equal(masks[at], left_out.cells(record.allowed, causal=record.causal))
            assert f" {masks[at].mean():.0%} of the cells" in left_out.describe_kept(record)


def test_what_is_left_out_is_read_from_the_numbers() -> None:
    record = lesson.compute(lesson.Params(name="window", width=4)).record
    share = float(record.exact[~record.allowed].sum() / len(record.labels))
    assert left_out.lost_share(record) == pytest.approx(share, rel=1e-4)
    assert f"loses **{share:.0%}** of its weight" in left_out.describe_kept(record)
    point = task.point(Variant(name="window", width=4))
    assert f"between **{np.exp(point.loss):.3g}** letters" in left_out.describe_model(task.read_evaluation()[0], point)
    whole = lesson.compute(lesson.Params(source=state.QKVSource(text="a"), name="window")).record
    assert "loses nothing" in left_out.describe_kept(whole)
    as_good = replace(point, loss=task.read_evaluation()[0].exact)
    assert "as many as with every cell" in left_out.describe_model(task.read_evaluation()[0], as_good)


@pytest.mark.parametrize(
    ("groups", "expected"), [(1, "With one head of"), (2, "With 2 heads of"), (4, ": nothing is saved.")]
)
def test_a_decoder_keeps_less_with_fewer_heads_of_keys(groups: int, expected: str) -> None:
    choices = {each: lesson.compute(lesson.Params(name="grouped", groups=each)).record.cost for each in (1, 2, 4)}
    assert expected in readings.describe_kept_bytes(choices, groups)


def test_what_is_never_written_is_counted() -> None:
    record = flash_steps(flash.FlashParams())
    said = flash.describe_written(record)
    n, tile = len(record.labels), 4 * (8 * (2 * 32 + 2) + 8 * 2 * 32 + 8 * 8)
    assert f"{said_size(2 * 4 * n * n)} at n = {n}, 8 GiB at n = 32,768" in said
    assert f"({said_size(4 * 32768 * 32)} there) and one number for each query ({said_size(4 * 32768)})" in said
    assert f"works in {said_size(tile)}" in said


def test_where_the_memory_ends_follows_from_what_was_counted() -> None:
    assert measured.longest(Polynomial([0, 0, 8]), 8.0 * 100**2) == pytest.approx(100)
    assert measured.longest(Polynomial([4, 2]), 204) == pytest.approx(100)
    assert measured.longest(Polynomial([4]), 204) is None
    assert measured.longest(None, 1.0) is None


def test_memory_beyond_what_was_counted_is_what_is_counted_there() -> None:
    """Two maps of every head, and vectors; blocks that fill unevenly are no pairs."""
    short = length_sweep.LengthSweep(backends=("math",), values=(128, 256, 512), rounds=1)
    *_, counted = timing.measure(short, device=torch.device("cpu"))
    *_, there = timing.measure(replace(short, values=(1024,)), device=torch.device("cpu"))
    for name, count in measured.memory_counts(counted.record).items():
        row = counted.record.names.index(name)
        if name in ("plain", "sdpa_math", "linear", "performer"):
            assert count
            assert there.record.peak_bytes[row] == pytest.approx([count(1024)], rel=1e-6), name


def test_what_is_measured_is_read() -> None:
    small = length_sweep.LengthSweep(backends=("math",), values=(16, 32, 64), rounds=2)
    first, *_, last = timing.measure(small, device=torch.device("cpu"))
    assert measured.describe_time(first.record) == "Nothing is measured yet."
    assert "Fastest at n = 16" in measured.describe_time(last.record)
    assert "256 MiB" in measured.describe_memory(last.record, 256 * 2.0**20)
    assert set(measured.time_laws(last.record)) == set(small.names) <= set(measured.way_names())
    assert "7 ways at 3 lengths" in measured.announcement(small)


def test_the_task_is_read_from_what_is_stored() -> None:
    stored, longer = task.read_evaluation()
    said = task.describe_task(stored)
    assert f"between {times(math.exp(stored.exact))} characters" in said
    assert "With a window of 8 positions" in said
    assert f"between {times(math.exp(longer.exact))} characters" in task.describe_longer(longer)
    best = min(longer.points, key=lambda point: point.loss)
    assert dict(best.settings)["width"] <= longer.trained_length
    assert longer.exact > best.loss + 1  # beyond its training length the model needs the window


def test_a_sample_is_computed_piece_by_piece() -> None:
    steps = task.again(task.Sample(n_windows=2))
    first = next(steps)
    assert first.record is None
    assert [next(steps).done for _ in range(2)] == [1, 2]


@pytest.mark.parametrize("kind", ["gpt", "random"])
def test_features_buy_little_for_long_vectors_and_the_law_of_averages_for_short_ones(kind: str) -> None:
    params = lesson.Params(source=state.QKVSource(kind=kind), name="performer", n_features=64)
    sweep = feature_sweep(params.source)
    assert sweep.slopes[0] > -0.2
    assert sweep.slopes[-1] == pytest.approx(-0.5, abs=0.05)
    alone = lesson.compute(params).record.cost.output_error
    position = sweep.features.index(64)
    assert sweep.errors[0, 0, position] == pytest.approx(alone, rel=1e-3)  # seed 0, vectors as they are
    reading = readings.describe_features(sweep, 64)
    assert f"off by **{sweep.median[0, position]:.0%}**" in reading
    assert f"times shorter: −{-sweep.slopes[-1]:.2f}." in reading
    most = readings.describe_features(sweep, sweep.features[-1])
    assert f"with {sweep.features[-1]} features" in most
    assert f"by {sweep.median[0, 0]:.0%} with {sweep.features[0]}:" in most


def made_up(plain: list[float], window: list[float]) -> TimingRecord:
    """Milliseconds at three lengths; memory 8 n² and 1000 n bytes."""
    n = np.array([16.0, 32.0, 64.0])
    return TimingRecord(
        names=("plain", "window"),
        axis="n",
        values=(16, 32, 64),
        seconds=np.array([plain, window])[..., None] / 1e3,
        peak_bytes=np.stack([8 * n**2, 1000 * n]),
        fresh_bytes=np.full((2, 3), np.nan),
        left_out=(("",) * 3,) * 2,
        provenance=Provenance(computed_by="a test"),
    )


def test_who_is_fastest_is_said_by_the_times() -> None:
    said = measured.describe_time(made_up(plain=[1, 2, 4], window=[0.5, 2.5, 5]))
    assert said == "Fastest at n = 16: sliding window; at n = 64: plain (ours)."


def test_beyond_what_is_measured_the_law_is_said_to_be_one() -> None:
    record = made_up(plain=[1, 4, 16], window=[1, 2, 4])
    seconds, size, there = measured.everywhere(record, 64)["plain"]
    assert (seconds, size, there) == (0.016, 8 * 64**2, True)
    seconds, size, there = measured.everywhere(record, 128)["plain"]
    assert (seconds, size) == (pytest.approx(0.064), pytest.approx(8 * 128**2))
    assert not there
    assert "takes **16 ms**" in measured.describe_here(record, 64)
    assert "would take about **64 ms**" in measured.describe_here(record, 128)
    assert measured.describe_here(record, 128).endswith("Fastest: sliding window.")
    assert [measured.nearest_power(times) for times in (2.5, 3.5, 6)] == ["2", "4", "8"]
    assert [said_time(each) for each in (0.5, 2, 600)] == ["500 ms", "2 s", "10 min"]


def test_who_reaches_farthest_is_said_by_the_memory() -> None:
    said = measured.describe_memory(made_up(plain=[1, 2, 4], window=[1, 2, 4]), 8e6)
    assert "plain (ours) ends at n ≈ 1,000, sliding window at n ≈ 8,000" in said


def test_the_weight_that_is_held_is_that_of_exact_attention() -> None:
    record = lesson.compute(lesson.Params(name="window", width=4)).record
    held = float(np.where(record.allowed, record.exact, 0).sum(-1).mean())
    assert 0.05 < held < 0.95
    assert f"these hold {held:.0%} of the exact weight" in readings.describe_weights(record)


def test_readings_of_features_and_costs_name_the_right_ones() -> None:
    sweep = feature_sweep(state.QKVSource(kind="random"))
    assert f"vectors {1 / sweep.lengths[-1]:.0f} times shorter" in readings.describe_features(sweep, 64)
    exact, *others = lesson.compute(lesson.Params()).costs
    cheaper = [each for each in others if each.operations < exact.operations and each.output_error > 1e-5]
    best = min(cheaper, key=lambda each: each.output_error)
    said = readings.describe_costs([exact, *others])
    assert f"{readings.mechanism_names()[best.name]}, off by {best.output_error:.1%}" in said
    dear = replace(best, name="strided", operations=2 * exact.operations, output_error=best.output_error / 2)
    assert f"off by {best.output_error:.1%}" in readings.describe_costs([exact, *others, dear])
