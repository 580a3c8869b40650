"""Checkpoints that a reader brought along: opened strictly, theirs alone, taken away some time after they have gone."""

import itertools
import shutil
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import streamlit as st

from explorer.checkpoints.manifest import CheckpointError, Manifest
from explorer.checkpoints.package import MOST_PACKED_BYTES, unpack
from explorer.checkpoints.store import Loaded
from explorer.data.files import temporary_folder
from explorer.records.language import t
from explorer.records.wording import unique_name
from explorer.ui import messages, uploads
from explorer.ui.visitors import loss, reader, remember, visitors

#: Checkpoints of one reader; the oldest makes room.
MOST_OWN = 3
#: Of all readers together, each with its files on the disk.
MOST_KEPT = 30
PREFIX = "attention-explorer-upload-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Uploaded:
    """One checkpoint.

    Attributes:
        name: what the reader sees; no other of the reader's has it.
        folder: private, and gone when the checkpoint is.
        number: how many came before it, of all readers.
    """

    name: str
    folder: Path
    manifest: Manifest
    number: int


class UploadedModels:
    """The checkpoints of all readers."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._of: dict[str, list[Uploaded]] = {}
        self._numbers = itertools.count()

    def add(self, owner: str, data: bytes, check: Callable[[Loaded], None]) -> Uploaded:
        """Open a package and keep it.

        Args:
            owner: whose it is.
            check: raises if the model is not one the page can use.

        Raises:
            CheckpointError: it cannot be used.
        """
        folder = temporary_folder(PREFIX) / "uploaded"  # the name that provenance shows
        try:
            folder.mkdir()
            loaded = unpack(data, folder)
            check(loaded)
            manifest = loaded.manifest
        except BaseException:
            _take_away(folder)
            raise
        with self._lock:
            own = self._of.setdefault(owner, [])
            name = unique_name(f"{manifest.family}@{manifest.revision}", {each.name for each in own})
            made = Uploaded(name=name, folder=folder, manifest=manifest, number=next(self._numbers))
            own.append(made)
            crowded = len(own) > MOST_OWN
            full = sum(map(len, self._of.values())) > MOST_KEPT
            shelves = [own] if crowded else [each for each in self._of.values() if each]
            oldest = min(shelves, key=lambda each: each[0].number)
            leaving = oldest.pop(0) if crowded or full else None
        if leaving is not None:
            _take_away(leaving.folder)
        return made

    def of(self, owner: str) -> tuple[Uploaded, ...]:
        """Return what a reader brought, the oldest first."""
        with self._lock:
            return tuple(self._of.get(owner, ()))

    def forget(self, owner: str) -> None:
        """Take everything of a reader away."""
        with self._lock:
            leaving = self._of.pop(owner, [])
        for each in leaving:
            _take_away(each.folder)


def _take_away(folder: Path) -> None:
    shutil.rmtree(folder.parent, ignore_errors=True)


@lru_cache(maxsize=1)
def uploaded_models() -> UploadedModels:
    """Return the process's uploaded models."""
    made = UploadedModels()
    visitors().when_gone(made.forget)
    visitors().count(lambda owner: len(made.of(owner)))
    return made


def models(*families: str) -> dict[str, Path]:
    """Return the reader's checkpoints of some families: name to folder, which every loader of the project opens."""
    return {each.name: each.folder for each in uploaded_models().of(reader()) if each.manifest.family in families}


def keep_in_touch(*, keeps: bool = False) -> None:
    """Find what the reader has brought again after a reload, or say that it went with another process.

    Args:
        keeps: whether something is brought here.
    """
    remember(keeps=keeps)
    if said := loss():
        messages.warning(said, ":material/hourglass_disabled:")


def say_gone() -> None:
    """Say that others have come since."""
    messages.info(
        t("This checkpoint made room for newer ones. Remove the file above and choose it again."),
        ":material/hourglass_disabled:",
    )


def receive(key: str, check: Callable[[Loaded], None]) -> Uploaded | None:
    """Draw the box that takes a checkpoint; the one that was just given, or None. Whatever is wrong becomes a message.

    Args:
        check: raises a `CheckpointError` if the model is not one the page can use.
    """
    file = uploads.file(
        t("A checkpoint from the lab (zip, at most {most} MB)").format(most=MOST_PACKED_BYTES // 1_000_000),
        ["zip"],
        key=key,
    )
    if file is None:
        return None
    opened = f"{key}_opened"
    known = {each.name: each for each in uploaded_models().of(reader())}
    if st.session_state.get(opened, ("", ""))[0] == file.file_id:
        mine = known.get(st.session_state[opened][1])
        if mine is None:
            say_gone()
        return mine
    try:
        with st.spinner(t("Opening the checkpoint …")):
            made = uploaded_models().add(reader(), file.getvalue(), check)
    except CheckpointError as error:
        _refused(error)
        return None
    st.session_state[opened] = (file.file_id, made.name)
    return made


def _refused(error: CheckpointError) -> None:
    messages.error(
        t("This file cannot be used as a checkpoint. Give one that was downloaded here, as it was."),
        ":material/folder_off:",
    )
    messages.exactly([error])
