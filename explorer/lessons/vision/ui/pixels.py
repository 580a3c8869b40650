"""“From pixels to a vector”: a patch's pixels, their numbers, and what convolutions or one linear map make of them."""

from functools import partial

import streamlit as st

from explorer.inference.vision.stem import flatten_patches, linear_map
from explorer.lessons.vision import pictures as there, readings_stem as readings
from explorer.lessons.vision.compute import patch_vectors
from explorer.lessons.vision.figures import stem as figures
from explorer.lessons.vision.readings import patch_name
from explorer.lessons.vision.ui import controls as widgets, picture as pictures, tables
from explorer.records.image import PatchVectors
from explorer.records.language import t
from explorer.scenes.vision import PUPIL
from explorer.ui import cache, choice, messages
from explorer.ui.scene import picture

CODE = (flatten_patches, linear_map)
#: Pixels above a patch and to its left that two convolutions of 3 × 3 with step 2 see, too.
BEYOND = 3
Chosen = tuple[pictures.Seen | None, int]


def controls() -> Chosen:
    """A patch, and the picture it is of."""
    query = choice.ask("vi_query")
    return pictures.ask(), query


def stage(chosen: Chosen) -> dict[str, str]:
    """The pixels, the numbers, and the vector from both ways."""
    seen, query = chosen
    if seen is None:
        return {}
    if not there.names():
        messages.info(
            t("The linear map is found on the built-in pictures; there are none here (scikit-image is missing).")
        )
        return {}
    record = _record(seen)
    if query == 0:
        said = t("The class token has no pixels: its vector is learned as it is. Shown is {patch}.")
        messages.caption(said.format(patch=patch_name(PUPIL, widgets.GRID)))
    patch = (query or PUPIL) - 1
    first, second = st.columns([1, 1.35], gap="medium")
    with first:
        _pixels(seen, record, patch, chosen)
    with second:
        _numbers(record, patch, chosen, seen.own)
        _vectors(record, patch, chosen, seen.own)
    return readings.values(record)


def _record(seen: pictures.Seen) -> PatchVectors:
    """Return the vectors; of the pictures that come along, the one that is seen has no part in the linear map."""
    found = (name for name, said in there.names().items() if said == seen.picture.name and not seen.own)
    asked = (seen.result.params, next(found, ""))
    return cache.once(partial(patch_vectors, *asked), patch_vectors.__qualname__, *asked, own=seen.own)


def _pixels(seen: pictures.Seen, record: PatchVectors, patch: int, chosen: Chosen) -> None:
    side = seen.result.attention.patch_size
    picture.show_chart(
        "vi_pixels",
        partial(figures.pixels, seen.picture, patch, side, BEYOND),
        title=t("Its pixels"),
        reading=readings.describe_pixels(patch, side, BEYOND, widgets.GRID),
        table=lambda: tables.patch_numbers(record, patch),
        provenance=record.provenance,
        of=chosen,
        own=seen.own,
        height=picture.Height(less=84, across=42, phone="380px"),
    )


def _numbers(record: PatchVectors, patch: int, chosen: Chosen, own: bool) -> None:
    picture.show_chart(
        "vi_numbers",
        partial(figures.numbers, record, patch),
        title=t("Its numbers"),
        reading=readings.describe_numbers(record, patch),
        table=lambda: tables.patch_numbers(record, patch),
        of=chosen,
        own=own,
        fits_screen=False,
    )


def _vectors(record: PatchVectors, patch: int, chosen: Chosen, own: bool) -> None:
    picture.show_chart(
        "vi_vectors",
        partial(figures.vectors, record, patch),
        title=t("Its vector"),
        note=readings.said_steps(record),
        reading=readings.describe_vectors(record),
        table=lambda: tables.patch_vectors(record, patch),
        of=chosen,
        own=own,
        fits_screen=False,
    )
