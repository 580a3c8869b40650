"""The translators that come with the app: everyday language in six directions, small enough to be taken along."""

import re

import pytest

from explorer.checkpoints.store import BUNDLED
from explorer.data.parallel.directions import Direction, parse_directions
from explorer.inference.translator import translate
from explorer.inference.translator.pieces import pieces
from explorer.lessons import translator as lesson
from explorer.lessons.translator import Params, finished, readings, sentences
from tests.support.pages import OpenPage, said

EVERYDAY = {
    (name, direction)
    for name, directions in finished.translators().items()
    if "multi30k" not in name
    for direction in directions
}
#: Of six directions that each have a model of their own, 20 MB each.
MOST_BYTES = 120_000_000
SAID = {
    "en": "The children are playing in the garden.",
    "fr": "Les enfants jouent dans le jardin.",
    "de": "Die Kinder spielen im Garten.",
    "zh": "孩子们在花园里玩。",
}
#: What a translation of it says, however it is put.
MEANT = {"en": r"[Cc]hild|[Kk]ids", "fr": "enfants", "de": "Kinder", "zh": "孩子"}


def test_english_to_and_from_three_languages_are_there_once_each() -> None:
    expected = parse_directions("en-fr fr-en en-de de-en en-zh zh-en")
    assert sorted(direction for _, direction in EVERYDAY) == sorted(expected)
    files = [file for name in {name for name, _ in EVERYDAY} for file in (BUNDLED / name).iterdir()]
    assert sum(file.stat().st_size for file in files) <= MOST_BYTES


@pytest.mark.parametrize(("name", "direction"), sorted(EVERYDAY), ids=lambda each: str(each))
def test_each_reads_and_writes_its_languages(name: str, direction: Direction) -> None:
    result = lesson.compute(Params(text=SAID[direction.source], checkpoint=name, direction=str(direction)))
    written = result.translation.best.text
    assert re.search(MEANT[direction.target], written)
    assert written[-1] in ".。"
    assert bool(re.search("[\u4e00-\u9fff]", written)) == (direction.target == "zh")
    assert "\ufffd" not in written


NAMED = {
    "en": "Thorvald Brekke lives in Penrhyndeudraeth.",
    "fr": "Thorvald Brekke habite à Penrhyndeudraeth.",
    "de": "Thorvald Brekke wohnt in Penrhyndeudraeth.",
    "zh": "Thorvald Brekke住在Penrhyndeudraeth。",
}


@pytest.mark.parametrize(("name", "direction"), sorted(EVERYDAY), ids=lambda each: str(each))
def test_names_that_nobody_knows_stand_in_the_translation_and_not_in_the_map(name: str, direction: Direction) -> None:
    params = Params(text=NAMED[direction.source], checkpoint=name, direction=str(direction))
    found = sentences.sentences(params)
    (asked,) = sentences.requests(params, found)
    result = lesson.compute(asked)
    (said,) = sentences.detokenize(finished.best_translation(result).model(), [result.translation.best.ids], found)
    read = "".join(result.trace.source.labels)
    assert "Thorvald Brekke" in said
    assert "Penrhyndeudraeth" in said
    assert "Thor" not in read
    assert ("汤" if direction.source == "zh" else "Tom") in read


@pytest.mark.parametrize(("name", "direction"), sorted(EVERYDAY), ids=lambda each: str(each))
def test_what_the_training_had_not_is_said_and_nothing_is_said_of_the_language_itself(
    name: str, direction: Direction
) -> None:
    tokenizer = translate.load(name).tokenizer

    def unseen(text: str) -> str:
        return readings.describe_unseen(pieces(text, tokenizer, direction), tokenizer)

    usual = {**SAID, "fr": "Ça va ? Où est l’œuvre naïve, garçon ?", "de": "Die Straße ist schön, größer, übel."}
    assert not unseen(usual[direction.source])
    assert "م ر ح ب ا," in unseen("مرحبا")
    assert "😀" in unseen("😀")
    assert unseen(" ".join(chr(0x0E01 + n) for n in range(30))).count(" …") == 1


@pytest.mark.parametrize("masked", ["", "0"])
def test_what_must_be_copied_comes_through_a_change_too(open_page: OpenPage, masked: str) -> None:
    shown = said(open_page("pages/10_translator.py", scene="change", tr_text="Open {name} ❤️", tr_mask=masked))
    assert ">Ouvrir {name} ❤️</p>" in shown
    assert "“{name}” is read as “Tom”, and put back; “❤️” is not read, and copied" in shown
