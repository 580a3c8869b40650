"""Files that a reader has brought."""

from typing import Any

from streamlit.runtime.uploaded_file_manager import DeletedFile, UploadedFile

__all__ = ["UploadedFile", "is_lost"]


def is_lost(value: Any) -> bool:
    """Return whether the session says of a box that its file is not on this server any more.

    `st.file_uploader` itself returns None for it, as for an empty box.
    """
    return isinstance(value, DeletedFile)
