"""Translations of the everyday sentences that somebody has read and judged.

`judged.tsv` has a line for each reading: direction, revision of the checkpoint, who judged (`claude` is a language
model), how many sentences of `tests/data/everyday_<direction>.tsv` were read, and the numbers of those whose
translation is wrong, from 1. Wrong is what would mislead or embarrass a reader: another meaning, a lost negation, name
or number, or no language.
"""

from functools import cache
from pathlib import Path
from typing import NamedTuple


class Judged(NamedTuple):
    """The readings of a checkpoint: how many, of how many sentences each, and the mean share that is wrong."""

    readings: int
    sentences: int
    share: float


@cache
def read_verdicts(direction: str, revision: str) -> Judged | None:
    """Return what readers found of a checkpoint in a direction; None where nobody has read these translations."""
    _, *lines = (Path(__file__).parent / "judged.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines]
    found = [(int(n), len(wrong.split())) for way, which, _, n, wrong in rows if (way, which) == (direction, revision)]
    if not found:
        return None
    return Judged(len(found), found[0][0], sum(wrong / n for n, wrong in found) / len(found))
