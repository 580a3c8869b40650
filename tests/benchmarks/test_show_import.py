"""`import explorer.show` beside `import plotly`, which every notebook with our heat maps loads in any case."""

import subprocess
import sys
from pathlib import Path

import pytest

#: Seconds of a core that ours may take longer, the best of some runs: what else a machine does counts for neither.
MOST_S, RUNS = 0.6, 5
TIMED = "import time; begun = time.process_time(); {what}; print(time.process_time() - begun)"


def seconds(what: str, root: Path) -> float:
    command = [sys.executable, "-c", TIMED.format(what=what)]
    return min(float(subprocess.check_output(command, cwd=root, text=True)) for _ in range(RUNS))


@pytest.mark.benchmark_run
def test_the_pictures_are_imported_in_little_more_time_than_plotly(root: Path) -> None:
    plotly, ours = seconds("import plotly", root), seconds("from explorer import show", root)
    sys.stdout.write(f"\nimport plotly {plotly:.2f} s, from explorer import show {ours:.2f} s\n")
    assert ours - plotly < MOST_S
