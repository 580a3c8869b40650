"""“Training lab”: which symbols of a source the symbols of its answer are made from, where the task's rule says it."""

import calendar
import re

import numpy as np
import numpy.typing as npt

Places = tuple[tuple[int, ...], ...]
_YEAR = re.compile(r"\d{4}")
_NAME = re.compile("|".join(name.lower() for name in (*calendar.month_name[1:], *calendar.month_abbr[1:])))
_NUMBER = re.compile(r"(?<!\d)\d{1,2}(?!\d)")


def right_places(task: str, source: str) -> Places:
    """Return for each symbol of the answer the places in the source that it is made from; none where no rule says.

    Of equal symbols that are sorted, any may come first; each counts. A date's year, month and day come from their
    whole fields.
    """
    if task in ("copy", "couplets"):
        return tuple((position,) for position in range(len(source)))
    if task == "reverse":
        return tuple((position,) for position in reversed(range(len(source))))
    if task == "sort":
        return tuple(
            tuple(position for position, other in enumerate(source) if other == symbol) for symbol in sorted(source)
        )
    return _fields_of_date(source) if task == "dates" else ()


def right_cells(positions: Places, shape: tuple[int, ...]) -> npt.NDArray[np.bool_]:
    """Return these places as cells of a map of a shape, whose last column is the source's end."""
    cells = np.zeros(shape, bool)
    for row, columns in enumerate(positions[: len(cells)]):
        cells[row, list(columns)] = True
    return cells


def on_right(weights: npt.NDArray[np.float32], cells: npt.NDArray[np.bool_] | None) -> float:
    """Return weight on the right cells of a row, mean over the rows that have any; NaN where nobody knows."""
    rows = cells.any(-1) if cells is not None else np.zeros(0, bool)
    if cells is None or not rows.any():
        return float("nan")
    return float((weights * cells).sum(-1)[rows].mean())


def _fields_of_date(source: str) -> Places:
    """Return the places for `1998-05-09`: four times the year, a hyphen, twice the month, a hyphen, twice the day."""
    year, name = _YEAR.search(source), _NAME.search(source.lower())
    numbers = list(_NUMBER.finditer(source))
    if year is None or len(numbers) != (1 if name else 2):
        return ()
    day, month = _span(numbers[0]), _span(name or numbers[-1])
    return (*[_span(year)] * 4, (), month, month, (), day, day)


def _span(found: "re.Match[str]") -> tuple[int, ...]:
    return tuple(range(*found.span()))
