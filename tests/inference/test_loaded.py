"""Every family's models are loaded once, and again when their folder changes."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from explorer.checkpoints.manifest import read_manifest
from explorer.checkpoints.store import BUNDLED
from explorer.inference import loaded
from explorer.inference.gpt import generate
from explorer.inference.loaded import LoadedModel
from explorer.inference.masked import fill
from explorer.inference.seq2seq import translate
from explorer.inference.vision import classify

FAMILIES = pytest.mark.parametrize(
    ("load", "one", "other"),
    [
        (generate.load, "gpt-repeats", "gpt-shakespeare"),
        (translate.load, "seq2seq-de-en-notes-simple", "seq2seq-de-en-notes-params"),
        (classify.load, "vit-cifar10", "cnn-cifar10"),
        (fill.load, "masked-en", "masked-en"),
    ],
    ids=["gpt", "seq2seq", "vision", "masked"],
)


@FAMILIES
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


@FAMILIES
def test_a_model_is_loaded_onto_the_device_that_is_found(
    load: Callable[[str], LoadedModel], one: str, other: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (loaded, classify, translate):
        monkeypatch.setattr(module, "pick_device", lambda: torch.device("meta"))
    found = load(str(shutil.copytree(BUNDLED / other, tmp_path / one)))
    if isinstance(found, LoadedModel):
        assert found.device.type == found.provenance(load).device == "meta"
        assert {each.device.type for each in found.model.state_dict().values()} == {"meta"}
    else:
        assert found.prepared.table.device.type == found.provenance.device == "meta"
