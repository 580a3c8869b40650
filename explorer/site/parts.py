"""A scene as its page needs it, computed in all its states: what is kept from one site to the next."""

import base64
import importlib
import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any

from markupsafe import Markup

from explorer.scenes.spec import Lesson, Scene, State
from explorer.site.states import LOOKS, Packed, Sight, see, see_one
from explorer.site.sweeps import SweptSlider, sweep
from explorer.ui.messages import NO_MODEL
from explorer.ui.scene import off_page, predict


@dataclass(frozen=True, slots=True, kw_only=True)
class ComputedScene:
    """A scene in all its states, computed; without sights where its model cannot be read.

    Attributes:
        sights: at first, when its question was skipped and when it was answered, and in each preset.
        sliders: those that move, each alone.
        right: the right answer to its question, by its name.
        because: why it is right.
        pieces: of what all pictures draw, by name.
    """

    sights: Sequence[Sight] = ()
    sliders: Sequence[SweptSlider] = ()
    right: str = ""
    because: str = ""
    pieces: Mapping[str, str] = field(default_factory=dict)

    @property
    def stops(self) -> list[Sight]:
        """Return what is seen at the stops of all sliders, one slider after the other."""
        return [sight for each in self.sliders for sight in each.sights]

    def first_stop(self, slider: SweptSlider) -> int:
        """Return the place of a slider's first stop among those of all."""
        return sum(len(each.sights) for each in self.sliders[: self.sliders.index(slider)])

    def unpack(self, picture: Mapping[str, Any]) -> Markup:
        """Return what is written in the place of a picture, as HTML; empty where it is drawn."""
        pieces = picture["light"] if "written" in picture else ()
        written = "".join(zlib.decompress(base64.b64decode(self.pieces[each])).decode() for each in pieces)
        return Markup(written)  # noqa: S704 - as the stage wrote it

    @property
    def tables(self) -> Mapping[str, bytes]:
        """Return the numbers of the scene's pictures at its defaults."""
        return self.sights[1].tables if self.sights else {}


def compute(
    lesson: Lesson, scene: Scene, words: str, most: int, weigh: Callable[[Sight, Packed], object]
) -> ComputedScene:
    """Compute a scene in all its states, and the right answer to its question.

    Args:
        lesson: that has the scene.
        scene: run in a session of its own for each state.
        words: language.
        most: stops of a slider.
        weigh: packs what else a stop of a slider costs, where its prose is another than usual.
    """
    packed = Packed()

    def stop(set_to: State) -> Sight:
        sight = see_one(lesson, scene, set_to, words, packed)
        if sight.values != sights[1].values:
            weigh(sight, packed)
        return sight

    try:
        module = importlib.import_module(lesson.module(scene.name))
        if hasattr(module, "find_unusable") and module.find_unusable():
            return ComputedScene()
        sights = see(lesson, scene, words, packed)
        sliders = sweep(lesson, scene, words, sights[1], stop, packed, most)
        right, because = off_page.run(partial(_answer, lesson, scene), words) if scene.prediction else ("", "")
    except NO_MODEL:
        return ComputedScene()
    seen = [*sights, *(sight for each in sliders for sight in each.sights)]
    drawn = packed.named({name for sight in seen for name in list_pieces(sight.pictures)})
    return ComputedScene(sights=sights, sliders=sliders, right=right, because=because, pieces=drawn)


def list_pieces(pictures: Sequence[Mapping[str, Any]]) -> set[str]:
    """Return what some pictures draw, on light paper and on dark."""
    return {piece for shown in pictures for look in LOOKS for piece in shown.get(look, ())}


def _answer(lesson: Lesson, scene: Scene) -> tuple[str, str]:
    assert scene.prediction
    predict.skip(lesson, scene)
    right, values = importlib.import_module(lesson.module(scene.name)).answer()
    return right, predict.because(scene.prediction, values)


def write(part: ComputedScene) -> str:
    """Return a part as JSON."""
    return json.dumps(asdict(part), ensure_ascii=False, separators=(",", ":"), default=bytes.decode)


def read(text: str) -> ComputedScene:
    """Return the part that `write` wrote.

    Raises:
        ValueError, TypeError, KeyError, AttributeError: it was not.
    """
    found = json.loads(text)
    sliders = [SweptSlider(**{**each, "sights": [_sight(one) for one in each["sights"]]}) for each in found["sliders"]]
    return ComputedScene(**{**found, "sights": [_sight(each) for each in found["sights"]], "sliders": sliders})


def _sight(found: Mapping[str, Any]) -> Sight:
    tables = {key: text.encode() for key, text in found["tables"].items()}
    return Sight(tuple(found["pictures"]), found["values"], tables)
