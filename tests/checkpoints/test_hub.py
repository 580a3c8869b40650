"""One loader for bundled names, folders and the Hub; the network is never touched here."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub.errors import HTTPError, LocalEntryNotFoundError

from explorer.checkpoints import __main__ as command, hub, manifest, store
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


@pytest.fixture
def left_out(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Checkpoints of a wheel that leaves one out, which the Hub has in `folder`."""
    bundled = tmp_path / "bundled"
    (bundled / "tiny").mkdir(parents=True)
    shutil.copy(folder / manifest.MANIFEST, bundled / "tiny" / manifest.LEFT_OUT)
    for module in (hub, store, manifest, command):
        monkeypatch.setattr(module, "BUNDLED", bundled)
    return bundled


def test_what_a_wheel_leaves_out_is_fetched_by_its_name(
    left_out: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[tuple[str, Any]] = []

    def snapshot(repo: str, **options: Any) -> str:
        asked.append((repo, options["allow_patterns"]))
        return str(folder)

    monkeypatch.setattr(hub, "snapshot_download", snapshot)
    monkeypatch.delenv("EXPLORER_HUB", raising=False)
    assert command.main(["fetch"]) == 0
    said = capsys.readouterr().out
    size = sum((folder / name).stat().st_size for name in manifest.FILES)
    assert f"{size / 1e6:.1f} MB  tiny" in said
    assert "Nothing was fetched" in said
    assert not asked
    with pytest.raises(CheckpointMissing, match="checkpoints fetch tiny"):
        manifest.read_manifest(left_out / "tiny")
    assert command.main(["fetch", "tiny", "--from", "you"]) == 0
    assert asked == [("you/tiny", ["model.safetensors", "tokenizer.json"])]
    assert store.load(left_out / "tiny").manifest.data == "four sentences"
    assert sorted(path.name for path in (left_out / "tiny").iterdir()) == sorted([manifest.MANIFEST, *manifest.FILES])
    assert command.main(["fetch", "tiny", "--from", "you"]) == 2
    assert "none of those that were left out" in capsys.readouterr().err


@pytest.mark.parametrize("broken", ["another", "full"])
def test_another_file_or_a_full_disk_leaves_a_checkpoint_left_out(
    left_out: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], broken: str
) -> None:
    monkeypatch.setattr(hub, "snapshot_download", lambda _repo, **_options: str(folder))
    if broken == "another":
        (folder / manifest.WEIGHTS).write_bytes(b"another")
    else:

        def full(_: Path, to: Path) -> None:
            to.write_bytes(b"half")
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(hub.shutil, "copyfile", full)
    assert command.main(["fetch", "tiny", "--from", "you"]) == 2
    assert ("is not the file" if broken == "another" else "No space left") in capsys.readouterr().err
    assert [path.name for path in (left_out / "tiny").iterdir()] == [manifest.LEFT_OUT]
