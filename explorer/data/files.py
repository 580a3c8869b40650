"""Files of corpora and checkpoints, as text and as JSON, neither trusted; and folders kept for a while."""

import gzip
import json
import os
import shutil
import tempfile
import zlib
from pathlib import Path
from typing import Any

#: A vocabulary has some ten kilobytes; nothing much larger is read.
MAX_TOKENIZER_BYTES = 1_000_000


def read_utf8(path: Path, error: type[ValueError]) -> str:
    """Read a text file, plain or gzipped: without a byte order mark, with plain line ends.

    Raises:
        ValueError: an `error`, if it is missing, damaged or no UTF-8.
    """
    try:
        data = path.read_bytes()
        text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8-sig")
        return text.replace("\r\n", "\n").replace("\r", "\n")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as cause:
        raise error(f"{path} cannot be read as (gzipped) UTF-8 text: {cause}") from cause


def read_vocabulary(path: Path) -> dict[str, Any]:
    """Read the content of a `tokenizer.json` of ours.

    Raises:
        ValueError: if it is too large, no JSON, or no JSON object.
    """
    if path.stat().st_size > MAX_TOKENIZER_BYTES:
        raise ValueError(f"a vocabulary of more than {MAX_TOKENIZER_BYTES:,} bytes is none")
    content = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(content, dict):
        raise ValueError(f"a vocabulary is a JSON object, this is a {type(content).__name__}")
    return content


def write_vocabulary(path: Path, content: dict[str, Any]) -> None:
    """Write a `tokenizer.json`, readable by people too."""
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def temporary_folder(prefix: str) -> Path:
    """Make a folder in the system's place for such; folders of this prefix whose process was killed are removed.

    The name holds the number of the process, so that those of other servers that still run are left alone.
    """
    for folder in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
        owner = folder.name.removeprefix(prefix).partition("-")[0]
        if owner.isascii() and owner.isdigit() and not _runs(int(owner)):
            shutil.rmtree(folder, ignore_errors=True)
    return Path(tempfile.mkdtemp(prefix=f"{prefix}{os.getpid()}-"))


def _runs(process: int) -> bool:
    """Return whether there is a process of this number; where that cannot be asked without harm, yes."""
    if os.name != "posix":
        return True
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True
