"""Numbers for a live picture as one string of bytes: Streamlit carries bytes only as the whole of `data`."""

import base64
import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

#: Arrays begin at multiples of this, so that the browser may look at them where they lie.
ALIGNED = 8
_KINDS = {"<f4": "float32", "<f2": "float16"}


def pack(head: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> bytes:
    """Join words and numbers for `unpack.js`: length of the head, the head as JSON, the arrays.

    Args:
        head: anything that JSON can hold; `arrays` is added, where each one lies.
        arrays: float16 or float32, by name.

    Raises:
        ValueError: an array has another type, or the head has a key `arrays`.
    """
    if "arrays" in head:
        raise ValueError("the head has a key 'arrays'")
    places: dict[str, tuple[str, int, tuple[int, ...]]] = {}
    body = bytearray()
    for name, array in arrays.items():
        plain = np.ascontiguousarray(array)
        kind = plain.dtype.newbyteorder("<").str
        if kind not in _KINDS:
            raise ValueError(f"{name} is {plain.dtype}; it must be float16 or float32")
        places[name] = (_KINDS[kind], len(body), plain.shape)
        body += _filled(plain.astype(kind).tobytes())
    text = json.dumps({**head, "arrays": places}, ensure_ascii=False, allow_nan=False).encode()
    return _filled(len(text).to_bytes(4, "little") + text) + bytes(body)


def floats(numbers: npt.NDArray[Any]) -> str:
    """Pack numbers for `floats` of `parts.js`, row by row."""
    return base64.b64encode(np.ascontiguousarray(numbers, dtype="<f4").tobytes()).decode()


def _filled(part: bytes) -> bytes:
    return part + bytes(-len(part) % ALIGNED)
