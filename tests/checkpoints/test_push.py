"""A checkpoint is sent to a hub on this machine, and comes back by its address."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from huggingface_hub import constants

from explorer.checkpoints.__main__ import main
from explorer.checkpoints.hub import open_checkpoint
from tests.opened.loopback_hub import COMMIT, Hub, serve

FILES = {"manifest.json", "model.safetensors", "tokenizer.json", "README.md"}


@pytest.fixture
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """An empty hub."""
    (tmp_path / "there").mkdir()
    with serve(tmp_path / "there") as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.address)
        monkeypatch.setenv("HF_TOKEN", "hf_owners")
        monkeypatch.setattr(constants, "ENDPOINT", hub.address)
        monkeypatch.setattr(
            constants, "HUGGINGFACE_CO_URL_TEMPLATE", hub.address + "/{repo_id}/resolve/{revision}/{filename}"
        )
        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
        monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
        yield hub


def carded(folder: Path) -> Path:
    (folder / "README.md").write_text("# Tiny\n")
    return folder


def test_by_default_nothing_is_sent(folder: Path, there: Hub, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["push", str(carded(folder)), "org/tiny"]) == 0
    said = capsys.readouterr().out
    assert all(name in said for name in FILES)
    assert "Nothing was sent" in said
    assert there.asked == []


def test_what_was_sent_opens_by_its_address(folder: Path, there: Hub, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["push", str(carded(folder)), "org/tiny", "--send"]) == 0
    address = capsys.readouterr().out.split()[-1]
    assert address == f"org/tiny@{COMMIT}"
    assert there.uploaded.keys() == FILES
    assert {each.get("authorization") for each in there.headers} <= {"Bearer hf_owners", None}
    for name, data in there.uploaded.items():
        assert data == (folder / name).read_bytes()
        (there.folder / name).write_bytes(data)
    assert open_checkpoint(address).manifest.data == "four sentences"


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda folder: (folder / "README.md").unlink(), "README.md of tiny is missing"),
        (lambda folder: (folder / "model.safetensors").write_bytes(b"x"), "model.safetensors of tiny"),
        (lambda folder: shutil.rmtree(folder), "No checkpoint in tiny"),
    ],
)
def test_what_nobody_could_open_is_not_sent(spoil, said: str, folder: Path, there: Hub, capsys) -> None:
    spoil(carded(folder))
    assert main(["push", str(folder), "org/tiny", "--send"]) == 2
    assert said in capsys.readouterr().err
    assert there.asked == []


def test_without_a_token_or_a_hub_or_a_name_nothing_is_sent(
    folder: Path, there: Hub, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    carded(folder)
    assert main(["push", str(folder), "tiny", "--send"]) == 2
    assert "org/name" in capsys.readouterr().err
    monkeypatch.setenv("HF_TOKEN", "")
    assert main(["push", str(folder), "org/tiny", "--send"]) == 2
    assert "Set HF_TOKEN" in capsys.readouterr().err
    assert there.asked == []
    monkeypatch.setenv("HF_TOKEN", "hf_owners")
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    assert main(["push", str(folder), "org/tiny", "--send"]) == 2
    assert "could not be sent" in capsys.readouterr().err
