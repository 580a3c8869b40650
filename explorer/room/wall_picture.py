"""A picture of the wall's stage, which phones fetch instead of opening the page: what is one, and what is not."""

import hashlib
import io
from dataclasses import dataclass

from PIL import Image

#: Of the file, and of a side in pixels.
MOST_BYTES, MOST_SIDE = 150_000, 2400
#: Letters of what is said below the pictures.
MOST_LETTERS = 1200
#: Kinds of files, and what browsers call them.
KINDS = {"WEBP": "image/webp", "PNG": "image/png"}


class NoPicture(ValueError):
    """A file is no picture of a wall."""


@dataclass(frozen=True, slots=True)
class WallPicture:
    """The last picture of a wall.

    Attributes:
        name: which its content gives it: another content has another address.
        kind: as a browser calls it.
        content: of the file.
    """

    name: str
    kind: str
    content: bytes


def read(content: bytes) -> WallPicture:
    """Return a file as a picture; it is unpacked once, so that what no phone could unpack reaches none.

    Raises:
        NoPicture: it is too long, of another kind, too large, moving or damaged.
    """
    if not content or len(content) > MOST_BYTES:
        raise NoPicture("too long")
    try:
        with Image.open(io.BytesIO(content), formats=tuple(KINDS)) as found:
            kind = KINDS[str(found.format)]
            if max(found.size) > MOST_SIDE or getattr(found, "n_frames", 1) > 1:
                raise NoPicture("too large")
            found.load()
    except NoPicture:
        raise
    except Exception as error:  # Pillow raises whatever its decoders do
        raise NoPicture("no picture") from error
    return WallPicture(hashlib.sha256(content).hexdigest()[:32], kind, content)
