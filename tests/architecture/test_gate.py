"""Linters, types and layers are tests: `pytest` alone runs the whole gate."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

BIN = Path(sys.executable).parent


@pytest.mark.parametrize(
    "command",
    [["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"], ["lint-imports", "--no-cache"]],
    ids=["ruff", "format", "mypy", "imports"],
)
def test_gate(command: list[str], root: Path) -> None:
    program = shutil.which(command[0], path=str(BIN)) or shutil.which(command[0])
    assert program, f"{command[0]} is not installed: pip install -r tests/requirements.txt"
    done = subprocess.run([program, *command[1:]], cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
