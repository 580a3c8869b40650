"""One place says under what licence everything that ships may be used."""

import re
from pathlib import Path

import pytest

from explorer.checkpoints.manifest import read_manifest
from explorer.checkpoints.store import BUNDLED, list_bundled
from explorer.data.pictures import SAMPLES


@pytest.fixture(scope="module")
def section(root: Path) -> str:
    """What the README says of licences."""
    return (root / "README.md").read_text("utf-8").split("\n## Licences\n")[1].split("\n## ")[0]


def test_the_code_is_under_the_licence_that_the_front_matter_names(root: Path) -> None:
    assert (root / "LICENSE").read_text("utf-8").startswith("MIT License\n\nCopyright (c) 2026 The Attention Explorer")
    assert "\nlicense: mit\n" in (root / "README.md").read_text("utf-8").split("---")[1]


@pytest.mark.parametrize("name", list_bundled())
def test_every_checkpoint_stands_once_beside_its_licence(section: str, name: str) -> None:
    (row,) = (line for line in section.splitlines() if f"`{name}`" in line)
    licence = read_manifest(BUNDLED / name).licence
    assert row.endswith(f"| {licence} |")
    assert " ".join(licence.split()) in " ".join((BUNDLED / name / "README.md").read_text("utf-8").split()), "its card"


def test_no_checkpoint_stands_there_that_does_not_ship(section: str) -> None:
    first = section.split("| what else ships |")[0]
    rows = [line for line in first.splitlines() if line.startswith("| `") and "`checkpoints/`" not in line]
    assert sorted(name for row in rows for name in re.findall("`([^`]+)`", row.split("|")[1])) == sorted(list_bundled())


def test_every_picture_and_every_file_of_data_stands_there(section: str, root: Path) -> None:
    data = [each.name for each in (root / "explorer" / "data").rglob("*") if each.suffix not in (".py", ".pyc", "")]
    assert data
    assert not [name for name in [*SAMPLES.values(), *data] if name not in section]


def test_no_font_or_picture_lies_in_the_repository(root: Path) -> None:
    """None is listed there."""
    kinds = (".woff", ".woff2", ".ttf", ".otf", ".png", ".jpg", ".jpeg", ".svg", ".gif", ".webp")
    assert not [each for top in ("explorer", "pages", "checkpoints") for each in (root / top).rglob("*")
                if each.suffix in kinds]  # fmt: skip
