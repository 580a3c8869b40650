"""Write a trained model as a folder, and read it back so that nothing in the folder is trusted."""

import hashlib
import shutil
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, fields
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn

from explorer.checkpoints.manifest import (
    BUNDLED as BUNDLED,
    MANIFEST,
    TOKENIZER,
    UNUSABLE,
    WEIGHTS,
    CheckpointDamaged,
    CheckpointError,
    CheckpointMissing,
    CheckpointUnsupported,
    Manifest,
    Probe,
    StoredFile,
    display_name,
    file_of,
    naming,
    read_manifest,
    write_manifest,
)
from explorer.data.parallel.directions import parse_directions
from explorer.models.families import FAMILIES, Family

#: Trained to differ in one thing, and shown beside each other for it; no menu offers them.
NORMS = ("translator-norm-pre", "translator-norm-post")
NOTES = tuple(f"seq2seq-de-en-notes-{each}" for each in ("simple", "params", "two", "simple-given", "params-given"))
SMALL_COUPLETS = tuple(f"couplet-zh-small-{each}" for each in ("none", "fixed", "scaled_dot"))
COMPARED = (*NORMS, *NOTES, *SMALL_COUPLETS)
#: What comes with the project, by family: a folder that is gone cannot say that it was there.
SHIPPED: Mapping[str, tuple[str, ...]] = {
    "translator": (
        *(f"translator-{each}" for each in ("de-en", "en-fr", "from-english", "to-english", "zh-en")),
        *(f"translator-multi30k-{each}" for each in ("de-en", "en-de", "en-fr")),
        *NORMS,
    ),
    "seq2seq": (
        *(f"seq2seq-de-en-{each}" for each in ("additive", "dot", "fixed", "general", "none", "scaled_dot")),
        *NOTES,
    ),
    "couplet": ("couplet-zh", *SMALL_COUPLETS),
    "gpt": (
        *(f"gpt-{each}" for each in ("repeats", "shakespeare", "verse-zh")),
        *(f"positions-{each}" for each in ("alibi", "learned", "none", "rotary", "sinusoidal")),
    ),
    "masked": ("masked-en",),
    "vit": ("vit-cifar10",),
    "cnn": ("cnn-cifar10",),
}
#: No dimension of a model we know is larger; a hostile configuration must not be allowed to ask for terabytes.
MAX_CONFIG_INTEGER = 1 << 20
MAX_CONFIG_COUNT = 256


class Loaded(NamedTuple):
    """A checkpoint, ready to run: the model is in `eval()`, in float32, on the CPU."""

    manifest: Manifest
    model: nn.Module
    tokenizer: Any


def list_bundled() -> tuple[str, ...]:
    """Return the names of the checkpoints that come with the project."""
    return _names(BUNDLED)


def _names(folder: Path) -> tuple[str, ...]:
    return tuple(sorted(each.name for each in _inside(folder) if (each / MANIFEST).is_file()))


def _inside(folder: Path) -> Iterable[Path]:
    return folder.iterdir() if folder.is_dir() else ()  # a `glob` takes five times as long


def read_bundled_manifests() -> Mapping[str, Manifest]:
    """Return the bundled manifests that can be read, by name. They are read when one changes: every click asks."""
    manifests = (folder / MANIFEST for folder in _inside(BUNDLED))
    return _manifests(BUNDLED, tuple(each.stat().st_mtime_ns for each in manifests if each.exists()))


def find_unreadable(*families: str) -> dict[str, CheckpointError]:
    """Return what is wrong with those of some families that ought to be there and cannot be read, by name."""
    there, found = read_bundled_manifests(), {}
    for name in (name for family in families for name in SHIPPED[family] if name not in there):
        try:
            read_manifest(BUNDLED / name)
        except CheckpointError as error:
            found[name] = error
    return found


@lru_cache(maxsize=4)
def _manifests(folder: Path, _changed: tuple[int, ...]) -> Mapping[str, Manifest]:
    found = {}
    for name in _names(folder):
        with suppress(CheckpointError):
            found[name] = read_manifest(folder / name)
    return MappingProxyType(found)


def save(
    folder: Path,
    *,
    family: str,
    config: Any,
    model: nn.Module,
    tokenizer_file: Path | None,
    data: str,
    licence: str,
    command: str,
    seed: int,
    metrics: Mapping[str, float],
    probe: Callable[[nn.Module, Any], Probe],
    halve: bool = True,
) -> Manifest:
    """Write a checkpoint folder, weights in half precision, the manifest last.

    Args:
        folder: is made if it is not there; files of an earlier checkpoint in it are replaced.
        family: key of `FAMILIES`.
        model: its weights are stored once each (tied ones too) and left as they are.
        tokenizer_file: is copied as `tokenizer.json`; None where the family has none.
        data: what it was trained on, with attribution.
        command: the training command.
        metrics: name to number.
        probe: is called with the model *as stored* (weights rounded to half precision) and the tokenizer, so that
            whoever loads the folder can reproduce it.
        halve: whether weights are rounded to half precision; those that somebody else trained are kept as they are.

    Raises:
        ValueError: a weight is not finite in half precision; what the folder holds stays.
    """
    weights = {
        name: _half(name, tensor) if halve else tensor.detach().contiguous() for name, tensor in _tensors(model).items()
    }
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MANIFEST).unlink(missing_ok=True)
    names = [_write_weights(weights, folder)]
    if tokenizer_file is not None:
        names.append(_copy_tokenizer(tokenizer_file, folder))
    kind = FAMILIES[family]
    stored = _filled(kind.module(config), folder / WEIGHTS)
    manifest = Manifest(
        family=family,
        config=asdict(config),
        files={name: _stored(folder / name) for name in names},
        data=data,
        licence=licence,
        command=command,
        seed=seed,
        metrics=dict(metrics),
        probe=probe(stored, _tokenizer(kind, folder)),
    )
    write_manifest(folder, manifest)
    return manifest


@naming
def load(folder: Path) -> Loaded:
    """Read a checkpoint folder: schema and hashes checked, every weight present and of the right shape, `eval()`.

    The weights are mapped, not read, and copied once, into the float32 parameters of the model. Building the model
    does not disturb the caller's random numbers.

    Raises:
        CheckpointMissing: a file is absent.
        CheckpointDamaged: a file is not what the manifest says or does not fit the configuration.
        CheckpointUnsupported: an unknown schema or family.
    """
    manifest = read_manifest(folder)
    family = FAMILIES.get(manifest.family)
    if family is None:
        raise CheckpointUnsupported(
            f"{display_name(folder)} holds a {manifest.family!r} model and this program knows {', '.join(FAMILIES)}:"
            " update it."
        )
    for name, expected in manifest.files.items():
        check_file(folder / name, expected)
    try:
        if family.tokenizer is not None and TOKENIZER not in manifest.files:
            raise ValueError(f"{TOKENIZER} is not listed")
        config = _checked(family.config(**_bounded(manifest.config)))
        with torch.device("meta"):
            _check_shapes(family.module(config), folder / WEIGHTS)
        with torch.random.fork_rng(devices=[]):
            model = _filled(family.module(config), folder / WEIGHTS)
        tokenizer = _tokenizer(family, folder)
        _check_vocabulary(config, tokenizer)
        return Loaded(manifest, model, tokenizer)
    except CheckpointError:
        raise
    except (*UNUSABLE, SafetensorError) as error:
        raise CheckpointDamaged(f"{display_name(folder)} does not hold a usable {manifest.family}: {error}") from error


def _write_weights(weights: dict[str, Tensor], folder: Path) -> str:
    part = folder / f"{WEIGHTS}.part"
    save_file(weights, part)
    part.chmod(0o644)  # safetensors makes files that only their owner reads
    part.replace(folder / WEIGHTS)
    return WEIGHTS


def _copy_tokenizer(file: Path, folder: Path) -> str:
    if file.resolve() != (folder / TOKENIZER).resolve():
        shutil.copyfile(file, folder / TOKENIZER)
    return TOKENIZER


def _tensors(model: nn.Module) -> dict[str, Tensor]:
    """Return parameters and persistent buffers, tied ones once, under their first name."""
    first: dict[int, str] = {}
    state = model.state_dict(keep_vars=True)
    return {name: tensor for name, tensor in state.items() if first.setdefault(id(tensor), name) == name}


def _half(name: str, tensor: Tensor) -> Tensor:
    tensor = tensor.detach().cpu()
    if not tensor.is_floating_point():
        return tensor.clone()
    half = tensor.to(torch.float16).contiguous()
    if not half.isfinite().all():
        raise ValueError(f"{name} has values that are not finite in half precision: the training diverged")
    return half


def _filled(model: nn.Module, weights: Path) -> nn.Module:
    """Copy the file's tensors into the model's own, converting on the way."""
    with torch.no_grad(), safe_open(weights, framework="pt") as stored:
        for name, tensor in _tensors(model).items():
            found = stored.get_tensor(name)
            if found.is_complex() or not found.isfinite().all():
                raise ValueError(f"{name} has values that are no numbers or not finite")
            tensor.copy_(found)
    return model.eval()


def _check_shapes(model: nn.Module, weights: Path) -> None:
    """Compare names and shapes with the file's header before any memory is spent on the model."""
    expected = {name: list(tensor.shape) for name, tensor in _tensors(model).items()}
    with safe_open(weights, framework="pt") as stored:
        found = {name: stored.get_slice(name).get_shape() for name in stored.offset_keys()}
    wrong = sorted(name for name in expected.keys() | found.keys() if expected.get(name) != found.get(name))
    if wrong:
        name = wrong[0]
        raise ValueError(
            f"{len(wrong)} tensors differ from the configuration, first {name}: the file has"
            f" {found.get(name, 'none')}, the model needs {expected.get(name, 'none')}"
        )


def _check_vocabulary(config: Any, tokenizer: Any) -> None:
    """Compare what the model can read with what the tokenizer gives it."""
    reads, gives = getattr(config, "vocab_size", None), getattr(tokenizer, "vocab_size", None)
    if reads is not None and gives is not None and reads != gives:
        raise ValueError(f"the model reads {reads:,} tokens and its tokenizer knows {gives:,}")
    directions, tags = parse_directions(getattr(config, "directions", "")), getattr(tokenizer, "tags", {})
    if (tags or len(directions) > 1) and not tags.keys() >= {each.tag for each in directions}:
        raise ValueError(f"it is to translate {config.directions}, for which its tokenizer has the tags {sorted(tags)}")


def _bounded(config: Mapping[str, Any]) -> dict[str, Any]:
    """Bound every number of a configuration that came from outside."""
    for name, value in config.items():
        if isinstance(value, int):
            limit = MAX_CONFIG_COUNT if name.startswith("n_") else MAX_CONFIG_INTEGER
            if abs(value) > limit:
                raise ValueError(f"{name} = {value} is beyond {limit:,}")
        elif not isinstance(value, float | str | None):
            raise TypeError(f"{name} is a {type(value).__name__}")
    return dict(config)


def _checked(config: Any) -> Any:
    """Refuse a number of another type than its field: JSON's 4.0 is no number of heads."""
    for entry in fields(config):
        value = getattr(config, entry.name)
        if isinstance(entry.type, type) and type(value) is not entry.type:
            raise TypeError(f"{entry.name} = {value!r} is no {entry.type.__name__}")
    return config


def check_file(path: Path, expected: StoredFile) -> None:
    """Compare a file with what its manifest says.

    Raises:
        CheckpointMissing: it is absent.
        CheckpointDamaged: it is another one.
    """
    if not path.is_file():
        raise CheckpointMissing(f"{file_of(path)} is missing though the manifest lists it: fetch the checkpoint again.")
    if path.stat().st_size < 1024 and path.read_bytes().startswith(b"version https://git-lfs"):
        raise CheckpointMissing(f"{file_of(path)} is only a Git LFS pointer: run `git lfs pull`.")
    if path.stat().st_size != expected.size_bytes or _stored(path) != expected:
        raise CheckpointDamaged(f"{file_of(path)} is not the file the manifest describes: fetch the checkpoint again.")


def _stored(path: Path) -> StoredFile:
    with path.open("rb") as file:
        return StoredFile(sha256=hashlib.file_digest(file, "sha256").hexdigest(), size_bytes=path.stat().st_size)


def _tokenizer(family: Family, folder: Path) -> Any:
    if family.tokenizer is None:
        return None
    if not (folder / TOKENIZER).is_file():
        raise CheckpointMissing(f"{file_of(folder / TOKENIZER)} is missing: fetch the checkpoint again.")
    try:
        return family.tokenizer(folder / TOKENIZER)
    except Exception as error:  # the tokenizers library raises bare Exception
        raise CheckpointDamaged(f"{file_of(folder / TOKENIZER)} is no tokenizer: {error}") from error
