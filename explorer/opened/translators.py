"""Translators of others: folders that were converted, and Marian models of the Hub, fetched and converted when asked.

This module loads neither torch nor transformers: a program of its own converts.
"""

import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from huggingface_hub import constants

from explorer.checkpoints.manifest import MANIFEST, CheckpointError, Manifest, read_manifest
from explorer.opened import limits, sources
from explorer.opened.cards import hub_files
from explorer.opened.cards.hub import HubModel
from explorer.opened.queue import environment
from explorer.opened.refused import ModelRefused
from explorer.service.process import ROOT, command

#: Families of which a folder is a translator.
FAMILIES = ("marian", "translator")
#: `model_type` of what is converted.
MARIAN = "marian"
#: Seconds that a conversion may take.
PATIENCE_S = 600
_converting = threading.Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class Converted:
    """A translator in our own form.

    Attributes:
        name: of its folder, or `name@revision` of the Hub.
        folder: in which it lies; it is never shown.
    """

    name: str
    folder: Path
    manifest: Manifest


@dataclass(frozen=True, slots=True, kw_only=True)
class Bringing:
    """A model on its way from the Hub.

    Attributes:
        done: bytes that are fetched, and one more once it is converted.
        total: of all files, and one.
        found: it, once it is converted.
        refused: why it will not be.
    """

    done: int
    total: int
    found: Converted | None = None
    refused: ModelRefused | None = None


def list_converted() -> Mapping[str, Converted]:
    """Return the translators that the owner's folders hold, and those of the Hub where readers may use it, by name."""
    folders = [each for folder in limits.shelf_folders() for each in (folder, *_inside(folder))]
    if may_name_hub():
        folders += [each for organisation in _inside(_kept()) for each in _inside(organisation)]
    found = (_of(each) for each in sorted(folders))
    return {each.name: each for each in found if each is not None}


def may_name_hub() -> bool:
    """Return whether readers may name models of the Hub: their owner has said so."""
    return limits.allows_hub(public=True)


def weigh(address: str) -> HubModel:
    """Return what the Hub has at an address; nothing large is fetched.

    Raises:
        ModelRefused: it is no Marian translator in safetensors, it is too large, or as `sources.resolve`.
    """
    found = sources.resolve(address, public=True)
    if found.card.family != MARIAN:
        raise ModelRefused("no_translator", model=found.repo, family=found.card.family[:60])
    return found


def bring(model: HubModel) -> Iterator[Bringing]:
    """Fetch a model file by file, convert it, and yield after each how far it is; what is there already is there.

    Raises:
        ModelRefused: a file is not what was announced, or it cannot be converted; the last yielded says so, too.
    """
    now = Bringing(done=0, total=model.size + 1)
    try:
        target, folder = _kept() / _name(model), Path()
        if _of(target) is None:
            for file in model.files:
                folder = hub_files.fetch_file(model.repo, model.revision, file)
                now = replace(now, done=now.done + file.size)
                yield now
            with _converting:
                _convert(folder, target, f"{model.repo}@{model.revision}")
    except ModelRefused as refused:
        yield replace(now, refused=refused)
        raise
    yield replace(now, done=now.total, found=_of(target))


def _convert(folder: Path, target: Path, name: str) -> None:
    """Convert a folder in a process of its own; the target is whole or not there."""
    if _of(target) is not None:
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".") as part:
        into = Path(part) / "made"
        asked = (*command("explorer.checkpoints"), "convert", str(folder), str(into), "--name", name)
        try:
            ended = subprocess.run(  # noqa: S603 - our own program
                asked, cwd=ROOT, env=environment(), capture_output=True, text=True, timeout=PATIENCE_S, check=False
            )
        except subprocess.TimeoutExpired as error:
            raise ModelRefused("slow", seconds=PATIENCE_S) from error
        if ended.returncode:
            lines = ended.stderr.strip().splitlines() if ended.returncode == 2 else []
            raise ModelRefused("broken", what=lines[-1].rstrip(".")) if lines else ModelRefused("lost")
        shutil.rmtree(target, ignore_errors=True)
        into.replace(target)


def _kept() -> Path:
    """Return where converted models of the Hub are kept: beside its cache."""
    return Path(constants.HF_HUB_CACHE).parent / "attention-explorer"


def _name(model: HubModel) -> Path:
    organisation, _, name = model.repo.partition("/")
    return Path(organisation) / f"{name}@{model.revision[:8]}"


def _inside(folder: Path) -> list[Path]:
    try:
        return [each for each in folder.iterdir() if each.is_dir() and not each.name.startswith(".")]
    except OSError:  # it is gone, or nobody may look into it
        return []


def _of(folder: Path) -> Converted | None:
    try:
        changed = (folder / MANIFEST).stat().st_mtime_ns
    except OSError:
        return None
    return _read(folder, changed)


@lru_cache(maxsize=256)
def _read(folder: Path, _changed: int) -> Converted | None:
    try:
        manifest = read_manifest(folder)
    except CheckpointError:
        return None
    return Converted(name=folder.name, folder=folder, manifest=manifest) if manifest.family in FAMILIES else None
