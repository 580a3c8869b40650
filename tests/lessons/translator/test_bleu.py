"""The scene of BLEU: what is drawn is what was counted, and hostile text loses nothing."""

import pytest

from explorer.lessons.translator import bleu
from explorer.lessons.translator.figures.ngrams import ngrams
from tests.pages.test_every_page import healthy
from tests.support.pages import OpenPage, said

PAGE = "pages/10_translator.py"


def test_the_chips_are_the_ngrams_and_the_bars_their_share() -> None:
    found = bleu.judge(bleu.BleuParams(hypothesis="The cat the cat sat", references="a | the cat sat down"))
    assert found is not None
    assert found.references == (("a",), ("the", "cat", "sat", "down"))
    rows = bleu.rows(found)
    figure = ngrams(rows)
    *chips, bars = figure.data
    for n, (written, reference) in enumerate(zip(chips[::2], chips[1::2], strict=True), 1):
        assert [each[0] for each in written.customdata] == [
            "\u00a0".join(["the", "cat", "the", "cat", "sat"][i : i + n]) for i in range(6 - n)
        ]
        assert list(written.base) == pytest.approx([i + 0.03 for i in range(6 - n)])
        assert len(reference.x) == max(0, 2 - n)
    assert list(bars.x) == pytest.approx([3 / 5, 2 / 4, 1 / 3, 0])
    assert "Words that match: **3 of 5**; runs of 4 words" in bleu.describe(found)


def test_a_chip_says_what_its_words_mean_where_that_is_known() -> None:
    found = bleu.judge(bleu.BleuParams(hypothesis="le <b> chat", references="le chat"))
    assert found is not None
    words, _, pairs, *_ = ngrams(bleu.rows(found), {"le": "the", "chat": "cat<"}).data
    meant = [each[2] for each in words.customdata]
    assert meant[0], meant[-1] == ("<br>the", "<br>cat&lt;")
    assert all(each[2] == "" for each in ngrams(bleu.rows(found)).data[0].customdata)
    assert pairs.customdata[0][2].startswith("<br>the\u00a0·")


def test_characters_are_not_called_words() -> None:
    found = bleu.judge(bleu.BleuParams(hypothesis="我看狗", references="我看猫", tokens="characters"))
    assert found is not None
    said = bleu.describe(found, "characters")
    assert "Characters that match: **2 of 3**; runs of 3 characters: **0 of 1**." in said
    assert "ords" not in said


def test_a_side_without_a_token_is_not_judged_and_a_huge_one_is_refused() -> None:
    assert bleu.judge(bleu.BleuParams(hypothesis="a", references=" | ")) is None
    assert bleu.judge(bleu.BleuParams(hypothesis="", references="a")) is None
    with pytest.raises(bleu.TooLongError):
        bleu.judge(bleu.BleuParams(hypothesis="a " * 61, references="a"))


@pytest.mark.parametrize("text", ["   ", "💜👩‍👩‍👧‍👦", "<script>alert(1)</script>", "a " * 190, "$x^2$ **b**", "|||"])
def test_the_page_takes_any_text(open_page: OpenPage, text: str) -> None:
    app = open_page(PAGE, scene="bleu", tr_bleu_k="99", tr_bleu_hypothesis=text, tr_bleu_reference=text)
    assert healthy(app)
    assert ("60 fit" in said(app)) == (len(text) > 300)
    assert app.text_input(key="tr_bleu_reference").value == text
