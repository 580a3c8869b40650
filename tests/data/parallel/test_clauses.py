"""Long sentences, cut at their clauses, and what is written at the joints of their translations."""

import pytest

from explorer.data.parallel.clauses import continue_sentence, cut, joint


def words(text: str) -> int:
    return len(text.split())


def test_a_short_sentence_is_left_alone() -> None:
    assert cut("One, two, three.", 3, words) == ("One, two, three.",)


def test_it_is_cut_near_its_middle_and_again_until_the_parts_are_short() -> None:
    sentence = "a b c, d e f, g h i, j k l."
    assert cut(sentence, 6, words) == ("a b c, d e f,", "g h i, j k l.")
    assert cut(sentence, 3, words) == ("a b c,", "d e f,", "g h i,", "j k l.")


def test_a_semicolon_is_better_than_a_comma() -> None:
    assert cut("a b c d; e, f g h, i j.", 6, words) == ("a b c d;", "e, f g h, i j.")


def test_chinese_has_no_spaces_and_nothing_is_lost() -> None:
    sentence = "我们按了将近十分钟的门铃，天已经黑了；老板已经睡了，才有人开门。"
    parts = cut(sentence, 12, len)
    assert "".join(parts) == sentence
    assert len(parts) == 4


def test_without_marks_there_is_nothing_to_cut_at() -> None:
    assert cut("word " * 30, 6, words) == ("word " * 30,)
    assert cut("At 3,500 " + "x " * 20, 6, words) == ("At 3,500 " + "x " * 20,)


@pytest.mark.parametrize(
    ("clause", "source", "language", "shown"),
    [
        ("The day was black.", "天已经黑了，", "en", "The day was black,"),
        ("天黑了。", "it was dark,", "zh", "天黑了，"),
        ("il faisait nuit.", "it was dark;", "fr", "il faisait nuit ;"),
        ("es war dunkel", "it was dark,", "de", "es war dunkel,"),
        ("He asked: who?", "he asked who,", "en", "He asked: who?"),
        ("It was dark.", "es war dunkel –", "en", "It was dark."),
        ("", "it was dark,", "de", ""),
    ],
)
def test_a_clause_ends_with_the_mark_of_its_source(clause: str, source: str, language: str, shown: str) -> None:
    assert joint(clause, source, language) == shown


@pytest.mark.parametrize(
    ("clause", "language", "shown"),
    [
        ("The owner slept.", "en", "the owner slept."),
        ("I slept.", "en", "I slept."),
        ("McAllister slept.", "en", "McAllister slept."),
        ("Nightingale slept.", "en", "Nightingale slept."),
        ("Mais il dormait.", "fr", "mais il dormait."),
        ("Der Hund schlief.", "de", "der Hund schlief."),
        ("Kinder schliefen.", "de", "Kinder schliefen."),
        ("Sie schlafen.", "de", "Sie schlafen."),
        ("“Yes.”", "en", "“Yes.”"),
        ("他睡了。", "zh", "他睡了。"),
    ],
)
def test_inside_a_sentence_only_names_and_nouns_keep_their_capital(clause: str, language: str, shown: str) -> None:
    assert continue_sentence(clause, language) == shown
