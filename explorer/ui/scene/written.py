"""Prose outside the app: templates that turn Markdown into HTML, formulas into MathML."""

from functools import lru_cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from explorer.ui import markdown


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
    made.filters.update(markdown=markdown.to_html)
    return made
