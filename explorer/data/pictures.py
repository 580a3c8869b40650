"""Pictures that readers bring and those that come with scikit-image, read within bounds."""

import base64
import contextlib
import io
import threading
import warnings
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageOps, UnidentifiedImageError

from explorer.data.picture_formats import ANIMATED, NAMES, OWN, kind_of, reads_heif

MOST_BYTES = 20 * 2**20
#: Some 100 MB when decoded.
MOST_PIXELS = 25_000_000
#: A JPEG is decoded smaller at once. What is kept of a progressive one until it is read, and what HEIF takes, is up to
#: 330 MB, once: pictures are read one after the other. WebP takes more of a pixel, and no camera writes it.
MOST_OF: Mapping[str, int] = {
    "JPEG": 120_000_000,
    "MPO": 120_000_000,
    "progressive": 50_000_000,
    "HEIF": 50_000_000,
    "WEBP": 7_000_000,
}
_ONE_AT_A_TIME = threading.Lock()
#: Sides of less are no picture to cut into patches.
LEAST_SIDE = 16
#: Longest side that is kept, in pixels; a larger picture is scaled down to it.
MOST_SIDE = 1024
#: Pictures in the installed package of scikit-image (nothing is downloaded, nor the package imported).
SAMPLES: Mapping[str, str] = {
    "cat": "chelsea.png",
    "horse": "horse.png",
    "rocket": "rocket.jpg",
    "motorcycle": "motorcycle_left.png",
    "astronaut": "astronaut.png",
    "coffee": "coffee.png",
    "galaxies": "hubble_deep_field.jpg",
}
#: Rows of a reduced picture that are made at once.
_BAND = 64
Pixels = npt.NDArray[np.uint8]
Reason = Literal["bytes", "pixels", "small", "thin", "format", "animated", "damaged"]


class PictureRefused(ValueError):
    """A file cannot be read as a picture.

    Attributes:
        reason: `bytes` or `pixels` if it is too large, `small` or `thin` for its sides, `format` if it is none of
            `NAMES`, `animated` if it has several frames, `damaged` if it cannot be decoded to its end.
        width: in pixels, where it is known.
        height: likewise.
        most: pixels that are read of such a file.
        kind: what the file is, where it is known.
    """

    def __init__(
        self, reason: Reason, *, width: int = 0, height: int = 0, most: int = MOST_PIXELS, kind: str = ""
    ) -> None:
        self.reason, self.width, self.height, self.most, self.kind = reason, width, height, most, kind
        super().__init__(f"{reason}: {width} x {height}" if width else reason)


def read_picture(data: bytes) -> Pixels:
    """Decode a file: turned as its EXIF data say, transparency on white, scaled down to `MOST_SIDE`.

    Size and format are read from the header before anything is decoded.

    Raises:
        PictureRefused: it is too large, no picture, animated or damaged.
    """
    if len(data) > MOST_BYTES:
        raise PictureRefused("bytes")
    kind = kind_of(data)
    heif = kind == "HEIC" and reads_heif()
    formats = [each for each in NAMES if heif or each != "HEIF"]
    with _ONE_AT_A_TIME, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Pillow warns of large pictures; they are refused below
        try:
            with Image.open(io.BytesIO(data), formats=formats) as image:
                return _decoded(image)
        except PictureRefused:
            raise
        except Image.DecompressionBombError as error:
            raise PictureRefused("pixels") from error
        except UnidentifiedImageError as error:
            raise PictureRefused("damaged" if heif or data.startswith(OWN) else "format", kind=kind) from error
        except Exception as error:  # a damaged file makes the decoders raise nearly anything
            raise PictureRefused("damaged") from error


def _decoded(image: Image.Image) -> Pixels:
    width, height = image.size
    most = _most_pixels(image)
    if width * height > most:
        raise PictureRefused("pixels", width=width, height=height, most=most)
    if min(width, height) < LEAST_SIDE:
        raise PictureRefused("small", width=width, height=height)
    if max(width, height) > 20 * min(width, height):
        raise PictureRefused("thin", width=width, height=height)
    if image.format in ANIMATED and getattr(image, "is_animated", False):
        raise PictureRefused("animated", width=width, height=height, kind=image.format or "")
    if image.mode == "LAB":
        raise PictureRefused("format", kind=f"{image.format} (LAB)")
    smaller = max(1.0, max(width, height) / (2 * MOST_SIDE))
    image.draft("RGB", (int(width / smaller), int(height / smaller)))  # a JPEG is decoded smaller at once
    image.load()
    upright = _reduced(image)
    with contextlib.suppress(Exception):  # what a camera noted may be damaged where its picture is not
        ImageOps.exif_transpose(upright, in_place=True)
    upright.thumbnail((MOST_SIDE, MOST_SIDE), Image.Resampling.LANCZOS)
    return np.asarray(upright)


def _most_pixels(image: Image.Image) -> int:
    if image.info.get("progressive"):
        return MOST_OF["progressive"] * 3 // max(3, len(image.getbands()))
    return MOST_OF.get(image.format or "", MOST_PIXELS)


def _reduced(image: Image.Image) -> Image.Image:
    """Return opaque RGB, a whole number of times smaller, its longest side at least twice `MOST_SIDE`; band by band."""
    times = max(1, max(image.size) // (2 * MOST_SIDE))
    width, height = (-(-side // times) for side in image.size)
    small = Image.new("RGB", (width, height))
    reach = _reach(image)
    for top, band in _bands(image, times):
        small.paste(_opaque(band, reach).reduce(times), (0, top))
    small.info = {key: value for key, value in image.info.items() if key != "transparency"}  # which way is up
    return small


def _bands(image: Image.Image, times: int) -> Iterator[tuple[int, Image.Image]]:
    """Yield parts of a picture from top to bottom, each with its place where it is so many times smaller."""
    for top in range(0, -(-image.height // times), _BAND):
        yield top, image.crop((0, top * times, image.width, min((top + _BAND) * times, image.height)))


def _reach(image: Image.Image) -> tuple[float, float] | None:
    """Return the least and the largest grey where there may be more than 256 of them: cameras use a part of 16 bits."""
    if not image.mode.startswith(("I", "F")):
        return None
    least, most = np.inf, -np.inf
    for _, band in _bands(image, 1):
        values = np.asarray(band, np.float64)
        known = values[np.isfinite(values)]
        if known.size:
            least, most = min(least, float(known.min())), max(most, float(known.max()))
    return (least, most) if least < most else (0.0, max(65535.0, 2 * abs(most) if np.isfinite(most) else 0.0))


def _opaque(image: Image.Image, reach: tuple[float, float] | None) -> Image.Image:
    """Return a picture as RGB; what is transparent becomes white, and 16 or 32 bits of grey become 8."""
    if reach is not None:
        least, most = reach
        values = np.nan_to_num(np.asarray(image, np.float64), nan=least).clip(least, most)
        return Image.fromarray(((values - least) / (most - least) * 255).round().astype(np.uint8)).convert("RGB")
    if image.mode in {"RGBA", "LA", "PA"} or "transparency" in image.info:
        with_alpha = image.convert("RGBA")
        white = Image.new("RGBA", with_alpha.size, "white")
        return Image.alpha_composite(white, with_alpha).convert("RGB")
    return image.convert("RGB")


def samples() -> tuple[str, ...]:
    """Return the names of the pictures that are installed here."""
    folder = _folder()
    return tuple(name for name, file in SAMPLES.items() if folder is not None and (folder / file).is_file())


def sample(name: str) -> Pixels:
    """Return one of `samples`.

    Raises:
        KeyError: there is no such picture.
    """
    folder = _folder()
    if name not in SAMPLES or folder is None:
        raise KeyError(name)
    return read_picture((folder / SAMPLES[name]).read_bytes())


def _folder() -> Path | None:
    """Return the folder where scikit-image keeps its pictures."""
    found = find_spec("skimage")
    return None if found is None or found.origin is None else Path(found.origin).parent / "data"


def data_uri(pixels: Pixels) -> str:
    """Return a picture as an address that holds it: JPEG, or PNG where that is small anyway."""
    file, small = io.BytesIO(), max(pixels.shape[:2]) <= 64
    Image.fromarray(pixels).save(file, "PNG" if small else "JPEG", quality=88)
    return f"data:image/{'png' if small else 'jpeg'};base64,{base64.b64encode(file.getvalue()).decode()}"


def square(pixels: Pixels, *, zoom: float, across: float, down: float) -> Pixels:
    """Return a square of a picture.

    Args:
        zoom: how many times smaller than the largest square, from 1.
        across: where it lies, 0 at the left, 1 at the right.
        down: the same from the top.
    """
    height, width = pixels.shape[:2]
    side = max(LEAST_SIDE, round(min(height, width) / max(zoom, 1.0)))
    top, left = round((height - side) * down), round((width - side) * across)
    return np.ascontiguousarray(pixels[top : top + side, left : left + side])


def resize(pixels: Pixels, side: int) -> Pixels:
    """Return a square picture at another size, each new pixel the mean of those it covers."""
    resample = Image.Resampling.BOX if pixels.shape[0] >= side else Image.Resampling.BICUBIC
    return np.asarray(Image.fromarray(pixels).resize((side, side), resample))
