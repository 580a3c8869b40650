"""Slips are read as what was meant; words that only look unusual, and names, are left alone."""

import pytest

from explorer.data.parallel.slips import correct


def rarity(word: str) -> tuple[int, str]:
    """The shorter, the less rare: enough to choose between words that are known."""
    return 0 if word in ("received", "library", "Nachricht", "nicht", "lettre") else 1, word


@pytest.mark.parametrize(
    ("language", "typed", "read"),
    [
        ("en", "i cant hear you", "I can't hear you"),
        ("en", "She doesnt know.", "She doesn't know."),
        ("en", "Youre late!", "You're late!"),
        ("en", "Its raining.", "It's raining."),
        ("en", "Lets go.", "Let's go."),
        ("en", "I recieved it in the libary.", "I received it in the library."),
        ("en", "teh cat", "the cat"),
        ("fr", "Cest la vie.", "C'est la vie."),
        ("fr", "Jespère que tu maides.", "J'espère que tu m'aides."),
        ("fr", "Sil vous plait, ouvrez la fenetre.", "S'il vous plaît, ouvrez la fenêtre."),
        ("fr", "Ca va tres bien aujourdhui.", "Ça va très bien aujourd'hui."),
        ("fr", "Votre letre est là.", "Votre lettre est là."),
        ("de", "Ich moechte ein schoenes Haus.", "Ich möchte ein schönes Haus."),
        ("de", "Die Nachrciht ist nciht da.", "Die Nachricht ist nicht da."),
    ],
)
def test_what_was_meant_is_read(language: str, typed: str, read: str) -> None:
    found, slips = correct(typed, language, rarity)
    assert found == read
    assert slips
    assert correct(read, language, rarity) == (read, ())


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "The dog wags its tail and lets me in."),
        ("en", "He was born in Kraczewo, said Mr. Recieved."),
        ("en", "Caesium and phages, i.e. two rare words."),
        ("fr", "Elle a mangé des pommes cuites et des gorilles."),
        ("fr", "Nous étions à la plage avec Nan."),
        ("de", "Die Amtssprachen der Schäfflers sind bekannt."),
        ("de", "Familie Schmitt wohnt hier."),
        ("zh", "我收到了 recieved 的信。"),
        ("", "i cant"),
    ],
)
def test_what_is_no_slip_is_left_alone(language: str, text: str) -> None:
    assert correct(text, language, rarity) == (text, ())


@pytest.mark.parametrize("text", ["", " ", "<b>cant</b> `dont` *doesnt*", "\u202ecant", "a" * 5000, "cant " * 500])
def test_any_text_will_do(text: str) -> None:
    found, _ = correct(text, "en", rarity)
    assert found.replace("'", "") == text
