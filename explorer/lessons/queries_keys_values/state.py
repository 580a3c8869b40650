"""“Queries, keys and values”: what is asked, what is drawn, what was found."""

import math
from dataclasses import dataclass, field

from explorer.lessons.queries_keys_values.records.lookup import MAX_KEYS, REACH, Entry, LookupRecord
from explorer.lessons.queries_keys_values.records.scene import SceneRecord
from explorer.scenes.queries_keys_values import T

#: What every object is described by; the salience comes first and is what catches the eye unasked.
FEATURES = ("salience", "readable", "red", "drinkable", "noisy", "alive")
#: Each object's place on the desk, and its numbers in the order of `FEATURES`. Chosen by hand, to be looked at.
OBJECTS: dict[str, tuple[tuple[float, float], tuple[float, ...]]] = {
    "cup": ((1.6, 6.4), (0.9, 0.1, 1.0, 0.9, 0.0, 0.0)),
    "newspaper": ((4.6, 6.2), (0.3, 1.0, 0.0, 0.0, 0.1, 0.0)),
    "plant": ((7.5, 6.4), (0.3, 0.0, 0.1, 0.0, 0.0, 0.9)),
    "phone": ((10.4, 6.2), (0.7, 0.6, 0.1, 0.0, 0.9, 0.0)),
    "cat": ((1.6, 2.4), (0.6, 0.0, 0.1, 0.0, 0.4, 1.0)),
    "book": ((4.6, 2.4), (0.4, 0.9, 0.7, 0.0, 0.0, 0.0)),
    "pen": ((7.5, 2.4), (0.2, 0.1, 0.0, 0.0, 0.1, 0.0)),
    "water": ((10.4, 2.4), (0.1, 0.0, 0.0, 1.0, 0.1, 0.0)),
}
TEMPERATURES = T.options
#: Temperatures of the desk: less far apart, since its scores are.
CALM = (0.01, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 100.0)
SCORES = ("distance", "dot")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cues:
    """Settings of somebody who looks at the scene; numbers are clamped.

    Attributes:
        query: how much each feature but the salience is looked for, each from −1 (avoided) to 1.
        salience: how much the salience counts beside the query, 0…1.
        temperature: what the scores are divided by.
    """

    query: tuple[float, ...] = (1.0, 0.0, 0.0, 0.0, 0.0)
    salience: float = 0.3
    temperature: float = 0.2

    def __post_init__(self) -> None:
        d = len(FEATURES) - 1
        padded = (*self.query, *(0.0,) * d)[:d]
        object.__setattr__(self, "query", tuple(clamp(number, -1.0, 1.0) for number in padded))
        object.__setattr__(self, "salience", clamp(self.salience, 0.0, 1.0))
        object.__setattr__(self, "temperature", clamp(self.temperature, TEMPERATURES[0], TEMPERATURES[-1]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookup:
    """A dictionary and a question. Numbers are clamped, the dictionary bounded.

    Attributes:
        entries: at least one; all values numbers, or all colours.
        query: a place in the plane.
        score: `distance`, −½‖q − k‖², or `dot`, q·k.
        temperature: what the scores are divided by.

    Raises:
        ValueError: if there is no entry, or the values are of two kinds, or the score is unknown.
    """

    entries: tuple[Entry, ...] = (
        Entry(name="a", x=-1.5, y=1.0, value=(0.0, 114.0, 178.0)),
        Entry(name="b", x=1.5, y=1.5, value=(213.0, 94.0, 0.0)),
        Entry(name="c", x=0.5, y=-1.5, value=(240.0, 228.0, 66.0)),
    )
    query: tuple[float, float] = (0.5, 0.5)
    score: str = "distance"
    temperature: float = 1.0

    def __post_init__(self) -> None:
        if not self.entries or len({entry.is_colour for entry in self.entries}) > 1:
            raise ValueError("give at least one entry, and values that are all numbers or all colours")
        if self.score not in SCORES:
            raise ValueError(f"{self.score!r} is none of {', '.join(SCORES)}")
        x, y = (clamp(number, -REACH, REACH) for number in self.query)
        object.__setattr__(self, "entries", self.entries[:MAX_KEYS])
        object.__setattr__(self, "query", (x, y))
        object.__setattr__(self, "temperature", clamp(self.temperature, TEMPERATURES[0], TEMPERATURES[-1]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Params:
    """Settings of somebody who looks at the scene; numbers are clamped.

    Attributes:
        cues: how the scene is looked at.
        lookup: what the dictionary is asked.
    """

    cues: Cues = field(default_factory=Cues)
    lookup: Lookup = field(default_factory=Lookup)


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """The object whose score is written out, an id of `OBJECTS`."""

    chosen: str = "newspaper"

    @property
    def number(self) -> int:
        """Return the place of the chosen object; of the first, if there is none of that name."""
        return list(OBJECTS).index(self.chosen) if self.chosen in OBJECTS else 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Result:
    """Everything that `compute` found.

    Attributes:
        scene: the objects and their weights, without and with the query.
        lookup: what the dictionary answers.
    """

    scene: SceneRecord
    lookup: LookupRecord


def clamp(number: float, low: float, high: float) -> float:
    """Clamp a number; what is no number becomes 0, or the end next to it."""
    return min(max(0.0 if math.isnan(number) else float(number), low), high)
