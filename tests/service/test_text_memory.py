"""A hundred texts that differ, sent to a lesson, leave a server as large as ten do."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from explorer.service.kept import SHARE, VARIABLE
from tests.conftest import ROOT

BUDGET_MB = 16
#: Megabytes that an allocator does not hand back, and that the models take while they run.
SLACK_MB = 10


def test_texts_that_differ_fill_a_readers_part_and_no_more() -> None:
    if not Path("/proc/self/status").exists():
        pytest.skip("memory is measured under /proc")
    said = subprocess.run(
        [sys.executable, "-m", "tests.service.text_memory"],
        cwd=ROOT,
        env={**os.environ, VARIABLE: str(BUDGET_MB)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    grown = {name: int(end) - int(begin) for name, begin, end in map(str.split, said.splitlines())}
    assert len(grown) == 4
    assert {name: more for name, more in grown.items() if more > BUDGET_MB // SHARE + SLACK_MB} == {}
