"""The folder that a site is written to: only an empty one, or one that holds a site; never half of one."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

#: Says that a folder holds a site, and may be replaced.
MARK = ".attention-explorer-site"


class FolderRefused(Exception):
    """A folder that a site must not replace."""


def check(folder: Path) -> None:
    """Refuse a folder that holds something else than a site.

    Raises:
        FolderRefused: it is a file, a link, or holds what nobody may lose, or its parent cannot be written to.
    """
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise FolderRefused(f"{folder} is no folder: name one that is empty, or is not there yet.")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / MARK).is_file():
        raise FolderRefused(f"{folder} is not empty, and holds no site of Attention Explorer: nothing was written.")


@contextmanager
def replacing(folder: Path) -> Iterator[Path]:
    """Give a folder beside, which takes the place of one once all is written; after an error all is as it was.

    Raises:
        FolderRefused: as of `check`.
        OSError: the disk is full, or may not be written to.
    """
    check(folder)
    folder = folder.absolute()
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as beside:
        made, former = Path(beside) / "made", Path(beside) / "former"
        made.mkdir()
        yield made
        (made / MARK).touch()
        check(folder)  # somebody may have put something there meanwhile
        if folder.exists():
            folder.rename(former)
        try:
            made.rename(folder)
        except OSError:
            if former.exists():
                former.rename(folder)
            raise
