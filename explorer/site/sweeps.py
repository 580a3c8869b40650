"""Sliders of a scene on its page: each moves alone, through states that are computed as far as a budget goes."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from explorer.scenes import CONTROLS
from explorer.scenes.spec import Lesson, Scene, State
from explorer.site.states import Packed, Sight
from explorer.ui import stops
from explorer.ui.messages import NO_MODEL
from explorer.ui.scene import off_page
from explorer.ui.stops import Stops

#: Stops of a slider: one of more goes in the smallest of these strides that leaves at most so many, and its two ends.
MOST, _STRIDES = 21, (1, 2, 5, 10, 20, 50)
#: For the sliders of a lesson: bytes of what they draw as it is stored, and seconds of all cores that compute it, which
#: do not depend on what else a machine does.
_BYTES, _SECONDS = 350_000, 12.0
#: Every fourth of the stops comes first, then every second, then all: where a budget ends, the middle ones are missing.
_ROUNDS = (4, 2, 1)
#: Makes what is seen in a state.
See = Callable[[State], Sight]


@dataclass(frozen=True, slots=True, kw_only=True)
class SweptSlider:
    """A slider on its page.

    Attributes:
        label: what it asks for.
        more: whether it is set seldom.
        written: each stop as it is shown.
        sights: what is seen at each.
        at: place of the stop at which it stands first.
    """

    label: str
    more: bool
    written: list[str]
    sights: list[Sight]
    at: int


def sweep(
    lesson: Lesson, scene: Scene, words: str, usual: Sight, see: See, packed: Packed, most: int
) -> list[SweptSlider]:
    """Compute the stops of a core scene's sliders, all else at its defaults.

    Sliders that change nothing there are left out, and those for whose work the reader moves something in a picture.

    Args:
        lesson: that has the scene.
        scene: whose sliders are meant.
        words: language.
        usual: what is seen at the defaults.
        see: computes what is seen in another state, and packs it.
        packed: takes what is drawn.
        most: stops of a slider.

    Returns:
        The sliders, those that are set seldom last.
    """
    if not most or not scene.core:
        return []
    shares = len(lesson.core)
    left = _Left(packed, packed.n_bytes + _BYTES // shares, time.process_time() + _SECONDS / shares)
    try:
        asked = off_page.run(partial(_ask, lesson, scene), words)
        moved = [_Slider(key, each, usual, most, more=_is_seldom(lesson, key)) for key, each in asked]
        for every in _ROUNDS:
            for each in moved:
                each.refine(every, see, left)
    except NO_MODEL:
        return []
    return [each.made() for each in moved if each.acts]


def _ask(lesson: Lesson, scene: Scene) -> list[tuple[str, Stops]]:
    """Return the sliders of a scene by key, those that are set seldom last."""
    with stops.collect() as found:
        off_page.show(lesson, scene, {}, answered=True)
    return sorted(found.items(), key=lambda each: _is_seldom(lesson, each[0]))


def _is_seldom(lesson: Lesson, key: str) -> bool:
    return key in lesson.shared or (key in CONTROLS and CONTROLS[key].more)


@dataclass(frozen=True, slots=True)
class _Left:
    """A budget: of bytes, and of the moment at which its seconds are over."""

    packed: Packed
    full: int
    end: float

    def pays(self, stops: int, before: tuple[int, float] | None) -> bool:
        """Return whether it pays for some stops, if each costs as much as those before: bytes and seconds of one."""
        size, elapsed = before or (0, 0.0)
        return self.packed.n_bytes + stops * size < self.full and time.process_time() + stops * elapsed < self.end


class _Slider:
    """A slider whose stops are computed round by round."""

    def __init__(self, key: str, asked: Stops, usual: Sight, most: int, *, more: bool) -> None:
        self.key, self.asked, self.more = key, asked, more
        self.last = len(asked.values) - 1
        self.stride = next((each for each in _STRIDES if self.last / each < most), max(self.last, 1))
        self.seen = {asked.at: usual}
        self.cost: tuple[int, float] | None = None

    @property
    def acts(self) -> bool:
        """Return whether it changes what is seen."""
        return any(sight.pictures != self.seen[self.asked.at].pictures for sight in self.seen.values())

    def refine(self, every: int, see: See, left: _Left) -> None:
        """Compute the stops of a round, all of them or none; none of a slider that changes nothing."""
        stride = self.stride * every
        new = sorted({0, self.last, *range(self.asked.at % stride, self.last, stride)} - self.seen.keys())
        if not new or (self.cost and not self.acts) or not left.pays(len(new), self.cost):
            return
        size, began, seen = left.packed.n_bytes, time.process_time(), dict[int, Sight]()
        for position in new:
            if not left.pays(1, None):
                return
            seen[position] = see({self.key: self.asked.values[position]})
        self.cost = (left.packed.n_bytes - size) // len(new), (time.process_time() - began) / len(new)
        self.seen |= seen

    def made(self) -> SweptSlider:
        """Return it as it stands on the page."""
        positions = sorted(self.seen)
        return SweptSlider(
            label=self.asked.label,
            more=self.more,
            written=[self.asked.written[position] for position in positions],
            sights=[self.seen[position] for position in positions],
            at=positions.index(self.asked.at),
        )
