"""A picture that a reader brings: theirs alone, never in a link, gone with their session."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from explorer.data.picture_formats import NAMES, SUFFIXES
from explorer.data.pictures import MOST_BYTES, PictureRefused, Pixels, read_picture
from explorer.inference.vision.samples import explain_refusal
from explorer.records.language import t
from explorer.ui import fields, messages, uploads
from explorer.ui.streamlit_internals.uploaded_file import UploadedFile

#: What the link says of a picture that the reader brought.
OWN = "own"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Own:
    """A picture that a reader brought."""

    name: str
    digest: str
    pixels: Pixels


def read(key: str) -> Own | None:
    """Return what the reader has brought; say so, if the link tells of a picture that another reader had.

    Args:
        key: of the field of the link that names the picture.
    """
    own: Own | None = st.session_state.get(f"{key}_own")
    if own is None and st.session_state.get(key, st.query_params.get(key)) == OWN:
        messages.info(
            t("The link was made with its sender’s picture. Pictures are not in links: bring it, or choose one."),
            ":material/link_off:",
        )
    return own


def receive(then: Mapping[str, Any], key: str) -> None:
    """Show the box that takes a file; what is wrong with it becomes a message, and the picture before stays.

    Args:
        then: fields that are set when a picture is there.
        key: as of `read`.
    """
    uploads.file(
        t("Your own picture ({formats}, at most {most} MB)").format(
            formats=", ".join(NAMES.values()), most=MOST_BYTES >> 20
        ),
        SUFFIXES,
        key=f"{key}_file",
        max_upload_size=MOST_BYTES >> 20,
        on_change=_brought,
        args=(then, key),
        help=t(
            "Only your session has it, and it goes with your session, some time after you close the page. It is not in "
            "the link. A file of more than 1 MB passes through a temporary file of the server while it is uploaded."
        ),
    )
    refused = st.session_state.get(f"{key}_refused")
    if refused is not None:
        messages.error(explain_refusal(refused), ":material/broken_image:")


def _brought(then: Mapping[str, Any], key: str) -> None:
    """Note that a file was given or taken away again."""
    file = st.session_state.get(f"{key}_file")
    st.session_state[f"{key}_refused"] = None
    if not isinstance(file, UploadedFile):
        return
    data = file.getvalue()
    try:
        pixels = read_picture(data)
    except PictureRefused as error:
        st.session_state[f"{key}_refused"] = error
        return
    digest = hashlib.sha256(data).hexdigest()
    st.session_state[f"{key}_own"] = Own(name=file.name[:80], digest=digest, pixels=pixels)
    fields.set_values(dict(then))
