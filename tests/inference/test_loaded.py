"""Every family's models are loaded once, and again when their folder changes."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from explorer.checkpoints.manifest import read_manifest
from explorer.checkpoints.store import BUNDLED
from explorer.inference.gpt import generate
from explorer.inference.loaded import LoadedModel
from explorer.inference.masked import fill
from explorer.inference.seq2seq import translate
from explorer.inference.vision import classify


@pytest.mark.parametrize(
    ("load", "one", "other"),
    [
        (generate.load, "gpt-repeats", "gpt-shakespeare"),
        (translate.load, "seq2seq-de-en-notes-half", "seq2seq-de-en-notes-params"),
        (classify.load, "vit-cifar10", "cnn-cifar10"),
        (fill.load, "masked-en", "masked-en"),
    ],
    ids=["gpt", "seq2seq", "vision", "masked"],
)
def test_a_folder_that_was_trained_anew_is_loaded_anew(
    load: Callable[[str], LoadedModel], one: str, other: str, tmp_path: Path
) -> None:
    folder = shutil.copytree(BUNDLED / one, tmp_path / "mine")
    before = load(str(folder))
    assert load(str(folder)) is before
    shutil.copytree(BUNDLED / other, folder, dirs_exist_ok=True)
    os.utime(folder / "manifest.json")
    after = load(str(folder))
    assert after is not before
    assert after.manifest == read_manifest(BUNDLED / other)
