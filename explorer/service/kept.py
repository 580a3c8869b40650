"""Results that are made once for equal keys: all of a process share one budget in bytes, and each reader a part of it.

Bounded by number alone, results of long texts would fill a server: one has from some hundred bytes to ten megabytes.
"""

import gc
import os
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import lru_cache, wraps
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np

#: Bytes of all results, if the owner of the server does not say otherwise in megabytes in this variable.
USUAL_BYTES, VARIABLE = 1_000_000_000, "EXPLORER_CACHE_MB"
#: One reader fills at most this part of it: then the oldest of what they asked for goes first.
SHARE = 4
#: Bytes that an entry takes beside its key and its value.
_ENTRY_BYTES = 500
#: No result owns these; neither what its class calls `SHARED`, such as a model.
_SHARED = (type, ModuleType, FunctionType, BuiltinFunctionType)
P = ParamSpec("P")
R = TypeVar("R")


@dataclass(slots=True)
class _Entry:
    value: Any
    size: int
    owner: str


class Kept:
    """Results by key, the least recently used first.

    Args:
        most_bytes: of all together.
        asking: returns who asks, such as a session; an empty text for nobody in particular.

    Attributes:
        n_bytes: of all that is kept.
    """

    def __init__(self, most_bytes: int, asking: Callable[[], str] = str) -> None:
        self.most_bytes, self.asking = most_bytes, asking
        self.n_bytes = 0
        self._lock = threading.RLock()
        self._entries: OrderedDict[Hashable, _Entry] = OrderedDict()
        self._owned: dict[str, OrderedDict[Hashable, None]] = {}
        self._filled: dict[str, int] = {}
        self._making: dict[Hashable, threading.RLock] = {}

    def find(self, key: Hashable) -> Any:
        """Return what is kept under a key, or None; it counts as used."""
        entry = self._used(key)
        return None if entry is None else entry.value

    def once(self, key: Hashable, make: Callable[[], R]) -> R:
        """Return what is made for a key, made only where it is not kept; who asks meanwhile waits for it.

        What is larger than a reader's part is returned, and not kept.
        """
        if entry := self._used(key):
            return cast("R", entry.value)
        with self._lock:
            making = self._making.setdefault(key, threading.RLock())
        with making:
            if entry := self._used(key):
                return cast("R", entry.value)
            try:
                made = make()
                self.keep(key, made)
            finally:
                with self._lock:
                    self._making.pop(key, None)
        return made

    def keep(self, key: Hashable, value: Any, owner: str | None = None) -> bool:
        """Keep a result, and let others go for it; return whether it found room.

        Args:
            owner: whose part it fills; of who asks, if not given.
        """
        size, owner = size_of((key, value)) + _ENTRY_BYTES, self.asking() if owner is None else owner
        with self._lock:
            self._drop(key)
            self._entries[key] = _Entry(value, size, owner)
            self._owned.setdefault(owner, OrderedDict())[key] = None
            self._filled[owner] = self._filled.get(owner, 0) + size
            self.n_bytes += size
            while self._filled.get(owner, 0) > self.most_bytes // SHARE:
                self._drop(next(iter(self._owned[owner])))
            while self.n_bytes > self.most_bytes:
                self._drop(next(iter(self._entries)))
            return key in self._entries

    def forget(self, goes: Callable[[Hashable], bool] = lambda _: True) -> None:
        """Let results go, all of them or those of some keys."""
        with self._lock:
            for key in [each for each in self._entries if goes(each)]:
                self._drop(key)

    def _used(self, key: Hashable) -> _Entry | None:
        with self._lock:
            entry = self._entries.get(key)
            if entry is not None:
                self._entries.move_to_end(key)
                self._owned[entry.owner].move_to_end(key)
            return entry

    def _drop(self, key: Hashable) -> None:
        entry = self._entries.pop(key, None)
        if entry is None:
            return
        del self._owned[entry.owner][key]
        self._filled[entry.owner] -= entry.size
        self.n_bytes -= entry.size
        if not self._owned[entry.owner]:
            del self._owned[entry.owner], self._filled[entry.owner]


@lru_cache(maxsize=1)
def list_kept() -> Kept:
    """Return the results that this process keeps."""
    said = os.environ.get(VARIABLE, "")
    return Kept(int(float(said) * 1_000_000) if said else USUAL_BYTES)


def made_once(function: Callable[P, R]) -> Callable[P, R]:
    """Keep what a function makes of a reader's input, as `lru_cache` would, within the budget of all."""
    name = f"{function.__module__}.{function.__qualname__}"

    @wraps(function)
    def find(*args: P.args, **kwargs: P.kwargs) -> R:
        return list_kept().once((name, args, tuple(sorted(kwargs.items()))), lambda: function(*args, **kwargs))

    find.cache_clear = lambda: list_kept().forget(  # type: ignore[attr-defined]
        lambda key: isinstance(key, tuple) and key[0] == name
    )
    return find


def size_of(value: Any) -> int:
    """Return about how many bytes a result takes, with all that it refers to but classes, functions and models."""
    total, seen, found = 0, set[int](), [value]
    while found:
        found = [each for number, each in {id(each): each for each in found}.items() if number not in seen]
        seen.update(map(id, found))
        found = [each for each in found if not (isinstance(each, _SHARED) or getattr(each, "SHARED", False))]
        arrays = [each for each in found if hasattr(each, "__array__")]
        total += sum(map(sys.getsizeof, found)) + sum(_storage(each, seen) for each in arrays)
        found = [*gc.get_referents(*found), *(each.base for each in arrays if isinstance(each, np.ndarray))]
    return total


def _storage(array: Any, seen: set[int]) -> int:
    """Return the bytes behind a tensor, which its object's size leaves out; views share them."""
    if not hasattr(array, "untyped_storage"):
        return 0
    storage = array.untyped_storage()
    known = storage.data_ptr() in seen
    seen.add(storage.data_ptr())
    return 0 if known else int(storage.nbytes())
