"""What one head keeps and loses, under the pointer: the mask follows a slider of the pattern before it is let go."""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.figures import theme
from explorer.figures.look import look
from explorer.lessons import efficient_attention as lesson
from explorer.lessons.efficient_attention import left_out, state
from explorer.lessons.efficient_attention.figures import left_out as figures
from explorer.lessons.efficient_attention.readings import mechanism_names
from explorer.lessons.efficient_attention.records.comparison import VariantRecord
from explorer.records.wording import capitalise
from explorer.ui.live.live import Live

PICTURE = Live(Path(__file__).with_suffix(".js"))


def pack(params: lesson.Params, record: VariantRecord) -> dict[str, Any]:
    """Return a head's exact weights: those that a pattern computes, and those that it loses.

    Args:
        params: whose pattern it is.
        record: of this pattern.
    """
    n, causal = len(record.labels), record.causal
    every, name = left_out.every_stop(params, n, causal=causal), capitalise(mechanism_names()[params.name])
    return {
        "exact": left_out.cells(record.exact, causal=causal).astype(np.float32),
        "labels": [
            f"{position + 1} {theme.visible(each, theme.LABEL_CHARACTERS)}"
            for position, each in enumerate(record.labels)
        ],
        "causal": causal,
        "scale": look().weights,
        "losing": figures.losing(),
        "hatch": look().hatch,
        "ground": figures.GROUND,
        "seen": figures.SEEN,
        "most": figures.MOST_LOST,
        "now": _shown(name, left_out.cells(record.allowed, causal=causal)[None]),
        "sliders": {
            state.KEYS[setting]: _shown(name, masks)
            # a slider says its number, one of few stops says which of them it is
            | {"first": left_out.stops(setting)[0] if setting in state.REACH else 0}
            for setting, masks in every.items()
        },
    }


def _shown(name: str, masks: npt.NDArray[np.bool_]) -> dict[str, Any]:
    """Return masks as bits, a whole number of bytes for each, and how many cells each computes, in words."""
    said = [left_out.describe_share(name, mask.mean()).replace("**", "") for mask in masks]
    return {"bits": np.packbits(masks, axis=1), "shares": said}
