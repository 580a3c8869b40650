"""What was computed for a former site, or for one that was interrupted: it is taken where it would be the same."""

import os
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

#: Seconds for which a file is kept that nobody has used.
_LONG_S = 30 * 24 * 3600


def folder() -> Path:
    """Return where a reader's programs keep what they can compute again."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "attention-explorer" / "site"


@dataclass(frozen=True, slots=True)
class SiteCache:
    """Texts by hashes of all that they depend on, each in a file that is there whole or not at all.

    Attributes:
        folder: of the files; None where nothing is to be kept.
        hashes: by what a text is of, such as `en/kernel_regression/one_query`.
    """

    folder: Path | None
    hashes: Mapping[str, str]

    def find(self, what: str) -> str | None:
        """Return the text that was kept of something as it is now."""
        if not (file := self._file(what)):
            return None
        with suppress(OSError, ValueError):
            text = file.read_text(encoding="utf8")
            os.utime(file)
            return text
        return None

    def keep(self, what: str, text: str) -> None:
        """Keep a text; not where the folder cannot be written to, as that costs time alone."""
        if not (file := self._file(what)):
            return
        with suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile("w", encoding="utf8", dir=file.parent, delete=False) as half:
                try:
                    half.write(text)
                    half.close()
                    Path(half.name).replace(file)
                finally:
                    Path(half.name).unlink(missing_ok=True)

    def forget(self) -> None:
        """Take away what nobody has used for a month."""
        for file in self.folder.iterdir() if self.folder and self.folder.is_dir() else ():
            with suppress(OSError):
                if file.stat().st_mtime < time.time() - _LONG_S:
                    file.unlink()

    def _file(self, what: str) -> Path | None:
        return self.folder / f"{self.hashes[what]}.json" if self.folder else None
