"""Alignment error rate against a count by hand, and the gold alignment that ships."""

import numpy as np
import pytest

from explorer.data.parallel.alignments import DIRECTIONS, gold_pair, gold_pairs
from explorer.evaluate import alignment_error
from explorer.inference.seq2seq.translate import load as load_recurrent
from explorer.inference.translator.attention_inputs import load_float32


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


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_a_gold_alignment_is_whole(direction: str) -> None:
    pairs = gold_pairs(direction)
    assert len({pair.texts for pair in pairs}) == 100
    for pair in pairs:
        assert {target for _, target in pair.possible} == set(range(len(pair.target))), pair.texts
        bare = set(range(len(pair.source))) - {source for source, _ in pair.possible}
        assert {pair.source[place] for place in bare} <= {",", "ein"}, pair.texts
        marks = {".", "?"}
        for source, target in pair.sure:
            assert (pair.source[source] in marks) == (pair.target[target] in marks), pair.texts


def test_trained_models_align_better_than_the_diagonal_where_they_were_trained() -> None:
    pairs = gold_pairs()[50:]
    model = load_float32("translator-de-en")
    weights = [alignment_error.of_translator(model)(pair) for pair in pairs]
    for pair, each in zip(pairs, weights, strict=True):
        assert each.shape[1:] == (len(pair.target), len(pair.source))
        np.testing.assert_allclose(each.sum(-1), 1, atol=1e-4)
    rates = alignment_error.rates(weights, pairs)
    by_place = alignment_error.error_rate([alignment_error.diagonal(pair) for pair in pairs], pairs)
    assert rates.min() < by_place < rates.max()
    recurrent = alignment_error.of_recurrent(load_recurrent("seq2seq-de-en-additive"))
    assert alignment_error.rates([recurrent(pair) for pair in pairs], pairs)[0] < rates.max()


def test_from_english_to_french_words_are_those_of_the_gold_alignment_and_a_layer_beats_the_diagonal() -> None:
    pairs = gold_pairs("en-fr")
    weights = [alignment_error.of_translator(load_float32("translator-en-fr"))(pair) for pair in pairs]
    assert [each.shape[1:] for each in weights] == [(len(pair.target), len(pair.source)) for pair in pairs]
    by_place = alignment_error.error_rate([alignment_error.diagonal(pair) for pair in pairs], pairs)
    assert alignment_error.rates(weights, pairs).min() < by_place


def test_french_is_written_with_its_own_marks() -> None:
    pair = gold_pair("Can you drink the water ?\tPeux/0 -tu/1 boire/2 l'/3 eau/4 ?/5", "en-fr")
    assert pair.texts == ("Can you drink the water?", "Peux-tu boire l'eau ?")
