"""The style sheets of the scenes."""

from functools import lru_cache
from pathlib import Path

import streamlit as st

from explorer.records.language import t

#: The word and the rule before the first tab that goes deeper.
_DEEPER = (
    "position:absolute;left:-92px;width:84px;padding-left:16px;border-left:1px solid var(--line);"
    "color:var(--muted);font-size:14px;text-align:left"
)
_FOLDER = Path(__file__).parent


def scenes(*, present: bool, first_deeper: int | None) -> None:
    """Write the style of everything else.

    Args:
        present: whether the page is shown to a room.
        first_deeper: place of the first tab that goes deeper, from 0; None if none does.
    """
    room = f"@media(min-width:761px){{{sheet('present')}}}@media(max-width:760px){{.qr,.st-key-room{{display:none}}}}"
    sheets = [
        sheet("everywhere"),
        sheet("scene"),
        *([room] if present else []),
    ]  # a phone that is given such a link is no room
    if first_deeper is not None:
        tab = f".st-key-tabs [role=tab]:nth-of-type(n+{first_deeper + 1})"
        one = f".st-key-tabs [role=tab]:nth-of-type({first_deeper + 1})"
        sheets += [
            f"{tab}:not([aria-selected=true]){{color:var(--muted)}}",
            f"{one}{{margin-left:92px;overflow:visible;position:relative}}",
            f'{one}::before{{content:"{t("deeper")}"}}',
            f"{one}::before{{{_DEEPER}}}",
        ]
    st.html(f"<style>{''.join(sheets)}</style>")


@lru_cache(maxsize=8)
def sheet(name: str) -> str:
    """Return the text of a style sheet of this folder."""
    return (_FOLDER / f"{name}.css").read_text(encoding="utf8")
