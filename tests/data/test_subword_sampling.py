"""BPE-dropout against the tokenizer's own merges."""

import itertools
import random

import numpy as np
import pytest

from explorer.data.subword_sampling import SubwordSampler, cut_word, flatten_rows, take_rows
from explorer.data.tokenizer import Tokenizer

WORDS = ["attention", "attentive", "attends", "tension", "intentional"]


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return Tokenizer.train([" ".join(WORDS)] * 5, 320)


def test_rows_are_taken_in_any_order() -> None:
    flat, ends = take_rows(flatten_rows([[1, 2, 3], [], [4], [5, 6]]), np.array([3, 1, 0, 3]))
    assert [flat[a:b].tolist() for a, b in itertools.pairwise(ends)] == [[5, 6], [], [1, 2, 3], [5, 6]]


def test_without_dropout_a_word_is_cut_as_the_tokenizer_cuts_it(tokenizer: Tokenizer) -> None:
    words = tokenizer.words(" ".join(WORDS))
    sampler = SubwordSampler(tokenizer, words, rate=0.0, n_cuts=8, seed=0)
    tokens, _ = sampler.sample(flatten_rows([list(range(len(words)))]), np.random.default_rng(0))
    assert tokens.tolist() == tokenizer.encode(" ".join(WORDS))


def test_each_draw_may_be_another_cut_of_the_same_word(tokenizer: Tokenizer) -> None:
    words = tokenizer.words("attention")
    sampler = SubwordSampler(tokenizer, words, rate=0.3, n_cuts=16, seed=0)
    tokens, ends = sampler.sample(flatten_rows([[0]] * 50), np.random.default_rng(0))
    cuts = {tuple(tokens[a:b].tolist()) for a, b in itertools.pairwise(ends)}
    assert len(cuts) > 3
    assert {tokenizer.decode(cut) for cut in cuts} == {"attention"}


def test_the_merge_of_the_lowest_rank_goes_first() -> None:
    ranks: dict[tuple[str, ...], int] = {("b", "c"): 0, ("a", "b"): 1, ("a", "bc"): 2}
    assert cut_word("abc", ranks, 0.0, random.Random(0)) == ["abc"]
    assert cut_word("abd", ranks, 0.0, random.Random(0)) == ["ab", "d"]


def test_the_share_of_dropped_merges_is_the_rate() -> None:
    draw = random.Random(0)
    kept = sum(cut_word("ab", {("a", "b"): 0}, 0.3, draw) == ["ab"] for _ in range(4000))
    assert abs(kept / 4000 - 0.7) < 0.03


def test_a_calm_draw_is_the_tokenizers_own_cut(tokenizer: Tokenizer) -> None:
    words = tokenizer.words(" ".join(WORDS))
    sampler = SubwordSampler(tokenizer, words, rate=0.5, n_cuts=8, seed=0)
    row = flatten_rows([list(range(len(words)))])
    calm, _ = sampler.sample(row, np.random.default_rng(0), calm=True)
    wild, _ = sampler.sample(row, np.random.default_rng(0))
    assert calm.tolist() == tokenizer.encode(" ".join(WORDS)) != wild.tolist()


def test_a_single_character_is_never_cut_into_its_bytes() -> None:
    tokenizer = Tokenizer.train(["我们是"] * 5, 320)
    words = tokenizer.words("我们是")
    sampler = SubwordSampler(tokenizer, words, rate=0.9, n_cuts=8, seed=0)
    tokens, _ = sampler.sample(flatten_rows([[0, 1, 2]] * 20), np.random.default_rng(0))
    assert tokens.tolist() == tokenizer.encode("我们是") * 20
