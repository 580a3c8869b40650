"""From a text to the pieces that a translator reads, and back."""

from explorer.data.parallel.directions import Direction
from explorer.data.tokenizer import Tokenizer
from explorer.inference.translator.pieces import join_pieces, pieces, rarity, write_pieces

TOKENIZER = Tokenizer.train(["The cat sat, and Tom saw the cat of the cat. What time is it?"] * 30, 330)
ENGLISH = Direction("en", "fr")


def test_sentences_are_normalised_one_by_one_and_their_translations_joined() -> None:
    found = pieces("WHAT TIME IS IT?  The  cat sat.", TOKENIZER, ENGLISH)
    assert [(piece.text, piece.sentence, piece.of.changes) for piece in found] == [
        ("What time is it?", 0, ("capitals",)),
        ("The cat sat.", 1, ("spaces",)),
    ]
    assert join_pieces(found, ["Quelle heure ?", "Le chat."]) == "QUELLE HEURE ? Le chat."


def test_a_long_sentence_is_read_in_clauses_and_restored_as_a_whole() -> None:
    found = pieces("THE CAT SAT, AND TOM SAW THE CAT. WHAT?", TOKENIZER, ENGLISH, longest=8)
    assert [(piece.text, piece.sentence) for piece in found] == [
        ("The cat sat,", 0),
        ("and Tom saw the cat.", 0),
        ("What?", 1),
    ]
    assert join_pieces(found, ["a.", "Et b.", "c ?"]) == "A, ET B. C ?"
    small = pieces("The cat sat, and Tom saw the cat.", TOKENIZER, ENGLISH, longest=8)
    assert write_pieces(small, ["Le chat s'assit.", "Et Tom le vit."]) == ("Le chat s'assit,", "et Tom le vit.")
    assert write_pieces(small, ["Le chat", ""]) == ("Le chat,", "")


def test_nothing_visible_has_no_pieces() -> None:
    assert pieces(" \u200b ", TOKENIZER, ENGLISH) == ()
    assert join_pieces((), []) == ""


def test_the_more_frequent_way_to_write_a_word_is_less_rare() -> None:
    assert rarity(TOKENIZER, "Tom") < rarity(TOKENIZER, "tom")
    assert rarity(TOKENIZER, "cat") < rarity(TOKENIZER, "Cat")
