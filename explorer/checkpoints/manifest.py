"""Manifest: what a checkpoint says about itself, and the errors of one that cannot be used."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

from explorer import project

R = TypeVar("R")
W = TypeVar("W", str, Path)

#: Where the checkpoints that come with the project lie.
BUNDLED = project.CHECKPOINTS
SCHEMA = 1
MANIFEST = "manifest.json"
#: The manifest's name in a wheel that leaves the weights out.
LEFT_OUT = "left_out.json"
WEIGHTS = "model.safetensors"
TOKENIZER = "tokenizer.json"
#: No other file is ever opened, so no name in a manifest can lead out of its folder.
FILES = (WEIGHTS, TOKENIZER)
MAX_MANIFEST_BYTES = 1_000_000
#: Numbers by name, for each kind of sentence.
Counts = Mapping[str, Mapping[str, float]]


#: What a file that somebody else made can make Python raise when its content is used.
UNUSABLE = (ValueError, TypeError, ArithmeticError, AttributeError, LookupError, RuntimeError)


#: Folders before the name of a file, from the root: as Python's own errors quote a path, and as anything else says it.
_FOLDERS = re.compile(
    r"""(?<=['"])(?:[A-Za-z]:)?[/\\][^'"]*[/\\]|(?<![^\s('"])(?:[A-Za-z]:)?[/\\](?:[^\s/\\]+[/\\])+"""
)


class CheckpointError(ValueError):
    """A checkpoint cannot be used; the message says what to do, and nothing of where the server keeps its files.

    Attributes:
        checkpoint: which one: the name of a bundled one, the folder of another; empty if nobody knows.
    """

    def __init__(self, message: str) -> None:
        super().__init__(_FOLDERS.sub("", message))
        self.checkpoint = ""


class CheckpointMissing(CheckpointError):
    """There is no checkpoint, or a part of it is absent."""


class CheckpointDamaged(CheckpointError):
    """The files are not what the manifest says, or do not fit the model."""


class CheckpointUnsupported(CheckpointError):
    """Written for another version of this program, or for a model it does not know."""


class CheckpointUnreachable(CheckpointError):
    """The Hub could not be reached, or has no such repository or revision."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """An input with the output the stored weights gave when they were saved: proof that they still do.

    Attributes:
        given: the input text.
        expected: the greedy output text.
        score: its total log-probability, in nats, float32 on the CPU.
    """

    given: str
    expected: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFile:
    """Size and SHA-256 of one file."""

    sha256: str
    size_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """All that is known about a checkpoint beside its weights.

    Attributes:
        family: key of `explorer.models.families.FAMILIES`.
        config: keyword arguments of the family's configuration.
        files: size and hash by file name.
        data: what it was trained on, with the attribution the licence asks for.
        licence: of the data, and so of the weights.
        metrics: name to number, such as `test_bleu`.
        probe: an input with its expected output.
        everyday: of a translator, by direction: how many sentences of each kind are wrong (`explorer.evaluate`).
        schema: version of this layout.
    """

    family: str
    config: Mapping[str, Any]
    files: Mapping[str, StoredFile]
    data: str
    licence: str
    command: str
    seed: int
    metrics: Mapping[str, float] = field(default_factory=dict)
    probe: Probe
    everyday: Mapping[str, Counts] = field(default_factory=dict)
    schema: int = SCHEMA

    @property
    def revision(self) -> str:
        """First 8 hexadecimal digits of the weights' SHA-256: the revision in every figure's provenance."""
        return self.files[WEIGHTS].sha256[:8]

    def to_json(self) -> str:
        """Return the text of `manifest.json`."""
        return json.dumps(asdict(self), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write `manifest.json`, whole or not at all."""
    (folder / f"{MANIFEST}.part").write_text(manifest.to_json(), encoding="utf-8")
    (folder / f"{MANIFEST}.part").replace(folder / MANIFEST)


def display_name(folder: Path) -> str:
    """Return a checkpoint's name for a message. Where it lies on a server is nobody else's business."""
    return folder.resolve().name


def display_source(checkpoint: str) -> str:
    """Return what opens a checkpoint as a message may say it: of an absolute path, its last part."""
    return Path(checkpoint).name if Path(checkpoint).is_absolute() else checkpoint


def file_of(path: Path) -> str:
    """Return a file of a checkpoint in a message."""
    return f"{path.name} of {display_name(path.parent)}"


def naming(read: Callable[[W], R]) -> Callable[[W], R]:
    """Make what opens a checkpoint, by its folder or its name, tell which one it is that cannot be used."""

    @wraps(read)
    def named(where: W) -> R:
        try:
            return read(where)
        except CheckpointError as error:
            error.checkpoint = Path(where).name if Path(where).parent == BUNDLED else str(where)
            raise

    return named


@naming
def read_manifest(folder: Path) -> Manifest:
    """Read and check `manifest.json`; nothing else of the checkpoint is opened.

    Raises:
        CheckpointMissing: there is no manifest.
        CheckpointUnsupported: its schema is another one.
        CheckpointDamaged: it is not what `Manifest.to_json` writes.
    """
    path = folder / MANIFEST
    if (folder / LEFT_OUT).is_file() and not path.is_file():
        raise CheckpointMissing(
            f"{display_name(folder)} is too large to come along: `attention-explorer checkpoints fetch"
            f" {display_name(folder)}` says how large it is, and where from."
        )
    if not path.is_file():
        raise CheckpointMissing(
            f"No checkpoint in {display_name(folder)}: {MANIFEST} is missing. Name a folder that was written by `python"
            " -m explorer.training`, or check the project out again."
        )
    return _read(path)


def list_left_out() -> tuple[str, ...]:
    """Return the names of those whose weights do not come along with a wheel, and have not been fetched."""
    return tuple(sorted(path.parent.name for path in BUNDLED.glob(f"*/{LEFT_OUT}")))


def read_left_out(folder: Path) -> Manifest:
    """Read the manifest of a checkpoint whose weights a wheel leaves out.

    Raises:
        CheckpointMissing: there is none of this name, or it is all there.
        CheckpointDamaged: as of `read_manifest`.
    """
    if not (folder / LEFT_OUT).is_file():
        raise CheckpointMissing(f"{display_name(folder)} is none of those that were left out.")
    return _read(folder / LEFT_OUT)


def _read(path: Path) -> Manifest:
    if path.stat().st_size > MAX_MANIFEST_BYTES:
        raise CheckpointDamaged(f"{file_of(path)} is larger than {MAX_MANIFEST_BYTES:,} bytes: it is no manifest.")
    try:
        return _parse(json.loads(path.read_text(encoding="utf-8"), parse_constant=_no_number))
    except CheckpointUnsupported:
        raise
    except OSError as error:
        raise CheckpointDamaged(f"{file_of(path)} cannot be read ({error.strerror}).") from error
    except UNUSABLE as error:
        raise CheckpointDamaged(
            f"{file_of(path)} is not a valid manifest ({error}). Fetch the checkpoint again."
        ) from error


def _parse(content: Any) -> Manifest:
    _expect(isinstance(content, dict), "it is no JSON object")
    json.dumps(content, ensure_ascii=False).encode()  # half of a character, which JSON can say, is no text
    if content.get("schema") is True or content.get("schema") != SCHEMA:
        raise CheckpointUnsupported(
            f"The manifest has schema {content.get('schema')!r} and this program reads schema {SCHEMA}: update the"
            " program, or fetch a checkpoint made for this version."
        )
    content = {"everyday": {}, **content}
    unknown = set(content) ^ {entry.name for entry in fields(Manifest)}
    _expect(not unknown, f"missing or unknown entries: {', '.join(sorted(unknown))}")
    for name, kind in (("family", str), ("data", str), ("licence", str), ("command", str), ("seed", int)):
        _expect(type(content[name]) is kind, f"{name} is no {kind.__name__}")
    for name in ("config", "files", "metrics", "probe", "everyday"):
        _expect(isinstance(content[name], dict), f"{name} is no object")
    _expect(all(type(number) in (int, float) for number in content["metrics"].values()), "a metric is no number")
    everyday = [number for counts in content["everyday"].values() for row in counts.values() for number in row.values()]
    _expect(all(type(number) in (int, float) for number in everyday), "a count of sentences is no number")
    probe = Probe(**content["probe"])
    _expect(
        [type(value) for value in asdict(probe).values()] == [str, str, float], "the probe is no text, text, number"
    )
    files = {name: _stored_file(name, entry) for name, entry in content["files"].items()}
    _expect(WEIGHTS in files, f"{WEIGHTS} is not listed")
    metrics = {name: float(number) for name, number in content["metrics"].items()}
    return Manifest(**{**content, "files": files, "probe": probe, "metrics": metrics})


def _stored_file(name: str, entry: Any) -> StoredFile:
    _expect(name in FILES, f"{name!r} is none of {', '.join(FILES)}")
    stored = StoredFile(**entry)
    digits = re.fullmatch("[0-9a-f]{64}", stored.sha256)
    _expect(digits is not None, f"the sha256 of {name} is not 64 hexadecimal digits")
    _expect(type(stored.size_bytes) is int and stored.size_bytes >= 0, f"the size of {name} is no count of bytes")
    return stored


def _no_number(said: str) -> float:
    """Refuse NaN and Infinity, which Python's JSON reads and no other."""
    raise ValueError(f"{said} is no number")


def _expect(holds: bool, otherwise: str) -> None:
    if not holds:
        raise ValueError(otherwise)
