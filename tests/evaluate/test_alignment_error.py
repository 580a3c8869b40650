"""Alignment error rate against a count by hand, and the gold alignment that ships."""

import numpy as np
import pytest
import torch

from explorer.data.parallel.alignments import DIRECTIONS, GoldPair, gold_pair, gold_pairs
from explorer.evaluate import alignment_error
from explorer.inference.seq2seq.translate import load as load_recurrent
from explorer.inference.translator.trace import AnyTokenizer
from explorer.inference.translator.translate import load
from explorer.nn.tape import Tape


def test_a_line_is_read_and_scored_as_by_hand() -> None:
    pair = gold_pair("Ich habe gegessen .\tI/0 ate/2?1 ./3")
    assert pair.texts == ("Ich habe gegessen.", "I ate.")
    assert pair.sure == {(0, 0), (2, 1), (3, 2)}
    assert pair.possible == pair.sure | {(1, 1)}
    found = alignment_error.heaviest(np.array([[0.9, 0.1, 0, 0], [0, 0.6, 0.4, 0], [0.7, 0, 0, 0.3]]))
    assert found == {(0, 0), (1, 1), (0, 2)}
    # One of three links is sure, two are possible: 1 - (1 + 2) / (3 + 3).
    assert alignment_error.error_rate([found], [pair]) == pytest.approx(0.5)
    assert alignment_error.error_rate([pair.sure], [pair]) == 0
    assert alignment_error.error_rate([pair.possible], [pair]) == 0
    assert alignment_error.diagonal(pair) == {(0, 0), (2, 1), (3, 2)}
    with pytest.raises(ValueError, match="no word"):
        gold_pair("Ja .\tYes/0 ./2")


#: Words without a partner: a comma of one language, an article within a phrase.
BARE = {"de-en": {",", "ein"}, "en-fr": {","}}
#: In English, what French says with two words around a verb.
DENIALS = {"not", "nobody", "nothing", "never", "no", "only", "neither"}


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_the_gold_alignment_is_whole(direction: str) -> None:
    pairs = gold_pairs(direction)
    assert len({pair.texts for pair in pairs}) == 100
    for pair in pairs:
        assert {target for _, target in pair.possible} == set(range(len(pair.target))), pair.texts
        bare = set(range(len(pair.source))) - {source for source, _ in pair.possible}
        assert {pair.source[position] for position in bare} <= BARE[direction], pair.texts
        for source, target in pair.sure:
            words = pair.source[source], pair.target[target]
            for same in ({".", "?"}, {word for word in words if word.isdigit()}):
                assert (words[0] in same) == (words[1] in same), pair.texts
        turned = GoldPair(
            source=pair.target,
            target=pair.source,
            sure=frozenset((target, source) for source, target in pair.sure),
            possible=frozenset((target, source) for source, target in pair.possible),
        )
        links = alignment_error.diagonal(pair)
        back = frozenset((target, source) for source, target in links)
        assert alignment_error.error_rate([links], [pair]) == alignment_error.error_rate([back], [turned])


def test_french_is_split_as_its_rules_say() -> None:
    for pair in gold_pairs("en-fr"):
        assert 4 <= sum(word.isalnum() for word in pair.source) + sum("'" in word for word in pair.source) <= 14
        for position, word in enumerate(pair.target):
            assert "'" not in word[:-1] or word == "aujourd'hui", pair.texts
            partners = {pair.source[source].lower() for source, target in pair.sure if target == position}
            if word in ("ne", "n'", "Ne", "N'"):
                assert partners & DENIALS or any(each.endswith("n't") for each in partners), pair.texts
    found = gold_pairs("en-fr")[35], gold_pairs("en-fr")[70]
    assert found[0].texts == ("How many languages does she speak?", "Combien de langues parle-t-elle ?")
    assert found[1].texts == ("My brother's wife is a lawyer.", "La femme de mon frère est avocate.")


@torch.inference_mode()
def test_the_rates_of_the_french_are_those_of_another_count() -> None:
    """Pieces are gathered by their characters and links counted one by one, apart from the code that the page uses."""
    pairs, model = gold_pairs("en-fr")[34:46], load("translator-en-fr")
    tokenizer, net = model.tokenizer, model.prepared.model
    right, whole = np.zeros((3, 8)), np.zeros((3, 8))
    for pair in pairs:
        source, target = ([*tokenizer.encode(text), tokenizer.eos_id] for text in pair.texts)
        tape = Tape()
        net(torch.tensor([source]), torch.tensor([[model.prepared.config.bos_id, *target[:-1]]]), tape=tape)
        rows, columns = (belongs(tokenizer, *each) for each in ((target, pair.target), (source, pair.source)))
        for layer in range(3):
            for head, weights in enumerate(tape[f"decoder.layers.{layer}.cross"].weights[0].numpy()):
                words = columns @ weights.T @ (rows / rows.sum(1, keepdims=True)).T  # [source, target]
                chosen = [(int(words[:, position].argmax()), position) for position in range(len(pair.target))]
                right[layer, head] += sum((link in pair.sure) + (link in pair.possible) for link in chosen)
                whole[layer, head] += len(chosen) + len(pair.sure)
    look = alignment_error.of_translator(model)
    mine = alignment_error.rates(look(pairs), pairs).reshape(3, 8)
    np.testing.assert_allclose(mine, 1 - right / whole, atol=1e-12)
    assert mine[1].min() < alignment_error.error_rate([alignment_error.diagonal(pair) for pair in pairs], pairs)


def belongs(tokenizer: AnyTokenizer, ids: list[int], words: tuple[str, ...]) -> np.ndarray:
    """Ones where a piece is part of a word, `[words, pieces]`."""
    ends = np.cumsum([len(word) for word in words])
    sizes = [len(tokenizer.decode([each]).strip()) for each in ids[:-1]]
    middles = np.cumsum(sizes) - np.array(sizes) / 2
    table = np.zeros((len(words), len(ids)))
    table[np.searchsorted(ends, middles), np.arange(len(ids) - 1)] = 1
    return table


def test_trained_models_align_better_than_the_diagonal_where_they_were_trained() -> None:
    pairs = gold_pairs()[50:]
    model = load("translator-de-en")
    weights = alignment_error.of_translator(model)(pairs)
    for pair, each in zip(pairs, weights, strict=True):
        assert each.shape[1:] == (len(pair.target), len(pair.source))
        np.testing.assert_allclose(each.sum(-1), 1, atol=1e-4)
    rates = alignment_error.rates(weights, pairs)
    by_place = alignment_error.error_rate([alignment_error.diagonal(pair) for pair in pairs], pairs)
    assert rates.min() < by_place < rates.max()
    recurrent = alignment_error.of_recurrent(load_recurrent("seq2seq-de-en-additive"))
    together = recurrent(pairs)
    assert alignment_error.rates(together, pairs)[0] < rates.max()
    for pair, each in zip(pairs[:5], together, strict=False):
        np.testing.assert_allclose(recurrent([pair])[0], each, atol=1e-5)
