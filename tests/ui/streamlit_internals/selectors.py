"""What our sources name of the nodes that Streamlit makes: collected, never listed by hand."""

import re
from collections.abc import Iterator
from pathlib import Path

from tests.conftest import ROOT

#: Attributes and classes by which Streamlit's nodes are found, as they stand in a source.
_HOOK = re.compile(
    r"\[(?P<name>data-testid|data-variant|data-selected|data-collapsed|data-stale|kind)=\"?(?P<value>[\w-]+)\"?\]"
    r"|\.(?P<of_class>block-container|st[A-Z]\w+)"
)
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_PRELUDE = re.compile(r"(?<=[{};])\s*([^{};@]+)\{")
#: What stands for a condition that no node must meet: our own classes and attributes, and states.
_OURS = re.compile(
    r"\.(?!st[A-Z]|block-container)[a-z][\w-]*|\[data-tapped\]|\[data-room=\"\w+\"\]|:hover|:focus-visible"
)
_KEY = re.compile(r"\.st-key-[\w-]+|\[class\*=\"[^\"]+\"\]")


def hooks(*folders: Path) -> dict[str, str]:
    """Each attribute or class of Streamlit's nodes, to the first file that names it."""
    found: dict[str, str] = {}
    for path in (path for folder in folders for path in sorted(folder.rglob("*"))):
        if path.suffix in {".css", ".js", ".py"} and path.parent != Path(__file__).parent:
            for each in _HOOK.finditer(path.read_text("utf8")):
                hook = f'[{each["name"]}="{each["value"]}"]' if each["name"] else f".{each['of_class']}"
                found.setdefault(hook, path.name)
    return found


def chains() -> dict[str, str]:
    """Each selector of a style sheet that names Streamlit's nodes, with any key and any class of ours, to its sheet.

    How the nodes stand in one another is asked for too.
    """
    found = {}
    for path in sorted((ROOT / "explorer").rglob("*.css")):
        text = path.read_text("utf8")
        if "data-testid" in text:
            for prelude in _PRELUDE.findall("}" + _COMMENT.sub("", text)):
                for selector in _parts(" ".join(prelude.split())):
                    if _HOOK.search(selector) or "st-key-" in selector:
                        found[_generalised(selector)] = f"{path.name}: {selector}"
    return found


def _generalised(selector: str) -> str:
    while (start := selector.find(":not(")) >= 0:
        selector = f"{selector[:start]}:is(*){selector[_end(selector, start) :]}"
    selector = _KEY.sub("[class*='st-key-']", re.sub(r"::\w+", "", selector))
    return _OURS.sub(":is(*)", selector)


def _end(selector: str, start: int) -> int:
    """Return where the bracket closes that opens behind a place."""
    depth = 0
    for position in range(start, len(selector)):
        depth += {"(": 1, ")": -1}.get(selector[position], 0)
        if depth == 0 and selector[position] == ")":
            return position + 1
    raise ValueError(selector)


def _parts(prelude: str) -> Iterator[str]:
    """Split a list of selectors at the commas that stand in no brackets."""
    depth, start = 0, 0
    for position, sign in enumerate(prelude):
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if sign == "," and depth == 0:
            yield prelude[start:position].strip()
            start = position + 1
    yield prelude[start:].strip()
