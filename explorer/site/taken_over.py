"""Pages of a former site, or of one that was interrupted, that would be made the same again: they are taken over."""

import hashlib
import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

from explorer import project
from explorer.site.folder import MARK

_EXPLORER = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedPage:
    """A page that a folder holds.

    Attributes:
        of: hash of all that it depends on.
        plotly: whether a picture is drawn by Plotly.
    """

    of: str
    plotly: bool


@dataclass(frozen=True, slots=True)
class Ledger:
    """Pages of a folder, by their addresses without `.html`, as its mark lists them."""

    folder: Path
    pages: dict[str, ListedPage] = field(default_factory=dict)

    def keep(self, name: str, kept: ListedPage) -> None:
        """Enter a page that is all there."""
        self.pages[name] = kept
        text = json.dumps({each: asdict(kept) for each, kept in self.pages.items()}, indent=1)
        (self.folder / MARK).write_text(text, encoding="utf8")

    def take(self, name: str, of: str, formers: Sequence["Ledger"]) -> ListedPage | None:
        """Take a page over from the first former site that has it as it would be made; None if none has it."""
        for former in formers:
            page, beside = former.folder / f"{name}.html", former.folder / name
            kept = former.pages.get(name)
            if kept and kept.of == of and page.is_file() and beside.is_dir():
                shutil.copytree(beside, self.folder / name)
                shutil.copyfile(page, self.folder / f"{name}.html")
                self.keep(name, kept)
                return kept
        return None


def read_ledger(folder: Path) -> Ledger:
    """Return what a folder holds: nothing where it has no list, or one that cannot be read."""
    try:
        listed = json.loads((folder / MARK).read_text(encoding="utf8"))
        return Ledger(folder, {name: ListedPage(**each) for name, each in listed.items()})
    except (OSError, ValueError, TypeError, AttributeError):
        return Ledger(folder)


class Fingerprints:
    """Hashes of what pages depend on: the project's files but those of other lessons, and what is installed.

    That no lesson imports another is a contract (`pyproject.toml`). Scripts may, so all of them count for each page.
    """

    def __init__(self, **asked: Any) -> None:
        """Read every file once.

        Args:
            asked: what else all pages depend on, such as the address of the app.
        """
        self._own: dict[str, list[str]] = {}
        shared = [f"{each.name} {each.version}" for each in distributions()]
        for file in _files():
            whose = self._own.setdefault(stem, []) if (stem := _lesson(file)) else shared
            whose.append(f"{file} {hashlib.sha256(file.read_bytes()).hexdigest()}")
        self._shared = json.dumps([sorted(shared), asked], sort_keys=True)

    def of(self, stem: str, words: str) -> str:
        """Return the hash for a lesson's page in a language."""
        return hashlib.sha256(json.dumps([self._shared, self._own[stem], words]).encode()).hexdigest()


def _files() -> Iterator[Path]:
    """Yield all files, but weights: manifests have their hashes."""
    for folder in (_EXPLORER, project.CHECKPOINTS):
        for file in sorted(folder.rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts and file.suffix != ".safetensors":
                yield file


def _lesson(file: Path) -> str:
    """Return the lesson that alone has a file; empty where it is everybody's."""
    inside = file.relative_to(_EXPLORER).parts if file.is_relative_to(_EXPLORER) else ()
    if inside[:2] == ("locale", "content"):
        return file.stem
    return inside[1] if inside[:1] == ("lessons",) and len(inside) > 2 and file.suffix not in (".js", ".css") else ""
