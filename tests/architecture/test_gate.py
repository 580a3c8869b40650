"""Linters, types and layers are tests: `pytest` alone runs the whole gate."""

import json
import os
import shutil
import subprocess
import sys
import tokenize
from pathlib import Path

import pytest

BIN = Path(sys.executable).parent


@pytest.mark.parametrize(
    "command",
    [["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"], ["lint-imports", "--no-cache"]],
    ids=["ruff", "format", "mypy", "imports"],
)
def test_gate(command: list[str], root: Path) -> None:
    done = run(command, root)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    "command", [["tsc"], ["eslint", "."], ["prettier", "--check", "**/*.{js,css}"]], ids=lambda command: command[0]
)
def test_scripts_and_style_sheets_pass_theirs(command: list[str], root: Path) -> None:
    tools = root / "node_modules" / ".bin"
    if not (shutil.which("node") and tools.is_dir()) and not os.environ.get("EXPLORER_NODE_REQUIRED"):
        pytest.skip("the tools for scripts are not installed: npm ci")
    done = subprocess.run([tools / command[0], *command[1:]], cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_name_is_defined(root: Path) -> None:
    """What jaxtyping's shapes keep the linters from saying: they stand in strings, other names do not."""
    found = json.loads(
        run(["ruff", "check", "--select=F821", "--config=lint.ignore=[]", "--output-format=json"], root).stdout
    )
    assert found, "shapes are undefined names too"
    undefined = []
    for each in found:
        with Path(each["filename"]).open("rb") as file:
            strings = [token for token in tokenize.tokenize(file.readline) if token.type == tokenize.STRING]
        at = (each["location"]["row"], each["location"]["column"] - 1)
        if not any(string.start <= at < string.end for string in strings):
            undefined.append(f"{each['filename']}:{at[0]}: {each['message']}")
    assert undefined == []


def run(command: list[str], root: Path) -> subprocess.CompletedProcess[str]:
    """A program of the environment that the tests run in."""
    program = shutil.which(command[0], path=str(BIN)) or shutil.which(command[0])
    assert program, f"{command[0]} is not installed: pip install -r tests/requirements.txt"
    return subprocess.run([program, *command[1:]], cwd=root, capture_output=True, text=True, check=False)
