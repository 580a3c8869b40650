"""What positions do in trained models, against what the models themselves compute."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from explorer.attention.positions import sinusoidal
from explorer.data.text import excerpt
from explorer.inference.gpt.generate import LoadedGPT, load
from explorer.inference.search.batching import decode_all
from explorer.inference.search.decode import DecodingOptions
from explorer.inference.translator import translate as translators
from explorer.inference.translator.translate import InputRefused, LoadedTranslator
from explorer.lessons.positional_encoding.trained_decoders import (
    PairRefused,
    checkpoint,
    decay,
    learned_table,
    rotary_pair,
)
from explorer.lessons.positional_encoding.trained_encoder import MOST_WORDS, entry, every_order, permutation_test
from explorer.nn.positions import POSITION_KINDS, PositionKind
from explorer.nn.tape import Tape

SENTENCE = "My sister wants to live in a big white house."


@pytest.fixture(scope="module")
def rotary() -> LoadedGPT:
    return load("positions-rotary")


@pytest.fixture(scope="module")
def translator() -> LoadedTranslator:
    return translators.load("translator-en-fr")


class TestLearnedTable:
    def test_it_is_what_is_added_to_the_tokens(self) -> None:
        gpt = load("positions-learned")
        record = learned_table(gpt)
        ids = torch.tensor([gpt.tokenizer.encode(excerpt()[:100])])
        with torch.inference_mode():
            added = gpt.model.embed(ids) - gpt.model.embedding(ids)
        np.testing.assert_allclose(record.codes[:100], added[0].numpy(), atol=1e-5)

    def test_similarity_is_a_cosine(self) -> None:
        record = learned_table(load("positions-learned"))
        a, b = record.codes[3].astype(float), record.codes[10].astype(float)
        assert record.similarity[3, 10] == pytest.approx(a @ b / np.linalg.norm(a) / np.linalg.norm(b), abs=1e-6)
        assert record.by_offset[0] == pytest.approx(1)
        assert record.by_offset[7] == pytest.approx(np.diagonal(record.similarity, 7).mean(), abs=1e-6)

    def test_neighbours_were_learned_to_be_alike(self) -> None:
        by_offset = learned_table(load("positions-learned")).by_offset
        assert by_offset[1] > by_offset[8:].max()

    def test_others_have_none(self, rotary: LoadedGPT) -> None:
        with pytest.raises(ValueError, match="rotary positions, not learned"):
            learned_table(rotary)


class TestRotaryPair:
    TEXT = "PETRUCHIO:\nI pray you do; I will attend her here,\nAnd woo her with some spirit when she comes."

    @pytest.mark.parametrize(("layer", "head", "query", "key"), [(0, 0, 40, 40), (1, 3, 60, 52), (3, 1, 90, 0)])
    def test_at_the_actual_distance_it_is_the_model_s_own_score(
        self, rotary: LoadedGPT, layer: int, head: int, query: int, key: int
    ) -> None:
        record = rotary_pair(rotary, self.TEXT, query=query, key=key, layer=layer, head=head)
        assert record.actual == query - key
        assert record.scores[record.actual] == pytest.approx(record.computed, abs=1e-4)
        tape = Tape()
        with torch.inference_mode():
            rotary.model(torch.tensor([rotary.tokenizer.encode(self.TEXT)]), tape=tape)
        assert record.computed == pytest.approx(
            float(tape[f"layers.{layer}.self"].scores[0, head, query, key]), abs=1e-5
        )
        assert (record.query_label, record.key_label) == tuple(
            {" ": "␣", "\n": "⏎"}.get(self.TEXT[position], self.TEXT[position]) for position in (query, key)
        )

    def test_the_parts_are_waves_that_add_up(self, rotary: LoadedGPT) -> None:
        record = rotary_pair(rotary, self.TEXT, query=60, key=52, layer=1, head=2, furthest=300)
        assert len(record.scores) == 301
        np.testing.assert_allclose(record.parts.sum(0), record.scores, atol=1e-9)
        angle = 2 * np.pi * record.distances / record.wavelengths[:, None]
        start = np.arccos(np.clip(record.parts[:, 0] / record.amplitude, -1, 1))[:, None]
        either = [record.amplitude[:, None] * np.cos(angle + sign * start) for sign in (1, -1)]
        off = np.min([np.abs(record.parts - wave).max(1) for wave in either], axis=0)
        np.testing.assert_allclose(off, 0, atol=1e-6)

    @pytest.mark.parametrize(("query", "key"), [(3, 4), (-1, -1), (95, 3), (10_000, 3), (3, -2)])
    def test_a_pair_that_is_none(self, rotary: LoadedGPT, query: int, key: int) -> None:
        with pytest.raises(PairRefused):
            rotary_pair(rotary, self.TEXT[:90], query=query, key=key, layer=0, head=0)

    def test_layer_and_head_are_clamped(self, rotary: LoadedGPT) -> None:
        record = rotary_pair(rotary, "日本 x\x00", query=3, key=0, layer=99, head=-5)
        assert record.provenance.detail == "layers.3.self, head 0"
        assert record.key_label == "\ufffd"

    def test_others_do_not_turn(self) -> None:
        with pytest.raises(ValueError, match="alibi positions, not rotary"):
            rotary_pair(load("positions-alibi"), "abc", query=1, key=0, layer=0, head=0)


class TestDecay:
    @pytest.mark.parametrize("kind", POSITION_KINDS)
    def test_mean_weights_by_distance(self, kind: PositionKind) -> None:
        record = decay(kind, furthest=5, n_windows=2)
        gpt = load(checkpoint(kind))
        n = gpt.model.config.max_length
        tape = Tape()
        with torch.inference_mode():
            gpt.model(torch.tensor(gpt.tokenizer.encode(excerpt())[: 2 * n]).view(2, n), tape=tape)
        for layer, head, distance in ((0, 0, 0), (2, 3, 5)):
            weights = tape[f"layers.{layer}.self"].weights[:, head].numpy()
            expected = np.mean([weights[w, i, i - distance] for w in range(2) for i in range(5, n)])
            assert record.weights[layer, head, distance] == pytest.approx(expected, abs=1e-6)
        assert (record.weights.sum(-1) <= 1 + 1e-6).all()

    def test_bounds_are_clamped(self) -> None:
        assert decay("none", furthest=10**9, n_windows=1).distances[-1] == 127
        assert decay("none", furthest=-3, n_windows=1).distances.tolist() == [0, 1]

    def test_alibi_s_steepest_head_looks_nearest(self) -> None:
        reach = decay("alibi").reach.mean(0)
        assert reach[0] < reach[-1]

    def test_within_its_reach_lies_half_of_a_head_s_weight(self) -> None:
        record = decay("alibi", furthest=40, n_windows=2)
        for weights, reach in zip(record.weights.reshape(-1, 41), record.reach.ravel(), strict=True):
            shares = np.cumsum(weights) / weights.sum()
            assert shares[int(reach)] >= 0.5
            assert reach == 0 or shares[int(reach) - 1] < 0.5


def shuffled(seed: int) -> Callable[[int], list[int]]:
    return lambda n: np.random.default_rng(seed).permutation(n).tolist()


class TestPermutation:
    @pytest.mark.parametrize("seed", [0, 1, 2])
    def test_without_positions_only_the_places_change(self, translator: LoadedTranslator, seed: int) -> None:
        record = permutation_test(translator, SENTENCE, shuffled(seed))
        assert record.residual[0] < 1e-5
        assert record.residual[1] > 0.1
        assert (record.cosine[0] > 1 - 1e-5).all()
        assert record.change[0].max() < 1e-5 < record.change[1].min()
        assert record.order[-1] == len(record.order) - 1
        assert [record.labels[position] for position in record.order] == list(record.moved_labels)
        assert record.moved.any()

    def test_with_positions_it_is_what_the_translator_reads_and_writes(self, translator: LoadedTranslator) -> None:
        record = permutation_test(translator, SENTENCE, shuffled(1))
        source = translators.encode_source(translator, SENTENCE)
        ids, model = torch.tensor([source]), translator.prepared.model
        with torch.inference_mode():
            sentence, moved = (
                model.encode(each, torch.ones_like(each, dtype=torch.bool))[0]
                for each in (ids, ids[:, torch.from_numpy(record.order.copy())])
            )
        before = sentence[torch.from_numpy(record.order.copy())]
        shown = record.after.shape[-1]
        np.testing.assert_allclose(record.before[1], before[:, :shown].numpy(), atol=1e-5)
        np.testing.assert_allclose(record.after[1], moved[:, :shown].numpy(), atol=1e-5)
        np.testing.assert_allclose(
            record.change[1], ((moved - before).norm(dim=-1) / before.norm(dim=-1)).numpy(), rtol=1e-3
        )
        ((best, *_),) = decode_all(
            translator.prepared, [[source[position] for position in record.order]], DecodingOptions(beam=1)
        )
        written = [token for token in best.ids if token != model.config.eos_id]
        assert record.written[1] == translator.tokenizer.decode(written)

    def test_words_move_whole(self, translator: LoadedTranslator) -> None:
        text = "Donaudampfschifffahrt is long."
        record = permutation_test(translator, text, shuffled(3))
        pieces = record.order.tolist()
        longest = max(translator.tokenizer.word_groups(translator.tokenizer.encode(text)), key=len)
        start = pieces.index(longest[0])
        assert pieces[start : start + len(longest)] == list(longest)
        assert record.words == ("Donaudampfschifffahrt", "is", "long", ".")

    def test_one_word_has_no_other_order(self, translator: LoadedTranslator) -> None:
        record = permutation_test(translator, "cat", shuffled(0))
        assert not record.moved.any()
        assert record.residual.max() < 1e-6

    def test_every_order_is_written_and_without_positions_alike(self, translator: LoadedTranslator) -> None:
        record = every_order(translator, "I see dogs")
        assert len(record.without) == len(record.with_codes) == 6
        assert len(set(record.without)) == 1
        swapped = permutation_test(translator, "I see dogs", lambda _: (2, 1, 0))
        assert (record.without[-1], record.with_codes[-1]) == swapped.written
        with pytest.raises(ValueError, match="too many orders"):
            every_order(translator, "a " * (MOST_WORDS + 1))

    @pytest.mark.parametrize("text", ["", "\u200b", "word " * 400])
    def test_what_cannot_be_read(self, translator: LoadedTranslator, text: str) -> None:
        for refuse in (lambda: permutation_test(translator, text, shuffled(0)), lambda: entry(translator, text)):
            with pytest.raises(InputRefused):
                refuse()

    def test_nothing_is_left_on_the_model(self, translator: LoadedTranslator) -> None:
        model = translator.prepared.model
        before: dict[str, Any] = {name: dict(module.__dict__) for name, module in model.named_modules()}
        permutation_test(translator, SENTENCE, shuffled(1))
        after = {name: dict(module.__dict__) for name, module in model.named_modules()}
        assert before.keys() == after.keys()
        assert all(before[name].keys() == after[name].keys() for name in before)

    def test_half_precision_is_not_used(self, translator: LoadedTranslator) -> None:
        rounded = replace(translator.prepared, model=_bfloat16(translator), dtype=torch.bfloat16)
        record = permutation_test(replace(translator, prepared=rounded), SENTENCE, shuffled(1))
        assert record.residual[0] < 1e-5
        assert record.provenance.dtype == "float32"


def _bfloat16(translator: LoadedTranslator) -> Any:
    import copy

    return copy.deepcopy(translator.prepared.model).bfloat16()


def test_lengths_of_what_enters(translator: LoadedTranslator) -> None:
    record = entry(translator, SENTENCE)
    model = translator.prepared.model
    ids = translators.encode_source(translator, SENTENCE)
    with torch.inference_mode():
        entered = model.embedding(torch.tensor([ids]))[0].double()
        tokens = F.embedding(torch.tensor(ids), model.embedding.weight).double()
    np.testing.assert_allclose(record.total, entered.norm(dim=-1).numpy(), rtol=1e-5)
    np.testing.assert_allclose(record.scaled, 16 * record.raw, rtol=1e-9)
    np.testing.assert_allclose(record.raw, tokens.norm(dim=-1).numpy(), rtol=1e-6)
    np.testing.assert_allclose(record.position, np.sqrt(128), rtol=1e-5)
    np.testing.assert_allclose(
        record.total**2, record.scaled**2 + record.position**2 + 2 * record.cosine * record.scaled * record.position
    )
    assert float(sinusoidal(3, 256)[2] @ tokens[2].float()) * record.cosine[2] > 0
    assert len(record.labels) == len(ids)
