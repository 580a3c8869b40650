"""The everyday test set: its files, and what is called wrong."""

from pathlib import Path

import pytest

from explorer.data.parallel.everyday import COLUMNS, Everyday, faults, foreign, holds, loops, read_everyday
from explorer.data.parallel.pairs import PairsError
from tests.conftest import ROOT

PAIRS = ("en-fr", "fr-en", "en-de", "de-en", "en-zh", "zh-en")


@pytest.mark.parametrize("pair", PAIRS)
def test_every_reference_is_right_by_its_own_measure(pair: str) -> None:
    found = read_everyday(ROOT / "tests" / "data" / f"everyday_{pair}.tsv")
    assert len(found) >= 200
    assert len({(each.kind, each.source) for each in found}) == len(found)
    wrong = [(each.source, faults(each, each.references[0], pair[-2:])) for each in found]
    assert [each for each in wrong if each[1]] == []


def test_a_file_without_the_columns_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "everyday_en-fr.tsv"
    with pytest.raises(PairsError, match="does not exist"):
        read_everyday(path)
    path.write_text("a\tb\nc\td\n")
    with pytest.raises(PairsError, match="expected the columns kind"):
        read_everyday(path)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("names\tHello.\tBonjour.", "expected 5 columns"),
        ("names\tHello.\tBonjour.\t\t\t", "expected 5 columns"),
        ("names\tHello.\t\t\t", "there is no reference"),
        ("names\tHello.\tBonjour.\tBonjour/\t", "on one side of a / in 'Bonjour/'"),
    ],
)
def test_a_malformed_line_is_named(tmp_path: Path, row: str, message: str) -> None:
    path = tmp_path / "everyday_en-fr.tsv"
    path.write_text("\n".join(("\t".join(COLUMNS), "names\tHi.\tSalut.\t\t", row, "")))
    with pytest.raises(PairsError, match=f"line 3: .*{message}"):
        read_everyday(path)


SENTENCE = Everyday(
    kind="numbers",
    source="8,000 of 12 came.",
    references=("8 000 sur 12 sont venus hier soir.",),
    must=(("8000",), ("12", "douze")),
    must_not=("chien",),
)


@pytest.mark.parametrize(
    ("translation", "expected"),
    [
        ("8 000 sur 12 sont venus.", ()),
        ("8.000 sur douze sont venus.", ()),
        ("8 00 sur 12 sont venus.", ("missing",)),
        ("18 000 sur 12 sont venus.", ("missing",)),
        ("8 000 sur 12 Chiens sont venus.", ("forbidden",)),
        ("8000 sur 12.", ("length",)),
        ("8 000 sur 12 sont venus sont venus sont venus.", ("loop",)),
        ("8 000 sur 12 sont 来.", ("script",)),
        ("non", ("missing", "length")),
    ],
)
def test_faults(translation: str, expected: tuple[str, ...]) -> None:
    assert faults(SENTENCE, translation, "fr") == expected


def test_case_and_boundaries_of_what_is_held() -> None:
    assert holds("WO IST DAS KRANKENHAUS?", "Krankenhaus")
    assert not holds("page 1640", "164")
    assert holds("第164页", "164")


def test_loops() -> None:
    assert loops("he he he said", "en")
    assert loops("of the house of the house of the house", "en")
    assert not loops("that that is, is", "en")
    assert loops("我们我们我们去", "zh")
    assert not loops("打0800 000", "zh")


def test_scripts() -> None:
    assert not foreign("Ça coûte 3 € – “oui”, 2º", "fr")
    assert foreign("Ночь", "en")
    assert not foreign("我叫Tom。", "zh")
    assert foreign("ねこ", "zh")
