"""Scripts of this app as ES modules: served to components, which import one each, or carried by a file that leaves."""

import base64
import hashlib
import json
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from os.path import normpath
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.runtime import exists

from explorer.ui.streamlit_internals import component_script

_EXPLORER = Path(__file__).parents[1]
#: What pictures share.
KIT = _EXPLORER / "ui" / "live"
#: Below the server's root, where every version of the scripts has a folder.
FOLDER = "scripts"
#: What a module imports from, as prettier writes it.
_IMPORTED = re.compile(r'(?<= from ")\.[^"]+(?=";$)', re.MULTILINE)


def component(script: Path, html: str | None = None) -> Callable[..., Any]:
    """Register a script, with the style sheet of each of its modules that has one of its name.

    Args:
        script: whose default export Streamlit calls.
        html: in which it draws; an element whose class is the script's name, if None.
    """
    html = f"<div class='{script.stem}'></div>" if html is None else html
    name = "_".join(script.relative_to(_EXPLORER).with_suffix("").parts)
    loader = component_script.loader(f"{FOLDER}/{serve_scripts()[0]}", [script_name(each) for each in modules(script)])
    made = st.components.v2.component(name, html=html, css=style(script), js=loader)

    def mount(**given: Any) -> Any:
        """Show the component; where no server runs there is nobody to show it to."""
        return made(**{"height": "content", "width": "stretch", **given}) if exists() else None

    return mount


@lru_cache(maxsize=1)
def serve_scripts() -> tuple[str, Mapping[str, bytes]]:
    """Return the version of all scripts together, and the text of each by its name.

    One version, so that what a module imports by a relative path has the version of the module.
    """
    texts = {script_name(each): each.read_bytes() for each in sorted(_EXPLORER.rglob("*.js"))}
    return hashlib.sha256(repr(texts).encode()).hexdigest()[:16], texts


def script_name(script: Path) -> str:
    """Return the path of a script in the house, which is its name for browsers."""
    return script.relative_to(_EXPLORER).as_posix()


def modules(script: Path) -> tuple[Path, ...]:
    """Return a script after all that it imports, each after what it imports itself."""
    found: dict[Path, None] = {}

    def visit(module: Path) -> None:
        for imported in _imported(module):
            if imported not in found:
                visit(imported)
        found[module] = None

    visit(script)
    return tuple(found)


@lru_cache(maxsize=256)
def _imported(script: Path) -> tuple[Path, ...]:
    return tuple(Path(normpath(script.parent / path)) for path in _IMPORTED.findall(script.read_text(encoding="utf8")))


@lru_cache(maxsize=64)
def preloads(lesson: str) -> str:
    """Return links by which a browser fetches a lesson's scripts, and those of every page, while Streamlit's own load.

    Without them the first picture would wait for its modules, once Python has drawn it.
    """
    entries = (*(_EXPLORER / "lessons" / lesson).rglob("*.js"), *(_EXPLORER / "ui").glob("*.js"))
    names = dict.fromkeys(script_name(module) for entry in sorted(entries) for module in modules(entry))
    return "".join(f'<link rel="modulepreload" href="{FOLDER}/{serve_scripts()[0]}/{name}">' for name in names)


def style(script: Path) -> str:
    """Join the style sheets of a script and its modules."""
    sheets = (each.with_suffix(".css") for each in modules(script))
    return "".join(each.read_text(encoding="utf8") for each in sheets if each.exists())


def import_map(*scripts: Path) -> str:
    """Return an import map that holds scripts and their modules: in its page each is imported by its name."""

    def address(module: Path) -> str:
        def name(found: re.Match[str]) -> str:
            return script_name(Path(normpath(module.parent / found[0])))

        text = _IMPORTED.sub(name, module.read_text(encoding="utf8"))
        return f"data:text/javascript;base64,{base64.b64encode(text.encode()).decode()}"

    held = {"imports": {script_name(each): address(each) for script in scripts for each in modules(script)}}
    return f'<script type="importmap">{json.dumps(held)}</script>'
