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
#: Files that Finder and Explorer add when they zip a folder; they are not read.
_ADDED_FOLDER, _ADDED_FILES = "__MACOSX", {".DS_Store", "Thumbs.db", "desktop.ini"}
#: Entries of an archive, with those.
MOST_ENTRIES = 64
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

    Finder or Explorer may have zipped it again, in a folder and with files of theirs, which are not read. Names, number
    and sizes of the files are checked before and while they are read, the configuration before a model is
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
    return {name: _content(archive, name, entry) for name, entry in _entries(archive)}


def _entries(archive: zipfile.ZipFile) -> list[tuple[str, zipfile.ZipInfo]]:
    """Return the files of a package: at the top, or in one folder, as those who unpack one and zip it again have it."""
    paths = [(_path(entry), entry) for entry in archive.infolist()[: MOST_ENTRIES + 1]]
    kept = [(path, entry) for path, entry in paths if not _is_added(path)]
    folders = {path[:-1] for path, _ in kept if path[-1]}
    kept = [(path, entry) for path, entry in kept if path[-1] or entry.file_size or path[:-1] not in folders]
    single = len(folders) == 1 and all(len(folder) < 2 and not {"", ".", ".."} & set(folder) for folder in folders)
    names = [path[-1] for path, _ in kept]
    if len(paths) > MOST_ENTRIES or not single or sorted(names) != sorted(MOST_BYTES):
        shown = ", ".join("/".join(path)[:40] for path, _ in kept[:6]) or "nothing"
        raise PackageRefused(f"A checkpoint holds exactly {', '.join(MOST_BYTES)}; this file holds {shown}.")
    return list(zip(names, (entry for _, entry in kept), strict=True))


def _path(entry: zipfile.ZipInfo) -> tuple[str, ...]:
    """Return the parts of a name; some programs of Windows write backslashes between them."""
    return tuple(entry.filename.replace("\\", "/").split("/"))


def _is_added(path: tuple[str, ...]) -> bool:
    """Return whether a file manager adds it."""
    return path[0] == _ADDED_FOLDER or (len(path) < 3 and path[-1] in _ADDED_FILES)


def _content(archive: zipfile.ZipFile, name: str, entry: zipfile.ZipInfo) -> bytes:
    most = MOST_BYTES[name]
    if entry.file_size > most:
        raise PackageRefused(f"{name} declares {entry.file_size:,} bytes; at most {most:,} are read.")
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):  # others ask for memory as they like
        raise PackageRefused(f"{name} is compressed in another way than `pack` does.")
    with archive.open(entry) as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise PackageRefused(f"{name} has more than {most:,} bytes.")
    return content


def _check_config(config: Mapping[str, object]) -> None:
    """Refuse shapes that would take more memory than the file itself could fill."""
    for name, value in config.items():
        if not isinstance(value, int):
            continue
        most = MOST_IN_CONFIG.get(name, MOST_COUNT if name.startswith("n_") else MOST_WIDTH)
        if not 0 <= value <= most:
            raise CheckpointDamaged(f"{name} = {value} in the manifest is not in 0…{most:,}.")
