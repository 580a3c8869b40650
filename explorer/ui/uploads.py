"""Box that takes a file."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from explorer.records.language import t
from explorer.ui import messages
from explorer.ui.streamlit_internals import uploaded_file


def file(label: str, kinds: Sequence[str], *, key: str, **look: Any) -> Any:
    """Ask for a file; `look` has further arguments of `st.file_uploader`.

    The browser shows its name even when the server, started anew since, has it no more: then that is said.
    """
    found = st.file_uploader(label, list(kinds), key=key, **look)
    if found is None and uploaded_file.is_lost(st.session_state.get(key)):
        messages.warning(
            t("The file that you brought is no longer on this server: choose it again. Until then it is not used."),
            ":material/upload_file:",
        )
    return found
