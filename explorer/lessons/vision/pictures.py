"""“Vision”: the pictures there are, the square that is cut out, and why a file is refused."""

from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from explorer.data import pictures
from explorer.data.picture_formats import NAMES
from explorer.data.pictures import MOST_BYTES, PictureRefused, Pixels, samples
from explorer.lessons.vision.state import SIDE, Frame
from explorer.records.image import Picture
from explorer.records.language import t

#: Pixels on each side of the small picture behind each of many maps.
THUMBNAIL = 96
#: Where a sample shows what the models know; the middle where nothing stands here.
FRAMES: Mapping[str, Frame] = {
    "cat": Frame(zoom=1.0, across=35, down=0),
    "horse": Frame(zoom=1.0, across=50, down=50),
    "rocket": Frame(zoom=1.0, across=50, down=50),
}


def names() -> dict[str, str]:
    """Return the pictures that come along, by stable name."""
    said = {
        "cat": t("Cat (Chelsea)"),
        "horse": t("Horse, a silhouette"),
        "rocket": t("Rocket"),
        "motorcycle": t("Motorcycle"),
        "astronaut": t("Astronaut"),
        "coffee": t("Coffee"),
        "galaxies": t("Galaxies"),
    }
    return {name: said[name] for name in samples()}


@lru_cache(maxsize=16)
def sample(name: str) -> Pixels:
    """Return a picture that comes along; a grey one where there is none of this name."""
    try:
        return pictures.sample(name)
    except (KeyError, PictureRefused):
        return np.full((SIDE, SIDE, 3), 128, np.uint8)


def crop_square(pixels: Pixels, name: str, frame: Frame) -> Picture:
    """Return the square of a picture that is looked at, as the reader and as the models see it."""
    whole = pictures.square(pixels, zoom=frame.zoom, across=frame.across / 100, down=frame.down / 100)
    return picture_of(whole, name)


def picture_of(whole: Pixels, name: str) -> Picture:
    """Return a square picture, ready to be drawn and to be read by the models."""
    seen = pictures.resize(whole, SIDE)
    return Picture(
        name=name,
        side=len(whole),
        uri=pictures.data_uri(whole),
        thumbnail=pictures.data_uri(pictures.resize(whole, min(THUMBNAIL, len(whole)))),
        seen=seen,
        seen_uri=pictures.data_uri(seen),
    )


def explain_refusal(error: PictureRefused) -> str:
    """Return why a file was refused, and what to do."""
    size = f"{error.width:,} × {error.height:,}"
    return {
        "bytes": t("This file is larger than {most} MB. Save the picture smaller and bring it again.").format(
            most=MOST_BYTES >> 20
        ),
        "pixels": t("This picture has more than {most} million pixels. Save it smaller and bring it again.").format(
            most=error.most // 1_000_000
        ),
        "small": t("This picture has {size} pixels: too small to be cut into patches.").format(size=size),
        "thin": t("This picture has {size} pixels: too long and thin for a square.").format(size=size),
        "format": (
            t("This file is {kind}, which is not read here. Save it as PNG or JPEG and bring that.").format(
                kind=error.kind
            )
            if error.kind
            else t("This file is no picture in {formats}.").format(formats=", ".join(NAMES.values()))
        ),
        "animated": t(
            "This {kind} file is an animation: several pictures in one file. Save one of them as PNG and bring that."
        ).format(kind=NAMES.get(error.kind, error.kind)),
        "damaged": t("This picture is damaged: it cannot be read to its end. Save it again and bring it then."),
    }[error.reason]
