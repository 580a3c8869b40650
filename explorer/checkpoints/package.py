"""A checkpoint as one file, to be taken away and given back; what is given back is not trusted in anything."""

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

from explorer.checkpoints.manifest import (
    MANIFEST,
    MAX_MANIFEST_BYTES,
    TOKENIZER,
    WEIGHTS,
    CheckpointDamaged,
    CheckpointError,
    CheckpointMissing,
    file_of,
    read_manifest,
)
from explorer.checkpoints.store import Loaded, load

CARD = "README.md"
#: What a package holds, nothing more and nothing less, and the most bytes of each.
MOST_BYTES: Mapping[str, int] = {
    MANIFEST: MAX_MANIFEST_BYTES,
    WEIGHTS: 24_000_000,
    TOKENIZER: 1_000_000,
    CARD: 200_000,
}
#: Of the whole file: what a page takes as an upload.
MOST_PACKED_BYTES = 20_000_000
#: Largest numbers of a configuration: far beyond what the lab trains, far below what would hurt.
MOST_IN_CONFIG: Mapping[str, int] = {"max_length": 4_096, "vocab_size": 65_536}
MOST_WIDTH, MOST_COUNT = 4_096, 32
#: A fixed date in every package, so that the same checkpoint is the same file.
DATE = (1980, 1, 1, 0, 0, 0)


class PackageRefused(CheckpointError):
    """A file is no package of a checkpoint; the message says why."""


def pack(folder: Path) -> bytes:
    """Pack the four files of a checkpoint folder into a zip.

    Raises:
        CheckpointMissing: one of them is not there.
    """
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in MOST_BYTES:
            if not (folder / name).is_file():
                raise CheckpointMissing(f"{file_of(folder / name)} is missing: train the model again.")
            archive.writestr(zipfile.ZipInfo(name, DATE), (folder / name).read_bytes(), zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def unpack(data: bytes, folder: Path) -> Loaded:
    """Read a package that anybody may have made, into an empty folder of the caller's.

    Names, number and sizes of the files are checked before and while they are read, the configuration before a model is
    built of it, and then everything that `explorer.checkpoints.store.load` checks.

    Args:
        folder: must exist; the caller takes it away again, also after an error.

    Raises:
        CheckpointError: it cannot be used; the subclass and the message say why.
    """
    if len(data) > MOST_PACKED_BYTES:
        raise PackageRefused(f"The file has {len(data):,} bytes, and at most {MOST_PACKED_BYTES:,} are read.")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            contents = _contents(archive)
    except CheckpointError:
        raise
    except Exception as error:  # whatever a broken archive makes zipfile and its decoders raise
        raise PackageRefused(f"The file is no zip that can be read ({error}).") from error
    for name in MOST_BYTES:
        (folder / name).write_bytes(contents.pop(name))  # which the model will need the memory of
    _check_config(read_manifest(folder).config)
    return load(folder)


def _contents(archive: zipfile.ZipFile) -> dict[str, bytes]:
    """Read every file, to its allowed size at most, whatever the archive declares."""
    entries = archive.infolist()
    names = sorted(entry.filename for entry in entries)
    if names != sorted(MOST_BYTES):
        shown = ", ".join(name[:40] for name in names[:6]) or "nothing"
        raise PackageRefused(f"A checkpoint holds exactly {', '.join(MOST_BYTES)}; this file holds {shown}.")
    contents = {}
    for entry in entries:
        most = MOST_BYTES[entry.filename]
        if entry.file_size > most:
            raise PackageRefused(f"{entry.filename} declares {entry.file_size:,} bytes; at most {most:,} are read.")
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):  # others ask for memory as they like
            raise PackageRefused(f"{entry.filename} is compressed in another way than `pack` does.")
        with archive.open(entry) as file:
            contents[entry.filename] = file.read(most + 1)
        if len(contents[entry.filename]) > most:
            raise PackageRefused(f"{entry.filename} has more than {most:,} bytes.")
    return contents


def _check_config(config: Mapping[str, object]) -> None:
    """Refuse shapes that would take more memory than the file itself could fill."""
    for name, value in config.items():
        if not isinstance(value, int):
            continue
        most = MOST_IN_CONFIG.get(name, MOST_COUNT if name.startswith("n_") else MOST_WIDTH)
        if not 0 <= value <= most:
            raise CheckpointDamaged(f"{name} = {value} in the manifest is not in 0…{most:,}.")
