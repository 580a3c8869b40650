"""The HTML document that Streamlit's browser begins with."""

from pathlib import Path

import streamlit as st

#: Streamlit 1.67 looks for its server below the address of the page (`/masked_softmax/_stcore/health`), is told twice
#: that nothing is there, and only then asks the root. Told where the root is, it asks there at once.
_ROOT = '<script>window.__streamlit = { BACKEND_BASE_URL: new URL(".", location.href).href }</script>'


def told_its_root() -> str:
    """Return the document, which tells Streamlit's scripts that the server's root is the folder of the page."""
    document = (Path(st.__file__).parent / "static" / "index.html").read_text(encoding="utf8")
    return document.replace("<head>", f"<head>{_ROOT}", 1)
