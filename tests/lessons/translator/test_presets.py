"""What the page offers is translated as it says: examples and presets rightly, the labelled failure wrongly."""

import re
from collections.abc import Sequence

import pytest

from explorer.data.parallel.directions import Direction, parse_directions
from explorer.data.tokenizer import Tokenizer
from explorer.evaluate.translations import translate_texts
from explorer.inference.search.decode import DecodingOptions
from explorer.inference.translator.request import EXAMPLES, IDIOM, said_example
from explorer.inference.translator.translate import load
from explorer.lessons.translator import Params, compute, finished, search, search_readings
from explorer.lessons.translator.change import InterventionParams, change
from explorer.lessons.translator.change_state import Change
from explorer.lessons.translator.ui.compare import SECONDS
from explorer.scenes.translator import EXAMPLE, LAYERED, LESSON, RACE, WRONG

EVERYDAY = [
    (name, direction)
    for name, directions in finished.translators().items()
    if "multi30k" not in name
    for direction in directions
]
#: What is right, by direction: the examples in their order without the idiom, then the second sentence to compare with.
RIGHT = {
    "en-fr": (
        r"Elle n'aime pas le café noir\.",
        r"Ma sœur veut (vivre|habiter) dans une grande maison blanche\.",
        r"(Tu me manques|Vous me manquez)\.",
        r"Le livre que j'ai lu hier était très intéressant\.",
        r"Je sais que tu sais que je (le )?sais\.",
        r"Elle n'est pas seulement belle, mais aussi intelligente\.",
        r"(Veux-tu|Voulez-vous) aller au cinéma avec moi ce soir \?",
        r"Elle n'aime pas le thé noir\.",
    ),
    "en-de": (
        r"Sie mag keinen schwarzen Kaffee\.",
        r"Meine Schwester (möchte|will) in einem großen weißen Haus (leben|wohnen)\.",
        r"(Du fehlst|Sie fehlen) mir\.|Ich vermisse (dich|Sie)\.",
        r"Das Buch, das ich gestern gelesen habe, war sehr interessant\.",
        r"Ich weiß, dass du weißt, dass ich (es )?weiß\.",
        r"Sie ist nicht nur schön, sondern auch intelligent\.",
        r"(Willst du|Wollen Sie) heute Abend mit mir ins Kino gehen\?",
        r"Sie mag keinen schwarzen Tee\.",
    ),
    "en-zh": (
        r"她不喜欢(喝)?黑咖啡。",
        r"我(妹妹|姐姐)想住在一个.*白色.*房子里。",
        r"我想(念)?你。",
        r"我昨天[读看]的(那本)?书(很|非常)有(趣|意思)。",
        r"我知道你知道我知道。",
        r"她不[只但仅]?.*漂亮.*聪明。",
        r"你今晚想(和我|跟我).*看电影吗？",
        r"她不喜欢(喝)?(黑茶|红茶)。",
    ),
    "fr-en": (
        r"My sister wants to live in a (large|big) white house\.",
        r"I miss you\.",
        r"I don't know what you mean\.",
        r"It's raining (cats and dogs|hard)\.",
        r"My brother wants to live in a (small|little) red house\.",
    ),
    "de-en": (
        r"My sister (wants|would like) to live in a (large|big) white house\.",
        r"I get up at six (o'clock )?every morning\.",
        r"The book (that )?I read yesterday was very interesting\.",
        r"It's (raining|pouring).*",
        r"My brother (wants|would like) to live in a (small|little) red house\.",
    ),
    "zh-en": (
        r"My (younger )?sister wants to live in a (large|big) house\.",
        r"He bought me a book yesterday\.",
        r"This book is very interesting\.",
        r"(Would you like|Do you want) to go to the movies with me tonight\?",
        r"My (older |elder )?brother wants to live in a (small|little) house\.",
    ),
}
#: What is right for each text that a preset types into the translator's usual direction.
PRESETS = {
    "I miss you.": r"Tu me manques\.",
    "I miss her.": r"Elle me manque\.",
    "I would like to go": r"J'aimerais y aller avec toi, mais je dois aider ma mère parce qu'elle est malade.*",
    "Tom lived": r"Tom a vécu à Boston de 2013 à 2016\.",
    "Oluwaseun": r"Oluwaseun et Marit ont payé 245 000 euros pour la maison\.",
    "WHAT TIME": r"À QUELLE HEURE PART LE TRAIN \?",
    "Nobody knows": r"Personne ne sait ce qui (arrivera|se passera|va (arriver|se passer))\.",
    "Go.": r"Va !",
    "I lost.": r"J'ai perdu\.",
    "He's calm.": r"Il est calme\.",
    "I'm home.": r"Je suis (chez moi|à la maison)\.",
}


def said(name: str, direction: Direction, texts: Sequence[str]) -> list[str]:
    translator = load(name)
    assert isinstance(translator.tokenizer, Tokenizer)
    return translate_texts(translator.prepared, translator.tokenizer, texts, DecodingOptions(), direction=direction)


@pytest.mark.parametrize(("name", "direction"), EVERYDAY, ids=str)
def test_examples_are_translated_rightly(name: str, direction: Direction) -> None:
    texts = [text for text in (*EXAMPLES[direction.source], SECONDS[direction.source]) if text != IDIOM]
    for text, written, right in zip(texts, said(name, direction, texts), RIGHT[str(direction)], strict=True):
        assert re.fullmatch(right, written), f"{text} → {written}"


def test_an_example_is_called_an_idiom_where_its_words_are_put_alone() -> None:
    assert [text for text in EXAMPLES["en"] if said_example(text) != text] == [IDIOM]
    for name, direction in EVERYDAY:
        if direction.source == "en":
            (put,) = said(name, direction, [IDIOM])
            assert re.search("chiens|Hunde|狗", put), f"{put}: no longer wrong, so no longer to be labelled"


def test_presets_are_translated_rightly_and_the_labelled_failure_wrongly() -> None:
    fields = [preset.state for scene in LESSON.scenes for preset in scene.presets]
    asked = {str(each[key]) for each in fields for key in ("tr_text", "tr_other") if key in each}
    texts = sorted(asked - {*EXAMPLES["en"], WRONG} | {"I miss you."})
    (direction,) = parse_directions("en-fr")
    *written, failed = said("translator-en-fr", direction, [*texts, WRONG])
    for text, translation in zip(texts, written, strict=True):
        (right,) = [right for start, right in PRESETS.items() if text.startswith(start)]
        assert re.fullmatch(right, translation), f"{text} → {translation}"
    assert "seau" in failed
    assert not re.search("mort|décédé|meurt|mourut", failed)


def test_the_close_race_is_one() -> None:
    asked = search.SearchParams.of(compute(Params(text=RACE)))
    record = search.search(asked)
    assert max(record.nodes[number].rank for number in record.path(record.found[0])) > 0
    assert search_readings.turning_points(record)
    greedy, beam = search.ways(search.WaysParams(asked=asked, samples=1)).texts[:2]
    assert greedy.candidate.log_probability < beam.candidate.log_probability


@pytest.mark.parametrize(
    ("text", "changed", "lost"),
    [
        (EXAMPLE, Change(masked=(2,)), "pas"),
        (EXAMPLE, Change(step=5, word=4), "café"),
        (LAYERED, Change(warmed="C2", temperature=100.0), "blanche"),
    ],
    ids=["not is crossed out", "wine looks at red instead", "one layer looks evenly"],
)
def test_a_change_loses_the_word_that_its_preset_names(text: str, changed: Change, lost: str) -> None:
    written = finished.best_translation(compute(Params(text=text)))
    record = change(InterventionParams(written=written, change=changed))
    assert lost in record.before.text
    assert record.after is not None
    assert lost not in record.after.text


@pytest.mark.parametrize(("word", "same"), [(1, True), (7, False)], ids=["does", "end"])
def test_nobody_needs_does_and_without_end_it_does_not_stop(word: int, same: bool) -> None:
    written = finished.best_translation(compute(Params(text=EXAMPLE)))
    record = change(InterventionParams(written=written, change=Change(masked=(word,))))
    assert record.after is not None
    assert record.after.text.startswith(record.before.text)
    assert (record.after.text == record.before.text) == record.after.finished == same
