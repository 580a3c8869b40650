"""Stops of the sliders that a scene draws, collected where the scene is computed for paper or for a site."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Stops:
    """A slider.

    Attributes:
        label: what it asks for.
        values: of all its stops, in order.
        written: each of them as the slider shows it.
        at: place of the stop that it holds.
    """

    label: str
    values: Sequence[Any]
    written: Sequence[str]
    at: int


_collecting: ContextVar[dict[str, Stops] | None] = ContextVar("collecting", default=None)


@contextmanager
def collect() -> Iterator[dict[str, Stops]]:
    """Collect the sliders that are drawn inside and can be moved, by key."""
    found: dict[str, Stops] = {}
    before = _collecting.set(found)
    try:
        yield found
    finally:
        _collecting.reset(before)


def add(key: str, label: str, values: Sequence[Any], form: str, value: Any, *, disabled: bool = False) -> None:
    """Collect a slider; `form` writes a value (`%.2f`), and it holds the stop that is nearest to `value`."""
    found = _collecting.get()
    if found is not None and not disabled:
        at = min(range(len(values)), key=lambda position: abs(values[position] - value))
        found[key] = Stops(label, values, [form % each for each in values], at)


def leave_to_picture(keys: Iterable[str]) -> None:
    """Collect none of these sliders: what they ask for is moved in a picture."""
    for key in keys:
        (_collecting.get() or {}).pop(key, None)


def between(least: Any, most: Any, step: Any) -> list[Any]:
    """Return the numbers from the least to the most; the step is that of `st.slider` if none is given."""
    stride = step or (1 if isinstance(least, int) else 0.01)
    kind = type(least)  # with twelve digits: what a step has added up to beyond them is rounding
    return [kind(f"{least + position * stride:.12g}") for position in range(round((most - least) / stride) + 1)]


def usual_format(number: Any) -> str:
    """Return how `st.slider` writes numbers of this kind if it is not told."""
    return "%d" if isinstance(number, int) else "%.2f"
