"""A stranger's folder: nothing in it runs, nothing outside of it is read, and what lies is refused by name."""

import importlib.util
import json
import os
import pickle
import shutil
import struct
from pathlib import Path
from typing import Any

import pytest
from safetensors.torch import load_file, save_file

from explorer.opened.cards import card
from explorer.opened.passes import loader, looks
from explorer.opened.refused import ModelRefused
from tests.opened.tiny import TEXT


@pytest.fixture
def folder(llama: Path, tmp_path: Path) -> Path:
    """A copy of a tiny model, to be spoilt."""
    return Path(shutil.copytree(llama, tmp_path / "theirs"))


def edit(file: Path, **changes: Any) -> None:
    """Write keys into a JSON file, made if it is not there."""
    found = json.loads(file.read_text()) if file.exists() else {}
    file.write_text(json.dumps({**found, **changes}))


def refusal(folder: Path) -> ModelRefused:
    with pytest.raises(ModelRefused) as found:
        loader.load(folder)
    return found.value


def test_kernels_of_the_hub_cannot_be_loaded_here() -> None:
    assert importlib.util.find_spec("kernels") is None


@pytest.mark.parametrize(
    "changes",
    [
        {"auto_map": {"AutoConfig": "evil.Config", "AutoModelForCausalLM": "evil.Model"}},
        {"_attn_implementation": "stranger/kernel"},
        {"attn_implementation": "stranger/kernel"},
        {"_attn_implementation_internal": "stranger/kernel"},
        {"_experts_implementation": "stranger/kernel"},
        {"experts_implementation": "stranger/kernel"},
        {"quantization_config": {"quant_method": "bitsandbytes", "load_in_8bit": True}},
        {"custom_pipelines": {"x": {"impl": "evil.Pipeline"}}, "trust_remote_code": True},
        {"_commit_hash": "x", "_name_or_path": "stranger/model", "peft": {"base": "stranger/model"}},
    ],
)
def test_what_names_code_is_dropped_and_the_model_opens_without_it(folder: Path, changes: dict[str, Any]) -> None:
    (folder / "evil.py").write_text(f"open({str(folder / 'ran')!r}, 'w')\n")
    edit(folder / "config.json", **changes)
    opened = loader.load(folder)
    assert not {"auto_map", "quantization_config"} & set(opened.model.config.to_dict())
    assert opened.own
    assert not (folder / "ran").exists()


@pytest.mark.parametrize(
    "changes",
    [
        {"auto_map": {"AutoTokenizer": ["evil.Tokenizer", None]}},
        {"tokenizer_class": "EvilTokenizer"},
        {"chat_template": "{{ ''.__class__.__mro__ }}"},
        {"bos_token": {"__type": "AddedToken", "content": "<s>"}},
    ],
)
def test_a_tokenizers_class_and_template_are_not_heeded(folder: Path, changes: dict[str, Any]) -> None:
    (folder / "evil.py").write_text(f"open({str(folder / 'ran')!r}, 'w')\n")
    edit(folder / "tokenizer_config.json", **changes)
    opened = loader.load(folder)
    assert looks.read_text(opened, TEXT, 40).keys.row.labels[:3] == ("<s>", "The", "cat")
    assert not (folder / "ran").exists()


class Runs:
    """Leaves a file behind when it is unpickled."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return open, (self.path, "w")


@pytest.mark.parametrize("name", ["pytorch_model.bin", "model.pt", "weights.pkl"])
def test_pickled_weights_are_never_opened(folder: Path, name: str) -> None:
    (folder / name).write_bytes(pickle.dumps(Runs(str(folder / "ran"))))
    assert card.read(folder).pickled == (name,)
    loader.load(folder)
    (folder / "model.safetensors").unlink()
    found = refusal(folder)
    assert found.reason == "pickle"
    assert name in str(found)
    assert not (folder / "ran").exists()


def test_an_index_that_leads_out_of_the_folder_is_refused(folder: Path) -> None:
    shutil.move(folder / "model.safetensors", folder.parent / "outside.safetensors")
    names = load_file(folder.parent / "outside.safetensors")
    for where in ("../outside.safetensors", str(folder.parent / "outside.safetensors"), "..\\outside.safetensors"):
        edit(folder / "model.safetensors.index.json", weight_map=dict.fromkeys(names, where))
        assert refusal(folder).reason == "folder"


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "model.safetensors", "README.md"])
def test_a_link_that_leads_out_of_the_folder_is_refused(folder: Path, name: str, tmp_path: Path) -> None:
    (folder / name).unlink(missing_ok=True)
    secret = tmp_path / "secret"
    secret.write_text("---\nlicense: secret\n---")
    (folder / name).symlink_to(secret)
    assert refusal(folder).reason == "folder"


def test_links_of_the_hubs_cache_are_followed_and_no_others(llama: Path, tmp_path: Path) -> None:
    store = tmp_path / "models--org--tiny"
    snapshot = store / "snapshots" / "0123"
    snapshot.mkdir(parents=True)
    shutil.copytree(llama, store / "blobs")
    for file in (store / "blobs").iterdir():
        (snapshot / file.name).symlink_to(Path("../../blobs") / file.name)
    assert loader.load(snapshot).card.layers == 2
    (snapshot / "config.json").unlink()
    (snapshot / "config.json").symlink_to(llama / "config.json")
    assert refusal(snapshot).reason == "folder"


def test_missing_layers_are_refused_and_not_filled_with_random_numbers(folder: Path) -> None:
    file = folder / "model.safetensors"
    kept = {name: each for name, each in load_file(file).items() if ".layers.1." not in name}
    save_file(kept, file, {"format": "pt"})
    found = refusal(folder)
    assert found.reason in ("missing", "number")


def test_one_missing_matrix_is_refused(folder: Path) -> None:
    file = folder / "model.safetensors"
    kept = {name: each for name, each in load_file(file).items() if "layers.1.self_attn.q_proj" not in name}
    save_file(kept, file, {"format": "pt"})
    found = refusal(folder)
    assert (found.reason, found.values["count"]) == ("missing", 1)
    assert "q_proj" in str(found)


def header(described: Any, length: int | None = None, data: bytes = b"") -> bytes:
    text = json.dumps(described).encode()
    return struct.pack("<Q", len(text) if length is None else length) + text + data


TENSOR = {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x08",
        header({"a": TENSOR}, 2**60, bytes(8)),
        header({"a": TENSOR}),
        header({"a": {**TENSOR, "shape": [10**9, 10**9]}}, None, bytes(8)),
        header({"a": {**TENSOR, "shape": [-2]}}, None, bytes(8)),
        header({"a": {**TENSOR, "shape": [2.0]}}, None, bytes(8)),
        header({"a": {**TENSOR, "dtype": "EVIL"}}, None, bytes(8)),
        header({"a": {"dtype": "F32"}}, None, bytes(8)),
        header([1, 2]),
        header({"a": 7}),
        b"\x02\x00\x00\x00\x00\x00\x00\x00{[",
    ],
)
def test_headers_that_lie_are_refused(folder: Path, content: bytes) -> None:
    (folder / "model.safetensors").write_bytes(content)
    with pytest.raises(ModelRefused):
        card.read(folder)


def test_a_file_that_was_cut_off_is_refused(folder: Path) -> None:
    file = folder / "model.safetensors"
    file.write_bytes(file.read_bytes()[:-100])
    assert refusal(folder).reason == "broken"


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"num_hidden_layers": 10**9}, "layers"),
        ({"hidden_size": 10**7}, "width"),
        ({"vocab_size": 10**11}, "vocabulary"),
        ({"num_attention_heads": -4}, "heads"),
        ({"num_attention_heads": "30"}, "heads"),
        ({"num_attention_heads": 0}, "heads"),
        ({"num_hidden_layers": True}, "layers"),
        ({"num_hidden_layers": 2.5}, "layers"),
        ({"rope_theta": 1e300}, "rope_theta"),
        ({"head_dim": 10**6}, "head_width"),
        ({"num_hidden_layers": 200, "hidden_size": 8192}, "parameters"),
    ],
)
def test_absurd_numbers_are_refused_with_their_name_and_bound(
    folder: Path, changes: dict[str, Any], named: str
) -> None:
    edit(folder / "config.json", **changes)
    found = refusal(folder)
    assert found.reason == "number"
    assert found.values["name"] == named
    assert f"{found.values['limit']:,}" in str(found)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"{",
        b'{"a": NaN}',
        b"\xff\xfe",
        b'{"model_type": 7}',
        b'{"a":' * 100_000,
        b'{"a": "' + b"x" * 3_000_000 + b'"}',
        b'{"model_type": "llama", "a": ' + b"[" * 50 + b"]" * 50 + b"}",
    ],
    ids=range(9),
)
def test_configurations_that_are_none_are_refused(folder: Path, content: bytes) -> None:
    (folder / "config.json").write_bytes(content)
    refusal(folder)


def test_a_model_without_attention_is_refused_by_its_card(folder: Path) -> None:
    edit(folder / "config.json", model_type="mamba")
    with pytest.raises(ModelRefused, match="mamba have no attention"):
        card.read(folder)


@pytest.mark.parametrize("content", [None, b"", b"{}", b'{"model": {"type": "Evil"}}'])
def test_a_tokenizer_that_is_none_is_refused(folder: Path, content: bytes | None) -> None:
    (folder / "tokenizer.json").unlink()
    if content is not None:
        (folder / "tokenizer.json").write_bytes(content)
    assert refusal(folder).reason in ("no_tokenizer", "broken")


def test_a_marian_folder_of_sentence_pieces_is_refused_with_the_way_to_convert_it(folder: Path) -> None:
    (folder / "tokenizer.json").unlink()
    (folder / "source.spm").write_bytes(b"")
    assert "explorer.checkpoints convert" in str(refusal(folder))


def test_a_family_that_nobody_knows_is_said_to_be_and_its_code_is_not_run(folder: Path) -> None:
    (folder / "evil.py").write_text(f"open({str(folder / 'ran')!r}, 'w')\n")
    edit(folder / "config.json", model_type="unheard_of", auto_map={"AutoConfig": "evil.Config"})
    found = refusal(folder)
    assert (found.reason, found.values["family"]) == ("unknown_family", "unheard_of")
    assert not (folder / "ran").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_refused(folder: Path) -> None:
    (folder / "config.json").chmod(0)
    assert refusal(folder).reason == "broken"
