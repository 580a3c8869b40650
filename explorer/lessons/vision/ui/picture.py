"""“Vision”: a picture from the reader or from those that come along, and the models' answer to it."""

from dataclasses import dataclass, field
from functools import partial

import streamlit as st

from explorer.checkpoints.manifest import CheckpointError
from explorer.lessons import vision as lesson
from explorer.lessons.vision import pictures, state
from explorer.lessons.vision.compute import change, find_unusable
from explorer.lessons.vision.ui import controls
from explorer.records.image import Picture
from explorer.records.language import t
from explorer.scenes import DEFAULTS
from explorer.scenes.vision import FRAME
from explorer.ui import cache, messages
from explorer.ui.scene import own_picture, rail

#: Key of the session: the square that was cut last.
_SQUARE = "vi_square"
#: What shows a picture that the reader has just brought.
_BROUGHT = {"vi_picture": own_picture.OWN, "vi_zoom": 1.0, "vi_across": 50, "vi_down": 50}


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A picture and what the models make of it; both are left out of what a figure depends on: `square` says it.

    Attributes:
        square: which picture, and which square of it.
        own: whether the reader brought it: what is made of it is kept for their session alone.
        picture: the square.
    """

    square: str
    own: bool
    picture: Picture = field(repr=False)
    result: lesson.Result = field(repr=False)


def ask() -> Seen | None:
    """Ask for a picture, and show it to the models; none, and a message, where a picture or a model is missing."""
    own = own_picture.read("vi_picture")
    name = controls.picture(own is not None)
    with st.expander(t("Your own picture, or another part"), icon=":material/crop:", type="compact"):
        own_picture.receive(_BROUGHT, "vi_picture")
        frame = state.Frame(**rail.ask(FRAME))
    if not name:
        messages.info(
            t("There is no built-in picture here (scikit-image is not installed): bring one."), ":material/image:"
        )
        return None
    mine = own if own is not None and name == own_picture.OWN else None
    whole = mine.pixels if mine else pictures.sample(name)
    said = mine.name if mine else pictures.names()[name]
    key = (mine.digest if mine else name, frame, said)
    kept = st.session_state.get(_SQUARE)
    if kept is None or kept[0] != key:
        kept = st.session_state[_SQUARE] = (key, pictures.crop_square(whole, said, frame))
    return classify_square(kept[1], repr(key), own=mine is not None)


def classify_square(square: Picture, name: str, *, own: bool) -> Seen | None:
    """Show a square to the models; none, and a message, where one of them cannot be used."""
    try:
        result = cache.compute(lesson.compute, lesson.Params(pixels=square.seen.tobytes()), own=own)
    except CheckpointError:
        messages.no_checkpoints(find_unusable())
        return None
    return Seen(square=name, own=own, picture=square, result=result)


def usual() -> lesson.Result:
    """Return what the models make of the picture that the lesson opens with."""
    name, zoom, across, down = (DEFAULTS[f"vi_{each}"] for each in ("picture", "zoom", "across", "down"))
    square = pictures.crop_square(pictures.sample(name), name, state.Frame(zoom=zoom, across=across, down=down))
    return cache.compute(lesson.compute, lesson.Params(pixels=square.seen.tobytes()))


def classify_changed(
    result: lesson.Result,
    *,
    patches: tuple[int, ...] = (),
    heads: tuple[state.HeadPlace, ...] = (),
    own: bool = False,
) -> state.Changed:
    """Take patches and heads away, and ask both models again; `own` as of `cache.once`."""
    asked = state.RemovalParams(params=result.params, patches=patches, heads=heads)
    return cache.once(partial(change, asked, result), change.__qualname__, asked, own=own)
