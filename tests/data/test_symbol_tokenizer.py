"""Stored vocabularies of symbols: those of shipped checkpoints are read and written as they are."""

from pathlib import Path

import pytest

from explorer.checkpoints.store import BUNDLED, read_bundled_manifests
from explorer.data.symbol_tokenizer import SymbolTokenizer
from explorer.data.text import CharacterTokenizer
from explorer.models.families import FAMILIES

STORED = [name for name, each in read_bundled_manifests().items() if each.family in ("gpt", "couplet")]


@pytest.mark.parametrize("name", STORED)
def test_a_shipped_vocabulary_comes_back_to_the_byte(name: str, tmp_path: Path) -> None:
    path = BUNDLED / name / "tokenizer.json"
    reader = FAMILIES[read_bundled_manifests()[name].family].tokenizer
    assert reader is not None
    tokenizer = reader(path)
    assert isinstance(tokenizer, SymbolTokenizer)
    assert tokenizer.vocab_size == read_bundled_manifests()[name].config["vocab_size"]
    tokenizer.save(tmp_path / "tokenizer.json")
    assert (tmp_path / "tokenizer.json").read_bytes() == path.read_bytes()


def test_a_vocabulary_of_another_type_is_refused(tmp_path: Path) -> None:
    CharacterTokenizer.train(["ab"]).save(tmp_path / "tokenizer.json")
    with pytest.raises(ValueError, match='"type": "task"'):
        FAMILIES["lab_recurrent"].tokenizer(tmp_path / "tokenizer.json")  # type: ignore[misc]
