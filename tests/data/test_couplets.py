"""Couplets: characters as tokens, and the form of a second line."""

from pathlib import Path

import numpy as np
import pytest

from explorer.data.couplets import CoupletSource, CoupletTokenizer, clean_line, make_batches
from explorer.data.parallel.pairs import Pair
from tests.support.couplets import keeps_form

VERSE = [Pair("两个黄鹂鸣翠柳", ("一行白鹭上青天",)), Pair("无边落木萧萧下", ("不尽长江滚滚来",))]
COUPLETS = [Pair("风声，雨声，读书声", ("家事，国事，天下事",))]


def tokenizer() -> CoupletTokenizer:
    return CoupletTokenizer.train(text for pair in VERSE + COUPLETS for text in (pair.source, *pair.targets))


@pytest.mark.parametrize(
    ("first", "second", "keeps"),
    [
        ("两个黄鹂鸣翠柳", "一行白鹭上青天", True),
        ("无边落木萧萧下", "不尽长江滚滚来", True),
        ("无边落木萧萧下", "不尽长江滚流来", False),  # an echo is missing
        ("两个黄鹂鸣翠柳", "一行白鹭上上天", False),  # an echo too many
        ("两个黄鹂鸣翠柳", "一行白鹭鸣青天", False),  # a character of the first line
        ("两个黄鹂鸣翠柳", "一行白鹭上青", False),
        ("两个黄鹂鸣翠柳", "一行白，上青天", False),
        ("风声，雨声，读书声", "家事，国事，天下事", True),
        ("风声，雨声，读书声", "家事国，事，天下事", False),
        ("风声，雨声，读书声", "家事，国事，天下情", False),
        ("", "", True),
    ],
)
def test_the_form_of_a_second_line(first: str, second: str, keeps: bool) -> None:
    assert keeps_form(first, second) is keeps


def test_every_character_has_its_token_and_comes_back(tmp_path: Path) -> None:
    made = tokenizer()
    text = "两个黄鹂，上青天"
    assert made.decode(made.encode(text)) == text
    assert made.encode("龘")[0] == made.unknown_id
    assert made.pieces([made.bos_id, *made.encode("鹂龘"), made.eos_id]) == ["<s>", "鹂", "<unk>", "</s>"]
    assert made.unknown("鹂龘靐龘") == ["龘", "靐"]
    assert made.word_groups([5, 6]) == [(0,), (1,)]
    made.save(tmp_path / "tokenizer.json")
    assert CoupletTokenizer.load(tmp_path / "tokenizer.json").characters == made.characters


def test_rare_characters_have_no_token() -> None:
    assert CoupletTokenizer.train(["aab", "ac d"], at_least=2).characters == "a"


@pytest.mark.parametrize("content", ["[]", "{}", '{"couplet_characters": 3}', '{"couplet_characters": "aa"}', "x"])
def test_a_file_that_is_no_vocabulary_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "tokenizer.json").write_text(content)
    with pytest.raises(ValueError, match=r"."):
        CoupletTokenizer.load(tmp_path / "tokenizer.json")


def test_a_typed_line_is_brought_into_the_corpus_form() -> None:
    assert clean_line(" 风声、雨声,读书声。 ") == "风声，雨声，读书声"


def test_couplets_come_last_and_alone() -> None:
    made = tokenizer()
    source = CoupletSource(VERSE, COUPLETS, made, seed=3, max_length=32)
    assert len(source.epoch(0)[0][1]) - 1 == 3
    (flat, ends), (target, _) = source.epoch(5, calm=True)
    assert (made.decode(flat.tolist()), list(ends)) == (COUPLETS[0].source, [0, 9])
    assert made.decode(target.tolist()) == COUPLETS[0].targets[0]
    assert sorted(np.concatenate(source.batches(0, tokens_per_batch=20)).tolist()) == [0, 1, 2]
    (batch,) = make_batches(VERSE, made, max_length=32)
    assert batch.source.shape == (2, 8)
    assert (batch.source[:, -1] == made.eos_id).all()
