"""One loader for bundled names, folders and the Hub; the network is never touched here."""

from pathlib import Path
from typing import Any

import pytest
from huggingface_hub.errors import HTTPError, LocalEntryNotFoundError

from explorer.checkpoints import hub
from explorer.checkpoints.manifest import CheckpointMissing, CheckpointUnreachable

REVISION = "0123456789abcdef0123456789abcdef01234567"


def test_a_folder_by_its_path(folder: Path) -> None:
    assert hub.open_checkpoint(str(folder)).manifest.data == "four sentences"


def test_a_relative_folder_is_found_from_elsewhere(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers run in a folder of their own."""
    monkeypatch.chdir(folder.parent)
    assert Path(hub.locate(folder.name)) == folder
    assert hub.locate(f"org/name@{REVISION}") == f"org/name@{REVISION}"


def test_a_bundled_one_by_its_name(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "BUNDLED", folder.parent)
    monkeypatch.setattr(hub, "list_bundled", lambda: ("tiny",))
    assert hub.open_checkpoint("tiny").manifest.data == "four sentences"


def test_a_repository_goes_through_the_same_loader(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, Any] = {}

    def snapshot(repo: str, **options: object) -> str:
        asked.update(options, repo=repo)
        return str(folder)

    monkeypatch.setattr(hub, "snapshot_download", snapshot)
    assert hub.open_checkpoint(f"org/name@{REVISION}").manifest.data == "four sentences"
    assert asked["repo"] == "org/name"
    assert asked["revision"] == REVISION
    assert asked["allow_patterns"] == ["manifest.json", "model.safetensors", "tokenizer.json"]


@pytest.mark.parametrize(
    "error",
    [
        LocalEntryNotFoundError("offline"),
        OSError("no route"),
        HTTPError("the connection was cut"),
        ValueError("a page of HTML is no JSON"),
    ],
)
def test_no_network(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> str:
        raise error

    monkeypatch.setattr(hub, "snapshot_download", refuse)
    with pytest.raises(CheckpointUnreachable, match="network"):
        hub.open_checkpoint(f"org/name@{REVISION}")


@pytest.mark.parametrize(
    "where", ["", "nowhere", "x" * 300, "org/name", "org/name@main", "../..@x", f"a/b/c@{REVISION}"]
)
def test_neither_name_nor_folder_nor_pinned_repository(where: str) -> None:
    with pytest.raises(CheckpointMissing):
        hub.open_checkpoint(where)
