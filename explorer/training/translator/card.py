"""Model card of a translator, beside what every card has: its scores and its directions."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from explorer.data.parallel.directions import Direction
from explorer.evaluate.translations import Scores
from explorer.training.learning_curve import learning_curve

NAMES = {"en": "English", "fr": "French", "de": "German", "zh": "Chinese"}


def card_names(
    directions: Sequence[Direction], command: str, scores: Mapping[tuple[str, Direction], Scores], history: Path
) -> dict[str, Any]:
    """Return what the template asks for, by its names.

    Args:
        directions: of the model.
        command: that it was trained with.
        scores: by part of the data and direction.
        history: the run's reports.
    """
    tokenised = any(each.tokenised is not None for each in scores.values())
    unseen = any(each.unseen is not None for each in scores.values())
    parent = re.search(r"--start-from (\S+)", command)
    return {
        "directions": directions,
        "languages": dict.fromkeys(language for direction in directions for language in direction),
        "what": ", ".join(f"{NAMES.get(one, one)} into {NAMES.get(two, two)}" for one, two in directions),
        "parent": parent and parent[1],
        "curve": learning_curve(history),
        "tokenised": tokenised,
        "unseen": unseen,
        "rows": [_cells(*which, each, tokenised=tokenised, unseen=unseen) for which, each in scores.items()],
        "signatures": dict.fromkeys(f"`{each.bleu_signature}`" for each in scores.values()),
    }


def _cells(part: str, direction: Direction, scores: Scores, *, tokenised: bool, unseen: bool) -> list[str]:
    """Return a row of the scores; more columns where some were scored in more ways."""
    cells = [str(direction), part, f"{scores.n_lines:,}", f"{scores.bleu:.2f}", f"{scores.chrf:.2f}"]
    if tokenised:
        cells.append("" if scores.tokenised is None else f"{scores.tokenised:.2f}")
    if unseen:
        cells += ["", ""] if scores.unseen is None else [f"{scores.near:.1%}", f"{scores.unseen.bleu:.2f}"]
    return cells
