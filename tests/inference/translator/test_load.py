"""A translator is loaded once for all that ask, and again when its folder changes."""

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from explorer.checkpoints.hub import open_checkpoint
from explorer.inference import loaded
from explorer.inference.translator import translate
from explorer.inference.translator.translate import load
from tests.checkpoints.conftest import tiny_model, tiny_tokenizer, write


@pytest.fixture
def checkpoint(tmp_path: Path) -> str:
    write(tmp_path / "tiny", tiny_model(tiny_tokenizer().vocab_size))
    return str(tmp_path / "tiny")


def test_a_folder_whose_content_changes_is_loaded_again_and_no_other(checkpoint: str) -> None:
    before = load(checkpoint)
    assert load(checkpoint, "full") is before
    write(Path(checkpoint), tiny_model(tiny_tokenizer().vocab_size))
    assert load(checkpoint) is not before


def test_those_who_ask_at_the_same_time_share_one_model(checkpoint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    def slowly(where: str) -> object:
        opened.append(where)
        time.sleep(0.1)
        return open_checkpoint(where)

    monkeypatch.setattr(loaded, "open_checkpoint", slowly)
    with ThreadPoolExecutor(4) as threads:
        assert len(set(map(id, threads.map(load, [checkpoint] * 4)))) == 1
    assert opened == [checkpoint]


def test_of_large_ones_two_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(translate, "LARGE", 0)
    names = [str(tmp_path / name) for name in "abc"]
    for name in names:
        write(Path(name), tiny_model(tiny_tokenizer().vocab_size))
    first, second, third = map(load, names)
    assert load(names[2]) is third
    assert load(names[1]) is second
    assert load(names[0]) is not first
