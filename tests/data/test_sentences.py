"""Where sentences end: real punctuation of five languages, and whatever people type instead."""

import pytest

from explorer.data.sentences import join, split

TEXTS = [
    ["I miss you.", "Do you miss me?", "Yes!"],
    ["Mr. and Mrs. Smith met Dr. Brown at 5 p.m. on Sunday.", "They left."],
    ["J. R. R. Tolkien wrote it.", "So did I.", "Really?"],
    ["It costs 3.14 euros, e.g. in Paris.", "That is 1,000.50 more."],
    ["She lives in the U.S. Army base.", "He is from the U.S.", "He left at 3 p.m.", "We stayed."],
    ["No.", "I do not.", "No. 5 is alive."],
    ["“What?” he asked.", "“Nothing.”", "She left."],
    ['"Stop!" she cried.', 'He said: "I will not."', "Then he ran."],
    ["Well... perhaps.", "Wait…", "What?!", "No way!!!"],
    ["Il m'a dit : « Viens ! »", "M. Dupont est parti.", "Où ça ?"],
    ["Am 3. Mai kam z. B. Herr Dr. Meier.", "Er blieb bis zum 12. Juni."],
    ["Sie kamen, usw. und gingen.", "Das war's."],
    ["i miss you.", "do you miss me?", "ok.", "bye"],
    ["See www.example.com/a.b or mail a.b@c.org for v2.0 of node.js.", "Thanks."],
    ["1. Wash it.", "2. Dry it."],
    ["I see.", "You do not.", "Why?", "Because."],
    ["我想你。", "你想我吗？", "想！", "“真的？”", "他走了……"],
    ["They sell apples, pears, etc. in June.", "They sell apples, etc.", "We buy them."],
]


@pytest.mark.parametrize("sentences", TEXTS, ids=lambda each: each[0][:24])
def test_sentences_end_where_a_reader_ends_them(sentences: list[str]) -> None:
    assert list(split(join(sentences))) == sentences


def test_a_line_end_ends_a_sentence_and_a_forgotten_space_is_seen() -> None:
    assert split("A title\n\n  The text. ") == ("A title", "The text.")
    assert split("I see.You do not.Or do you?Yes") == ("I see.", "You do not.", "Or do you?", "Yes")


@pytest.mark.parametrize("text", ["", " \n\t", "...", "?!", "a" * 5000, ". . . .", "(((", "🎉🎉! 🎉", "\x00.\x00 A."])
def test_anything_is_split_without_losing_a_character(text: str) -> None:
    pieces = split(text)
    assert "".join("".join(pieces).split()) == "".join(text.split())
    assert all(piece.strip() for piece in pieces)


def test_marks_alone_stay_with_the_sentence_before() -> None:
    assert split("Go! ... !!! Now.") == ("Go! ... !!!", "Now.")


def test_chinese_sentences_are_joined_without_spaces() -> None:
    assert join(["我想你。", "你呢？"]) == "我想你。你呢？"
    assert join(["Salut !", "Ça va ?"]) == "Salut ! Ça va ?"
    assert join(["我想你。", "你呢？"], ["<mark>我想你。</mark>", "你呢？"]) == "<mark>我想你。</mark>你呢？"
    assert join(["A &", "B"], ["A &amp;", "<mark>B</mark>"]) == "A &amp; <mark>B</mark>"
    assert join([]) == ""
