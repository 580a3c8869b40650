"""What counts as known is counted, and the shipped lists are read."""

from pathlib import Path

import pytest

from explorer.data.parallel import known_words
from explorer.data.parallel.pairs import PairsError

ROWS = (
    *("Today Fiona saw my umbrella.\tHeute sah Fiona meinen Regenschirm.",) * 10,
    *("Greta came by train.\tGreta kam mit dem Zug.",) * 3,
    *("Then Zoltan came.\tDann kam Zoltan.",) * 3,
    *("Good evening.\tMahlzeit.",) * 3,
)


@pytest.fixture
def counted(tmp_path: Path) -> dict[str, list[str]]:
    folder = tmp_path / "chat_deu"
    folder.mkdir()
    (folder / "train.tsv").write_text("".join(f"{row}\n" for row in ROWS), encoding="utf-8")
    return known_words.choose_words(known_words.count([folder]))


def test_words_are_counted_as_they_are_written_inside_a_sentence(counted: dict[str, list[str]]) -> None:
    assert {"today", "umbrella", "good", "Fiona"} <= {*counted["en"]}
    assert {"Fiona", "Regenschirm", "Zug", "heute", "mahlzeit"} <= {*counted["de"]}


def test_a_rare_name_is_not_known(counted: dict[str, list[str]]) -> None:
    for language in ("en", "de"):
        assert not {"Zoltan", "zoltan", "Greta", "greta"} & {*counted[language]}


def test_a_folder_must_say_its_language(tmp_path: Path) -> None:
    with pytest.raises(PairsError, match="must end with _fra, _deu, _cmn"):
        known_words.count([tmp_path / "chat_xxx"])


@pytest.mark.parametrize("language", ["en", "fr", "de", "zh"])
def test_the_shipped_lists_are_what_the_command_writes(language: str, tmp_path: Path) -> None:
    words = known_words.load_known_words(language)
    known_words.write(tmp_path, {language: sorted(words)})
    shipped = known_words.HERE / f"{language}.txt.gz"
    assert (tmp_path / shipped.name).read_bytes() == shipped.read_bytes()
    assert known_words.is_known("Tom" if language != "zh" else "Facebook", language)


def test_nothing_is_known_of_another_language() -> None:
    assert not known_words.load_known_words("xx")
