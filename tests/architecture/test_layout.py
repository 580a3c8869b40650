"""Folders stay small, no file name does the work of a folder, and every lesson has the same rooms."""

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.conftest import ROOT

MOST_MODULES = 25
MOST_OF_A_PREFIX = 3
FOLDERS = sorted({path.parent for top in ("explorer", "tests") for path in (ROOT / top).rglob("*.py")})
LESSONS = sorted(path.parent for path in (ROOT / "explorer" / "lessons").glob("*/__init__.py"))


def modules(folder: Path) -> list[str]:
    """The names of a folder's modules, tests without the `test_` that pytest wants."""
    return [path.stem.removeprefix("test_").lstrip("_") for path in folder.glob("*.py") if path.stem != "__init__"]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(ROOT)))
def test_a_folder_is_small_and_its_files_share_no_prefix(folder: Path) -> None:
    names = modules(folder)
    assert len(names) <= MOST_MODULES
    prefixes = Counter(name.split("_")[0] for name in names if "_" in name)
    assert [prefix for prefix, times in prefixes.items() if times > MOST_OF_A_PREFIX] == []


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_a_lesson_has_its_rooms_and_its_tests(lesson: Path) -> None:
    assert {"compute", "state", "readings"} <= set(modules(lesson))
    assert all((lesson / room).is_dir() for room in ("figures", "ui"))
    assert (ROOT / "tests" / "lessons" / lesson.name).is_dir()


def test_a_figure_says_its_height_itself() -> None:
    """By `picture.Height`, not in a style sheet that knows its name."""
    named = re.compile(r"st-key-\w+_(?:fits_screen|own_height)")
    assert named.search(".st-key-kr_fit_fits_screen")
    styles = [*(ROOT / "explorer").rglob("*.css"), *(ROOT / "explorer").rglob("*.py")]
    assert len(styles) > 500
    assert [str(each) for each in styles if named.search(each.read_text(encoding="utf8"))] == []
