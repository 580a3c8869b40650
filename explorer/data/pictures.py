"""Pictures that readers bring and those that come with scikit-image, read within bounds."""

import base64
import contextlib
import io
import warnings
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageOps, UnidentifiedImageError

#: What a reader may bring.
FORMATS = ("PNG", "JPEG", "WEBP")
MOST_BYTES = 10 * 2**20
#: Some 100 MB when decoded. A progressive JPEG and a WebP take more of a pixel before there is a picture.
MOST_PIXELS, MOST_PIXELS_PROGRESSIVE, MOST_PIXELS_WEBP = 25_000_000, 12_000_000, 7_000_000
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
            `FORMATS`, `animated` if it has several frames, `damaged` if it cannot be decoded to its end.
        width: in pixels, where it is known.
        height: likewise.
        most: pixels that are read of such a file.
    """

    def __init__(self, reason: Reason, *, width: int = 0, height: int = 0, most: int = MOST_PIXELS) -> None:
        self.reason, self.width, self.height, self.most = reason, width, height, most
        super().__init__(f"{reason}: {width} x {height}" if width else reason)


def read_picture(data: bytes) -> Pixels:
    """Decode a file: turned as its EXIF data say, transparency on white, scaled down to `MOST_SIDE`.

    Size and format are read from the header before anything is decoded.

    Raises:
        PictureRefused: it is too large, no picture, animated or damaged.
    """
    if len(data) > MOST_BYTES:
        raise PictureRefused("bytes")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Pillow warns of large pictures; they are refused below
        try:
            with Image.open(io.BytesIO(data), formats=FORMATS) as image:
                return _decoded(image)
        except PictureRefused:
            raise
        except Image.DecompressionBombError as error:
            raise PictureRefused("pixels") from error
        except UnidentifiedImageError as error:
            raise PictureRefused("format") from error
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
    if getattr(image, "n_frames", 1) > 1:
        raise PictureRefused("animated", width=width, height=height)
    smaller = max(1.0, max(width, height) / (2 * MOST_SIDE))
    image.draft("RGB", (int(width / smaller), int(height / smaller)))  # a JPEG is decoded smaller at once
    image.load()
    upright = _reduced(image)
    with contextlib.suppress(Exception):  # what a camera noted may be damaged where its picture is not
        ImageOps.exif_transpose(upright, in_place=True)
    upright.thumbnail((MOST_SIDE, MOST_SIDE), Image.Resampling.LANCZOS)
    return np.asarray(upright)


def _most_pixels(image: Image.Image) -> int:
    if image.format == "WEBP":
        return MOST_PIXELS_WEBP
    return MOST_PIXELS_PROGRESSIVE if image.info.get("progressive") else MOST_PIXELS


def _reduced(image: Image.Image) -> Image.Image:
    """Return opaque RGB, a whole number of times smaller, its longest side at least twice `MOST_SIDE`; band by band."""
    times = max(1, max(image.size) // (2 * MOST_SIDE))
    width, height = (-(-side // times) for side in image.size)
    small = Image.new("RGB", (width, height))
    for top in range(0, height, _BAND):
        box = (0, top * times, image.width, min((top + _BAND) * times, image.height))
        band = image.crop(box)
        small.paste(_opaque(band).reduce(times), (0, top))
    small.info = {key: value for key, value in image.info.items() if key != "transparency"}  # which way is up
    return small


def _opaque(image: Image.Image) -> Image.Image:
    """Return a picture as RGB; what is transparent becomes white."""
    if image.mode in {"RGBA", "LA", "PA"} or "transparency" in image.info:
        with_alpha = image.convert("RGBA")
        white = Image.new("RGBA", with_alpha.size, "white")
        return Image.alpha_composite(white, with_alpha).convert("RGB")
    if image.mode.startswith(("I", "F")):  # 16 or 32 bits a pixel, which a plain conversion would cut off at 255
        values = np.asarray(image, np.float64)
        reach = 65535.0 if image.mode.startswith("I") else max(float(values.max()), 1e-9)
        return Image.fromarray((values.clip(0, reach) / reach * 255).astype(np.uint8)).convert("RGB")
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


def scaled(pixels: Pixels, side: int) -> Pixels:
    """Return a square picture at another size, each new pixel the mean of those it covers."""
    resample = Image.Resampling.BOX if pixels.shape[0] >= side else Image.Resampling.BICUBIC
    return np.asarray(Image.fromarray(pixels).resize((side, side), resample))
