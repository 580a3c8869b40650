"""Fetch single files of a repository of the Hub: pinned, without a token, in time, and checked against their hashes."""

import hashlib
import os
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from huggingface_hub import HfApi, hf_hub_download
from huggingface_hub.errors import (  # type: ignore[attr-defined]
    GatedRepoError,
    HTTPError,  # of its HTTP client: a connection may be cut in the middle of a file
    OfflineModeIsEnabled,
    RepositoryNotFoundError,
    RevisionNotFoundError,
    SafetensorsParsingError,
)

from explorer.opened.refused import ModelRefused

#: Seconds that an answer may take, and that a download may: these, and one for each so many bytes.
ANSWER_S, DOWNLOAD_S, LEAST_BYTES_A_S = 10, 60, 200_000
#: What goes wrong on the way.
_LOST = (HTTPError, OfflineModeIsEnabled, OSError, ValueError, KeyError, TypeError)


@dataclass(frozen=True, slots=True, kw_only=True)
class HubFile:
    """A file as the Hub lists it: SHA-256 of a large one, Git's SHA-1 of a small one."""

    name: str
    size: int
    sha256: str = ""
    git_sha1: str = ""


def fetch_file(repo: str, commit: str, file: HubFile) -> Path:
    """Fetch one file in time, and return the folder in which it lies.

    Raises:
        ModelRefused: the Hub did not answer in time, or the file is not what was announced; it is thrown away.
    """
    path: list[Path] = []
    failed: list[Exception] = []

    def work() -> None:
        try:
            path.append(Path(download(repo, commit, file.name)))
        except Exception as error:
            failed.append(error)

    worker = threading.Thread(target=work, name=f"fetch {file.name}", daemon=True)
    worker.start()
    worker.join(DOWNLOAD_S + file.size / LEAST_BYTES_A_S)
    if failed:
        explain(failed[0], repo)
    if not path:
        raise ModelRefused("unreachable", what="too slow")
    if not _is_whole(path[0], file):
        path[0].resolve().unlink(missing_ok=True)
        path[0].unlink(missing_ok=True)
        raise ModelRefused("hash", what=file.name)
    return path[0].parent


def _is_whole(path: Path, file: HubFile) -> bool:
    stat = path.stat()
    return stat.st_size == file.size and _matches(path, file, stat.st_mtime_ns)


_known: dict[tuple[str, int], bool] = {}


def _matches(path: Path, file: HubFile, changed: int) -> bool:
    """Return whether a file hashes to what the Hub announced; each is read once."""
    key = (str(path), changed)
    if key not in _known:
        with path.open("rb") as opened:
            if file.sha256:
                _known[key] = hashlib.file_digest(opened, "sha256").hexdigest() == file.sha256
            else:
                git = hashlib.sha1(b"blob %d\0" % file.size + opened.read(), usedforsecurity=False)
                _known[key] = git.hexdigest() == file.git_sha1
    return _known[key]


def download(repo: str, commit: str, name: str) -> str:
    """Return the path of a file in the cache, fetched if it is not there."""
    return hf_hub_download(repo, name, revision=commit, etag_timeout=ANSWER_S, token=False, endpoint=_endpoint())


def read_sibling(sibling: Any) -> HubFile:
    """Return a file as the Hub lists it."""
    lfs = sibling.lfs
    return HubFile(
        name=str(sibling.rfilename),
        size=int(lfs.size if lfs else sibling.size),
        sha256=lfs.sha256 if lfs else "",
        git_sha1="" if lfs else str(sibling.blob_id),
    )


def api() -> HfApi:
    """Return the Hub, asked as nobody in particular."""
    return HfApi(endpoint=_endpoint(), token=False)


def _endpoint() -> str | None:
    return os.environ.get("HF_ENDPOINT") or None


def explain(error: Exception, repo: str) -> NoReturn:
    """Raise a refusal that says what went wrong on the way; anything else as it is."""
    if isinstance(error, GatedRepoError):
        raise ModelRefused("gated", model=repo) from error
    if isinstance(error, RepositoryNotFoundError | RevisionNotFoundError):
        raise ModelRefused("not_found", model=repo) from error
    if isinstance(error, SafetensorsParsingError):
        raise ModelRefused("broken", what="the header of its weights") from error
    if isinstance(error, _LOST):
        raise ModelRefused("unreachable", what=type(error).__name__) from error
    raise error
