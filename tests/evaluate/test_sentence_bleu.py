"""BLEU of one sentence against sacreBLEU and against the function of the book."""

import math
import random
from collections import Counter

import pytest
import sacrebleu

from explorer.evaluate.sentence_bleu import Tokens, sentence_bleu, tokenise

WORDS = ("il", "est", "calme", "riche", ".", "le", "l'eau", "25,3", "Va", "💜", "<b>", "x")
CHARACTERS = tuple("我们在一个大房子里住。ab ")


def book(hypothesis: str, reference: str, k: int) -> float:
    """The function `bleu` of the book's chapter on sequence to sequence, word for word but for names."""
    mine, theirs = hypothesis.split(" "), reference.split(" ")
    score = math.exp(min(0, 1 - len(theirs) / len(mine)))
    for n in range(1, min(k, len(mine)) + 1):
        matches, left = 0, Counter(" ".join(theirs[i : i + n]) for i in range(len(theirs) - n + 1))
        for i in range(len(mine) - n + 1):
            if left[" ".join(mine[i : i + n])] > 0:
                matches += 1
                left[" ".join(mine[i : i + n])] -= 1
        score *= math.pow(matches / (len(mine) - n + 1), math.pow(0.5, n))
    return score


@pytest.mark.parametrize(("tokens", "name"), [("words", "13a"), ("characters", "zh")])
@pytest.mark.parametrize("smooth", ["none", "exp"])
def test_the_standard_score_is_sacrebleus(tokens: Tokens, name: str, smooth: str) -> None:
    draw = random.Random(5)
    vocabulary, joint = (WORDS, " ") if tokens == "words" else (CHARACTERS, "")
    seen = set()
    for _ in range(400):
        texts = [joint.join(draw.choices(vocabulary, k=draw.randint(1, 12))) for _ in range(draw.randint(2, 4))]
        k = draw.randint(1, 4)
        hypothesis, *references = (tokenise(text, tokens) for text in texts)
        if not hypothesis or not all(references):
            continue
        ours = sentence_bleu(hypothesis, references, k)
        metric = sacrebleu.BLEU(
            tokenize=name, smooth_method=smooth, max_ngram_order=k, effective_order=True, lowercase=True
        )
        theirs = metric.sentence_score(texts[0], texts[1:])
        assert [order.correct for order in ours.orders] == theirs.counts
        assert 100 * (ours.smoothed if smooth == "exp" else ours.standard) == pytest.approx(theirs.score, abs=1e-9)
        assert ours.brevity == pytest.approx(theirs.bp, abs=1e-12)
        seen.add(round(theirs.score))
    assert len(seen) > 10


def test_the_books_score_is_the_books() -> None:
    draw = random.Random(6)
    for _ in range(300):
        mine, theirs = (" ".join(draw.choices(WORDS[:5], k=draw.randint(1, 8))) for _ in range(2))
        k = draw.randint(1, 4)
        ours = sentence_bleu(tuple(mine.split()), [tuple(theirs.split())], k)
        assert ours.book == pytest.approx(book(mine, theirs, k), abs=1e-12)
    wrong = sentence_bleu(("il", "est", "riche", "."), [("il", "est", "calme", ".")], 2)
    assert f"{wrong.book:.3f}" == "0.658"  # what the book prints for this pair


def test_a_repeated_word_is_clipped_and_nothing_scores_nothing() -> None:
    the = sentence_bleu(("the",) * 7, [("the", "cat", "is", "on", "the", "mat")])
    assert (the.orders[0].correct, the.orders[0].total) == (2, 7)  # the example of Papineni et al. 2002
    empty = sentence_bleu((), [("a",)])
    assert (empty.book, empty.standard, empty.smoothed) == (0, 0, 0)
    with pytest.raises(ValueError, match="reference"):
        sentence_bleu(("a",), [])
