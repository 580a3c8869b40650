"""Random letters that are repeated: nothing to know but to copy, so a model of them must learn induction.

`python -m explorer.data.repeats <folder>` writes the text that `python -m explorer.training gpt` learns from.
"""

import argparse
import string
from pathlib import Path

import numpy as np

#: Letters of a run, at least and at most; characters of a line, its repetitions cut off there.
SHORTEST, LONGEST, LINE = 5, 20, 63
N_LINES = 24_000


def repeats(seed: int, n_lines: int = N_LINES) -> str:
    """Return lines of random letters, each line one run of letters over and over; no run comes twice but by chance."""
    draw = np.random.default_rng(seed)
    letters = np.array(list(string.ascii_lowercase))
    lines = []
    for _ in range(n_lines):
        run = "".join(draw.choice(letters, draw.integers(SHORTEST, LONGEST + 1)))
        lines.append((run * (LINE // len(run) + 1))[:LINE])
    return "\n".join(["", *lines, ""])


def main() -> None:
    """Write `input.txt`."""
    parser = argparse.ArgumentParser(prog="python -m explorer.data.repeats", description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "input.txt").write_text(repeats(0), encoding="utf-8")


if __name__ == "__main__":
    main()
