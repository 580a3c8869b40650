"""Small pictures with a class each: read from packed JPEGs, as bytes of red, green and blue."""

import io
import itertools
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Float, UInt8
from PIL import Image
from torch import Tensor

from explorer.data.files import read_vocabulary, write_vocabulary

#: Of the value of a pixel, 0…1.
MEAN, SPREAD = 0.5, 0.25


class ImagesError(ValueError):
    """Pictures are missing or unreadable; the message says what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class ClassNames:
    """The classes that a model tells apart; stands where models of text have their tokenizer."""

    names: tuple[str, ...]

    @classmethod
    def load(cls, path: Path) -> "ClassNames":
        """Read a `tokenizer.json`.

        Raises:
            ValueError: if the file holds no names of classes.
        """
        content = read_vocabulary(path)
        names = content.get("names")
        if content.get("type") == "classes" and isinstance(names, list) and all(isinstance(n, str) for n in names):
            return cls(tuple(names))
        raise ValueError('names of classes have "type": "classes" and "names", a list of texts')

    def save(self, path: Path) -> None:
        """Write a `tokenizer.json`."""
        write_vocabulary(path, {"type": "classes", "names": list(self.names)})


@dataclass(frozen=True, slots=True, eq=False)
class ImageSet:
    """Pictures of one size.

    Attributes:
        pixels: bytes, channels red, green, blue.
        labels: number of each picture's class.
    """

    pixels: UInt8[Tensor, "images 3 rows columns"]
    labels: Tensor
    classes: ClassNames

    def __len__(self) -> int:
        """Return the number of pictures."""
        return len(self.labels)

    def part(self, rows: Sequence[int] | Tensor) -> "ImageSet":
        """Return some of the pictures."""
        chosen = torch.as_tensor(rows)
        return ImageSet(self.pixels[chosen], self.labels[chosen], self.classes)


def read_images(file: Path) -> ImageSet:
    """Read an .npz: `jpeg` (bytes of all files, one after another), `offset` (where each begins), `label`, `classes`.

    Raises:
        ImagesError: the file is missing, is something else, or its pictures differ in size.
    """
    if not file.is_file():
        raise ImagesError(f"{file} does not exist; expected an .npz with jpeg, offset, label and classes")
    try:
        with file.open("rb") as opened, np.load(opened, allow_pickle=False) as packed:
            data, offset = packed["jpeg"].tobytes(), packed["offset"].tolist()
            labels, classes = packed["label"].astype(np.int64), tuple(map(str, packed["classes"]))
        pixels = np.stack([_decoded(data[begin:end]) for begin, end in itertools.pairwise(offset)])
    except (OSError, EOFError, ValueError, KeyError, TypeError, zipfile.BadZipFile) as error:
        raise ImagesError(f"{file} cannot be read as packed pictures: {error}") from error
    if not len(pixels) == len(labels) or not 0 <= labels.min() <= labels.max() < len(classes):
        raise ImagesError(
            f"{file} has {len(pixels)} pictures, {len(labels)} labels and {len(classes)} classes; a label"
            " is the number of its class, from 0"
        )
    return ImageSet(
        torch.from_numpy(pixels).permute(0, 3, 1, 2).contiguous(), torch.from_numpy(labels), ClassNames(classes)
    )


def split(images: ImageSet, n_dev: int) -> tuple[ImageSet, ImageSet]:
    """Return training part and held-out part: the last pictures, as many of each class where classes alternate.

    Args:
        images: to be split.
        n_dev: so many are held out, but at most a tenth.

    Raises:
        ImagesError: there is only one picture.
    """
    if len(images) < 2:
        raise ImagesError("one picture is too few: one is trained on, and another is held out")
    border = len(images) - max(1, min(n_dev, len(images) // 10))
    return images.part(range(border)), images.part(range(border, len(images)))


def normalise(pixels: UInt8[Tensor, "*batch 3 rows columns"]) -> Float[Tensor, "*batch 3 rows columns"]:
    """Return what a model reads: (value / 255 − 0.5) / 0.25."""
    return (pixels.float() / 255 - MEAN) / SPREAD


def _decoded(data: bytes) -> npt.NDArray[np.uint8]:
    return np.asarray(Image.open(io.BytesIO(data), formats=("JPEG",)).convert("RGB"))
