"""Live pictures as Streamlit components: their modules joined, their numbers packed."""

import base64
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from explorer.records import AttentionRecord

_HERE = Path(__file__).parent
_IMPORT = re.compile(r"^import .*$\n?", re.MULTILINE)
_EXPORT = re.compile(r"^export (?!default)", re.MULTILINE)
#: What stands at the left edge has the whole script for its scope; `const A = 1, B = 2` names two things.
_NAMED = re.compile(r"^(?:/\*\*.*?\*/ ?)?(?:async )?(?:const|let|var|class|function\*?) (\w+)(.*)", re.MULTILINE)
_FURTHER = re.compile(r", (\w+) = ")
_NESTED = re.compile(r"\"[^\"]*\"|`[^`]*`|\([^()]*\)|\[[^][]*\]|\{[^{}]*\}")


def picture(name: str, *modules: str, home: Path = _HERE) -> Any:
    """Register `<name>.js` with `parts.js` and `<name>.css`, drawn into an element of the class `<name>`.

    A component has no address from which a module could be imported, so the modules are joined to one.

    Args:
        name: of script, style sheet and element.
        modules: further ones, such as `drawing`, that the script imports; each before those that import it. Some
            have a style sheet of their own.
        home: where the script lies, its style sheet, and modules of its own.
    """
    files = [(home if (home / f"{each}.js").exists() else _HERE) / each for each in ("parts", *modules, name)]
    styles = (file.with_suffix(".css") for file in files)
    style = "".join(each.read_text(encoding="utf8") for each in styles if each.exists())
    script = joined(file.with_suffix(".js") for file in files)
    return st.components.v2.component(name, html=f"<div class='{name}'></div>", css=style, js=script)


def joined(modules: Iterable[Path]) -> str:
    """Join modules to one script, each before those that import it.

    Raises:
        ValueError: two of them give one name to something; the browser would run none of it.
    """
    script = "".join(_EXPORT.sub("", _IMPORT.sub("", each.read_text(encoding="utf8"))) for each in modules)
    twice = [name for name, times in Counter(_names(script)).items() if times > 1]
    if twice:
        raise ValueError(f"modules that are joined name two things alike: {', '.join(twice)}")
    return script


def _names(script: str) -> Iterator[str]:
    for name, rest in _NAMED.findall(script):
        yield name
        while _NESTED.search(rest):
            rest = _NESTED.sub("", rest)
        yield from _FURTHER.findall(rest)


def packed(weights: np.ndarray[Any, np.dtype[Any]]) -> str:
    """Pack numbers for `floats` in the browser, row by row."""
    return base64.b64encode(np.ascontiguousarray(weights, dtype="<f4").tobytes()).decode()


def masked(record: AttentionRecord) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Return the weights `[heads, queries, keys]`, missing where the mask forbids to look."""
    if record.allowed is None:
        return record.weights
    return np.where(record.allowed, record.weights, np.float32(np.nan))
