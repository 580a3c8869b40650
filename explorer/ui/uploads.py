"""Box that takes a file."""

import json
from collections.abc import Sequence
from typing import Any

import streamlit as st

from explorer.records.language import t
from explorer.ui import messages
from explorer.ui.streamlit_internals import uploaded_file

#: Streamlit's own words on the box are English; `page.css` writes these in their place.
_WORDS = "<style>.st-key-{key}{{--choose:{choose};--limits:{limits}}}</style>"


def file(label: str, kinds: Sequence[str], *, key: str, **look: Any) -> Any:
    """Ask for a file; `look` has further arguments of `st.file_uploader`.

    The browser shows its name even when the server, started anew since, has it no more: then that is said.
    """
    most, kept = look.get("max_upload_size", st.get_option("server.maxUploadSize")), t(", ").join(kinds).upper()
    limits = t("at most {most} MB: {kinds}").format(most=most, kinds=kept)
    choose, limits = (json.dumps(words, ensure_ascii=False) for words in (t("Choose a file"), limits))
    st.html(_WORDS.format(key=key, choose=choose, limits=limits))
    found = st.file_uploader(label, list(kinds), key=key, **look)
    if found is None and uploaded_file.is_lost(st.session_state.get(key)):
        messages.warning(
            t("The file that you brought is no longer on this server: choose it again. Until then it is not used."),
            ":material/upload_file:",
        )
    return found
