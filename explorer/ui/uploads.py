"""Box that takes a file."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from explorer.records.language import t
from explorer.ui import messages
from explorer.ui.streamlit_internals import uploaded_file

#: Streamlit's own words on the box are English.
_WORDS = """<style>.st-key-{key} [data-testid=stFileUploaderDropzone] button p{{font-size:0}}
.st-key-{key} [data-testid=stFileUploaderDropzone] button p::after{{content:"{button}";font-size:14px}}
.st-key-{key} [data-testid=stFileUploaderDropzoneInstructions] span{{font-size:0}}
.st-key-{key} [data-testid=stFileUploaderDropzoneInstructions] span::after{{content:"{said}";font-size:14px}}</style>"""


def file(label: str, kinds: Sequence[str], *, key: str, **look: Any) -> Any:
    """Ask for a file; `look` has further arguments of `st.file_uploader`.

    The browser shows its name even when the server, started anew since, has it no more: then that is said.
    """
    most, kept = look.get("max_upload_size", st.get_option("server.maxUploadSize")), t(", ").join(kinds).upper()
    said = t("at most {most} MB: {kinds}").format(most=most, kinds=kept)
    st.html(_WORDS.format(key=key, button=t("Choose a file"), said=said))
    found = st.file_uploader(label, list(kinds), key=key, **look)
    if found is None and uploaded_file.is_lost(st.session_state.get(key)):
        messages.warning(
            t("The file that you brought is no longer on this server: choose it again. Until then it is not used."),
            ":material/upload_file:",
        )
    return found
