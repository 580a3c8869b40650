"""The map of the house names what is there, and every floor of it."""

import re
import tomllib
from pathlib import Path

import pytest

from tests.conftest import ROOT

MAP = (ROOT / "explorer" / "README.md").read_text("utf8")
README = (ROOT / "README.md").read_text("utf8")
PATH = re.compile(r"`((?:explorer|tests|pages|\.ci)/[\w/.]*)`|((?:explorer|tests|pages)/[\w/]+\.py)")
MODULE = re.compile(r"python -m (explorer[\w.]*|tests[\w.]*)")
SECTIONS = re.split(r"\n## (?=How to)", MAP)[1:]


@pytest.mark.parametrize("text", [MAP, README], ids=["map", "readme"])
def test_every_path_and_every_module_that_is_named_is_there(text: str) -> None:
    paths = {quoted or bare for quoted, bare in PATH.findall(text)}
    modules = {ROOT / name.replace(".", "/") for name in MODULE.findall(text)}
    assert len(paths) > 5
    assert [path for path in sorted(paths) if not (ROOT / path).exists()] == []
    assert [
        path for path in modules if not path.with_suffix(".py").exists() and not (path / "__main__.py").exists()
    ] == []


def test_every_floor_stands_on_the_map_in_the_order_of_the_contract() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf8"))["tool"]["importlinter"]["contracts"]
    (layers,) = (contract["layers"] for contract in contracts if contract["type"] == "layers")
    floors = [floor for layer in layers for floor in layer.split(" | ")]
    drawn = [name for name in re.findall(r"^\| `explorer/(\w+)", MAP, re.MULTILINE) if name != "locale"]
    assert drawn == floors


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.splitlines()[0])
def test_how_to_add_something_takes_five_steps_and_one_example(section: str) -> None:
    steps = re.findall(r"^\d\. ", section, re.MULTILINE)
    assert len(steps) == 5
    example = re.search(r"example: `([^`]+)`", section)
    assert example
    assert Path(ROOT / example[1]).is_file()
