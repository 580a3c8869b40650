"""Writing token by token: seeds, windows, ends, and what is known of every token."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
import torch

from explorer.data.text import CharacterTokenizer
from explorer.data.verse import lay_out
from explorer.inference.gpt import verse_form
from explorer.inference.gpt.sampling import TextSampler
from explorer.inference.gpt.verse_form import form_kept, openings
from explorer.inference.gpt.writing import GeneratedText, first_seen, write
from explorer.models.gpt import GPT
from tests.models.test_gpt import make

WARM = TextSampler(temperature=1.3, seed=5)


def written(model: GPT, ids: Sequence[int], n_new: int, sampler: TextSampler = WARM, **more: int) -> GeneratedText:
    return write(model, ids, n_new, sampler, **{"window": 12, **more})


def test_the_same_seed_writes_the_same_text() -> None:
    model = make("rotary")
    texts = [written(model, [3, 1], 30, TextSampler(temperature=1.5, seed=seed)).ids for seed in (1, 1, 2)]
    assert texts[0] == texts[1] != texts[2]
    assert 0 not in texts[0] + texts[2]


def test_what_is_written_does_not_depend_on_where_it_was_stopped() -> None:
    model = make("rotary")
    first, whole = written(model, [3, 1], 11), written(model, [3, 1], 25)
    assert whole.ids[: len(first.ids)] == first.ids
    on = written(model, first.ids, 14)
    assert on.ids == whole.ids
    np.testing.assert_allclose(on.log_probability[13:], whole.log_probability[13:], atol=1e-4)


@torch.no_grad()
def test_every_token_has_the_probability_of_one_pass_over_its_window() -> None:
    model, text = make("alibi"), written(make("alibi"), [3], 1)
    text = written(model, [3, 9, 4], 24)
    assert math.isnan(text.log_probability[0])
    for position in range(1, 27):
        begin = first_seen(position, 12)
        logits = model(torch.tensor([text.ids[begin:position]]))[0, -1]
        if position >= 3:
            logits[0] = -math.inf
        expected = float(logits.log_softmax(-1)[text.ids[position]])
        assert text.log_probability[position] == pytest.approx(expected, abs=1e-4), position


def test_the_window_never_holds_more_and_half_of_it_is_kept() -> None:
    for window in (1, 2, 7, 12):
        seen = [position - first_seen(position, window) for position in range(60)]
        assert max(seen) <= window
        assert min(seen[window:]) >= window - window // 2 - (window == 1)
        assert seen[: window + 1] == list(range(window + 1))


def test_a_long_prompt_is_read_from_its_end() -> None:
    model, ids = make("learned"), [1 + i % 30 for i in range(100)]
    text = written(model, ids, 15)
    unread = [math.isnan(each) for each in text.log_probability]
    assert unread == [position <= first_seen(100, 12) for position in range(115)]


def test_a_token_can_end_the_text() -> None:
    model = make("none")
    first = written(model, [3], 40).ids
    end = first[7]
    assert written(model, [3], 40, end=end).ids == first[: first.index(end, 1) + 1]


def test_a_text_has_the_length_that_is_asked_for() -> None:
    assert [len(written(make("none"), [3, 4], n_new).ids) for n_new in (1, 2, 30)] == [3, 4, 32]


class TestVerseForm:
    def test_openings_are_spread_over_the_poems(self) -> None:
        text = lay_out([("床前明月光", "疑是地上霜", "举头望明月", "低头思故乡"), ("白日依山尽",) * 4] * 3)
        assert openings(text, 2) == ["床前明月光，", "白日依山尽，"]
        assert len(openings(text, 100)) == 6

    def test_an_untrained_model_keeps_no_form(self) -> None:
        tokenizer = CharacterTokenizer("\n。一二三四五，")
        model = make("rotary", vocab_size=tokenizer.vocab_size)
        assert form_kept(model, tokenizer, ["一二三四五，"] * 3) == 0

    def test_a_model_that_has_learnt_one_poem_keeps_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        tokenizer = CharacterTokenizer("\n。一二三四五，")
        poem = tokenizer.encode("\n一二三四五，一二三四五。一二三四五，一二三四五。\n")
        found = GeneratedText(ids=tuple(poem), log_probability=(0.0,) * len(poem))
        monkeypatch.setattr(verse_form, "write", lambda *_, **__: found)
        assert form_kept(make("rotary"), tokenizer, ["一二三四五，"]) == 1
        assert form_kept(make("rotary"), tokenizer, ["一二三四五六七，"]) == 0
