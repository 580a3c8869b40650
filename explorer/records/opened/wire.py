"""Records of opened models as JSON and arrays: between the worker and the server, and in recorded looks."""

import base64
import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.records.attention import AttentionRecord
from explorer.records.opened.card import ModelCard
from explorer.records.opened.look import HeadRule, ModelLook, OpenedTokens, Site
from explorer.records.opened.prediction import HeadEffects, LensRecord, SiteEffects, SlopesRecord, WithoutRecord
from explorer.records.opened.several import ComparedModels, CorpusLook, HeadExample, HeadOver
from explorer.records.provenance import Provenance
from explorer.records.sequence import Likely, TokenRow

Arrays = list[npt.NDArray[Any]]
#: What may be read back; no other class is ever made.
_CLASSES = {
    each.__name__: each
    for each in (
        AttentionRecord, ComparedModels, CorpusLook, HeadEffects, HeadExample, HeadOver, HeadRule, LensRecord, Likely,
        ModelCard, ModelLook, OpenedTokens, Provenance, Site, SiteEffects, SlopesRecord, TokenRow, WithoutRecord,
    )
}  # fmt: skip
_RECORD, _ARRAY, _HEAD = "record", "array", "head"


def dumps(value: Any) -> str:
    """Return records as one line of JSON, arrays in base64."""
    arrays: Arrays = []
    plain = _plain(value, arrays)
    packed = [[each.dtype.str, each.shape, base64.b64encode(each.tobytes()).decode()] for each in arrays]
    return json.dumps([plain, packed], ensure_ascii=False)


def loads(text: str) -> Any:
    """Return the records of a line.

    Raises:
        ValueError: it is none of `dumps`.
    """
    try:
        plain, packed = json.loads(text)
        arrays = [np.frombuffer(base64.b64decode(data), dtype=dtype).reshape(shape) for dtype, shape, data in packed]
        return _restored(plain, arrays)
    except (KeyError, TypeError, IndexError) as error:
        raise ValueError(f"no records of an opened model: {error}") from error


def save(path: Path, value: Any) -> None:
    """Write records into a compressed file of NumPy."""
    arrays: Arrays = []
    head = json.dumps(_plain(value, arrays), ensure_ascii=False).encode()
    named = {str(number): each for number, each in enumerate(arrays)}
    np.savez_compressed(path, **{_HEAD: np.frombuffer(head, dtype=np.uint8)}, **named)  # type: ignore[arg-type]


def load(path: Path, *classes: type) -> Any:
    """Read what `save` wrote.

    Args:
        classes: more that may be read back.

    Raises:
        ValueError: it is another file.
        OSError: it cannot be read.
    """
    with np.load(path, allow_pickle=False) as file:
        try:
            arrays = [file[str(number)] for number in range(len(file.files) - 1)]
            return _restored(json.loads(file[_HEAD].tobytes()), arrays, {each.__name__: each for each in classes})
        except (KeyError, TypeError, IndexError) as error:
            raise ValueError(f"{path.name} holds no records of an opened model: {error}") from error


def _plain(value: Any, arrays: Arrays) -> Any:
    if isinstance(value, np.ndarray):
        arrays.append(np.ascontiguousarray(value))
        return {_ARRAY: len(arrays) - 1}
    if is_dataclass(value):
        named = {each.name: _plain(getattr(value, each.name), arrays) for each in fields(value)}
        return {_RECORD: type(value).__name__, **named}
    if isinstance(value, Mapping):
        return {str(key): _plain(each, arrays) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each, arrays) for each in value]
    return value


def _restored(value: Any, arrays: Arrays, more: Mapping[str, type] = MappingProxyType({})) -> Any:
    if isinstance(value, list):
        return tuple(_restored(each, arrays, more) for each in value)
    if not isinstance(value, dict):
        return value
    if _ARRAY in value:
        return arrays[value[_ARRAY]]
    named = {key: _restored(each, arrays, more) for key, each in value.items() if key != _RECORD}
    return {**_CLASSES, **more}[value[_RECORD]](**named) if _RECORD in value else named
