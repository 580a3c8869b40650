"""What the browser may tell of a live picture: values within bounds, and what is done with them.

Anybody can send anything: what is no such value (NaN, a text for a number, a list, nothing) changes nothing.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from explorer.ui import fields


class Bounds(Protocol):
    """A set of values."""

    def read(self, said: Any) -> Any:
        """Return the value that was told; None if it is none of these."""
        ...


@dataclass(frozen=True, slots=True)
class Number:
    """A finite number; beyond its ends the nearest one counts.

    Attributes:
        low: smallest.
        high: largest.
        step: of which it is a multiple; None where it may be any.
    """

    low: float = -math.inf
    high: float = math.inf
    step: float | None = None

    def read(self, said: Any) -> float | None:
        """Return it with twelve digits: what a step has added up to beyond them is rounding."""
        if isinstance(said, bool) or not isinstance(said, int | float) or not math.isfinite(said):
            return None
        number = said if self.step is None else round(said / self.step) * self.step
        return min(max(float(f"{number:.12g}"), self.low), self.high)


@dataclass(frozen=True, slots=True)
class Index:
    """A whole number from 0.

    Attributes:
        count: how many there are.
    """

    count: int

    def read(self, said: Any) -> int | None:
        """Return it as a whole number."""
        number = isinstance(said, int | float) and not isinstance(said, bool)
        return int(said) if number and said in range(self.count) else None


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of some values, told by its place.

    Attributes:
        values: by place, from 0.
    """

    values: Sequence[Any]

    def read(self, said: Any) -> Any:
        """Return the value at the place."""
        position = Index(len(self.values)).read(said)
        return None if position is None else self.values[position]


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list of values.

    Attributes:
        each: bounds of every value.
        least: how many there are at least.
        most: how many at most.
    """

    each: Bounds
    least: int
    most: int

    def read(self, said: Any) -> list[Any] | None:
        """Return all of them, or None where one is out of its bounds."""
        if not isinstance(said, list) or not self.least <= len(said) <= self.most:
            return None
        found = [self.each.read(one) for one in said]
        return None if any(one is None for one in found) else found


@dataclass(frozen=True, slots=True)
class Permutation:
    """The whole numbers from 0, each once, in some order.

    Attributes:
        count: how many there are.
    """

    count: int

    def read(self, said: Any) -> list[int] | None:
        """Return them in the order that was told."""
        found = ListOf(Index(self.count), self.count, self.count).read(said)
        return found if found is not None and len(set(found)) == self.count else None


class Told(Protocol):
    """A declaration: what is done with something that a picture tells."""

    def take(self, said: Any) -> None:
        """Take what was told, if it is within the bounds; in a callback."""
        ...


@dataclass(frozen=True, slots=True)
class Link:
    """A field of the link that holds what was told.

    Attributes:
        key: of the field.
        bounds: of what it may hold.
    """

    key: str
    bounds: Bounds

    def take(self, said: Any) -> None:
        """Put it into the field."""
        value = self.bounds.read(said)
        if value is not None:
            fields.set_values({self.key: value})


class Action:
    """A function that gets what was told, all of it or nothing."""

    def __init__(self, function: Callable[..., None], **bounds: Bounds) -> None:
        """Make it.

        Args:
            function: gets each part by its name.
            bounds: of each part, by its name.
        """
        self._function, self._bounds = function, bounds

    def take(self, said: Any) -> None:
        """Call the function."""
        if not isinstance(said, dict):
            return
        found = {name: bounds.read(said.get(name)) for name, bounds in self._bounds.items()}
        if all(value is not None for value in found.values()):
            self._function(**found)


def take(changed: Any, tells: Mapping[str, Told]) -> None:
    """Take what the browser says has changed: what was declared, nothing else; in a callback."""
    if isinstance(changed, dict):
        for name, told in tells.items():
            if name in changed:
                told.take(changed[name])
