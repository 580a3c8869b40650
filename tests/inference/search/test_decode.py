"""The fast search finds what a plain one finds that computes everything anew at every step."""

import math
from functools import cache
from typing import Any

import pytest
import torch
from torch import Tensor

from explorer.inference.engine import kv_cache, linear
from explorer.inference.engine.kv_cache import KVCache, advance
from explorer.inference.engine.prepared import Prepared, prepare
from explorer.inference.search.decode import DecodingOptions, Hypothesis, decode, length_factor
from explorer.models.translator import Translator
from tests.inference.conftest import tiny_translator

SOURCES = [[5, 9, 30, 77, 2], [40, 2], [8, 8, 8, 101, 150, 33, 12, 2], [17, 60, 2], [200, 210, 31, 2]]


def plain_log_probs(model: Translator, source: list[int], target: list[int]) -> Tensor:
    """Log-probabilities of the token after `target`, everything recomputed, no padding, no cache."""
    with torch.inference_mode():
        logits = model(torch.tensor([source]), torch.tensor([[1, *target]]))[0, -1]
    logits = logits.clone()
    logits[[model.config.pad_id, model.config.bos_id]] = -math.inf
    return logits.log_softmax(-1)


@cache
def plain_choices(model: Translator, source: tuple[int, ...], target: tuple[int, ...]) -> list[tuple[int, float]]:
    """The same as pairs, of what may be written; one for all searches, which come past the same beginnings."""
    logs = plain_log_probs(model, list(source), list(target)).tolist()
    return [(token, value) for token, value in enumerate(logs) if math.isfinite(value)]


def plain_beam(
    model: Translator, source: list[int], *, beam: int, alpha: float, max_length: int
) -> list[tuple[list[int], float]]:
    """Beam search as a textbook writes it: lists, one sentence, no cache."""
    live: list[tuple[list[int], float]] = [([], 0.0)]
    finished: list[tuple[list[int], float]] = []

    def score(hypothesis: tuple[list[int], float]) -> float:
        return hypothesis[1] / length_factor(len(hypothesis[0]), alpha)

    for _ in range(max_length):
        grown = [
            ([*ids, token], total + value)
            for ids, total in live
            for token, value in plain_choices(model, tuple(source), tuple(ids))
        ]
        grown = sorted(grown, key=lambda each: -each[1])[: 2 * beam]
        finished += [each for each in grown[:beam] if each[0][-1] == 2]
        finished = sorted(finished, key=lambda each: -score(each))[:beam]
        live = [each for each in grown if each[0][-1] != 2][:beam]
        if len(finished) == beam and score(finished[-1]) >= score(live[0]):
            return finished
    return (finished + live)[:beam]


@pytest.mark.parametrize("beam", [1, 2, 3, 5])
@pytest.mark.parametrize("alpha", [0.0, 0.6, 2.0])
def test_finds_what_the_textbook_finds(model: Translator, prepared: Prepared, beam: int, alpha: float) -> None:
    options = DecodingOptions(beam=beam, length_penalty=alpha, max_length=14)
    for source, found in zip(SOURCES, decode(prepared, SOURCES, options), strict=True):
        expected = plain_beam(model, source, beam=beam, alpha=alpha, max_length=14)
        assert [list(each.ids) for each in found] == [ids for ids, _ in expected]
        for each, (_, total) in zip(found, expected, strict=True):
            assert each.log_probability == pytest.approx(total, abs=1e-4)


@pytest.mark.parametrize("beam", [1, 4])
def test_room_is_made_and_what_was_dropped_is_left_behind(
    model: Translator, prepared: Prepared, beam: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = DecodingOptions(beam=beam, min_length=59, max_length=60)
    at_once = decode(prepared, SOURCES, options)
    monkeypatch.setattr(kv_cache, "FIRST_STEPS", 3)
    sizes = []

    class Watched(KVCache):
        def begin_step(self) -> None:
            super().begin_step()
            sizes.append(self._own.shape[4])

    monkeypatch.setattr("explorer.inference.engine.prepared.KVCache", Watched)
    found = decode(prepared, SOURCES, options)
    assert [[each.ids for each in row] for row in found] == [[each.ids for each in row] for row in at_once]
    totals = [[row[0].log_probability for row in rows] for rows in (found, at_once)]
    assert totals[0] == pytest.approx(totals[1], abs=1e-4)
    assert sizes[0] == 3 * beam
    # At most twice what is in use, and most of what four wrote is in nobody's past.
    assert max(sizes) < 60 * max(2, beam)


def test_the_searches_above_both_end_and_run_out(prepared: Prepared) -> None:
    """Otherwise the comparison would not cover finishing, or not cover the limit."""
    found = decode(prepared, SOURCES, DecodingOptions(beam=3, max_length=14))
    assert {each.finished for hypotheses in found for each in hypotheses} == {True, False}


@pytest.mark.parametrize("beam", [1, 3])
def test_cached_logits_are_those_of_a_full_pass(model: Translator, prepared: Prepared, beam: int) -> None:
    source = torch.tensor([[5, 9, 30, 77, 2], [40, 2, 0, 0, 0]])
    tokens = torch.randint(3, model.config.vocab_size, (2, beam, 9))
    with torch.inference_mode():
        cache = KVCache(prepared, source, beam=beam, max_steps=9)
        for step in range(9):
            logits = advance(prepared, cache, tokens[..., step])[..., : model.config.vocab_size]
            for b in range(beam):
                full = model(source, tokens[:, b, : step + 1])[:, -1]
                full[:, :2] = -math.inf
                torch.testing.assert_close(logits[:, b], full, atol=1e-4, rtol=1e-5)


def test_beam_of_one_is_greedy(model: Translator, prepared: Prepared) -> None:
    for source, (found,) in zip(
        SOURCES, decode(prepared, SOURCES, DecodingOptions(beam=1, max_length=20)), strict=True
    ):
        target: list[int] = []
        while len(target) < 20 and target[-1:] != [2]:
            target.append(int(plain_log_probs(model, source, target).argmax()))
        assert list(found.ids) == target


def test_alone_and_in_a_padded_batch(prepared: Prepared) -> None:
    options = DecodingOptions(beam=4, max_length=16)
    together = decode(prepared, SOURCES, options)
    for source, expected in zip(SOURCES, together, strict=True):
        (alone,) = decode(prepared, [source], options)
        assert [each.ids for each in alone] == [each.ids for each in expected]
        assert [each.score for each in alone] == pytest.approx([each.score for each in expected], abs=1e-4)


def test_sentences_that_finish_early_leave_the_others_alone(prepared: Prepared) -> None:
    many = SOURCES * 5
    found = decode(prepared, many, DecodingOptions(beam=2, max_length=30))
    assert [[each.ids for each in row] for row in found] == [[each.ids for each in row] for row in found[:5]] * 5


@pytest.mark.parametrize("alpha", [0.0, 0.6, 1.0])
def test_best_first_and_scored_by_the_formula(prepared: Prepared, alpha: float) -> None:
    for hypotheses in decode(prepared, SOURCES, DecodingOptions(beam=5, length_penalty=alpha, max_length=14)):
        ended = [each.score for each in hypotheses if each.finished]
        assert ended == sorted(ended, reverse=True)
        for each in hypotheses:
            assert each.score == pytest.approx(each.log_probability / ((5 + len(each.ids)) / 6) ** alpha)
            assert each.finished == (each.ids[-1] == 2)
        assert len({each.ids for each in hypotheses}) == len(hypotheses)


def test_length_factor() -> None:
    assert length_factor(1, 0.6) == 1
    assert length_factor(100, 0.0) == 1
    assert length_factor(7, 1.0) == pytest.approx(2)
    assert length_factor(7, 2.0) == pytest.approx(4)


def test_a_stronger_penalty_does_not_shorten(prepared: Prepared) -> None:
    def mean_length(alpha: float) -> float:
        found = decode(prepared, SOURCES, DecodingOptions(beam=5, length_penalty=alpha, max_length=14))
        return sum(len(best.ids) for best, *_ in found) / len(found)

    assert mean_length(0.0) <= mean_length(5.0)


def test_bounds_of_length(prepared: Prepared) -> None:
    for beam in (1, 4):
        for hypotheses in decode(prepared, SOURCES, DecodingOptions(beam=beam, min_length=6, max_length=9)):
            assert all(7 <= len(each.ids) <= 9 for each in hypotheses)
    (hypotheses,) = decode(prepared, SOURCES[:1], DecodingOptions(beam=1, max_length=10_000, min_length=9_999))
    assert len(hypotheses[0].ids) == prepared.config.max_length


def test_never_writes_padding_or_the_start(prepared: Prepared) -> None:
    found = decode(prepared, SOURCES, DecodingOptions(beam=8, max_length=20))
    assert not {0, 1} & {token for hypotheses in found for each in hypotheses for token in each.ids}


def test_beam_wider_than_the_blocks_of_the_vocabulary(prepared: Prepared) -> None:
    (hypotheses,) = decode(prepared, SOURCES[:1], DecodingOptions(beam=16, max_length=6))
    assert len(hypotheses) == 16


def test_nothing_to_do(prepared: Prepared) -> None:
    assert decode(prepared, [], DecodingOptions()) == []


@pytest.mark.parametrize(
    "wrong", [{"beam": 0}, {"beam": 17}, {"length_penalty": -0.1}, {"max_length": 0}, {"min_length": 256}]
)
def test_options_are_checked(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"beam|length"):
        DecodingOptions(**wrong)


def test_the_shared_weights_are_not_touched(model: Translator, prepared: Prepared) -> None:
    maps: list[Any] = [prepared.out, *(layer.self_in for layer in prepared.layers)]
    tensors = [*model.parameters(), *(each.weight for each in maps), *(each.bias for each in maps)]
    before = [tensor.clone() for tensor in tensors]
    decode(prepared, SOURCES, DecodingOptions(beam=3, max_length=12))
    assert all(torch.equal(a, b) for a, b in zip(before, tensors, strict=True))


def test_hypothesis_is_read_only(prepared: Prepared) -> None:
    hypothesis = Hypothesis(ids=(2,), log_probability=-1.0, score=-1.0, finished=True)
    with pytest.raises(AttributeError):
        hypothesis.score = 0.0  # type: ignore[misc]


def test_half_precision_weights_change_no_logit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stored checkpoints have weights that half precision holds exactly."""
    model = tiny_translator().half().float()
    exact = prepare(model)
    monkeypatch.setattr(linear, "_is_half", lambda _: False)
    plain = prepare(model)
    assert plain.out.half is None  # type: ignore[attr-defined]
    options = DecodingOptions(beam=3, max_length=14)
    for source in SOURCES:
        (packed_found,), (plain_found,) = decode(exact, [source], options), decode(plain, [source], options)
        assert [each.ids for each in packed_found] == [each.ids for each in plain_found]
        expected = [each.log_probability for each in plain_found]
        assert [each.log_probability for each in packed_found] == pytest.approx(expected, abs=1e-4)


def test_weights_that_half_precision_would_change_stay_as_they_are(prepared: Prepared) -> None:
    assert prepared.out.half is None  # type: ignore[attr-defined]


@pytest.mark.skipif(not linear.int8_works(), reason="this CPU has no eight-bit arithmetic")
def test_eight_bits_change_little(model: Translator, prepared: Prepared) -> None:
    """Log-probabilities stay near, and what it computes in is what it says."""
    rounded = prepare(model, precision="int8")
    assert (rounded.precision, prepared.precision) == ("int8", "full")
    assert rounded.on_cpu().precision == "int8"
    options = DecodingOptions(beam=1, max_length=1)
    found, expected = decode(rounded, SOURCES, options), decode(prepared, SOURCES, options)
    near = [abs(a.log_probability - b.log_probability) for (a,), (b,) in zip(found, expected, strict=True)]
    assert 0 < max(near) < 0.5


@pytest.mark.parametrize("precision", ["bfloat16", "float16"])
def test_sixteen_bits_search_and_leave_what_is_drawn(model: Translator, prepared: Prepared, precision: str) -> None:
    rounded = prepare(model, precision=precision)  # type: ignore[arg-type]
    assert rounded.arithmetic == precision
    assert rounded.model.embedding.weight.dtype == torch.float32
    options = DecodingOptions(beam=2, max_length=1)
    found, expected = decode(rounded, SOURCES, options), decode(prepared, SOURCES, options)
    near = [abs(a.log_probability - b.log_probability) for (a, *_), (b, *_) in zip(found, expected, strict=True)]
    assert 0 < max(near) < 0.1


def test_eight_bits_where_there_are_none(model: Translator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("explorer.inference.engine.prepared.int8_works", lambda: False)
    with pytest.warns(UserWarning, match="no eight-bit arithmetic"):
        refused = prepare(model, precision="int8")
    assert refused.precision == "full"


def test_preparing_leaves_the_model_alone(model: Translator) -> None:
    training = tiny_translator().train()
    assert not prepare(training).model.training
    assert training.training
    assert prepare(model).model is model


def test_other_arithmetic(model: Translator) -> None:
    half = prepare(model, dtype=torch.bfloat16)
    (found,) = decode(half, SOURCES[:1], DecodingOptions(beam=2, max_length=8))
    assert len(found) == 2
    assert all(math.isfinite(each.score) for each in found)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")
def test_on_cuda_as_on_the_cpu(model: Translator, prepared: Prepared) -> None:
    there = prepare(model, torch.device("cuda"), torch.float32)
    options = DecodingOptions(beam=3, max_length=14)
    here, found = decode(prepared, SOURCES, options), decode(there, SOURCES, options)
    assert [[each.ids for each in row] for row in found] == [[each.ids for each in row] for row in here]
