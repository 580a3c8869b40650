"""What becomes of tokens on their way to a map, on every page that draws a translator's."""

from typing import Any

import streamlit as st

from explorer.ui.language import t


def merge_and_hide(merge: str, hide: str, merged: bool, **bound: Any) -> tuple[bool, bool]:
    """Ask whether words are drawn instead of sub-words, and whether special tokens are left out.

    Args:
        merge: key of the first widget.
        hide: key of the second.
        merged: the first one's default.
        bound: further arguments of both.
    """
    added = t("Columns of a word are added, rows averaged. Unmerged, ‑ marks a piece that goes on with a word.")
    left_out = t("Leaves out start and end, and divides every row by what remains, so that it sums to 1 again.")
    return (
        bool(st.toggle(t("Merge sub-words into words"), merged, key=merge, help=added, **bound)),
        bool(st.toggle(t("Hide special tokens"), key=hide, help=left_out, **bound)),
    )
