"""Checkpoints from the Hugging Face Hub: pinned, safetensors only, through the same loader as a local folder."""

import os
import re
import shutil
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from huggingface_hub import snapshot_download
from huggingface_hub.errors import (  # type: ignore[attr-defined]
    HTTPError,  # of its HTTP client: a connection may be cut in the middle of a file
    LocalEntryNotFoundError,
    OfflineModeIsEnabled,
)

from explorer.checkpoints.manifest import (
    FILES,
    LEFT_OUT,
    MANIFEST,
    CheckpointMissing,
    CheckpointUnreachable,
    display_source,
    naming,
    read_left_out,
)
from explorer.checkpoints.store import BUNDLED, Loaded, check_file, list_bundled, load

#: `org/name@revision`: a branch can move under a reader's feet, so the full commit is asked for.
ADDRESS = re.compile(r"(?P<repo>[\w.-]+/[\w.-]+)@(?P<revision>[0-9a-f]{40})")


@naming
def open_checkpoint(where: str) -> Loaded:
    """Load a checkpoint by the name of a bundled one, by `org/name@revision` on the Hub, or by a folder's path.

    Args:
        where: such as `translator-en-fr`, `you/translator@` and a commit of 40 hexadecimal digits, or `runs/a`.

    Raises:
        CheckpointError: it cannot be used; the subclass and the message say why and what to do.
    """
    if where in list_bundled():
        return load(BUNDLED / where)
    if address := ADDRESS.fullmatch(where):
        return load(fetch(address["repo"], revision=address["revision"]))
    if not _is_folder(where):
        raise CheckpointMissing(
            f"There is no checkpoint {display_source(where)!r}: name a bundled one ({', '.join(list_bundled())}), a"
            " folder, or org/name@revision with the 40 digits of a commit on the Hub."
        )
    return load(Path(where))


def locate(where: str) -> str:
    """Return what opens a checkpoint in any process: its folder, whatever it was named by; an address as it is."""
    if where in list_bundled():
        return str(BUNDLED / where)
    return str(Path(where).absolute()) if _is_folder(where) else where


def _is_folder(where: str) -> bool:
    try:
        return Path(where).is_dir()
    except OSError:  # no path is as long as that
        return False


def fetch(repo: str, *, revision: str, files: Sequence[str] = (MANIFEST, *FILES)) -> Path:
    """Download the three files of a checkpoint, or find them in the cache, and return their folder.

    Args:
        repo: `org/name`.
        revision: the commit, 40 hexadecimal digits; a branch where hashes of the files are known.
        files: others, of somebody else's model.

    Raises:
        CheckpointUnreachable: no network, no such repository or revision, or the Hub refused.
    """
    try:
        endpoint, wanted = os.environ.get("HF_ENDPOINT") or None, [*files]
        how = partial(snapshot_download, endpoint=endpoint, etag_timeout=10, max_workers=2)
        return Path(how(repo, revision=revision, allow_patterns=wanted))
    except (HTTPError, LocalEntryNotFoundError, OfflineModeIsEnabled, OSError, ValueError) as error:
        raise CheckpointUnreachable(
            f"{repo}@{revision[:8]} could not be fetched ({type(error).__name__}). Check the name, the revision and the"
            f" network; without a network these work: {', '.join(list_bundled()) or 'none'}."
        ) from error


def bring(name: str, owner: str) -> None:
    """Fetch a checkpoint that a wheel leaves out, and put it where every lesson looks; the manifest last.

    Args:
        name: of it, and of the repository.
        owner: account of the Hub that has it. The files must be those that the wheel's own manifest names.

    Raises:
        CheckpointError: it was not left out, cannot be had, or is another one.
        OSError: it cannot be written; then it is as before.
    """
    folder = BUNDLED / name
    manifest = read_left_out(folder)
    there = fetch(f"{owner}/{name}", revision="main", files=tuple(manifest.files))
    for file, expected in manifest.files.items():
        check_file(there / file, expected)
    for file in manifest.files:
        part = folder / f"{file}.part"
        try:
            shutil.copyfile(there / file, part)
            part.replace(folder / file)
        finally:
            part.unlink(missing_ok=True)
    (folder / LEFT_OUT).replace(folder / MANIFEST)
