"""What a reader is told of a checkpoint that cannot be used names it, and no place on the server."""

import re
import shutil
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from explorer.checkpoints.hub import open_checkpoint
from explorer.checkpoints.manifest import MANIFEST, TOKENIZER, WEIGHTS, CheckpointError, CheckpointMissing
from explorer.checkpoints.package import pack
from explorer.checkpoints.store import load
from explorer.inference.gpt import generate as gpt
from explorer.inference.lab import snapshots
from explorer.inference.loaded import LoadedModel
from explorer.inference.masked import fill as masked
from explorer.inference.seq2seq import translate as recurrent
from explorer.inference.translator import translate as translator
from explorer.inference.vision import classify as vision
from explorer.lessons.efficient_attention import replacement
from explorer.lessons.positional_encoding import extrapolation
from explorer.service.translation.messages import reason
from tests.conftest import ROOT

#: What opens a checkpoint of another family than the translator that is damaged here.
FAMILIES: dict[str, Callable[[str], object]] = {
    "recurrent model": recurrent.load,
    "decoder": gpt.load,
    "encoder": masked.load,
    "model of pictures": vision.load,
}


def damages(folder: Path) -> Iterator[tuple[str, Callable[[], object]]]:
    """What can be wrong with a checkpoint, one after the other, and what opens it."""

    def changed(name: str, content: bytes) -> None:
        shutil.copytree(sound, folder, dirs_exist_ok=True)
        (folder / name).write_bytes(content)

    sound = shutil.copytree(folder, folder.parent / "sound")
    manifest = (folder / MANIFEST).read_bytes()
    for name in (WEIGHTS, TOKENIZER):
        changed(name, b"x")
        yield f"another {name}", lambda: load(folder)
        (folder / name).unlink()
        yield f"no {name}", lambda: load(folder)
        changed(name, b"version https://git-lfs.github.com/spec/v1")
        yield f"a pointer for {name}", lambda: load(folder)
    changed(MANIFEST, b"{")
    yield "half a manifest", lambda: load(folder)
    changed(MANIFEST, b" " * 1_000_001)
    yield "a huge manifest", lambda: load(folder)
    changed(MANIFEST, manifest.replace(b'"translator"', b'"oracle"'))
    yield "another family", lambda: load(folder)
    changed(MANIFEST, manifest.replace(b'"n_heads": 2', b'"n_heads": 3'))
    yield "another shape", lambda: load(folder)
    changed(MANIFEST, manifest)
    for name, load_as in FAMILIES.items():
        yield f"no {name}", lambda load_as=load_as: load_as(str(folder))
    yield "no model of the lab", lambda: snapshots.open_snapshot(folder)
    yield "nothing to pack", lambda: pack(folder)
    (folder / MANIFEST).unlink()
    yield "no manifest", lambda: load(folder)
    yield "no folder", lambda: open_checkpoint(str(folder / "none"))


def test_no_message_says_where_a_checkpoint_lies(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for what, opened in damages(folder):
        with pytest.raises(CheckpointError) as error:
            opened()
        assert str(folder.parent) not in str(error.value), what
        assert not re.search(r"(?<![\w.])/\w+/", str(error.value)), what
    stored = {
        extrapolation: lambda: extrapolation.read_measurement("rotary"),
        replacement: lambda: replacement.read_evaluation("x"),
    }
    for module, opened in stored.items():
        monkeypatch.setattr(module, "BUNDLED", folder.parent)
        with pytest.raises(CheckpointMissing) as error:
            opened()
        assert "checkpoints/" in str(error.value)
        assert str(folder.parent) not in str(error.value)


def test_provenance_names_a_checkpoint_and_no_place(folder: Path) -> None:
    there = load(folder)
    loaded = LoadedModel(name=str(folder), manifest=there.manifest, model=there.model)
    assert loaded.provenance(load).model == folder.name
    assert translator.load(str(folder)).provenance.model == folder.name


def test_an_error_of_the_system_is_told_without_its_path(folder: Path) -> None:
    with pytest.raises(OSError, match="tiny") as error:
        (folder / "none").read_bytes()
    assert reason(error.value) == "FileNotFoundError: No such file or directory"
    assert reason(RuntimeError("no luck")) == "RuntimeError: no luck"


def test_of_an_error_that_nobody_caught_only_its_kind_is_shown() -> None:
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf8"))
    assert settings["client"]["showErrorDetails"] == "type"
