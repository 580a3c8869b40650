"""Types of arrays, by the precision of their numbers."""

from typing import Any

import numpy as np
import numpy.typing as npt

Float32 = npt.NDArray[np.float32]
Float64 = npt.NDArray[np.float64]
#: Of whatever precision.
Floats = npt.NDArray[np.floating[Any]]
Bytes = npt.NDArray[np.uint8]
