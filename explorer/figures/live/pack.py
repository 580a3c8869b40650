"""Names and numbers for a live picture as one string of bytes: Streamlit carries bytes only as the whole of `data`."""

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.records.language import current_language

#: Arrays begin at multiples of this, so that the browser may look at them where they lie.
ALIGNED = 8
_KINDS = {"<f2": "float16", "<f4": "float32", "<f8": "float64", "<i4": "int32", "|b1": "uint8", "|u1": "uint8"}


def pack(data: Any) -> bytes:
    """Join names and numbers for `unpack.js`: length of the head, the head as JSON, the arrays.

    The head is what was given, with null for every array, where each array lies, and the language of now.

    Args:
        data: a record, or anything that JSON can hold; records and arrays may stand anywhere in it.

    Raises:
        ValueError: an array is of another type than float16, float32, float64, whole numbers or bool.
    """
    positions: list[tuple[list[str | int], str, int, tuple[int, ...]]] = []
    body = bytearray()

    def plain(value: Any, path: list[str | int]) -> Any:
        if isinstance(value, np.ndarray):
            kind, numbers = _numbers(value, path)
            positions.append((path, kind, len(body), value.shape))
            body.extend(_filled(numbers))
            return None
        if isinstance(value, np.generic):
            return value.item()
        if is_dataclass(value):
            value = {each.name: getattr(value, each.name) for each in fields(value)}
        if isinstance(value, Mapping):
            return {str(name): plain(each, [*path, str(name)]) for name, each in value.items()}
        if isinstance(value, list | tuple):
            return [plain(each, [*path, at]) for at, each in enumerate(value)]
        return value

    text = json.dumps([plain(data, []), positions, current_language()], ensure_ascii=False, allow_nan=False).encode()
    return _filled(len(text).to_bytes(4, "little") + text) + bytes(body)


def _numbers(array: npt.NDArray[Any], path: list[str | int]) -> tuple[str, bytes]:
    """Return the kind of an array as JavaScript calls it, and its bytes row by row."""
    if array.dtype.kind == "i" and np.array_equal(array, array.astype(np.int32)):
        array = array.astype(np.int32)
    kind = array.dtype.newbyteorder("<").str
    if kind not in _KINDS:
        name = ".".join(map(str, path))
        raise ValueError(f"{name} is {array.dtype}; it must be a float, a whole number or bool")
    return _KINDS[kind], np.ascontiguousarray(array, dtype=kind).tobytes()


def _filled(part: bytes) -> bytes:
    return part + bytes(-len(part) % ALIGNED)
