"""Page 07: how a model that averages can know what comes first."""

from explorer.lessons._positional_encoding_readings import (
    reading_codes,
    reading_counter,
    reading_likeness,
    reading_rotation,
    reading_wave,
    reading_wavelengths,
)
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
    "LEAST_D",
    "LEAST_LENGTH",
    "MOST_D",
    "MOST_LENGTH",
    "MOST_OFFSET",
    "MOST_PLACE",
    "Params",
    "Result",
    "View",
    "compute",
    "likeness",
    "reading_codes",
    "reading_counter",
    "reading_likeness",
    "reading_rotation",
    "reading_wave",
    "reading_wavelengths",
    "rotation",
]


def compute(params: Params) -> Result:
    """Code positions by sines and cosines, and count beside them."""
    return Result(params=params, codes=codes(params), counter=counter(params))
