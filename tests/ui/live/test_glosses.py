"""What foreign words of a live picture mean: whole words and their pieces."""

from explorer.records.language import speaking
from explorer.records.sequence import TokenRow
from explorer.ui.live.glosses import explain_pieces, explain_words

ROW = TokenRow(
    labels=("<s>", "Tu", "man‑", "‑ques", "le", "zoo"),
    words=((0,), (1,), (2, 3), (4,), (5,)),
    word_labels=("<s>", "Tu", "manques", "le", "zoo"),
    special=(True, *[False] * 5),
)


def test_a_piece_means_what_its_word_means() -> None:
    found = explain_pieces((ROW,), "fr", others=("zoo",))["glosses"]
    words = explain_words(ROW.word_labels, "fr", others=("zoo",))["glosses"]
    assert found["man‑"] == found["‑ques"] == words["manques"]
    assert found["Tu"] == words["Tu"] == "you"
    assert not {"<s>", "zoo"} & set(found), "what nobody knows, and what both languages have, is not explained"
    with speaking("zh"):
        assert explain_pieces((ROW,), "fr")["glosses"]["Tu"] != "you"


def test_nothing_is_packed_where_nothing_is_known() -> None:
    unknown = TokenRow(labels=("qqq",), words=((0,),), word_labels=("qqq",), special=(False,))
    assert explain_pieces((unknown,), "fr") == {}
