"""What is used of Streamlit's inner parts stands in one folder, and its page lists it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import streamlit as st

from tests.conftest import ROOT
from tests.ui.streamlit_internals import selectors

FOLDER = ROOT / "explorer" / "ui" / "streamlit_internals"
PAGE = (FOLDER / "README.md").read_text("utf8")
#: Modules that Streamlit's documentation names, some as `st.…`; underscore-names are refused by ruff (`SLF`).
PUBLIC = {
    f"streamlit{name}"
    for name in ("", ".errors", ".delta_generator", ".column_config", ".components", ".components.v2", ".testing.v1")
}
#: Here tests ask Streamlit's parts themselves whether each still is what the folder takes it for.
ASKING = (Path(__file__).parent, ROOT / "tests" / "support")


def inner(text: str) -> set[str]:
    """Modules of Streamlit that a source names and the documentation does not."""
    return {name for name in _modules(text) if name.split(".")[0] == "streamlit"} - PUBLIC


def _modules(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
            if node.module == "streamlit":
                yield from (_module(alias.name) for alias in node.names)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "st":
            yield _module(node.attr)


def _module(name: str) -> str:
    found = getattr(st, name, None)
    return found.__name__ if isinstance(found, ModuleType) else ""


def test_nothing_else_imports_an_inner_part_of_streamlit() -> None:
    assert inner("from streamlit.runtime import exists") == {"streamlit.runtime"}
    assert inner("import streamlit as st\nst.config.get_option('x')") == inner("from streamlit import config") != set()
    assert inner("import streamlit as st\nst.components.v2.component('x')\nfrom streamlit.errors import Error") == set()
    sources = [
        ROOT / "app.py",
        *(path for top in ("pages", "explorer", "tests") for path in (ROOT / top).rglob("*.py")),
    ]
    assert len(sources) > 1000
    found = {path: inner(path.read_text("utf8")) for path in sources if path.parent not in (FOLDER, *ASKING)}
    assert {str(path.relative_to(ROOT)): names for path, names in found.items() if names} == {}


def test_no_python_names_a_node_of_streamlits_page() -> None:
    """A style sheet or a script does."""
    named = [path for path in (ROOT / "explorer").rglob("*.py") if "data-testid" in path.read_text("utf8")]
    assert named == []


def test_the_page_lists_every_module_and_where_its_test_is() -> None:
    listed = dict(re.findall(r"^\| `(\w+\.\w+)` \|.*\| `([\w.]+)` \|$", PAGE, re.MULTILINE))
    assert listed.keys() == {path.name for path in FOLDER.glob("*.*")} - {"__init__.py", "README.md"}
    assert [test for test in listed.values() if not Path(__file__).with_name(test).exists()] == []


def test_the_page_lists_every_node_that_is_named() -> None:
    listed = re.findall(r"^\| `([^`]*(?:data-|kind|\.block|\.st)[^`]*)` \|", PAGE, re.MULTILINE)
    assert sorted(listed) == sorted(selectors.hooks(ROOT / "explorer"))


def test_the_page_was_read_for_the_version_that_is_pinned() -> None:
    pinned = re.search(r"^streamlit==(\S+)$", (ROOT / "requirements.txt").read_text("utf8"), re.MULTILINE)
    assert pinned
    assert f"Streamlit {pinned[1]}" in PAGE.splitlines()[2]
