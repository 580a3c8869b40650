"""Distance between recurrent models that differ in nothing but the seed: the yardstick for other differences."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

FILE = Path(__file__).with_name("seed_runs.json")


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedRuns:
    """Small models, several seeds of each mechanism.

    Attributes:
        what: the file says of itself, in English.
        origin: where the numbers come from, and what is not known of them.
        command: that trains one of them.
        seeds: of each mechanism.
        spread: widest range of the seeds of one mechanism, in BLEU.
        bleu: by mechanism, averaged over the seeds.
    """

    what: str
    origin: str
    command: str
    steps: int
    seeds: int
    spread: float
    bleu: Mapping[str, float]

    @property
    def options(self) -> str:
        """Return the options that made them small: the sizes in the command."""
        words = self.command.split()
        return " ".join(f"{one} {two}" for one, two in pairwise(words) if one.startswith("--d-"))


@lru_cache(maxsize=1)
def seed_runs() -> SeedRuns:
    """Read the stored runs."""
    return SeedRuns(**json.loads(FILE.read_text("utf-8")))
