"""A dictionary whose keys are places in the plane, what a look-up in it found, and its notation for a link."""

import re
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from explorer.records.arrays import Floats
from explorer.records.provenance import Provenance
from explorer.records.readonly import record
from explorer.records.wording import minus
from explorer.scenes.queries_keys_values import X

#: The plane reaches from -REACH to REACH in both directions.
REACH = X.high
MAX_KEYS = 12
MAX_VALUE = 1e6
NAME_CHARACTERS = 12
#: The ways of answering, the rows of a `LookupRecord`.
WAYS = HARD, SOFT, AVERAGE = ("hard", "soft", "average")
_NUMBER = re.compile(r"[+-]?(?:\d{1,12}\.?\d{0,12}|\.\d{1,12})(?:[eE][+-]?\d{1,2})?", re.ASCII)
_COLOUR = re.compile(r"#(?:[0-9a-f]{3}){1,2}", re.ASCII | re.IGNORECASE)
#: Full-width punctuation, as a Chinese keyboard types it, and the typographer's minus.
_WIDE = str.maketrans("，；．－＃　−", ",;.-# -")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry of the dictionary.

    Attributes:
        name: what it is called.
        x: first number of its key.
        y: second number of its key.
        value: one number, or the three channels of a colour, 0…255.
    """

    name: str
    x: float
    y: float
    value: tuple[float, ...]

    @property
    def is_colour(self) -> bool:
        """Return whether the value is a colour."""
        return len(self.value) == 3


@dataclass(frozen=True, slots=True, kw_only=True)
class InputError:
    """A line that could not be read.

    Attributes:
        line: number of the line, from 1.
        text: the line as typed.
        reason: `parts`, `position`, `outside`, `value`, `kind` (of the value: another than the first line's) or `many`.
    """

    line: int
    text: str
    reason: str


def read_entries(text: str) -> tuple[tuple[Entry, ...], tuple[InputError, ...]]:
    """Return entries from lines such as `a -1 0.5 #0072b2` or `b 2 0 3.5`: name, two coordinates, value.

    Spaces, tabs, commas and semicolons separate. All values are of the first one's kind.

    Returns:
        The entries that can be read, and what is wrong with the other lines.
    """
    found, complaints = _read(text)
    return tuple(entry for _, entry in found), tuple(complaints)


def move_entry(text: str, number: int, x: float, y: float) -> str:
    """Move the key of one entry in the text; every other line stays as it was typed.

    Args:
        text: as for `read_entries`.
        number: of the entry among those that can be read, from 0; out of range changes nothing.
        x: where the key goes.
        y: where the key goes.
    """
    found, _ = _read(text)
    if not 0 <= number < len(found):
        return text
    line, entry = found[number]
    lines = text.splitlines()
    lines[line - 1] = write_entry(replace(entry, x=x, y=y))
    return "\n".join(lines)


def write_entry(entry: Entry) -> str:
    """Return the line that `read_entries` reads back."""
    value = write_value(entry.value) if len(entry.value) == 3 else f"{float(entry.value[0]):.12g}"
    return f"{entry.name} {entry.x:g} {entry.y:g} {value}"


def write_value(value: Any) -> str:
    """Return a number to four digits, or a colour such as #0072b2 (channels rounded)."""
    if len(value) == 3:
        return "#" + "".join(f"{round(min(max(float(channel), 0), 255)):02x}" for channel in value)
    return f"{float(value[0]):.4g}"


def say_value(value: Any) -> str:
    """Return a number to four digits, nothing for a colour: it is painted beside the words."""
    return "" if len(value) == 3 else minus(write_value(value))


def _read(text: str) -> tuple[list[tuple[int, Entry]], list[InputError]]:
    found: list[tuple[int, Entry]] = []
    complaints = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip(" \t,;"):
            continue
        entry = _read_line(line)
        if isinstance(entry, Entry) and found and entry.is_colour != found[0][1].is_colour:
            entry = "kind"
        if isinstance(entry, Entry) and len(found) == MAX_KEYS:
            entry = "many"
        if isinstance(entry, Entry):
            found.append((number, entry))
        else:
            complaints.append(InputError(line=number, text=line, reason=entry))
    return found, complaints


def _read_line(line: str) -> Entry | str:
    """Return the entry of a line, or why there is none."""
    pieces = [piece for piece in re.split(r"[\s,;]+", line.translate(_WIDE)) if piece]
    if len(pieces) != 4:
        return "parts"
    name, *position, value = pieces
    if not all(_NUMBER.fullmatch(piece) for piece in position):
        return "place"
    x, y = map(float, position)
    if max(abs(x), abs(y)) > REACH:
        return "outside"
    read = _read_value(value)
    return "value" if read is None else Entry(name=name[:NAME_CHARACTERS], x=x, y=y, value=read)


def _read_value(text: str) -> tuple[float, ...] | None:
    if _COLOUR.fullmatch(text):
        digits = text[1:] if len(text) == 7 else "".join(digit * 2 for digit in text[1:])
        return tuple(float(int(digits[i : i + 2], 16)) for i in (0, 2, 4))
    if _NUMBER.fullmatch(text) and abs(float(text)) <= MAX_VALUE:
        return (float(text),)
    return None


@record
class LookupRecord:
    """Answers to one query by each of the `WAYS`: the hard look-up, attention, average pooling. Read-only.

    Attributes:
        entries: the dictionary.
        query: `[2]`.
        score: name of the scoring function, `dot` or `distance`.
        temperature: what the scores were divided by, for attention.
        scores: `[keys]`.
        weights: `[3, keys]`, a row for each way; each sums to 1.
        outputs: `[3, 1]` for numbers, `[3, 3]` for colours.
        axis: coordinates at which the plane was asked, `[places]`.
        answers: what attention answers there, `[places (y), places (x), 1 or 3]`.
        temperatures: ascending, `[temperatures]`.
        path: the weights of attention at each, `[temperatures, keys]`.

    Raises:
        ValueError: if the shapes disagree or the weights of a way do not sum to 1.
    """

    entries: tuple[Entry, ...]
    query: Floats
    score: str
    temperature: float
    scores: Floats
    weights: Floats
    outputs: Floats
    axis: Floats
    answers: Floats
    temperatures: Floats
    path: Floats
    provenance: Provenance

    def __post_init__(self) -> None:
        n, d = len(self.entries), len(self.entries[0].value)
        shapes = (self.query.shape, self.scores.shape, self.weights.shape, self.outputs.shape, self.path.shape)
        if shapes != ((2,), (n,), (len(WAYS), n), (len(WAYS), d), (len(self.temperatures), n)):
            raise ValueError(f"{shapes} do not fit {n} entries whose values have {d} numbers")
        if self.answers.shape != (len(self.axis), len(self.axis), d):
            raise ValueError(f"answers {self.answers.shape} do not fit {len(self.axis)} places")
        if not np.allclose(self.weights.sum(-1), 1) or not np.allclose(self.path.sum(-1), 1):
            raise ValueError("a row of weights does not sum to 1")

    @property
    def is_colour(self) -> bool:
        """Return whether the values are colours."""
        return self.entries[0].is_colour

    @property
    def keys(self) -> Floats:
        """Return the keys, `[keys, 2]`."""
        return np.array([(entry.x, entry.y) for entry in self.entries])

    @property
    def distances(self) -> Floats:
        """Return the distances from the query to each key, `[keys]`."""
        distances: Floats = np.linalg.norm(self.keys - self.query, axis=-1)
        return distances

    @property
    def twins(self) -> tuple[tuple[int, ...], ...]:
        """Return numbers of the entries that have the same key, a group each; only groups of two or more."""
        positions: dict[tuple[float, float], list[int]] = {}
        for number, entry in enumerate(self.entries):
            positions.setdefault((entry.x, entry.y), []).append(number)
        return tuple(tuple(group) for group in positions.values() if len(group) > 1)
