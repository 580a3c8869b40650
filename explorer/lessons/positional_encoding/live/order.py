"""Words under the pointer: they are dragged to another position; let go, the encoder reads them in the new order."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from explorer.figures import theme
from explorer.lessons.positional_encoding.records.trained import PermutationRecord
from explorer.records.language import t
from explorer.ui.live.live import Live

PICTURE = Live(Path(__file__).with_suffix(".js"))


def pack(record: PermutationRecord, order: Sequence[int]) -> dict[str, Any]:
    """Return the words, and both rows of outputs.

    Args:
        record: in the new order.
        order: which word stands at each position, from 0.
    """
    return {
        "words": [theme.visible(word, 40) for word in record.words],
        "sizes": record.sizes,
        "labels": [_shown(label) for label in record.labels],
        "order": order,
        "written": [theme.visible(text) for text in record.written],
        "before": record.before,
        "after": record.after,
        "change": record.change,
        "components": record.n_components,
    }


def _shown(label: str) -> str:
    """Return a token as a reader may see it; the end of the sentence by its name."""
    return t("end") if label == "</s>" else theme.visible(label, 12)
