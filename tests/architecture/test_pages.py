"""Pages are thin, the catalogue lists them all, and every lesson keeps its contract."""

import ast
import dataclasses
import importlib
import inspect
import re
import subprocess
from pathlib import Path

import pytest

from explorer.ui import catalogue
from tests import translations
from tests.conftest import ROOT
from tests.imports import imported_by

PAGES = [ROOT / "app.py", *sorted((ROOT / "pages").glob("*.py"))]
LESSONS = [path.parent.name for path in sorted((ROOT / "explorer" / "lessons").glob("*/__init__.py"))]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_page_is_thin(path: Path) -> None:
    text = path.read_text("utf8")
    tree = ast.parse(text)
    assert text.count("\n") <= 60
    thick = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.While)
    allowed = [node for node in ast.walk(tree) if isinstance(node, thick) and not isinstance(node, ast.Lambda)]
    assert not allowed, f"line {allowed[0].lineno}"
    assert not any(isinstance(node, ast.For) for node in ast.walk(tree))
    imported = {
        alias.name.split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names
    }
    imported |= {(node.module or "").split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported <= {"streamlit", "explorer"}


def test_the_catalogue_lists_the_pages_that_are_there() -> None:
    assert [page.file for page in catalogue.PAGES] == [f"pages/{path.name}" for path in PAGES[1:]]


@pytest.mark.parametrize("stem", LESSONS)
def test_a_lesson_has_its_names(stem: str) -> None:
    lesson = importlib.import_module(f"explorer.lessons.{stem}")
    assert stem in {page.stem for page in catalogue.PAGES}
    assert set(lesson.__all__) - {"View"} == {"Params", "Result", "compute"}  # a view where several scenes share one
    for name in set(lesson.__all__) - {"compute"}:
        kind = getattr(lesson, name)
        assert dataclasses.is_dataclass(kind), name
        assert kind.__dataclass_params__.frozen, name
    assert hash(lesson.Params()) == hash(lesson.Params())
    signature = inspect.signature(lesson.compute)
    assert next(iter(signature.parameters)) == "params"


@pytest.mark.parametrize("page", catalogue.PAGES, ids=lambda page: page.stem)
def test_every_page_has_a_lesson(page: catalogue.Page) -> None:
    assert page.stem in LESSONS


def test_nothing_is_missing_or_stale_in_chinese() -> None:
    assert list(translations.problems()) == []


def test_the_home_page_imports_no_torch() -> None:
    there = imported_by("import runpy\nrunpy.run_path('app.py', run_name='__main__')")
    assert "explorer.ui.home" in there
    assert "torch" not in there


def test_no_path_of_a_machine_is_committed() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode()
    home = re.compile(r"(?<!\w)/" + "work/")  # “job/work/position” is a list of words
    texts = [ROOT / name for name in listed.split("\0") if name and Path(name).suffix != ".safetensors"]
    assert [path for path in texts if path.exists() and home.search(path.read_text("utf8", errors="replace"))] == []
