"""Words under the pointer: they are dragged to another place; let go, the encoder reads them in the new order."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from explorer.figures import theme
from explorer.lessons.positional_encoding.records.trained import PermutationRecord
from explorer.records.language import t
from explorer.ui.live.live import Live

PICTURE = Live(Path(__file__).with_suffix(".js"))


def drawn(record: PermutationRecord, order: Sequence[int]) -> dict[str, Any]:
    """Return the words, and both rows of outputs.

    Args:
        record: in the new order.
        order: which word stands at each place, from 0.
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
        "said": _said(record),
    }


def _shown(label: str) -> str:
    """Return a token as a reader may see it; the end of the sentence by its name."""
    return t("end") if label == "</s>" else theme.visible(label, 12)


def _said(record: PermutationRecord) -> dict[str, str]:
    return {
        "title": t("What the encoder makes of each word"),
        "note": t("{shown} of its {all} numbers; the marks: as typed").format(
            shown=record.after.shape[-1], all=record.n_components
        ),
        "drag": t("Drag a word to another place, or press space and move it with the arrow keys"),
        "place": t("{word}, place {place} of {n}"),
        "lifted": t("{word}: arrow keys move it, space puts it down, Escape puts it back"),
        "lane0": t("Without position codes"),
        "lane1": t("With position codes"),
        "french": t("in French:"),
        "same": t("✓ same"),
        "changed": t("✗ {share} changed"),
        "token": t("token"),
        "change": t("change"),
        "before": t("before"),
        "after": t("after"),
    }
