"""Count a folder's parameters from the headers of its safetensors files; no weight is read."""

import hashlib
import json
import math
import struct
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from explorer.opened.cards.configuration import read_json
from explorer.opened.refused import ModelRefused

WEIGHTS, INDEX = "model.safetensors", "model.safetensors.index.json"
#: Bytes of one header, and files of weights.
MOST_HEADER, MOST_FILES = 25_000_000, 64
#: Places of a file that tell whether it is still the same.
_SAMPLES = 64
#: Bits of one number of each type.
_BITS = {
    "F64": 64, "I64": 64, "U64": 64, "F32": 32, "I32": 32, "U32": 32, "F16": 16, "BF16": 16, "I16": 16, "U16": 16,
    "I8": 8, "U8": 8, "BOOL": 8, "F8_E4M3": 8, "F8_E5M2": 8,
}  # fmt: skip
#: Ends of the names of files that run code when they are opened.
PICKLED = frozenset({".bin", ".pt", ".pth", ".ckpt", ".pkl", ".h5", ".msgpack"})


class Counted(NamedTuple):
    """The weights of a folder: parameters, bytes of the files, parameters by type.

    `revision` is a prefix of the SHA-256 of headers and of samples of the weights: to read a gigabyte takes too long.
    """

    parameters: int
    stored: int
    dtypes: dict[str, int]
    revision: str


def count(folder: Path) -> Counted:
    """Count a folder's weights.

    Raises:
        ModelRefused: there are none, only pickled ones, or a header lies.
    """
    files = weight_files(folder)
    digest, dtypes, stored = hashlib.sha256(), Counter[str](), 0
    for file in files:
        header, size = _header(file)
        digest.update(header + _sample(file, size))
        stored += size
        for name, entry in _entries(file, header):
            number = _checked(file, name, entry, size - 8 - len(header))
            dtypes[entry["dtype"]] += number
    return Counted(sum(dtypes.values()), stored, dict(dtypes), digest.hexdigest()[:8])


def weight_files(folder: Path) -> list[Path]:
    """Return the files of weights, as the index names them, none of them outside of the folder.

    Raises:
        ModelRefused: there are none, too many, or one is elsewhere.
    """
    if (folder / INDEX).exists():
        names = names_of(read_json(inside(folder, INDEX), MOST_HEADER))
    else:
        names = [WEIGHTS] if (folder / WEIGHTS).exists() else []
    if not names:
        found = list_pickled(folder)
        raise ModelRefused("pickle", what=found[0]) if found else ModelRefused("no_weights")
    return [inside(folder, name) for name in names]


def names_of(index: Mapping[str, Any]) -> list[str]:
    """Return the files of weights that an index names, none of them in another folder.

    Raises:
        ModelRefused: it names none, too many, or one that may lie elsewhere.
    """
    named = index.get("weight_map")
    names = sorted({str(each) for each in named.values()}) if isinstance(named, dict) and named else [""]
    if len(names) > MOST_FILES:
        raise ModelRefused("too_many", what="files", asked=len(names), limit=MOST_FILES)
    for name in names:
        if "/" in name or "\\" in name or not name.endswith(".safetensors"):
            raise ModelRefused("folder", what=name[:80] or INDEX)
    return names


def inside(folder: Path, name: str) -> Path:
    """Return a file of a folder. In a cache of the Hub it is a link to a sibling folder of blobs.

    Raises:
        ModelRefused: it is not there, no ordinary file, or a link that leads elsewhere.
    """
    path = folder / name
    if not path.is_file():
        raise ModelRefused("broken", what=f"{name[:80]} is missing")
    target, blobs = path.resolve(), folder.resolve().parent.parent / "blobs"
    cached = folder.resolve().parent.name == "snapshots" and target.parent == blobs
    if target.parent != folder.resolve() and not cached:
        raise ModelRefused("folder", what=name[:80])
    return path


def list_pickled(folder: Path) -> tuple[str, ...]:
    """Return the names of a folder's pickled weights, which are never opened."""
    return tuple(sorted(path.name for path in folder.iterdir() if path.suffix in PICKLED))


def _header(file: Path) -> tuple[bytes, int]:
    size = file.stat().st_size
    with file.open("rb") as opened:
        first = opened.read(8)
        (length,) = struct.unpack("<Q", first) if len(first) == 8 else (0,)
        if not 2 <= length <= min(MOST_HEADER, size - 8):
            raise ModelRefused("broken", what=f"{file.name} cannot have a header of {length:,} bytes")
        return opened.read(length), size


def _sample(file: Path, size: int) -> bytes:
    with file.open("rb") as opened:
        return b"".join(
            opened.read(512) for position in range(_SAMPLES) if opened.seek(position * size // _SAMPLES) >= 0
        )


def _entries(file: Path, header: bytes) -> list[tuple[str, Any]]:
    try:
        found = json.loads(header)
        return [(name, entry) for name, entry in found.items() if name != "__metadata__"]
    except (ValueError, RecursionError, AttributeError) as error:
        raise ModelRefused("broken", what=f"the header of {file.name} is no JSON object") from error


def _checked(file: Path, name: str, entry: Any, room: int) -> int:
    """Return how many numbers a tensor has, whose bytes must be there."""
    try:
        shape, (begin, end) = entry["shape"], entry["data_offsets"]
        whole = all(type(each) is int and each >= 0 for each in (*shape, begin, end))
        number: int = math.prod(shape)
        if whole and 8 * (end - begin) == number * _BITS[entry["dtype"]] and begin <= end <= room:
            return number
    except (KeyError, TypeError, ValueError):
        pass
    raise ModelRefused("broken", what=f"{name[:60]} does not fit into {file.name}")
