"""Every translator gives back what must be copied as it came in, and nothing that stood in for it."""

import re

import pytest

from explorer.data.parallel.directions import Direction
from explorer.data.parallel.placeholders import ROWS
from explorer.evaluate.translations import translate_texts
from explorer.inference.search.decode import DecodingOptions
from explorer.inference.translator.piece import LAST_ATTEMPT
from explorer.inference.translator.pieces import again, join_pieces, pieces
from explorer.inference.translator.translate import load, translate
from tests.inference.translator.test_pieces import TOKENIZER
from tests.support.literal_examples import FRAMES, KINDS, examples

TRANSLATORS = {
    "en-fr": "translator-en-fr",
    "fr-en": "translator-to-english",
    "en-de": "translator-from-english",
    "de-en": "translator-de-en",
    "en-zh": "translator-from-english",
    "zh-en": "translator-zh-en",
}
STANDS_IN = re.compile("|".join(re.split("[ /]", " ".join((*ROWS["person"], *ROWS["place"])))))
#: Several kinds in a text, in each language.
MIXED = {
    "en": "Thanks {0}! See {1} ({2}), or write to {3} at 9:15 pm {4}\n{5}. We know that {6}, {4}.",
    "fr": "Merci {0} ! Voyez {1} ({2}), ou écrivez à {3} à 21 h 15 {4}\n{5}. Nous savons que {6}, {4}.",
    "de": "Danke {0}! Siehe {1} ({2}), oder schreib an {3} um 21:15 Uhr {4}\n{5}. Wir wissen, dass {6}, {4}.",
    "zh": "谢谢{0}！请看{1}（{2}），或者晚上9点15分给{3}写信{4}\n{5}。我们知道{6}，{4}。",
}
MIXED_KINDS = ("account", "url", "file", "email", "emoji", "brace", "sum")
CLOCK = {"fr": "21 h 15", "de": "21:15 Uhr", "zh": "21:15", "en": "9:15 pm"}


def translated(direction: str, texts: list[str]) -> list[str]:
    translator = load(TRANSLATORS[direction])
    asked = Direction(*direction.split("-"))
    return translate_texts(translator.prepared, translator.tokenizer, texts, DecodingOptions(beam=2), direction=asked)


@pytest.mark.parametrize("direction", [*TRANSLATORS])
def test_every_kind_comes_out_as_it_came_in(direction: str) -> None:
    language = direction[:2]
    asked = [each for kind in KINDS for each in examples(kind, language, seed=7)[:: 1 + (len(kind) % 2)]]
    for (text, held), said in zip(asked, translated(direction, [text for text, _ in asked]), strict=True):
        assert [said.count(each) for each in held] == [text.count(each) for each in held], (text, said)
        assert not STANDS_IN.search(said), (text, said)


@pytest.mark.parametrize("direction", [*TRANSLATORS])
def test_several_kinds_in_one_text_come_out_and_the_time_as_the_other_clock_says_it(direction: str) -> None:
    held = [examples(kind, direction[:2], seed=3)[0][1][0] for kind in MIXED_KINDS]
    text = MIXED[direction[:2]].format(*held)
    (said,) = translated(direction, [text])
    assert {each: said.count(each) for each in held} == {each: text.count(each) for each in held}, said
    assert CLOCK[direction[3:]] in said
    assert not STANDS_IN.search(said)


@pytest.mark.parametrize("language", [*FRAMES])
def test_what_does_not_come_back_is_never_used(language: str) -> None:
    """A translator that answers with names and numbers of its own, or with nothing, leaves every piece whole."""
    direction = Direction(language, "fr" if language == "en" else "en")
    for kind in KINDS:
        for text, held in examples(kind, language, seed=1):
            for answer in ("", "Tomas Bostons 271 a 27e.", "Tom 汤姆 Boston 27 Tom.", "Oui."):
                parts, tried = pieces(text, TOKENIZER, direction), 0
                while attempts := again(parts, [answer] * len(parts)):
                    parts, tried = pieces(text, TOKENIZER, direction, attempts=attempts), tried + 1
                said = join_pieces(parts, [answer] * len(parts))
                assert tried <= LAST_ATTEMPT
                assert not any(piece.placeholders for piece in parts if not piece.kept(answer))
                assert [said.count(each) for each in held] == [text.count(each) for each in held], (text, answer, said)


def test_one_pass_says_what_was_read_and_what_it_stands_for() -> None:
    found = translate(load("translator-en-fr"), "Open {name} now ❤️", DecodingOptions())
    assert found.typed == "Open {name} now ❤️"
    read = {each.typed: each.read for each in found.replaced}
    assert read["❤️"] == ""
    assert read["{name}"] in found.source
    assert "{name}" not in found.source + found.best.text
    assert found.said[0].count("{name}") == found.said[0].count("❤️") == 1
    plain = translate(load("translator-en-fr"), "Open it now.", DecodingOptions())
    assert (plain.typed, plain.replaced, plain.said[0]) == (plain.source, (), plain.best.text)
