"""Memory of three layers, under the pointer: the sizes move the lines before they are let go; points were measured."""

from pathlib import Path
from typing import Any

import numpy as np

from explorer.lessons import architectures as lesson
from explorer.lessons.architectures.live.sizes import counts, layers
from explorer.lessons.architectures.state import STOPS
from explorer.records.architectures import DRAWN, NAMES
from explorer.records.language import t
from explorer.records.timing import TimingRecord
from explorer.records.wording import FLOAT
from explorer.ui.live.live import Live

PICTURE = Live(Path(__file__).with_suffix(".js"))


def pack(record: TimingRecord, params: lesson.Params, axis: str) -> dict[str, Any]:
    """Return MiB alive at once along an axis: by formula, and where they were measured.

    Args:
        record: what was measured at these sizes.
    """
    mebibyte = np.float32((FLOAT if record.provenance.dtype == "float32" else FLOAT // 2) / 2**20)
    measured = np.full((len(NAMES), len(STOPS[axis])), np.nan, np.float32)
    for name, row in zip(record.names, record.peak_bytes, strict=True):
        measured[NAMES.index(name), [STOPS[axis].index(value) for value in record.values]] = row / 2**20
    return layers(params, axis, NAMES) | {
        "peak": counts("peak")[[DRAWN.index(each) for each in NAMES]] * mebibyte,
        "matrix": counts("matrix")[DRAWN.index("attention")][None] * mebibyte,
        "measured": measured,
        "title": title(),
    }


def title() -> str:
    """Return the heading of the picture."""
    return t("Memory: lines by formula, points measured")
