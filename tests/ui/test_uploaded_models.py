"""Checkpoints that readers bring along: each their own, few, and gone with them."""

import tempfile
from pathlib import Path

import pytest

from explorer.checkpoints.manifest import CheckpointDamaged, CheckpointError
from explorer.inference.lab.snapshots import verify
from explorer.training.lab.export import package
from explorer.ui import uploaded_models
from explorer.ui.uploaded_models import UploadedModels
from tests.lab_folders import SMALL, train


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("run")
    train(SMALL, folder)
    return package(SMALL, folder, 40)


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def folders(temporary: Path) -> list[Path]:
    return list(temporary.glob(f"{uploaded_models.PREFIX}*"))


def test_each_reader_has_their_own_and_few(file: bytes, temporary: Path) -> None:
    shelf = UploadedModels()
    added = [shelf.add("me", file, verify) for _ in range(uploaded_models.MOST_OWN + 2)]
    assert len({each.name for each in shelf.of("me")}) == uploaded_models.MOST_OWN
    assert [each.folder for each in shelf.of("me")] == [each.folder for each in added[2:]]
    assert not added[0].folder.exists()
    assert shelf.of("you") == ()
    assert len(folders(temporary)) == uploaded_models.MOST_OWN
    shelf.forget("me")
    shelf.forget("nobody")
    assert shelf.of("me") == ()
    assert folders(temporary) == []


def test_all_together_are_bounded(file: bytes, temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploaded_models, "MOST_KEPT", 2)
    shelf = UploadedModels()
    for owner in ("a", "b", "c"):
        shelf.add(owner, file, verify)
    assert [len(shelf.of(owner)) for owner in ("a", "b", "c")] == [0, 1, 1]
    assert len(folders(temporary)) == 2


def test_the_oldest_of_all_makes_room(file: bytes, temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploaded_models, "MOST_KEPT", 3)
    shelf = UploadedModels()
    for owner in ("a", "b", "c", "a", "c"):
        shelf.add(owner, file, verify)
    assert [len(shelf.of(owner)) for owner in ("a", "b", "c")] == [1, 0, 2]


def test_what_cannot_be_used_leaves_nothing(file: bytes, temporary: Path) -> None:
    shelf = UploadedModels()

    def refuse(_: object) -> None:
        raise CheckpointDamaged("not this one")

    with pytest.raises(CheckpointDamaged, match="not this one"):
        shelf.add("me", file, refuse)
    for content in (b"", b"PK", file[: len(file) // 2], file[:500] + b"other" + file[505:]):
        with pytest.raises(CheckpointError):
            shelf.add("me", content, verify)
    assert shelf.of("me") == ()
    assert folders(temporary) == []


def test_who_brings_too_many_loses_their_own(file: bytes, temporary: Path) -> None:
    shelf = UploadedModels()
    first = shelf.add("you", file, verify)
    for _ in range(uploaded_models.MOST_OWN + 1):
        shelf.add("me", file, verify)
    assert shelf.of("you") == (first,)
    assert len(shelf.of("me")) == uploaded_models.MOST_OWN
