"""Pictures that come along, by name; a picture ready to be drawn; and why a file is refused."""

from functools import lru_cache

import numpy as np

from explorer.data import pictures
from explorer.data.picture_formats import NAMES
from explorer.data.pictures import MOST_BYTES, PictureRefused, Pixels, samples
from explorer.records.image import Picture
from explorer.records.language import t

#: Pixels on each side of the small picture behind each of many maps.
THUMBNAIL = 96
#: Of a square that a model of others reads; most read 224.
MOST_PIXELS = 512
#: Where the square of a picture lies, across and down, 0…1; the middle where nothing stands here.
PLACES = {"cat": (0.35, 0.0)}


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
        return np.full((pictures.LEAST_SIDE, pictures.LEAST_SIDE, 3), 128, np.uint8)


def middle_square(pixels: Pixels, name: str = "") -> Pixels:
    """Return the largest square of a picture, with at most `MOST_PIXELS` a side.

    Args:
        name: of one that comes along: it is cut where it shows most.
    """
    across, down = PLACES.get(name, (0.5, 0.5))
    whole = pictures.square(pixels, zoom=1.0, across=across, down=down)
    return whole if len(whole) <= MOST_PIXELS else pictures.resize(whole, MOST_PIXELS)


def picture_of(whole: Pixels, name: str, side: int) -> Picture:
    """Return a square picture, ready to be drawn and to be read by models that see so many pixels a side."""
    seen = pictures.resize(whole, side)
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
