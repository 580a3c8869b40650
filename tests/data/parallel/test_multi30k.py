"""Captions: read in lower case, and tokenised as the references are."""

import gzip
from pathlib import Path

import pytest

from explorer.data.parallel.multi30k import lower, read_multi30k, read_references, tokenise_moses
from explorer.data.parallel.pairs import PairsError


def put(folder: Path, name: str, *lines: str) -> None:
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_bytes(gzip.compress("".join(f"{line}\n" for line in lines).encode()))


@pytest.mark.parametrize(
    ("raw", "tokens"),
    [
        ("A man's hat.", "a man &apos;s hat ."),
        ("The girls' team", "the girls &apos; team"),
        ("A t-shirt, cap and jeans.", "a t-shirt , cap and jeans ."),
        ('A sign reads "stop".', "a sign reads &quot; stop . &quot;"),
        ('He says "no," and leaves.', "he says &quot; no , &quot; and leaves ."),
        ("1,000 people (or 3.5)!", "1,000 people ( or 3.5 ) !"),
        ("An “E.S.E.” logo", "an &quot; e.s.e. &quot; logo"),
        ("a b .", "a b ."),
        ("", ""),
    ],
)
def test_tokens_are_those_of_moses(raw: str, tokens: str) -> None:
    assert tokenise_moses(raw) == tokens


def test_a_part_is_read_in_lower_case_and_without_empty_lines(tmp_path: Path) -> None:
    put(tmp_path, "val.de.gz", "Ein  Hund.", "", "Die „Katze“")
    put(tmp_path, "val.en.gz", "A dog.", "x", "The cat")
    pairs = read_multi30k(tmp_path, "dev")
    assert [(pair.source, *pair.targets) for pair in pairs] == [("ein hund.", "a dog."), ('die "katze"', "the cat")]


def test_references_are_taken_as_they_are(tmp_path: Path) -> None:
    put(tmp_path, "tok/test_2016_flickr.lc.norm.tok.en.gz", "a man &apos;s hat .", "two")
    assert read_references(tmp_path) == ["a man &apos;s hat .", "two"]


def test_what_is_missing_or_damaged_is_said(tmp_path: Path) -> None:
    with pytest.raises(PairsError, match=r"train.de.gz does not exist"):
        read_multi30k(tmp_path, "train")
    put(tmp_path, "train.de.gz", "eins", "zwei")
    put(tmp_path, "train.en.gz", "one")
    with pytest.raises(PairsError, match="2 lines of de and 1 of en"):
        read_multi30k(tmp_path, "train")
    (tmp_path / "train.en.gz").write_bytes(b"nothing")
    with pytest.raises(PairsError, match="cannot be read"):
        read_multi30k(tmp_path, "train")


def test_lower_keeps_other_scripts() -> None:
    assert lower(" Ärger\tüber „ÖL“ 日本 ") == 'ärger über "öl" 日本'


def test_an_apostrophe_belongs_to_other_words_in_other_languages() -> None:
    assert tokenise_moses("L'homme d'à côté.", "fr") == "l&apos; homme d&apos; à côté ."
    assert (
        tokenise_moses("Peters' und Hans' Hut, geht's?", "de") == "peters &apos; und hans &apos; hut , geht &apos; s ?"
    )
