"""“Vision”: the pictures there are, and the square that is cut out."""

from collections.abc import Mapping

from explorer.data import pictures
from explorer.data.pictures import Pixels
from explorer.inference.vision.samples import PLACES, names, picture_of, sample
from explorer.lessons.vision.state import SIDE, Frame
from explorer.records.image import Picture

__all__ = ["FRAMES", "crop_square", "names", "sample"]
#: Where a sample shows what the models know; the middle where nothing stands here.
FRAMES: Mapping[str, Frame] = {
    "cat": Frame(across=round(100 * PLACES["cat"][0]), down=round(100 * PLACES["cat"][1])),
    "horse": Frame(),
    "rocket": Frame(),
}


def crop_square(pixels: Pixels, name: str, frame: Frame) -> Picture:
    """Return the square of a picture that is looked at, as the reader and as the models see it."""
    whole = pictures.square(pixels, zoom=frame.zoom, across=frame.across / 100, down=frame.down / 100)
    return picture_of(whole, name, SIDE)
