"""A checkpoint comes back as it was saved, or not at all."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from explorer.checkpoints import store
from explorer.checkpoints.manifest import (
    CheckpointDamaged,
    CheckpointError,
    CheckpointMissing,
    CheckpointUnsupported,
)
from explorer.checkpoints.store import load, read_bundled_manifests
from explorer.data.tokenizer import Tokenizer
from tests.checkpoints.conftest import probe, tiny_model, tiny_tokenizer, write
from tests.imports import imported_by


def edit(folder: Path, change: Callable[[dict[str, Any]], None]) -> None:
    content = json.loads((folder / "manifest.json").read_text())
    change(content)
    (folder / "manifest.json").write_text(json.dumps(content))


def rehash(folder: Path, name: str = "model.safetensors") -> None:
    """Make the manifest agree with a file that was tampered with."""
    data = (folder / name).read_bytes()
    entry = {"sha256": hashlib.sha256(data).hexdigest(), "size_bytes": len(data)}
    edit(folder, lambda content: content["files"].update({name: entry}))


def test_comes_back_rounded_to_half_precision(folder: Path) -> None:
    manifest, model, tokenizer = load(folder)
    original = tiny_model(tokenizer.vocab_size).state_dict()
    assert not model.training
    assert manifest.seed == 7
    assert manifest.metrics == {"test_bleu": 1.5}
    assert tokenizer.decode(tokenizer.encode("The cat")) == "The cat"
    for name, tensor in model.state_dict().items():
        assert tensor.dtype == torch.float32
        assert torch.equal(tensor, original[name].half().float())


def test_reproduces_its_probe(folder: Path) -> None:
    manifest, model, tokenizer = load(folder)
    assert probe(model, tokenizer) == manifest.probe


def test_revision_is_the_head_of_the_weights_hash(folder: Path) -> None:
    digest = hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    assert load(folder).manifest.revision == digest[:8]


def test_weights_take_two_bytes_each(folder: Path) -> None:
    n_parameters = sum(p.numel() for p in tiny_model(tiny_tokenizer().vocab_size).parameters())
    header = 20_000
    assert 2 * n_parameters < (folder / "model.safetensors").stat().st_size < 2 * n_parameters + header


def test_everybody_may_read_it(folder: Path) -> None:
    assert {path.stat().st_mode & 0o444 for path in folder.iterdir()} == {0o444}


def test_loading_leaves_the_random_numbers_alone(folder: Path) -> None:
    torch.manual_seed(3)
    expected = torch.rand(4)
    torch.manual_seed(3)
    load(folder)
    assert torch.equal(torch.rand(4), expected)


def test_saving_leaves_the_model_alone(tmp_path: Path) -> None:
    model = tiny_model(300).train()
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    write(tmp_path / "a", model)
    assert model.training
    assert all(torch.equal(tensor, before[name]) for name, tensor in model.state_dict().items())


def test_a_diverged_model_is_not_saved(tmp_path: Path) -> None:
    model = tiny_model(300)
    with torch.no_grad():
        model.embedding.weight[0, 0] = 1e6
    with pytest.raises(ValueError, match="diverged"):
        write(tmp_path / "a", model)
    with pytest.raises(CheckpointMissing):
        load(tmp_path / "a")


def test_a_diverged_model_leaves_the_one_before_it(folder: Path) -> None:
    model = tiny_model(300)
    with torch.no_grad():
        model.embedding.weight[0, 0] = torch.nan
    with pytest.raises(ValueError, match="diverged"):
        write(folder, model)
    assert load(folder).manifest.seed == 7


@pytest.mark.parametrize("value", [torch.nan, torch.inf, 1j])
def test_weights_that_are_no_numbers(folder: Path, value: complex) -> None:
    path = folder / "model.safetensors"
    sound = load_file(path)
    save_file({**sound, "encoder.norm.weight": torch.tensor(value).expand(16).clone()}, path)
    rehash(folder)
    with pytest.raises(CheckpointDamaged, match="not finite"):
        load(folder)


def test_a_tokenizer_that_the_manifest_does_not_list(folder: Path) -> None:
    edit(folder, lambda content: content["files"].pop("tokenizer.json"))
    with pytest.raises(CheckpointDamaged, match="not listed"):
        load(folder)


@pytest.mark.parametrize("name", ["manifest.json", "model.safetensors", "tokenizer.json"])
def test_missing_file(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(CheckpointMissing, match=name):
        load(folder)


def test_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(CheckpointMissing, match=r"explorer\.training"):
        load(tmp_path / "nowhere")


@pytest.mark.parametrize("name", ["model.safetensors", "tokenizer.json"])
def test_one_changed_byte(folder: Path, name: str) -> None:
    data = bytearray((folder / name).read_bytes())
    data[-1] ^= 1
    (folder / name).write_bytes(data)
    with pytest.raises(CheckpointDamaged, match="fetch"):
        load(folder)


def test_truncated_weights(folder: Path) -> None:
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(CheckpointDamaged):
        load(folder)
    rehash(folder)
    with pytest.raises(CheckpointDamaged):
        load(folder)


def test_git_lfs_pointer(folder: Path) -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:" + 64 * "0" + "\nsize 12345678\n"
    (folder / "model.safetensors").write_text(pointer)
    with pytest.raises(CheckpointMissing, match="git lfs pull"):
        load(folder)


@pytest.mark.parametrize(
    "header", [b"\xff" * 8, (10**9).to_bytes(8, "little") + b"{", b"", b"\x02" + b"\0" * 7 + b"[]"]
)
def test_hostile_header(folder: Path, header: bytes) -> None:
    (folder / "model.safetensors").write_bytes(header)
    rehash(folder)
    with pytest.raises(CheckpointDamaged):
        load(folder)


def test_wrong_shape_missing_and_unknown_tensor(folder: Path) -> None:
    path = folder / "model.safetensors"
    sound = load_file(path)
    name = "encoder.norm.weight"
    for tampered in (
        {**sound, name: torch.zeros(17, dtype=torch.float16)},
        {key: tensor for key, tensor in sound.items() if key != name},
        {**sound, "surprise": torch.zeros(1)},
    ):
        save_file(tampered, path)
        rehash(folder)
        with pytest.raises(CheckpointDamaged, match="1 tensors differ"):
            load(folder)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("n_heads", 3),
        ("n_heads", "2"),
        ("n_heads", 2.0),
        ("d_model", 10**12),
        ("n_encoder_layers", 10**6),
        ("vocab_size", True),
        ("d_ff", None),
        ("d_ff", [32]),
        ("unheard_of", 1),
        ("position", "painted"),
        ("directions", " ".join(f"en-{chr(97 + i)}{chr(97 + j)}" for i in range(24) for j in range(25))),
    ],
)
def test_hostile_configuration(folder: Path, key: str, value: object) -> None:
    edit(folder, lambda content: content["config"].update({key: value}))
    with pytest.raises(CheckpointDamaged):
        load(folder)


def test_unknown_schema_and_family(folder: Path) -> None:
    for schema in (2, True):
        edit(folder, lambda content, schema=schema: content.update(schema=schema))
        with pytest.raises(CheckpointUnsupported, match="update"):
            load(folder)
    edit(folder, lambda content: content.update(schema=1, family="oracle"))
    with pytest.raises(CheckpointUnsupported, match="oracle"):
        load(folder)


@pytest.mark.parametrize(
    "text",
    ["", "null", "[]", "{", '{"schema": 1}', "[" * 100_000, '{"schema": ' + "9" * 5_000 + "}", "\x00", "{" * 2_000_000],
)
def test_hostile_manifest(folder: Path, text: str) -> None:
    (folder / "manifest.json").write_text(text)
    with pytest.raises(CheckpointError):
        load(folder)


@pytest.mark.parametrize(("learnt", "said"), [("fr-en", "en-fr"), ("", "en-fr fr-en"), ("fr-en", "fr-en zh-de")])
def test_directions_that_the_tokenizer_has_no_tags_for(tmp_path: Path, learnt: str, said: str) -> None:
    write(tmp_path / "tiny", tiny_model(tiny_tokenizer(learnt).vocab_size, learnt))
    edit(tmp_path / "tiny", lambda content: content["config"].update(directions=said))
    with pytest.raises(CheckpointDamaged, match=f"it is to translate {said}"):
        load(tmp_path / "tiny")


def test_directions_that_make_no_sense(folder: Path) -> None:
    edit(folder, lambda content: content["config"].update(directions="upwards"))
    with pytest.raises(CheckpointDamaged, match="'upwards' is no direction"):
        load(folder)


def test_fewer_directions_than_were_learnt(tmp_path: Path) -> None:
    write(tmp_path / "tiny", tiny_model(tiny_tokenizer("fr-en de-en").vocab_size, "fr-en de-en"))
    edit(tmp_path / "tiny", lambda content: content["config"].update(directions="de-en"))
    assert load(tmp_path / "tiny").model.config.directions == "de-en"


def test_manifest_that_is_no_text(folder: Path) -> None:
    (folder / "manifest.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(CheckpointDamaged):
        load(folder)


@pytest.mark.parametrize("name", ["../secret.json", "/etc/passwd", "model.pt", "a/model.safetensors", ".."])
def test_a_file_name_cannot_lead_out_of_the_folder(folder: Path, name: str) -> None:
    def add(content: dict[str, Any]) -> None:
        content["files"][name] = content["files"]["tokenizer.json"]

    edit(folder, add)
    with pytest.raises(CheckpointDamaged, match="none of"):
        load(folder)


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        ("probe", {"given": "a"}),
        ("probe", {"given": "a", "expected": 1, "score": 0.0}),
        ("metrics", {"bleu": "high"}),
        ("metrics", {"bleu": 10**400}),
        ("metrics", {"bleu": float("nan")}),
        ("probe", {"given": "half \ud800", "expected": "a", "score": 0.0}),
        ("data", "half \ud800"),
        ("seed", "7"),
        ("files", {}),
        ("files", {"model.safetensors": {"sha256": "0", "size_bytes": 1}}),
        ("files", {"model.safetensors": {"sha256": 5, "size_bytes": 1}}),
        ("files", {"model.safetensors": 3}),
    ],
)
def test_entries_of_the_wrong_kind(folder: Path, entry: str, value: object) -> None:
    edit(folder, lambda content: content.update({entry: value}))
    with pytest.raises(CheckpointDamaged):
        load(folder)


@pytest.mark.parametrize("size", [280, 310])
def test_a_tokenizer_of_another_size(folder: Path, size: int) -> None:
    words = ["The quick brown fox jumps over the lazy dog in a large garden behind our old house."]
    Tokenizer.train(words * 9, size).save(folder / "tokenizer.json")
    rehash(folder, "tokenizer.json")
    with pytest.raises(CheckpointDamaged, match=f"its tokenizer knows {size}"):
        load(folder)


@pytest.mark.parametrize("text", ["{}", "null", '{"model": {"type": "BPE", "vocab": {}, "merges": []}}'])
def test_tokenizer_that_is_none(folder: Path, text: str) -> None:
    (folder / "tokenizer.json").write_text(text)
    rehash(folder, "tokenizer.json")
    with pytest.raises(CheckpointDamaged, match="tokenizer"):
        load(folder)


def test_what_ships_is_read_once_and_the_unreadable_left_out(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "BUNDLED", folder.parent)
    (folder.parent / "broken").mkdir()
    (folder.parent / "broken" / "manifest.json").write_text("{")
    assert {name: each.seed for name, each in read_bundled_manifests().items()} == {folder.name: 7}
    assert read_bundled_manifests() is read_bundled_manifests()


def test_loading_what_ships_does_not_import_torchs_compiler() -> None:
    """It takes seconds, and anything computed on the device `meta` imports it."""
    script = (
        "from explorer.checkpoints import store\n"
        "for name in store.list_bundled():\n"
        "    store.load(store.BUNDLED / name)"
    )
    there = imported_by(script)
    assert "explorer.models.translator" in there
    assert "torch._dynamo" not in there


def test_a_number_where_a_text_should_be(folder: Path) -> None:
    """`5.split()` is neither a wrong value nor a wrong type to Python."""
    edit(folder, lambda content: content.update(family="cnn", config={"widths": 5}))
    with pytest.raises(CheckpointDamaged):
        load(folder)


def test_nothing_ships_where_there_is_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "BUNDLED", tmp_path / "none")
    assert store.list_bundled() == ()
    assert store.read_bundled_manifests() == {}
    assert set(store.find_unreadable("vit")) == {"vit-cifar10"}
