"""A package is opened if it is what `pack` makes, and anything else is refused before it can do harm."""

import io
import json
import re
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from explorer.checkpoints import package
from explorer.checkpoints.manifest import (
    MANIFEST,
    TOKENIZER,
    WEIGHTS,
    CheckpointDamaged,
    CheckpointError,
    CheckpointMissing,
    CheckpointUnsupported,
)
from explorer.checkpoints.package import CARD, PackageRefused, pack, unpack
from explorer.checkpoints.store import load

NAMES = (MANIFEST, WEIGHTS, TOKENIZER, CARD)


@pytest.fixture
def packed(folder: Path) -> bytes:
    (folder / CARD).write_text("# tiny\n")
    return pack(folder)


@pytest.fixture
def inside(tmp_path: Path) -> Path:
    (tmp_path / "inside").mkdir()
    return tmp_path / "inside"


def contents(packed: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(files: list[tuple[str, bytes]]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return made.getvalue()


def with_config(packed: bytes, change: Callable[[dict[str, Any]], object]) -> bytes:
    files = contents(packed)
    manifest = json.loads(files[MANIFEST])
    change(manifest["config"])
    return zipped(list({**files, MANIFEST: json.dumps(manifest).encode()}.items()))


def test_there_and_back(folder: Path, packed: bytes, inside: Path) -> None:
    assert sorted(contents(packed)) == sorted(NAMES)
    again, before = unpack(packed, inside), load(folder)
    assert again.manifest == before.manifest
    for one, other in zip(again.model.parameters(), before.model.parameters(), strict=True):
        assert torch.equal(one, other)
    assert sorted(path.name for path in inside.iterdir()) == sorted(NAMES)
    assert pack(folder) == packed  # no dates: the same checkpoint is the same file


def test_a_missing_part_cannot_be_packed(folder: Path) -> None:
    with pytest.raises(CheckpointMissing, match="README"):
        pack(folder)


@pytest.mark.parametrize(
    "data", [b"", b"PK", b"hello" * 100, b"\x80\x04\x95cos\nsystem\n", b"PK\x03\x04" + b"\0" * 200]
)
def test_what_is_no_zip(data: bytes, inside: Path) -> None:
    with pytest.raises(PackageRefused, match="no zip that can be read"):
        unpack(data, inside)


def test_too_large_a_file(inside: Path) -> None:
    with pytest.raises(PackageRefused, match="20,000,001 bytes"):
        unpack(b"x" * 20_000_001, inside)


@pytest.mark.parametrize(
    "name",
    ["../manifest.json", "/etc/passwd", "..\\x", "C:\\x", "a/b", "model.bin", "model.pkl", "x" * 5000, "MANIFEST.JSON"],
)
def test_other_names_are_refused_and_nothing_is_written(packed: bytes, inside: Path, name: str) -> None:
    for files in (
        [*contents(packed).items(), (name, b"x")],
        [(name if old == CARD else old, content) for old, content in contents(packed).items()],
    ):
        with pytest.raises(PackageRefused, match="holds exactly"):
            unpack(zipped(files), inside)
    assert list(inside.iterdir()) == []
    assert not (inside.parent / MANIFEST).exists()


#: Archives that file managers make of what was unpacked, by the names that they give.
AGAIN: dict[str, Callable[[list[str]], list[str]]] = {
    "Finder, the files": lambda names: [*names, *(f"__MACOSX/._{name}" for name in names)],
    "Finder, the folder": lambda names: [
        *("tiny/", "tiny/.DS_Store", "__MACOSX/", "__MACOSX/tiny/", "__MACOSX/tiny/._.DS_Store"),
        *(part for name in names for part in (f"tiny/{name}", f"__MACOSX/tiny/._{name}")),
    ],
    "zip -r": lambda names: ["tiny 2/", ".DS_Store", *(f"tiny 2/{name}" for name in names)],
    "Explorer, the files": lambda names: [*reversed(names), "desktop.ini", "Thumbs.db"],
    "Explorer, the folder": lambda names: [f"模型 (1)/{name}" for name in names],
    "backslashes": lambda names: ["tiny\\", *(f"tiny\\{name}" for name in names), "tiny\\desktop.ini"],
}


@pytest.mark.parametrize("way", AGAIN)
def test_zipped_again_by_a_file_manager(packed: bytes, inside: Path, way: str) -> None:
    files = contents(packed)
    made = [(name, files.get(re.split(r"[/\\]", name)[-1], b"")) for name in AGAIN[way](list(NAMES))]
    assert unpack(zipped(made), inside).manifest.family == json.loads(files[MANIFEST])["family"]
    assert sorted(path.name for path in inside.iterdir()) == sorted(NAMES)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda names: [f"a/b/{name}" for name in names],
        lambda names: [f"{position}/{name}" for position, name in zip("abab", names, strict=True)],
        lambda names: [*(f"a/{name}" for name in names), "a/notes.txt"],
        lambda names: [*(f"a/{name}" for name in names), names[0]],
        lambda names: [*(f"a/{name}" for name in names), f"a\\{names[0]}"],
        lambda names: [*names, "empty/"],
        lambda names: [*names, "deep/er/.DS_Store"],
        lambda names: [f"../{name}" for name in names],
        lambda names: [f"/{name}" for name in names],
        lambda names: [f"__MACOSX/{name}" for name in names],
        lambda names: [*names, *(f"__MACOSX/{number}" for number in range(100))],
    ],
)
def test_nothing_else_is_taken_for_that(packed: bytes, inside: Path, wrong: Callable[[list[str]], list[str]]) -> None:
    files = contents(packed)
    made = [(name, files.get(re.split(r"[/\\]", name)[-1], b"")) for name in wrong(list(NAMES))]
    with pytest.raises(PackageRefused, match="holds exactly"):
        unpack(zipped(made), inside)
    assert list(inside.iterdir()) == []


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_name_twice_or_not_at_all(packed: bytes, inside: Path) -> None:
    files = list(contents(packed).items())
    for wrong in ([*files, files[0]], files[1:], [*files[1:], files[1]], []):
        with pytest.raises(PackageRefused, match="holds exactly"):
            unpack(zipped(wrong), inside)


def test_a_bomb_that_says_so(packed: bytes, inside: Path) -> None:
    files = contents(packed)
    bomb = zipped(list({**files, WEIGHTS: b"\0" * 60_000_000}.items()))
    assert len(bomb) < 200_000
    with pytest.raises(PackageRefused, match="declares 60,000,000 bytes"):
        unpack(bomb, inside)


def test_a_bomb_that_lies(packed: bytes, inside: Path) -> None:
    """The directory of the zip declares few bytes; what is read is bounded by our own limit or the declared one."""
    bomb = bytearray(zipped(list({**contents(packed), CARD: b"\0" * 5_000_000}.items())))
    wanted = struct.pack("<I", 5_000_000)
    assert wanted in bomb
    lying = bytes(bomb).replace(wanted, struct.pack("<I", 100))
    with pytest.raises(PackageRefused):
        unpack(lying, inside)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_what_could_ask_for_any_memory_is_refused(packed: bytes, inside: Path, method: int) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        for name, content in contents(packed).items():
            archive.writestr(name, content)
    with pytest.raises(PackageRefused, match="compressed in another way"):
        unpack(made.getvalue(), inside)


def test_no_password_and_no_unknown_compression(packed: bytes, inside: Path) -> None:
    for at, value in ((6, 1), (8, 99)):  # flags; method
        broken = bytearray(packed)
        start = 0
        while (start := broken.find(b"PK\x03\x04", start)) >= 0:
            broken[start + at] = value
            start += 4
        start = 0
        while (start := broken.find(b"PK\x01\x02", start)) >= 0:
            broken[start + at + 2] = value
            start += 4
        with pytest.raises(PackageRefused):
            unpack(bytes(broken), inside)


@pytest.mark.parametrize("name", [MANIFEST, WEIGHTS, TOKENIZER])
def test_a_changed_byte_is_found(packed: bytes, inside: Path, name: str) -> None:
    files = contents(packed)
    changed = bytearray(files[name])
    changed[len(changed) // 2] ^= 1
    with pytest.raises(CheckpointError):
        unpack(zipped(list({**files, name: bytes(changed)}.items())), inside)


@pytest.mark.parametrize("position", range(0, 9_000, 300))
def test_a_damaged_archive(packed: bytes, inside: Path, position: int) -> None:
    broken = bytearray(packed)
    broken[position : position + 40] = bytes(255 - byte for byte in packed[position : position + 40])
    with pytest.raises(CheckpointError):
        unpack(bytes(broken), inside)


def test_a_truncated_file(packed: bytes, inside: Path) -> None:
    for end in range(100, len(packed), len(packed) // 9):
        with pytest.raises(PackageRefused):
            unpack(packed[:end], inside)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("d_model", 1 << 20),
        ("max_length", 1 << 20),
        ("vocab_size", 1 << 19),
        ("n_encoder_layers", 250),
        ("n_heads", -1),
        ("d_ff", 10**9),
        ("d_ff", 10**30),
    ],
)
def test_a_hostile_configuration_is_refused_before_it_is_built(
    packed: bytes, inside: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: int
) -> None:
    monkeypatch.setattr(package, "load", lambda _: pytest.fail("a model was asked for"))
    with pytest.raises(CheckpointDamaged, match=name):
        unpack(with_config(packed, lambda config: config.update({name: value})), inside)


def test_a_configuration_that_does_not_fit_its_weights(packed: bytes, inside: Path) -> None:
    with pytest.raises(CheckpointDamaged, match="tensors differ"):
        unpack(with_config(packed, lambda config: config.update(d_model=4096)), inside)


def test_another_schema_and_another_family(packed: bytes, inside: Path) -> None:
    for change in ({"schema": 2}, {"family": "os.system"}):
        files = contents(packed)
        manifest = {**json.loads(files[MANIFEST]), **change}
        with pytest.raises(CheckpointUnsupported):
            unpack(zipped(list({**files, MANIFEST: json.dumps(manifest).encode()}.items())), inside)
