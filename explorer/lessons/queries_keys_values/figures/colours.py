"""Colours of values: what paints a key, a query, a bar or a ribbon like the value it stands for."""

from collections.abc import Sequence
from typing import Any

from explorer.figures import look as looks, theme
from explorer.lessons.queries_keys_values.records.lookup import LookupRecord, say_value

#: Share of the value colour in the smallest number, so that it differs from the paper.
_LEAST = 0.15
#: A feature that is called red; it is read on either paper.
RED = "#d1202f"


def span(record: LookupRecord) -> tuple[float, float]:
    """Return the smallest and largest value; never of no width."""
    values = [entry.value[0] for entry in record.entries]
    low, high = min(values), max(values)
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def scale() -> tuple[tuple[float, str], ...]:
    """Return the scale of numbers: from a tint to the full colour of values."""
    faint = looks.colour_at(_LEAST, ramp(looks.look().value))
    return ((0.0, faint), (1.0, looks.look().value))


def ramp(colour: str) -> tuple[tuple[float, str], ...]:
    """Return a scale from the paper to a colour."""
    return ((0.0, looks.look().paper), (1.0, colour))


def of(record: LookupRecord, shown: Any) -> str:
    """Return the colour of one value, as #rrggbb."""
    if record.is_colour:
        return "#" + "".join(f"{round(min(max(float(channel), 0.0), 255.0)):02x}" for channel in shown)
    low, high = span(record)
    share = (float(shown[0]) - low) / (high - low)
    return looks.colour_at(share, scale())


def every(record: LookupRecord, shown: Sequence[Any] | None) -> list[str]:
    """Return the colours of several values, of the entries' own if none are given, as Plotly takes them.

    Not as #rrggbb, of which Streamlit replaces some.
    """
    given = [entry.value for entry in record.entries] if shown is None else shown
    return [plain(of(record, value)) for value in given]


def format_hover(shown: Any, record: LookupRecord) -> str:
    """Write a value where it is pointed at: a number, or a square in its colour."""
    return say_value(shown) or f'<span style="color:{plain(of(record, shown))}">■</span>'


def plain(colour: str) -> str:
    """Write #rrggbb as `rgb(r,g,b)`."""
    return f"rgb({','.join(str(round(255 * channel)) for channel in looks.channels(colour))})"


def of_features(features: Sequence[str]) -> list[str]:
    """Return the colour of each feature, by id: red is red; no orange, which asks, and no green, which is right."""
    others = iter(theme.CATEGORICAL[position] for position in (0, 7, 5, 3, 6))
    return [RED if feature == "red" else next(others) for feature in features]
