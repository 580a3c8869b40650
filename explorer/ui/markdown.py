"""Markdown as HTML, where Streamlit does not draw it."""

import re
from collections.abc import Callable
from functools import lru_cache

from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from markupsafe import Markup

from explorer.records import wording

#: Between marks of which none is escaped.
_MATHS = re.compile(r"(?<!\\)(\$\$?)((?:\\.|[^$\\])+)\1", re.DOTALL)
_ROLE = re.compile(r":(orange|blue|green|violet)\[(.*?)\]")
_KEPT = re.compile("\ue000(\\d+)\ue001")
#: Streamlit draws an icon there.
_ICON = re.compile(r":material/\w+: ?")


def to_html(text: str) -> Markup:
    """Return Markdown as HTML: formulas as MathML, the colours of the roles, no HTML from the text itself."""
    kept: list[str] = []

    def keep(found: re.Match[str]) -> str:
        formula = found[2].replace("{aligned}", "{align*}")  # one is KaTeX's name for it, one the converter's
        kept.append(convert(formula, display="block" if found[1] == "$$" else "inline"))
        return f"\ue000{len(kept) - 1}\ue001"

    made = _parser()(wording.typeset(_MATHS.sub(keep, _ICON.sub("", text))))
    made = _ROLE.sub(r'<span class="\1">\2</span>', made)
    return Markup(_KEPT.sub(lambda found: kept[int(found[1])], made))  # noqa: S704 - the parser lets no HTML through


@lru_cache(maxsize=1)
def _parser() -> Callable[[str], str]:
    return MarkdownIt("commonmark", {"html": False}).enable("table").render
