"""Directions, and pairs read forwards, backwards and from Multi30k."""

import gzip
from pathlib import Path

import pytest

from explorer.data.parallel.directions import Direction, parse_directions, read_part
from explorer.data.parallel.pairs import Pair, PairsError

EN_FR, FR_EN, EN_DE = parse_directions("en-fr fr-en en-de")


def test_directions_are_named_by_their_languages() -> None:
    assert (str(EN_FR), EN_FR.tag, FR_EN) == ("en-fr", "<2fr>", Direction("fr", "en"))
    assert parse_directions("") == ()
    assert parse_directions("en-fr en-fr") == (EN_FR,)


@pytest.mark.parametrize("wrong", ["en", "en-", "en-en", "english-french", "e1-fr", "en_fr", "-", "fr-EN"])
def test_what_is_no_direction_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="is no direction: write two languages as in en-fr"):
        parse_directions(f"en-fr {wrong}")


def test_into_english_a_file_is_read_backwards(tmp_path: Path) -> None:
    (tmp_path / "train.tsv").write_text("Hi.\tSalut !\nHi.\tBonjour !\n")
    (tmp_path / "val.tsv").write_text("Hi.\tSalut !\tBonjour !\nHello.\tSalut !\n")
    assert read_part(tmp_path, "train", EN_FR) == [Pair("Hi.", ("Salut !",)), Pair("Hi.", ("Bonjour !",))]
    assert read_part(tmp_path, "train", FR_EN) == [Pair("Salut !", ("Hi.",)), Pair("Bonjour !", ("Hi.",))]
    assert read_part(tmp_path, "dev", EN_FR)[0] == Pair("Hi.", ("Salut !", "Bonjour !"))
    assert read_part(tmp_path, "dev", FR_EN) == [Pair("Salut !", ("Hi.", "Hello.")), Pair("Bonjour !", ("Hi.",))]
    with pytest.raises(PairsError, match=r"has no test\.tsv"):
        read_part(tmp_path, "test", EN_FR)
    with pytest.raises(PairsError, match="no pairs of fr-de"):
        read_part(tmp_path, "train", Direction("fr", "de"))


def test_multi30k_is_read_in_any_direction_and_keeps_its_case(tmp_path: Path) -> None:
    texts = {"de": "Ein „Hund“.", "en": "A  “dog”."}
    for language, text in texts.items():
        (tmp_path / f"train.{language}.gz").write_bytes(gzip.compress(f"{text}\n".encode()))
    assert read_part(tmp_path, "train", EN_DE) == [Pair('A "dog".', ('Ein "Hund".',))]
    assert read_part(tmp_path, "train", Direction("de", "en")) == [Pair('Ein "Hund".', ('A "dog".',))]
