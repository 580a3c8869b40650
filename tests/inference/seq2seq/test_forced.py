"""A step of a recurrent model is forced: the past stays, the future is written anew."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from explorer.inference.search.constrained import Constrained, Prefix
from explorer.inference.search.decode import decode
from explorer.inference.seq2seq.translate import LoadedSeq2Seq, encode_source, force, translate
from tests.inference.recurrent import BEAM, GREEDY, TEXT, row


def test_a_forced_step_keeps_the_past_and_changes_the_future(every: LoadedSeq2Seq) -> None:
    if every.mechanism == "none":
        with pytest.raises(ValueError, match="has no attention"):
            force(every, translate(every, TEXT, GREEDY), GREEDY, {0: [1.0]})
        return
    for options in (GREEDY, BEAM):
        record = translate(every, TEXT, options)
        forced = force(every, record, options, {3: row(record, 1)})
        assert forced.trace.written_ids[:3] == record.trace.written_ids[:3]
        assert [step.forced for step in forced.trace.steps] == [n == 3 for n in range(len(forced.trace.steps))]
        assert forced.trace.steps[3].weights is not None
        assert forced.trace.steps[3].weights.tolist() == row(record, 1)
        np.testing.assert_allclose(forced.trace.steps[3].context, record.trace.states[1], atol=1e-6)
        assert np.array_equal(forced.trace.steps[2].after, record.trace.steps[2].after)
        shares = [step.written.probability for step in forced.trace.steps]
        assert sum(math.log(share) for share in shares) == pytest.approx(forced.best.log_probability, abs=1e-3)


def test_some_forced_look_changes_what_is_written(additive: LoadedSeq2Seq) -> None:
    record = translate(additive, TEXT, GREEDY)
    texts = {
        force(additive, record, GREEDY, {1: row(record, position)}).best.text
        for position in range(len(record.trace.source.labels))
    }
    assert len(texts) > 1


def test_forcing_the_models_own_weights_changes_nothing(additive: LoadedSeq2Seq) -> None:
    record = translate(additive, TEXT, GREEDY)
    own = record.trace.steps[2].weights
    assert own is not None
    same = force(additive, record, GREEDY, {2: (7 * own).tolist()})
    assert same.trace.written_ids == record.trace.written_ids
    np.testing.assert_allclose(same.trace.steps[4].after, record.trace.steps[4].after, atol=1e-5)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ([1.0], "1 weights do not fit"),
        ([0.0] * 50, "50 weights"),
        ("zeros", "not all 0"),
        ("negative", "at least 0"),
        ("nan", "finite"),
        ("inf", "finite"),
    ],
)
def test_weights_that_cannot_be_are_refused(additive: LoadedSeq2Seq, bad: Any, message: str) -> None:
    record = translate(additive, TEXT, GREEDY)
    named = {"zeros": 0.0, "negative": -1.0, "nan": math.nan, "inf": math.inf}
    weights = [named[bad]] * len(row(record, 0)) if isinstance(bad, str) else bad
    with pytest.raises(ValueError, match=message):
        force(additive, record, GREEDY, {1: weights})


def test_huge_weights_are_scaled(additive: LoadedSeq2Seq) -> None:
    record = translate(additive, TEXT, GREEDY)
    forced = force(additive, record, GREEDY, {1: [1e308] * len(row(record, 0))})
    assert forced.trace.steps[1].weights is not None
    np.testing.assert_allclose(forced.trace.steps[1].weights, 1 / len(row(record, 0)), atol=1e-6)


@pytest.mark.parametrize("step", [-1, 99])
def test_a_step_that_was_not_written_cannot_be_forced(additive: LoadedSeq2Seq, step: int) -> None:
    record = translate(additive, TEXT, GREEDY)
    with pytest.raises(ValueError, match="not all among"):
        force(additive, record, GREEDY, {step: row(record, 0)})


def test_a_target_begins_as_it_must(additive: LoadedSeq2Seq) -> None:
    source = encode_source(additive, TEXT)
    engine = Constrained(engine=additive.prepared, rules={tuple(source): Prefix((9, 8, 7))})
    for options in (GREEDY, BEAM):
        (found,) = decode(engine, [source], options)
        assert all(each.ids[:3] == (9, 8, 7) for each in found)
        free = Constrained(engine=additive.prepared, rules={tuple(source): Prefix(())})
        assert [each.ids for each in decode(free, [source], options)[0]] == [
            each.ids for each in decode(additive.prepared, [source], options)[0]
        ]


def test_what_goes_to_the_cpu_for_want_of_memory_is_forced_as_before(every: LoadedSeq2Seq) -> None:
    forced = {1: torch.ones(3) / 3}
    moved = replace(every.prepared, forced=forced).on_cpu()
    assert moved.forced == forced
