"""Readable labels of sub-words."""

from explorer.data.tokenizer import Tokenizer


def test_a_piece_that_goes_on_with_a_word_is_marked() -> None:
    tokenizer = Tokenizer.train(["the cat"], 300)
    labels = tokenizer.pieces(tokenizer.encode("the doge, 1 (a)"))
    assert labels[0] == "the"
    assert labels[1:4] == ["␣", "\u2011d", "\u2011o"]
    assert {",", "␣", "\u20111", "("} <= set(labels)
    assert "".join(labels).replace("\u2011", "").replace("␣", " ") == "the doge, 1 (a)"
