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
    """Return what the template asks for, by its names."""
    parent = re.search(r"--start-from (\S+)", command)
    return {
        "directions": directions,
        "languages": dict.fromkeys(language for direction in directions for language in direction),
        "what": ", ".join(f"{NAMES.get(one, one)} into {NAMES.get(two, two)}" for one, two in directions),
        "parent": parent and parent[1],
        "curve": learning_curve(history),
        "scores": scores,
        "tokenised": any(each.tokenised is not None for each in scores.values()),
        "unseen": any(each.unseen is not None for each in scores.values()),
        "signatures": dict.fromkeys(f"`{each.bleu_signature}`" for each in scores.values()),
    }
