"""Send a checkpoint with its card to the Hugging Face Hub, from where every lesson opens it by its address."""

import os
from dataclasses import dataclass
from pathlib import Path

from huggingface_hub import CommitOperationAdd, HfApi
from huggingface_hub.errors import HfHubHTTPError, HTTPError, OfflineModeIsEnabled  # type: ignore[attr-defined]

from explorer.checkpoints.hub import ADDRESS
from explorer.checkpoints.manifest import MANIFEST, CheckpointMissing, CheckpointUnreachable, Manifest, file_of
from explorer.checkpoints.package import CARD
from explorer.checkpoints.store import load

#: The owner's token; it is read nowhere else, and never written.
TOKEN = "HF_TOKEN"  # noqa: S105 - the name of a variable


@dataclass(frozen=True, slots=True, kw_only=True)
class Parcel:
    """A checkpoint ready to be sent.

    Attributes:
        sizes: bytes of each file.
    """

    folder: Path
    repo: str
    manifest: Manifest
    sizes: dict[str, int]


def prepare(folder: Path, repo: str) -> Parcel:
    """Open a checkpoint as whoever fetches it will, and list what would be sent; nothing is sent.

    Args:
        repo: `org/name`.

    Raises:
        CheckpointError: it cannot be used, or a file is missing.
        ValueError: the repository has no such name.
    """
    if not ADDRESS.fullmatch(f"{repo}@{'0' * 40}"):
        raise ValueError(f"{repo!r} is no name of a repository: org/name")
    manifest = load(folder).manifest
    if not (folder / CARD).is_file():
        raise CheckpointMissing(f"{file_of(folder / CARD)} is missing: a checkpoint is sent with its card.")
    return Parcel(
        folder=folder,
        repo=repo,
        manifest=manifest,
        sizes={name: (folder / name).stat().st_size for name in (MANIFEST, *manifest.files, CARD)},
    )


def send(parcel: Parcel, *, private: bool = False) -> str:
    """Send it as one commit, making the repository if there is none; return the address, with the commit.

    Raises:
        CheckpointUnreachable: there is no token, or the Hub refused or did not answer.
    """
    token = os.environ.get(TOKEN, "")
    if not token:
        raise CheckpointUnreachable(f"Set {TOKEN} to a token of yours that may write to {parcel.repo}.")
    api = HfApi(endpoint=os.environ.get("HF_ENDPOINT") or None, token=token)
    files = [CommitOperationAdd(path_in_repo=name, path_or_fileobj=str(parcel.folder / name)) for name in parcel.sizes]
    said = f"{parcel.manifest.family} {parcel.manifest.revision}"
    try:
        api.create_repo(parcel.repo, private=private, exist_ok=True)
        done = api.create_commit(parcel.repo, files, commit_message=said)
    except (HfHubHTTPError, HTTPError, OfflineModeIsEnabled, OSError, ValueError) as error:
        raise CheckpointUnreachable(f"{parcel.repo} could not be sent ({type(error).__name__}).") from error
    return f"{parcel.repo}@{done.oid}"
