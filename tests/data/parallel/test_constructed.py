"""Constructed sentences: the same names and numbers in four languages, written as each writes them."""

import gzip
import random
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from explorer.data import repeats
from explorer.data.parallel import constructed as constructed_module, dates as constructed_dates
from explorer.data.parallel.constructed import SLOT, fill, generate_sentences, sentences

MADE = list(generate_sentences(3000, seed=1))


def test_every_sentence_has_the_same_slots_in_all_languages() -> None:
    for english, *others in sentences():
        slots = {slot.lower().removeprefix("bare_") for slot in SLOT.findall(english)}
        for other in others:
            assert {slot.lower().removeprefix("bare_") for slot in SLOT.findall(other)} == slots, english


def test_no_slot_is_left_and_the_seed_decides() -> None:
    assert not [text for row in MADE for text in row if "{" in text or "}" in text]
    assert list(generate_sentences(50, seed=1)) == MADE[:50]
    assert list(generate_sentences(50, seed=2)) != MADE[:50]


def digits(text: str) -> list[str]:
    """Numbers without what stands between thousands."""
    return sorted(re.findall(r"\d+", re.sub(r"(?<=\d)[ .,](?=\d{3}(?!\d))", "", text)))


def test_numbers_keep_their_digits_in_every_language() -> None:
    sentence = (
        "{number}; {price}; {year}",
        "{number} ; {price} ; {year}",
        "{number}; {price}; {year}",
        "{number}；{price}；{year}",
    )
    draw = random.Random(3)
    for _ in range(500):
        english, *others = (
            digits(text.replace(",", ".") if i in (1, 2) else text) for i, text in enumerate(fill(sentence, draw))
        )
        assert all(len(other) == len(english) for other in others)
        assert others == [english] * 3


def test_thousands_and_decimals_are_written_as_a_language_writes_them() -> None:
    draw = random.Random(0)
    found = [fill(("{number}",) * 4, draw) for _ in range(300)]
    assert any(
        row[0].count(",") == 1 and row[1] == row[0].replace(",", " ") and row[2] == row[0].replace(",", ".")
        for row in found
    )
    found = [fill(("{decimal}",) * 4, draw) for _ in range(20)]
    assert all("." in row[0] and row[1] == row[2] == row[0].replace(".", ",") for row in found)


@pytest.mark.parametrize(
    ("day", "french", "german", "chinese"),
    [(1, "1er août", "1. August", "8月1日"), (22, "22 août", "22. August", "8月22日")],
)
def test_dates(day: int, french: str, german: str, chinese: str) -> None:
    ways = {constructed_dates._date(day, 8, None, random.Random(seed)) for seed in range(40)}
    nth = {1: "1st", 22: "22nd"}[day]
    assert {way[0] for way in ways} == {f"August {day}", f"{day} August", f"August {nth}", f"the {nth} of August"}
    assert {way[1:] for way in ways} == {(french, german, chinese)}


def test_german_counts_the_half_to_the_next_hour_and_the_afternoon_on() -> None:
    found = {
        row[0]: row for row in (constructed_dates.write_date("at_time", random.Random(seed)) for seed in range(3000))
    }
    assert found["at half past seven"][1:] == ("à sept heures et demie", "um halb acht", "七点半")
    assert found["at a quarter to one"][1:] == ("à une heure moins le quart", "um Viertel vor eins", "十二点三刻")
    afternoon = next(row for english, row in found.items() if english.startswith("at 7:") and english.endswith("p.m."))
    assert afternoon[1].startswith("à 19 h")
    assert afternoon[2].startswith("um 19:")


@pytest.mark.parametrize(("command", "words"), [(constructed_module.main, ["-5", "out"]), (repeats.main, [])])
def test_a_command_that_cannot_be_writes_nothing(
    command: Callable[[], None], words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["command", *words])
    with pytest.raises(SystemExit):
        command()
    assert not [*tmp_path.iterdir()]


def test_the_command_writes_a_folder_for_each_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["constructed", "20", str(tmp_path), "--seed", "1"])
    constructed_module.main()
    for i, language in enumerate(("fr", "de", "zh"), 1):
        lines = (
            gzip.decompress((tmp_path / f"constructed_{language}" / "train.tsv.gz").read_bytes()).decode().splitlines()
        )
        assert lines == [f"{row[0]}\t{row[i]}" for row in MADE[:20]]
