"""Formats of pictures: which are read, and what another file is that is none of them."""

from collections.abc import Mapping
from functools import cache

#: Formats that a reader may bring, as Pillow and as people call them (a JPEG with a second picture inside is one, too).
NAMES: Mapping[str, str] = {
    "PNG": "PNG",
    "JPEG": "JPEG",
    "WEBP": "WebP",
    "AVIF": "AVIF",
    "HEIF": "HEIC",
    "GIF": "GIF",
    "BMP": "BMP",
    "TIFF": "TIFF",
}
#: Ends of the names of such files.
SUFFIXES = ("png", "jpg", "jpeg", "jfif", "mpo", "webp", "avif", "heic", "heif", "gif", "bmp", "tif", "tiff")
#: Formats of which several pictures in a file are an animation; of the others the first one is the picture.
ANIMATED = {"PNG", "WEBP", "AVIF", "GIF"}
#: Beginnings of files that are pictures, or nearly, and are not read.
OTHERS: Mapping[bytes, str] = {
    b"%PDF": "PDF",
    b"<svg": "SVG",
    b"<?xml": "SVG",
    b"8BPS": "Photoshop",
    b"\xff\x0a": "JPEG XL",
    b"\0\0\0\x0cJXL ": "JPEG XL",
    b"\0\0\0\x0cjP  ": "JPEG 2000",
    b"\xff\x4f\xff\x51": "JPEG 2000",
    b"\0\0\1\0": "ICO",
    b"%!PS": "PostScript",
    b"FUJIFILM": "RAW",
    b"IIRO": "RAW",
    b"IIU\0": "RAW",
}
#: Likewise what names itself behind its length: pictures of cameras, and films.
_BOXES: Mapping[bytes, str] = {b"crx ": "RAW", b"qt  ": "MOV", b"isom": "MP4", b"mp42": "MP4"}
#: Beginnings of files that are read, unless they are damaged.
OWN = (b"\x89PNG", b"\xff\xd8\xff", b"RIFF", b"GIF8", b"II*\0", b"MM\0*")
_HEIF_BRANDS = {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"}


def kind_of(data: bytes) -> str:
    """Return what a file is that may not be read; an empty text if it is not known."""
    box = data[8:12] if data[4:8] == b"ftyp" else b""
    if box in _HEIF_BRANDS:
        return "HEIC"
    begins = data[:16].lstrip(b"\xef\xbb\xbf \r\n\t")
    return _BOXES.get(box) or next((name for start, name in OTHERS.items() if begins.startswith(start)), "")


@cache
def reads_heif() -> bool:
    """Teach Pillow HEIF, the first time that somebody brings one; not everywhere is the package installed."""
    try:
        from pillow_heif import register_heif_opener
    except ImportError:
        return False
    register_heif_opener(thumbnails=False)
    return True
