"""Colours of values: what paints a key, a query, a bar or a ribbon like the value it stands for."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from explorer.figures import look as looks
from explorer.figures.look import Look
from explorer.lessons.queries_keys_values.records.lookup import LookupRecord, say_value

#: Share of the value colour in the smallest number, so that it differs from the paper.
_LEAST = 0.15


def span(record: LookupRecord) -> tuple[float, float]:
    """Return the smallest and largest value; never of no width."""
    values = [entry.value[0] for entry in record.entries]
    low, high = min(values), max(values)
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def scale(look: Look) -> tuple[tuple[float, str], ...]:
    """Return the scale of numbers: from a tint to the full colour of values."""
    faint = looks.ink_at(_LEAST, ramp(look.value, look))
    return ((0.0, faint), (1.0, look.value))


def ramp(colour: str, look: Look) -> Look:
    """Return the look with a scale of its own: from the paper to a colour."""
    return replace(look, weights=((0.0, look.paper), (1.0, colour)))


def of(record: LookupRecord, shown: Any, look: Look) -> str:
    """Return the colour of one value, as #rrggbb."""
    if record.is_colour:
        return "#" + "".join(f"{round(min(max(float(channel), 0.0), 255.0)):02x}" for channel in shown)
    low, high = span(record)
    share = (float(shown[0]) - low) / (high - low)
    return looks.ink_at(share, replace(look, weights=scale(look)))


def every(record: LookupRecord, shown: Sequence[Any] | None, look: Look) -> list[str]:
    """Return the colours of several values, of the entries' own if none are given, as Plotly takes them.

    Not as #rrggbb, of which Streamlit replaces some.
    """
    given = [entry.value for entry in record.entries] if shown is None else shown
    return [plain(of(record, value, look)) for value in given]


def hovered(shown: Any, record: LookupRecord, look: Look) -> str:
    """Write a value where it is pointed at: a number, or a square in its colour."""
    return say_value(shown) or f'<span style="color:{plain(of(record, shown, look))}">■</span>'


def plain(colour: str) -> str:
    """Write #rrggbb as `rgb(r,g,b)`."""
    return f"rgb({','.join(str(round(255 * channel)) for channel in looks.channels(colour))})"
