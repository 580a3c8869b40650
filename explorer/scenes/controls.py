"""Controls that the link carries, declared once: what each asks, within which bounds, and what it holds at first.

Plain data: `explorer.ui.choice.ask` draws one by its key, `explorer.ui.scene.rail.ask` those of a scene. A control
whose bounds or names depend on data is drawn by its lesson; the scene then gives its default alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

N = TypeVar("N", int, float)


@dataclass(frozen=True, slots=True)
class Control:
    """A widget.

    Attributes:
        label: an English message, as all texts here.
        default: what it holds before it is moved.
        help: shown behind a question mark.
        name: of what it sets; what follows the prefix of its key if empty.
        more: whether it stands in *More settings*.
    """

    label: str
    default: Any = field(kw_only=True)
    help: str = field(default="", kw_only=True)
    name: str = field(default="", kw_only=True)
    more: bool = field(default=False, kw_only=True)

    def field_of(self, key: str) -> str:
        """Return what it sets, by its key."""
        return self.name or key.partition("_")[2]

    @property
    def texts(self) -> tuple[str, ...]:
        """Return what is translated: numbers are not."""
        said = (self.label, self.help, getattr(self, "placeholder", ""), *getattr(self, "names", {}).values())
        return tuple(text for text in said if text and not text.isdecimal())


@dataclass(frozen=True, slots=True)
class Slider(Control, Generic[N]):
    """A number from `low` to `high` in steps; `format` is that of `st.slider`."""

    low: N
    high: N
    step: N | None = None
    format: str | None = field(default=None, kw_only=True)


@dataclass(frozen=True, slots=True)
class SelectSlider(Control, Generic[N]):
    """One of some numbers."""

    options: Sequence[N]


@dataclass(frozen=True, slots=True)
class Toggle(Control):
    """Yes or no."""


@dataclass(frozen=True, slots=True)
class Select(Control):
    """One of some names, by its id, in a drop-down list."""

    names: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Buttons(Select):
    """One of some names, by its id, in a row of buttons."""


@dataclass(frozen=True, slots=True)
class TextInput(Control):
    """A line of at most so many characters."""

    most: int
    placeholder: str = field(default="", kw_only=True)


def find_declared(controls: Mapping[str, Any]) -> dict[str, Control]:
    """Return the controls among those of a scene, by key, that are more than a default."""
    return {key: each for key, each in controls.items() if isinstance(each, Control)}


def defaults(controls: Mapping[str, Any]) -> dict[str, Any]:
    """Return what each control of a scene holds at first, by key."""
    return {key: each.default if isinstance(each, Control) else each for key, each in controls.items()}
