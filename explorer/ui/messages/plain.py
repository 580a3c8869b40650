"""Text that is no Markdown: what a reader typed, or a file holds."""

import re

#: Marks that begin something wherever they stand, and those that do at the start of a line only.
_MARKS = re.compile(r"([\\`*_\[\]<>&$~|])|^([-+#=]|\d+(?=[.)]))", re.ASCII)
#: Places where Streamlit's page makes links, emoji, icons and arrows of the finished text, which a backslash would not
#: prevent: after a colon, before the sign in an address, after “www”, within an arrow.
_JOINTS = re.compile(r"(?<=:)(?=[\w/+-])|(?=@)|(?<=www)(?=\.)|(?<=[-<>~])(?=[-=>])", re.IGNORECASE)
_SPACES = re.compile(r"[ \t\n\v\f\r]+")
#: Joins two letters, and has no width (U+2060).
JOINER = "\u2060"


class Markdown(str):
    """Text of ours, whose marks are meant."""

    __slots__ = ()


def plain(text: str) -> Markdown:
    """Write a text as it may stand in Markdown, in one line: nothing in it is obeyed, and it looks as it was typed."""
    if isinstance(text, Markdown):
        return text
    line = _JOINTS.sub(JOINER, _SPACES.sub(" ", text).strip(" "))
    return Markdown(_MARKS.sub(_escaped, line))


def _escaped(mark: re.Match[str]) -> str:
    return f"{mark[0]}\\" if mark[0].isdigit() else f"\\{mark[0]}"
