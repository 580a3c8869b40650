"""Scripts of this app as ES modules, served to components, which import one each."""

import hashlib
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import streamlit as st

from explorer.figures.live import words
from explorer.figures.live.modules import EXPLORER, modules, script_name, style
from explorer.ui.language import LANGUAGES
from explorer.ui.streamlit_internals import component_script, script_run

#: Below the server's root, where every version of the scripts has a folder.
FOLDER = "scripts"


def component(script: Path, html: str | None = None) -> Callable[..., Any]:
    """Register a script, with the style sheet of each of its modules that has one of its name.

    Args:
        script: whose default export Streamlit calls.
        html: in which it draws; an element whose class is the script's name, if None.
    """
    html = f"<div class='{script.stem}'></div>" if html is None else html
    name = "_".join(script.relative_to(EXPLORER).with_suffix("").parts)
    loader = component_script.loader(f"{FOLDER}/{serve_scripts()[0]}", [script_name(each) for each in modules(script)])
    made = st.components.v2.component(name, html=html, css=style(script), js=loader)

    def mount(**given: Any) -> Any:
        """Show the component; where no server runs there is nobody to show it to."""
        return made(**{"height": "content", "width": "stretch", **given}) if script_run.has_server() else None

    return mount


@lru_cache(maxsize=1)
def serve_scripts() -> tuple[str, Mapping[str, bytes]]:
    """Return the version of all scripts together, and the text of each by its name.

    Among them what all of them say, in every language: a page asks for it once. One version, so that what a module
    imports by a relative path has the version of the module.
    """
    found = sorted(EXPLORER.rglob("*.js"))
    texts = {script_name(each): each.read_bytes() for each in found}
    texts[script_name(words.CATALOGUES)] = words.write_catalogues(found, LANGUAGES).encode()
    return hashlib.sha256(repr(texts).encode()).hexdigest()[:16], texts


@lru_cache(maxsize=64)
def preloads(lesson: str) -> str:
    """Return links by which a browser fetches a lesson's scripts, and those of every page, while Streamlit's own load.

    Without them the first picture would wait for its modules, once Python has drawn it.
    """
    entries = (*(EXPLORER / "lessons" / lesson).rglob("*.js"), *(EXPLORER / "ui").glob("*.js"))
    names = dict.fromkeys(script_name(module) for entry in sorted(entries) for module in modules(entry))
    return "".join(f'<link rel="modulepreload" href="{FOLDER}/{serve_scripts()[0]}/{name}">' for name in names)
