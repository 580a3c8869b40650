"""Models of a hub on this machine: pinned, weighed first, checked afterwards, and nothing else of theirs fetched."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from huggingface_hub import constants

from explorer.opened import limits, sources
from explorer.opened.cards import card, hub, hub_files
from explorer.opened.limits import Limits
from explorer.opened.passes import loader
from explorer.opened.refused import ModelRefused
from explorer.opened.studio import Studio
from tests.checkpoints.conftest import folder as folder
from tests.opened.loopback_hub import COMMIT, Hub, serve

BOUNDS = Limits()


@pytest.fixture
def there(llama: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A hub with a tiny model, its cache empty."""
    folder = tmp_path / "there"
    shutil.copytree(llama, folder)
    (folder / "README.md").write_text("---\nlicense: apache-2.0\n---\n# Tiny\n")
    (folder / "modeling_tiny.py").write_text("raise SystemExit('a stranger ran')\n")
    (folder / "pytorch_model.bin").write_bytes(b"pickle")
    with serve(folder) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.address)
        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
        monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
        yield hub


def fetched(there: Hub) -> set[str]:
    """Files of which more than a header was asked for."""
    return {path.rsplit("/", 1)[1] for path in there.asked if path.startswith("GET") and "/resolve/" in path}


def weights(there: Hub) -> list[str]:
    """Requests for more of the weights than their header."""
    asked = [path for path, headers in zip(there.asked, there.headers, strict=True) if "range" not in headers]
    return [path for path in asked if path.startswith("GET") and "model.safetensors" in path]


def test_a_model_is_weighed_before_its_weights_are_fetched_and_opens_at_its_commit(there: Hub, llama: Path) -> None:
    found = hub.resolve("org/tiny")
    here = card.read(llama)
    assert found.revision == COMMIT
    assert (found.card.counted, found.card.stored, found.card.family) == (here.counted, here.stored, here.family)
    assert (found.card.licence, found.card.pickled, found.card.revision) == (
        "apache-2.0",
        ("pytorch_model.bin",),
        COMMIT,
    )
    assert not weights(there), "the header alone"
    told: list[tuple[int, int]] = []
    folder = hub.fetch(found, lambda *both: told.append(both))
    assert told[-1] == (found.size, found.size)
    assert fetched(there) == {
        "README.md", "config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json",
    }  # fmt: skip
    opened = loader.load(folder)
    assert opened.card.counted == here.counted
    source = sources.open_source(found, folder)
    assert source.address == f"org/tiny@{COMMIT}"
    assert sources.card_of(source).revision == COMMIT
    asked = len(there.asked)
    assert hub.fetch(found) == folder
    assert not [path for path in there.asked[asked:] if path.startswith("GET")]


def test_no_token_is_sent(there: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    hub.fetch(hub.resolve("org/tiny"))
    assert not [each for each in there.headers if "hf_secret" in str(each)]
    assert not [each for each in there.headers if "authorization" in each]


@pytest.mark.parametrize(("bounds", "reason"), [({"download": 1000}, "too_large"), ({"memory": 1000}, "memory")])
def test_what_is_too_large_is_refused_with_its_number_before_it_is_fetched(
    there: Hub, bounds: dict[str, int], reason: str
) -> None:
    with pytest.raises(ModelRefused, match=r"\d MB") as refusal:
        hub.resolve("org/tiny", Limits(**bounds))
    assert refusal.value.reason == reason
    assert not weights(there)


def test_what_is_too_large_is_weighed_all_the_same(there: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(limits.DOWNLOAD, "0")
    found = sources.weigh("org/tiny", public=False)
    assert (found.revision, found.card.revision) == (COMMIT, COMMIT)
    assert found.size > found.card.stored > 0
    assert not weights(there)
    with pytest.raises(ModelRefused, match="EXPLORER_OPEN_MODELS=1"):
        sources.weigh("org/tiny", public=True)


def test_what_the_owner_does_not_allow_is_not_asked_for(there: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ModelRefused, match="EXPLORER_OPEN_MODELS=1"):
        sources.resolve("org/tiny", public=True)
    assert there.asked == []
    monkeypatch.setenv(limits.ALLOWED, "1")
    assert sources.resolve("org/tiny", public=True).repo == "org/tiny"
    monkeypatch.setenv(limits.ALLOWED, "0")
    with pytest.raises(ModelRefused, match="EXPLORER_OPEN_MODELS=1"):
        sources.resolve("org/tiny", public=False)


@pytest.mark.parametrize(
    "address", ["org", "../tiny", "org/tiny/more", "org/ti ny", "org/..", "org/tiny@", "ftp://x/y/z"]
)
def test_what_is_no_address_is_not_asked_for(there: Hub, address: str) -> None:
    with pytest.raises(ModelRefused, match="no model"):
        hub.resolve(address)
    assert there.asked == []


def test_an_address_may_be_copied_from_the_browser() -> None:
    assert hub.parse(" https://hub.example/org/tiny/ ") == ("org/tiny", "main")
    assert hub.parse("org/tiny@v1.0") == ("org/tiny", "v1.0")


def test_a_checkpoint_of_ours_opens_here_too(there: Hub, folder: Path) -> None:
    for file in there.folder.iterdir():
        file.unlink()
    for file in folder.iterdir():
        shutil.copy(file, there.folder)
    found = hub.resolve("org/tiny")
    assert (found.card.family, found.card.kind, found.card.revision) == ("translator", "encoder-decoder", COMMIT)
    fetched_to = hub.fetch(found)
    look = Studio().answer({"what": "look", "folder": str(fetched_to), "text": "The cat", "most": 40})
    assert [site.part for site in look.sites] == ["encoder", "encoder", "decoder", "cross", "decoder", "cross"]


@pytest.mark.parametrize(
    ("address", "fault", "reason"), [("org/tiny", "gated", "gated"), ("org/other", "", "not_found")]
)
def test_gated_and_missing_models_are_said_to_be(there: Hub, address: str, fault: str, reason: str) -> None:
    there.fault = fault
    with pytest.raises(ModelRefused) as refusal:
        hub.resolve(address)
    assert refusal.value.reason == reason


def test_a_file_that_is_not_what_was_announced_is_thrown_away(there: Hub) -> None:
    found = hub.resolve("org/tiny")
    there.fault = "hash"
    with pytest.raises(ModelRefused, match=r"model\.safetensors did not arrive"):
        hub.fetch(found)
    there.fault = ""
    assert loader.load(hub.fetch(found)).card.layers == 2


def test_a_slow_hub_is_given_up(there: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    found = hub.resolve("org/tiny")
    there.fault = "slow"
    monkeypatch.setattr(hub_files, "DOWNLOAD_S", 0.2)
    with pytest.raises(ModelRefused, match="too slow"):
        hub.fetch(found)
    monkeypatch.setattr(hub_files, "ANSWER_S", 0.2)
    with pytest.raises(ModelRefused, match="did not answer"):
        hub.resolve("org/tiny")


def test_a_connection_that_is_cut_is_said_to_be(there: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    found = hub.resolve("org/tiny")
    there.fault = "cut"
    monkeypatch.setattr("huggingface_hub.file_download.time.sleep", lambda _: None)
    with pytest.raises(ModelRefused, match="did not answer"):
        hub.fetch(found)


def test_no_network_is_said_to_be(there: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(ModelRefused, match="did not answer"):
        hub.resolve("org/tiny")
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(ModelRefused, match="OfflineModeIsEnabled"):
        hub.resolve("org/tiny")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"model.safetensors": None}, "pickle"),
        ({"model.safetensors": None, "pytorch_model.bin": None}, "no_weights"),
        ({"config.json": {"model_type": "mamba"}}, "no_attention"),
        ({"config.json": {"model_type": "llama", "num_hidden_layers": 10**9}}, "number"),
        ({"config.json": None}, "broken"),
        ({"model.safetensors.index.json": {"weight_map": {"a": "../outside.safetensors"}}}, "folder"),
        ({"model.safetensors.index.json": {"weight_map": {"a": "gone.safetensors"}}}, "broken"),
        ({"model.safetensors": b"\xff" * 64}, "broken"),
    ],
)
def test_what_cannot_be_opened_is_refused_before_its_weights_are_fetched(
    there: Hub, changes: dict[str, dict[str, object] | bytes | None], reason: str
) -> None:
    for name, content in changes.items():
        file = there.folder / name
        if content is None:
            file.unlink()
        else:
            file.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    with pytest.raises(ModelRefused) as refusal:
        hub.resolve("org/tiny")
    assert refusal.value.reason == reason


def test_a_size_that_is_a_lie_is_noticed(there: Hub) -> None:
    there.sizes["model.safetensors"] = 12
    found = hub.resolve("org/tiny")
    with pytest.raises(ModelRefused) as refusal:
        hub.fetch(found)
    assert refusal.value.reason == "hash"
