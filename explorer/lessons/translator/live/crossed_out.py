"""A translation that is interfered with: source words to cross out, looks to force, and what the old words lose."""

from pathlib import Path
from typing import Any

import numpy as np

from explorer.figures import heatmap
from explorer.figures.look import look
from explorer.lessons.translator import finished, state
from explorer.lessons.translator.change_state import Change
from explorer.lessons.translator.names import name_tokens
from explorer.lessons.translator.records import ChangeRecord
from explorer.records.token_views import merge_words
from explorer.records.wording import fraction, rests
from explorer.ui.live.glosses import explain_words
from explorer.ui.live.live import Live

#: A word that loses less, in nats, is about as likely as before.
LEAST = 0.4
PICTURE = Live(Path(__file__).with_suffix(".js"))


def pack(result: state.Result, record: ChangeRecord, change: Change) -> dict[str, Any]:
    """Return where each word of the old translation looks under the change, and how much less likely it is.

    Args:
        result: the translation.
        record: what becomes of it.
        change: words are crossed out and a row is overwritten; what else it holds shows in the numbers alone.
    """
    written, source = result.trace.written, result.trace.source
    raw = merge_words(record.cross_under, written, source)
    shown = name_tokens(raw)
    direction = finished.direction(result)
    forced = [written.word_of(change.step), change.word] if change.overwrites and change.step is not None else None
    return {
        "asked": shown.key_labels,
        "asks": shown.query_labels,
        "rests": [[rests(label) for label in labels] for labels in (raw.query_labels, raw.key_labels)],
        "crossed": change.masked,
        "forced": forced,
        "weights": heatmap.mask_values(raw.weights, raw.allowed)[0].astype(np.float32),
        "lost": record.change,
        "factors": [fraction(each) if each < -LEAST else "" for each in record.change.tolist()],
        "changed": not change.does_nothing,
        "scale": look().weights,
        **(explain_words(shown.query_labels, direction.target, others=shown.key_labels) if direction else {}),
    }
