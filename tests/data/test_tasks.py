"""Small tasks: right answers, no example twice, and none that is both learnt and asked."""

import random
import re
from collections import Counter
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from explorer.data.couplet_rule import ADJECTIVES, NOUNS, VERBS
from explorer.data.digits import ink, is_drawn
from explorer.data.number_words import BEYOND, chinese, english
from explorer.data.short_french import sentence
from explorer.data.task_source import TaskSource, whole
from explorer.data.task_tokenizer import UNITS, TaskTokenizer, Unit, split, tidy
from explorer.data.tasks import (
    DATE_FORMS,
    N_HELD_OUT,
    N_HELD_OUT_VERSES,
    TASKS,
    Task,
    examples,
    expected_answer,
    split_task,
    texts,
    unit_of,
)

MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]


def day_of(written: str) -> str:
    """A date read in another way than it was made."""
    numbers = [int(number) for number in re.findall(r"\d+", written)]
    named = re.search(r"[A-Za-z]{3,}", written)
    day, month, year = (numbers[0], 0, numbers[-1]) if named else numbers
    if named:
        month = MONTHS.index(named[0][:3].lower()) + 1
    return date(year, month, day).isoformat()


@pytest.mark.parametrize("task", TASKS)
def test_examples_are_distinct_and_the_same_for_a_seed(task: Task) -> None:
    found = examples(task, 250, seed=5)
    assert len({pair.source for pair in found}) == len(found) == 250
    assert examples(task, 250, seed=5) == found
    assert examples(task, 250, seed=6) != found


def test_digits_are_drawn_in_four_shades_and_can_be_recognised() -> None:
    every = examples("digits", 10_000, seed=1)
    assert len(every) > 1790
    assert Counter(pair.targets[0] for pair in every).keys() == set("0123456789")
    assert all(is_drawn(pair.source) for pair in every)
    data = split_task("digits", 20_000, seed=1)
    known = np.stack([ink(pair.source).ravel() for pair in data.train])
    asked = np.stack([ink(pair.source).ravel() for pair in data.held_out])
    nearest = ((asked[:, None] - known[None]) ** 2).sum(-1).argmin(1)  # rounding has left what tells them apart
    right = [data.train[i].targets == pair.targets for i, pair in zip(nearest, data.held_out, strict=True)]
    assert np.mean(right) > 0.95


@pytest.mark.parametrize("text", ["", "7", "·" * 63, "·" * 63 + "x", "█" * 65])
def test_what_is_no_drawing_is_refused(text: str) -> None:
    assert not is_drawn(text)
    with pytest.raises(ValueError, match="no picture of 8 x 8"):
        ink(text)


def test_a_drawing_is_read_row_by_row() -> None:
    picture = ink("█" + "·" * 7 + "░▒" + "·" * 54)
    assert picture.shape == (8, 8)
    assert picture[0, 0] == 1
    assert np.allclose(picture[1, :2], [1 / 3, 2 / 3])
    assert picture.sum() == pytest.approx(2)


@pytest.mark.parametrize("task", TASKS)
def test_nothing_that_is_asked_was_learnt(task: Task) -> None:
    data = split_task(task, 4000, seed=1)
    assert len(data.held_out) == (N_HELD_OUT_VERSES if task == "verses" else N_HELD_OUT)
    assert len(data.train) > {"digits": 1200, "verses": 250}.get(task, 2000)
    for side in ("source", "targets")[: 1 if task == "digits" else 2]:
        assert not {getattr(pair, side) for pair in data.train} & {getattr(pair, side) for pair in data.held_out}
    assert split_task(task, 4000, seed=2).held_out == data.held_out


def test_answers_are_right() -> None:
    assert all(pair.targets == (pair.source[::-1],) for pair in examples("reverse", 50, 1))
    assert all(pair.targets == (pair.source,) for pair in examples("copy", 50, 1))
    assert all(list(pair.targets[0]) == sorted(pair.source) for pair in examples("sort", 50, 1))
    assert all(pair.targets == (day_of(pair.source),) for pair in examples("dates", 500, 1))
    forms = {re.sub(r"\d+", "1", pair.source.lower()) for pair in examples("dates", 500, 1)}
    assert {"1 may 1", "may 1, 1", "1/1/1", "1.1.1"} <= forms


FRENCH = {
    "I see red houses.": "je vois des maisons rouges.",
    "I avoid the apple.": "j'évite la pomme.",
    "he does not avoid the bird.": "il n'évite pas l'oiseau.",
    "we do not watch a car.": "nous ne regardons pas de voiture.",
    "I do not see a tree.": "je ne vois pas d'arbre.",
    "does she find this tree?": "est-ce qu'elle trouve cet arbre ?",
    "we find small trees.": "nous trouvons de petits arbres.",
    "they draw white flowers.": "ils dessinent des fleurs blanches.",
    "you do not see these schools.": "tu ne vois pas ces écoles.",
    "do you see my school?": "est-ce que tu vois mon école ?",
}


def test_short_french_is_what_a_reader_of_french_writes() -> None:
    """Written by hand, one for each rule of the grammar; the grammar makes the English ones among many."""
    draw = random.Random(1)
    made = dict(sentence(draw) for _ in range(150_000))
    assert len(set(made.values())) == len(made), "no two sentences have the same French"
    assert {source: made.get(source) for source in FRENCH} == FRENCH
    assert max(len(split(source, "words")) for source in made) <= 14
    wrong = re.compile(r"\b(le|la|de|ne|je|que|ce|ma) [aeéiou]|pas (des|un|une) ")
    assert [french for french in made.values() if wrong.search(french)] == []


def test_a_couplet_answers_kind_by_kind_and_turns_every_tone_over() -> None:
    level = {pair[0] for pairs in (NOUNS, ADJECTIVES, VERBS) for pair in pairs.split()}
    kinds = {character: kind for kind, row in enumerate((NOUNS, ADJECTIVES, VERBS)) for character in row}
    for pair in examples("couplets", 500, 3):
        line, answer = pair.source, pair.targets[0]
        assert len(line) == len(answer)
        assert len(line) in (5, 7)
        assert not set(line) & set(answer)
        assert len(set(line)) == len(line)
        assert [kinds[a] for a in line] == [kinds[b] for b in answer]
        assert all((a in level) != (b in level) for a, b in zip(line, answer, strict=True))
        assert line[-1] not in level, "the first line ends oblique"
        assert (line[-4] in level) != (line[-2] in level), "the second and fourth of the last five differ in tone"
        assert expected_answer("couplets", line) == answer
        assert expected_answer("couplets", answer) == line
    assert expected_answer("couplets", "") is expected_answer("couplets", "天x") is None


def test_what_a_reader_types_has_an_answer_where_it_is_clear() -> None:
    assert [expected_answer(task, "hello") for task in ("reverse", "copy", "sort")] == ["olleh", "hello", "ehllo"]
    assert expected_answer("dates", "9 May 1998") is None


@pytest.mark.parametrize(
    ("number", "in_english", "in_chinese"),
    [
        (0, "zero", "零"),
        (7, "seven", "七"),
        (10, "ten", "十"),
        (15, "fifteen", "十五"),
        (20, "twenty", "二十"),
        (42, "forty two", "四十二"),
        (100, "one hundred", "一百"),
        (110, "one hundred and ten", "一百一十"),
        (305, "three hundred and five", "三百零五"),
        (1000, "one thousand", "一千"),
        (1005, "one thousand and five", "一千零五"),
        (1050, "one thousand and fifty", "一千零五十"),
        (2340, "two thousand three hundred and forty", "二千三百四十"),
        (10_000, "ten thousand", "一万"),
        (10_305, "ten thousand three hundred and five", "一万零三百零五"),
        (120_000, "one hundred and twenty thousand", "十二万"),
        (305_070, "three hundred and five thousand and seventy", "三十万五千零七十"),
        (999_999, "nine hundred and ninety nine thousand nine hundred and ninety nine", "九十九万九千九百九十九"),
    ],
)
def test_numbers_are_spoken(number: int, in_english: str, in_chinese: str) -> None:
    assert english(number) == in_english
    assert chinese(number) == in_chinese


def test_no_two_numbers_sound_alike() -> None:
    some = range(0, BEYOND, 331)
    assert len({english(number) for number in some}) == len({chinese(number) for number in some}) == len(some)
    for number in (-1, BEYOND):
        with pytest.raises(ValueError, match="is not in"):
            english(number)


@pytest.mark.parametrize("task", TASKS)
def test_text_comes_back_from_its_tokens(task: Task) -> None:
    pairs = examples(task, 100, 3)
    tokenizer = TaskTokenizer.train(texts(pairs), unit_of(task))
    for text in texts(pairs):
        ids = tokenizer.encode(text)
        assert tokenizer.decode([tokenizer.bos_id, *ids, tokenizer.eos_id]) == text
        assert tokenizer.unknown_id not in ids
        assert len(tokenizer.pieces(ids)) == len(ids) == len(tokenizer.word_groups(ids))


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize(
    "text", ["9 May 1998", "three hundred", "café l'été", "三百 x2 零五", "a  b\u200b\tc", "😀!", "<s>"]
)
def test_any_text_is_cut_without_loss(unit: Unit, text: str) -> None:
    tokenizer = TaskTokenizer.train([text], unit)
    assert tokenizer.decode(tokenizer.encode(text)) == tidy(text)
    assert tokenizer.unknown(text + "ß") == (
        ["ß"] if unit == "characters" or not text[-1].isalpha() else [split(text + "ß", unit)[-1].strip()]
    )


def test_words_are_one_token_wherever_they_stand() -> None:
    assert split("nine and nine", "words") == [" nine", " and", " nine"]
    assert split("9 May 1998", "words") == ["9", " May", " ", "1", "9", "9", "8"]
    assert split("三百零五", "words") == list("三百零五")
    assert split(" \u200b\n", "words") == split("", "characters") == []


def test_a_vocabulary_is_kept_and_read_strictly(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.json"
    tokenizer = TaskTokenizer.train(["nine and 三"], "words")
    tokenizer.save(path)
    again = TaskTokenizer.load(path)
    assert (again.symbols, again.unit, again.vocab_size) == (tokenizer.symbols, "words", 8)
    for content in (
        "{}", "[]", '{"type": "task"}', '{"type": "task", "unit": "bytes", "symbols": ["a"]}',
        '{"type": "task", "unit": "words", "symbols": ["a", "a"]}', '{"type": "task", "unit": "words", "symbols": [1]}',
        '{"type": "task", "unit": "words", "symbols": []}',
    ):  # fmt: skip
        path.write_text(content)
        with pytest.raises((ValueError, TypeError)):
            TaskTokenizer.load(path)


def test_batches_hold_every_example_once() -> None:
    pairs = examples("reverse", 200, 1)
    tokenizer = TaskTokenizer.train(texts(pairs))
    source = TaskSource(pairs, tokenizer, seed=1, max_length=64)
    rows = [row for batch in source.batches(0, tokens_per_batch=100) for row in batch.tolist()]
    assert sorted(rows) == list(range(200))
    assert source.target_tokens == pytest.approx(sum(len(pair.source) + 1 for pair in pairs) / 200)
    batches = whole(pairs, tokenizer, max_length=64, rows=64)
    assert [len(batch.source) for batch in batches] == [64, 64, 64, 8]
    read = [tokenizer.decode(row) for batch in batches for row in batch.target_out.tolist()]
    assert read == [pair.targets[0] for pair in pairs]


def test_ordinals_end_as_they_are_spoken() -> None:
    for day in ("1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "23rd", "31st"):
        forms = {form(date(1998, 5, int(day[:-2]))) for form in DATE_FORMS}
        assert f"{day} May 1998" in forms
