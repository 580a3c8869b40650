"""Memory of three layers, under the pointer: the sizes move the lines before they are let go; points were measured."""

from pathlib import Path

import numpy as np

from explorer.lessons import architectures as lesson
from explorer.lessons.architectures.ui.costs_live import STOPS, counts, layers
from explorer.records.architectures import DRAWN, NAMES
from explorer.records.timing import TimingRecord
from explorer.records.wording import FLOAT
from explorer.ui import scripts
from explorer.ui.language import t
from explorer.ui.live.pack import pack

_memory = scripts.component(Path(__file__).with_suffix(".js"))


def draw(record: TimingRecord, params: lesson.Params, axis: str, *, title: str, key: str) -> None:
    """Draw bytes alive at once along an axis: lines by formula, and points where they were measured.

    Args:
        record: what was measured at these sizes.
        title: heading of the picture, for those who do not see it.
    """
    mebibyte = (FLOAT if record.provenance.dtype == "float32" else FLOAT // 2) / 2**20
    measured = np.full((len(NAMES), len(STOPS[axis])), np.nan, np.float32)
    for name, row in zip(record.names, record.peak_bytes, strict=True):
        measured[NAMES.index(name), [STOPS[axis].index(value) for value in record.values]] = row / 2**20
    head = layers(params, axis, NAMES) | {
        "said": {
            "title": title,
            "up": t("memory (MiB)"),
            "matrices": t("attention matrices"),
            "measured": t("{name}, measured"),
        },
    }
    arrays = {
        "peak": counts("peak")[[DRAWN.index(each) for each in NAMES]] * np.float32(mebibyte),
        "matrix": counts("matrix")[DRAWN.index("attention")][None] * np.float32(mebibyte),
        "measured": measured,
    }
    _memory(data=pack(head, arrays), key=key)
