"""What is asked of trained models, and what its figures say of them."""

from dataclasses import replace

import numpy as np
import pytest

from explorer.lessons.positional_encoding import extrapolation, trained, trained_readings
from explorer.lessons.positional_encoding.records.extrapolation import BeyondProgress, BeyondRecord
from explorer.lessons.positional_encoding.records.trained import DecayRecord, EntryRecord, LearnedTableRecord
from explorer.lessons.positional_encoding.trained import OrderParams, RotaryPairParams, WindowsParams
from explorer.records import Provenance
from explorer.records.provenance import joint

HERE = Provenance(computed_by="tests", model="m", revision="1")


def table(codes: np.ndarray) -> LearnedTableRecord:
    unit = codes / np.linalg.norm(codes, axis=-1, keepdims=True)
    similarity = (unit @ unit.T).astype(np.float32)
    by_offset = np.array([np.diagonal(similarity, offset).mean() for offset in range(len(codes))])
    return LearnedTableRecord(
        codes=codes.astype(np.float32), similarity=similarity, by_offset=by_offset, provenance=HERE
    )


def beyond(kind: str, loss: list[float], limit: int | None = None) -> BeyondRecord:
    return BeyondRecord(
        kind=kind,
        trained_length=8,
        limit=limit,
        lengths=np.array([4, 8, 16]),
        loss=np.array(loss),
        loss_error=np.zeros(3),
        edges=np.array([0, 8, 16]),
        bucket_loss=np.array(loss[1:]),
        bucket_error=np.zeros(2),
        n_windows=2,
        provenance=HERE,
    )


def decay(kind: str, reach: float) -> DecayRecord:
    weights = np.full((1, 2, 3), 0.25)
    return DecayRecord(
        kind=kind,
        distances=np.arange(3),
        weights=weights,
        reach=np.full((1, 2), reach),
        trained_length=8,
        provenance=HERE,
    )


def test_what_is_asked_is_clamped() -> None:
    assert len(OrderParams(text="x" * 999).text) == trained.MOST_CHARACTERS
    assert OrderParams(seed=-5).seed == 0
    assert (RotaryPairParams(text="abc", query=99, key=99).query, RotaryPairParams(text="abc", query=1, key=2).key) == (
        2,
        1,
    )
    assert RotaryPairParams(text="").text == trained.LINE
    assert (WindowsParams(n_windows=1).n_windows, WindowsParams(n_windows=9999).n_windows) == (4, trained.MOST_WINDOWS)


@pytest.mark.parametrize(
    ("asked", "order"),
    [
        (OrderParams(one=1, other=3), [0, 3, 2, 1]),
        (OrderParams(one=-4, other=99), [3, 1, 2, 0]),
        (OrderParams(order="back"), [3, 2, 1, 0]),
        (OrderParams(order="4 1 3 2"), [3, 0, 2, 1]),
        (OrderParams(order="2 1"), [0, 1, 2, 3]),
        (OrderParams(order="typed"), [0, 1, 2, 3]),
        (OrderParams(order="random", seed=3), np.random.default_rng(3).permutation(4).tolist()),
    ],
)
def test_words_are_swapped_turned_round_or_drawn(asked: OrderParams, order: list[int]) -> None:
    assert list(asked.arrange(4)) == order
    assert sorted(asked.arrange(1)) == [0]


def test_the_default_order_lets_the_cat_love_the_dog() -> None:
    record = trained.test_permutation(OrderParams())
    assert [label.strip("␣") for label in record.moved_labels] == ["My", "cat", "loves", "your", "dog", "</s>"]
    assert record.moved.sum() == 2
    assert 0 < record.residual[0] < 1e-5 * record.residual[1]
    assert record.written[0] != record.written[1]
    said = trained_readings.describe_order(record)
    assert f"“{record.moved_labels[int(record.change[1].argmax())]}”: by **{record.change[1].max():.0%}**" in said
    assert record.words == ("My", "dog", "loves", "your", "cat")
    assert "With codes all outputs change" in said


def test_equal_words_that_change_places_change_few_outputs() -> None:
    record = trained.test_permutation(OrderParams(text="the dog saw the cat", one=0, other=3))
    n = int((record.change[1] >= 0.005).sum())
    assert 0 < n < len(record.moved_labels)
    assert f"With codes {n} of {len(record.moved_labels)} outputs change" in trained_readings.describe_order(record)
    still = replace(record, change=np.zeros_like(record.change))
    assert trained_readings.describe_order(still).endswith("no output changes by half a percent either.")


def test_a_sentence_in_its_own_order_is_no_test() -> None:
    assert trained_readings.describe_order(trained.test_permutation(OrderParams(text="only"))).startswith(
        "This order is the sentence itself"
    )


def test_around_a_place_the_surest_and_the_least_sure_are_named() -> None:
    records = [beyond("rotary", [2.2, 2.0, 3.0]), beyond("alibi", [2.2, 2.0, 1.9])]
    said = trained_readings.describe_unsure(records, {"rotary": 20.1, "alibi": 6.7, "learned": np.nan}, 12)
    assert "(ALiBi) hesitates between **6.7** characters, the least sure (rotary) between **20**" in said
    assert "Up to here" not in said
    assert "Up to here" in trained_readings.describe_unsure(records, {"rotary": 2.0, "alibi": 3.0}, 4)
    assert not trained_readings.describe_unsure(records, {"learned": np.nan}, 12), "none can read there"


def test_what_enters_is_compared_with_the_code() -> None:
    record = trained.measure_lengths(trained.EXAMPLE)
    said = trained_readings.describe_entry(record)
    assert f"**{float((record.scaled / record.position).mean()):.3g}** times as long as the code" in said
    assert "Without the factor √d = 16" in said, "the raw embedding is shorter than the code"
    long = EntryRecord(
        labels=("a",),
        raw=np.array([9.0]),
        scaled=np.array([18.0]),
        position=np.array([1.0]),
        total=np.array([18.0]),
        cosine=np.array([0.1]),
        factor=2.0,
        provenance=HERE,
    )
    assert "Without the factor" not in trained_readings.describe_entry(long)
    assert "cosine is 0.10" in trained_readings.describe_entry(long)


def test_a_table_is_called_ordered_only_where_neighbours_are_alike() -> None:
    angles = np.arange(40) / 8
    smooth = table(np.stack([np.sin(angles), np.cos(angles)], -1))
    random = table(np.random.default_rng(0).normal(size=(40, 64)))
    assert "was learned" in trained_readings.describe_table(smooth)
    assert "hardly more alike" in trained_readings.describe_table(random)
    loud = table(np.vstack([np.full((1, 64), -9.0), np.random.default_rng(0).normal(size=(199, 64))]))
    assert trained_readings.table_reach(loud) < 4
    assert "nearly the sinusoidal rule" in trained_readings.describe_by_offset(smooth)
    assert "for sinusoidal codes by 0" in trained_readings.describe_by_offset(random)


def test_the_pair_is_the_one_that_was_asked_for_and_the_models_own() -> None:
    record = trained.turn_query_and_key(RotaryPairParams(layer=1, head=2))
    assert (record.query_label, record.key_label, record.actual) == ("d", "d", 33)
    assert record.provenance.detail == "layers.1.self, head 2"
    assert abs(float(record.scores[33]) - record.computed) < 1e-4
    said = trained_readings.describe_pair(record)
    assert f"score **{record.scores[33]:.2f}**" in said
    assert f"and {record.scores[:128].max():.2f}." in said


def test_decay_names_who_looks_near_and_who_far() -> None:
    said = trained_readings.describe_decay([decay("none", 30.0), decay("rotary", 2.5), decay("alibi", 9.0)])
    assert "within 2.5 characters for rotary and within 30 for no codes" in said
    assert "ALiBi: half" in trained_readings.describe_decay([decay("alibi", 9.0)])


def test_beyond_says_who_ends_and_who_rises() -> None:
    records = [beyond("rotary", [2.2, 2.0, 3.0]), beyond("learned", [2.0, 2.0, np.nan], limit=8)]
    said = trained_readings.describe_beyond([*records, beyond("alibi", [2.2, 2.0, 1.9])])
    assert said == (
        "Between how many characters they hesitate, on texts of 8, as in training, and of 16: "
        "rotary 7.39 → 20.09, learned cannot go beyond 8, ALiBi 7.39 → 6.69."
    )


def test_beyond_by_place_compares_the_last_places() -> None:
    said = trained_readings.describe_beyond(
        [beyond("none", [9.0, 2.0, 3.0]), beyond("learned", [2.0, 2.0, np.nan], limit=8)], "place"
    )
    assert said == (
        "Between how many characters they hesitate, at the last positions of the training length and at 8 to 15: "
        "no codes 7.39 → 20.09, learned cannot go beyond 8."
    )


def test_what_several_models_computed_names_them_all() -> None:
    other = replace(HERE, model="n", revision="2")
    assert str(joint([HERE, other])) == "tests · m@1, n@2 · cpu · float32"


def test_a_measurement_grows_and_agrees_with_what_is_stored() -> None:
    steps = list(trained.measure(WindowsParams(n_windows=4, seed=3)))
    assert all(isinstance(step, BeyondProgress) for step in steps)
    assert [step.done for step in steps] == sorted(step.done for step in steps)
    assert steps[-1].done == steps[-1].total
    assert {here.kind for here in steps[-1].records} == set(trained.KINDS)
    for here in steps[-1].records:
        stored = extrapolation.read_measurement(here.kind)
        assert here.lengths.tolist() == stored.lengths.tolist()
        known = np.isfinite(stored.loss)
        assert np.array_equal(known, np.isfinite(here.loss))
        np.testing.assert_allclose(here.loss[known], stored.loss[known], atol=0.5)


@pytest.mark.parametrize("kind", trained.KINDS)
def test_every_kind_has_a_name(kind: str) -> None:
    assert trained.kind_names()[kind]
