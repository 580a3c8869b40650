"""Sliders of a scene on its page: which stops are computed, and where a budget ends."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from explorer import scenes
from explorer.scenes.spec import Scene, State
from explorer.site import sweeps
from explorer.site.states import Packed, Sight
from explorer.ui import stops
from explorer.ui.stops import Stops

LESSON = scenes.lesson("kernel_regression")
CORE = LESSON.core[0]
USUAL = Sight(({"reading": "usual"},), {})


class Maker:
    """Computes states that tell what they were set to and weigh 100 characters each, and counts them."""

    def __init__(self) -> None:
        self.packed, self.made = Packed(), list[State]()

    def see(self, state: State) -> Sight:
        self.made.append(state)
        self.packed.pieces[str(state)] = "x" * 100
        return USUAL if "idle" in state else Sight(({"reading": str(state)},), {})


@pytest.fixture
def maker() -> Maker:
    return Maker()


@pytest.fixture
def sweep(monkeypatch: pytest.MonkeyPatch, maker: Maker) -> Callable[..., Mapping[str, sweeps.SweptSlider]]:
    """SweptSlider sliders of so many stops, from 0, each at its first place; returns them by label."""

    def run(most: int = 21, scene: Scene = CORE, **sliders: tuple[int, int]) -> Mapping[str, sweeps.SweptSlider]:
        asked = [
            (key, Stops(key, range(count), [f"{each}°" for each in range(count)], at))
            for key, (count, at) in sliders.items()
        ]
        monkeypatch.setattr(sweeps, "_ask", lambda *_: asked)
        made = sweeps.sweep(LESSON, scene, "en", USUAL, maker.see, maker.packed, most)
        return {each.label: each for each in made}

    return run


def test_a_slider_of_few_stops_has_them_all_and_stands_where_it_stood(maker: Maker, sweep: Any) -> None:
    found = sweep(kr_width=(9, 4))["kr_width"]
    assert found.written == [f"{each}°" for each in range(9)]
    assert found.written[found.at] == "4°"
    assert [sight.pictures[0]["reading"] for sight in found.sights] == [
        "usual" if each == 4 else str({"kr_width": each}) for each in range(9)
    ]
    assert len(maker.made) == 8, "each once, and none that is there"


def test_one_of_many_stops_goes_in_even_strides_between_its_ends(sweep: Any) -> None:
    found = sweep(kr_width=(100, 7))["kr_width"]
    positions = [int(each[:-1]) for each in found.written]
    assert positions == [0, *range(2, 99, 5), 99]
    assert 7 in positions
    assert len(sweep(most=3, kr_width=(100, 7))["kr_width"].written) <= 5


def test_a_slider_that_changes_nothing_is_left_out_after_the_first_look(maker: Maker, sweep: Any) -> None:
    assert set(sweep(idle=(20, 0), kr_width=(3, 0))) == {"kr_width"}
    assert 0 < sum("idle" in each for each in maker.made) < 8


def test_where_the_budget_ends_every_slider_keeps_its_coarser_stops(
    monkeypatch: pytest.MonkeyPatch, maker: Maker, sweep: Any
) -> None:
    monkeypatch.setattr(sweeps, "_BYTES", 1500 * len(LESSON.core))
    found = sweep(kr_width=(17, 0), kr_query=(17, 0))
    assert [len(each.written) for each in found.values()] == [9, 5]
    assert maker.packed.n_bytes < 1500
    monkeypatch.setattr(sweeps, "_SECONDS", 0)
    assert not sweep(kr_width=(17, 0))


def test_scenes_that_go_deeper_have_none_and_nobody_asks_for_none(maker: Maker, sweep: Any) -> None:
    deeper = next(each for each in LESSON.scenes if not each.core)
    assert not sweep(scene=deeper, kr_width=(9, 0))
    assert not sweep(most=0, kr_width=(9, 0))
    assert maker.made == []


def test_what_is_set_seldom_is_said_to_be(sweep: Any) -> None:
    found = sweep(kr_width=(3, 0), kr_seed=(3, 0))
    assert (found["kr_width"].more, found["kr_seed"].more) == (False, True)


def test_a_slider_is_collected_as_it_is_drawn_unless_a_picture_does_its_work() -> None:
    assert stops.between(0.2, 3.0, 0.1)[:3] == [0.2, 0.3, 0.4]
    assert stops.between(1, 3, None) == [1, 2, 3]
    assert len(stops.between(0.05, 5.0, 0.05)) == 100
    with stops.collect() as found:
        stops.add("kept", "Kept", [0.0, 0.5, 1.0], "%.1f m", 0.51)
        stops.add("still", "Still", [0, 1], "%d", 0, disabled=True)
        stops.add("dragged", "Dragged", [0, 1], "%d", 0)
        stops.leave_to_picture(["dragged", "unknown"])
    assert found == {"kept": Stops("Kept", [0.0, 0.5, 1.0], ["0.0 m", "0.5 m", "1.0 m"], 1)}
    stops.add("later", "Later", [0, 1], "%d", 0)
    assert "later" not in found
