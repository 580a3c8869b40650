"""The colours of the reader's theme, and the menu as a rail of icons."""

from functools import lru_cache
from pathlib import Path

import streamlit as st

from explorer.figures.look import DARK, LIGHT, Look, ask_for_look, look, tokens
from explorer.ui.streamlit_internals import script_run


def _of_reader() -> Look:
    here = script_run.current() is not None
    return DARK if here and st.context.theme.type == "dark" else LIGHT


ask_for_look(_of_reader)


def put() -> None:
    """Give the page its style and the colours as custom properties, and the menu its place at the edge.

    White on the dark theme's bright blue has a contrast of 2.54: a button says what it does in the page's own dark.
    """
    on_primary = f"--on-primary:{look().paper};" if look().dark else ""
    st.html(f"<style>:root{{{tokens()}{on_primary}}}{_sheet()}</style>")


@lru_cache(maxsize=1)
def _sheet() -> str:
    return "".join(Path(__file__).with_name(name).read_text(encoding="utf8") for name in ("page.css", "menu.css"))
