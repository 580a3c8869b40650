"""“Training lab”: a model that its reader brought along."""

import math
from pathlib import Path

from explorer.inference.lab.snapshots import open_snapshot
from explorer.inference.lab.trace import trace_text
from explorer.models.translator import TranslatorConfig
from explorer.records.training_run import LabTrace


def look_stored(folder: Path, text: str, steps: float = 0.0) -> LabTrace:
    """Trace what the model makes of a text.

    Args:
        folder: of its checkpoint.
        text: anything.
        steps: of its training, as its manifest says.

    Raises:
        CheckpointError: it cannot be used any more.
        InputRefused: nothing visible was typed, or too much.
    """
    return trace_text(open_snapshot(folder), int(steps) if math.isfinite(steps) else 0, text)


def stored_shape(folder: Path) -> tuple[int, int]:
    """Return how many layers of cross-attention it has, and heads in each."""
    config = open_snapshot(folder).prepared.config
    return (config.n_decoder_layers, config.n_heads) if isinstance(config, TranslatorConfig) else (1, 1)
