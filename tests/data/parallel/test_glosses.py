"""What a foreign word means: counted in pairs of sentences, and shipped."""

from operator import itemgetter
from pathlib import Path

import pytest

from explorer.data.parallel import glosses
from explorer.data.parallel.glosses import gloss
from explorer.data.parallel.glosses.counting import align, choose, count, cut, write
from explorer.data.parallel.pairs import PairsError

#: Each noun stands beside another verb, so that only counting tells them apart.
PAIRS = [
    (f"le {noun} {verb}", f"the {thing} {does}")
    for noun, thing in (("chat", "cat"), ("chien", "dog"), ("seau", "bucket"))
    for verb, does in (("dort", "sleeps"), ("tombe", "falls"), ("reste", "stays"), ("brille", "shines"))
]


def test_counting_finds_which_word_translates_which() -> None:
    found = list(align((cut(ours, "fr"), cut(theirs, "en")) for ours, theirs in 2 * PAIRS))
    table = choose(found, itemgetter(0))
    assert table == {
        "le": "the", "chat": "cat", "chien": "dog", "seau": "bucket",
        "dort": "sleeps", "tombe": "falls", "reste": "stays", "brille": "shines",
    }  # fmt: skip
    assert choose(found, itemgetter(1)) == {said: word for word, said in table.items()}
    assert all(0 < sure <= 1 for _, _, sure in found)


def test_words_keep_their_apostrophe_in_english_and_chinese_is_cut_into_runs() -> None:
    assert cut("I don’t know, d'accord", "en") == {"i", "don't", "know", "d'accord"}
    assert cut("Il n'aime", "fr") == {"il", "n", "aime"}
    assert cut("黑咖啡!", "zh") == {"黑", "咖", "啡", "黑咖", "咖啡", "黑咖啡"}


@pytest.mark.parametrize(
    ("word", "language", "into", "said"),
    [
        ("blanche", "fr", "en", "white"),
        ("sœur", "fr", "en", "sister"),
        ("Katze", "de", "en", "cat"),
        ("咖啡", "zh", "en", "coffee"),
        ("chien", "fr", "zh", "狗"),
        ("house", "en", "en", ""),
        ("狗", "zh", "zh", ""),
        (".", "fr", "en", ""),
        ("qwertz", "de", "en", ""),
        ("mot", "xx", "en", ""),
    ],
)
def test_what_is_shipped_says_what_usual_words_mean(word: str, language: str, into: str, said: str) -> None:
    assert gloss(word, language, into) == said


def test_a_folder_of_each_language_is_needed(tmp_path: Path) -> None:
    with pytest.raises(PairsError, match="no folder of fr"):
        count([tmp_path])


def test_what_is_written_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"fr": {"chat": "cat", "taxi": "taxi"}})
    monkeypatch.setattr(glosses, "HERE", tmp_path)
    glosses._table.cache_clear()
    assert glosses._table("fr") == {"chat": "cat"}  # a word that means itself needs no gloss
    glosses._table.cache_clear()
