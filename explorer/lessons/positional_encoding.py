"""Page 07: how a model that averages can know what comes first."""

from explorer.lessons._positional_encoding_readings import (
    reading_codes,
    reading_counter,
    reading_likeness,
    reading_rotation,
    reading_wave,
    reading_wavelengths,
)
from explorer.lessons._positional_encoding_scores import D_KEY, MOST_HEADS, Bias, Phase, bias, phase
from explorer.lessons._positional_encoding_scores_readings import reading_bias, reading_penalties, reading_phase
from explorer.lessons._positional_encoding_state import (
    BASES,
    LEAST_D,
    LEAST_LENGTH,
    MOST_D,
    MOST_LENGTH,
    MOST_OFFSET,
    MOST_PLACE,
    Params,
    Result,
    View,
)
from explorer.lessons._positional_encoding_waves import codes, counter, likeness, rotation

__all__ = [
    "BASES",
    "D_KEY",
    "LEAST_D",
    "LEAST_LENGTH",
    "MOST_D",
    "MOST_HEADS",
    "MOST_LENGTH",
    "MOST_OFFSET",
    "MOST_PLACE",
    "Bias",
    "Params",
    "Phase",
    "Result",
    "View",
    "bias",
    "compute",
    "likeness",
    "phase",
    "reading_bias",
    "reading_codes",
    "reading_counter",
    "reading_likeness",
    "reading_penalties",
    "reading_phase",
    "reading_rotation",
    "reading_wave",
    "reading_wavelengths",
    "rotation",
]


def compute(params: Params) -> Result:
    """Code positions by sines and cosines, and count beside them."""
    return Result(params=params, codes=codes(params), counter=counter(params))
