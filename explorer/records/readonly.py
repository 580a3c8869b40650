"""The decorator of records: a dataclass that is frozen, and whose arrays are too."""

from collections.abc import Callable
from dataclasses import Field, dataclass, field, fields
from typing import Any, TypeVar, dataclass_transform

import numpy as np

Class = TypeVar("Class")


@dataclass_transform(frozen_default=True, kw_only_default=True, eq_default=False, field_specifiers=(field, Field))
def record(cls: type[Class]) -> type[Class]:
    """Make a class a record: a frozen dataclass with slots and keyword fields, compared by identity.

    Its own `__post_init__` runs first, to check the fields; then every array is replaced by a read-only copy.
    """
    check: Callable[[Any], None] | None = getattr(cls, "__post_init__", None)

    def post_init(self: Any) -> None:
        if check is not None:
            check(self)
        freeze(self)

    cls.__post_init__ = post_init  # type: ignore[attr-defined]
    return dataclass(frozen=True, slots=True, kw_only=True, eq=False)(cls)


def check(holds: bool, otherwise: str) -> None:
    """Raise a ValueError that says otherwise: in a record's `__post_init__`."""
    if not holds:
        raise ValueError(otherwise)


def freeze(instance: Any) -> None:
    """Replace every array of a frozen dataclass by a read-only copy."""
    for each in fields(instance):
        value = getattr(instance, each.name)
        if isinstance(value, np.ndarray):
            copy = value.copy()
            copy.setflags(write=False)
            object.__setattr__(instance, each.name, copy)
