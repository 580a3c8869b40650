"""Prose outside the app: templates that turn Markdown into HTML, formulas into MathML."""

import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from markupsafe import Markup

from explorer.records import wording

#: Between marks of which none is escaped.
_MATHS = re.compile(r"(?<!\\)(\$\$?)((?:\\.|[^$\\])+)\1", re.DOTALL)
_ROLE = re.compile(r":(orange|blue|green|violet)\[(.*?)\]")
#: Streamlit draws an icon there.
_ICON = re.compile(r":material/\w+: ?")
_KEPT = re.compile("\ue000(\\d+)\ue001")


@lru_cache(maxsize=4)
def templates(folder: Path) -> Environment:
    """Return the templates of a folder, with the filter `markdown`."""
    made = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(markdown=markdown)
    return made


def markdown(text: str) -> Markup:
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
