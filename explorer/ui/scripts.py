"""Scripts of this app as Streamlit components: a script, the modules that it imports, and their style sheets."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

_EXPLORER = Path(__file__).parents[1]
#: Modules that every script may import.
KIT = _EXPLORER / "ui" / "live"
_IMPORT = re.compile(r"^import \{ (.+) \} from \"\./(\w+\.js)\";\n", re.MULTILINE)
_EXPORT = re.compile(r"^export (?!default)", re.MULTILINE)
_EXPORTED = re.compile(r"^export (?!default).*", re.MULTILINE)
#: What stands at the left edge has the whole script for its scope; `const A = 1, B = 2` names two things.
_NAMED = re.compile(
    r"^(?:/\*\*.*?\*/ ?)?(?:export )?(?:async )?(?:const|let|var|class|function\*?) (\w+)(.*)", re.MULTILINE
)
_FURTHER = re.compile(r", (\w+) = ")
_NESTED = re.compile(r"\"[^\"]*\"|`[^`]*`|\([^()]*\)|\[[^][]*\]|\{[^{}]*\}")


def component(script: Path, html: str | None = None) -> Callable[..., Any]:
    """Register a script with what it imports, and with the style sheet of each module that has one of its name.

    Args:
        script: whose default export Streamlit calls.
        html: in which it draws; an element whose class is the script's name, if None.
    """
    html = f"<div class='{script.stem}'></div>" if html is None else html
    name = "_".join(script.relative_to(_EXPLORER).with_suffix("").parts)
    made = st.components.v2.component(name, html=html, css=style(script), js=joined(script))
    return partial(made, height="content", width="stretch")


def joined(script: Path) -> str:
    """Join a script to its modules: a component has no address from which a browser could import one.

    Raises:
        ValueError: two modules give one name to something, or one imports what the other does not export; the
            browser would run none of it.
    """
    texts = [_EXPORT.sub("", _IMPORT.sub("", each.read_text(encoding="utf8"))) for each in modules(script)]
    text = "".join(texts)
    twice = [name for name, times in Counter(_names(text)).items() if times > 1]
    if twice:
        raise ValueError(f"modules that are joined name two things alike: {', '.join(twice)}")
    return text


def style(script: Path) -> str:
    """Join the style sheets of a script and its modules."""
    sheets = (each.with_suffix(".css") for each in modules(script))
    return "".join(each.read_text(encoding="utf8") for each in sheets if each.exists())


def modules(script: Path) -> tuple[Path, ...]:
    """Return a script after all that it imports from its own folder or from `live`, each after what it needs.

    Raises:
        ValueError: a module does not export what is imported from it.
    """
    found: dict[Path, None] = {}
    for names, module in _IMPORT.findall(script.read_text(encoding="utf8")):
        beside = script.with_name(module)
        file = beside if beside.exists() else KIT / module
        missing = set(names.split(", ")) - set(_names("\n".join(_EXPORTED.findall(file.read_text(encoding="utf8")))))
        if missing:
            raise ValueError(f"{script.name} imports what {module} does not export: {', '.join(sorted(missing))}")
        found |= dict.fromkeys(modules(file))
    return (*found, script)


def _names(script: str) -> Iterator[str]:
    for name, rest in _NAMED.findall(script):
        yield name
        while _NESTED.search(rest):
            rest = _NESTED.sub("", rest)
        yield from _FURTHER.findall(rest)
